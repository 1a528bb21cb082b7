import { type Canvas, INKS, type Ink } from './canvas.ts'

export const TOP_SCORE = 1000

const BANDS: readonly (readonly [from: number, ink: Ink])[] = [
  [0, INKS.red],
  [300, INKS.orange],
  [500, INKS.amber],
  [650, INKS.lime],
  [800, INKS.green],
]

/** Returns the colour of the band that contains a score. */
export function bandInk(score: number): Ink {
  return BANDS.findLast(([from]) => score >= from)?.[1] ?? INKS.red
}

/** Draws the score on a half circle, from red on the left to green on the right. @param y the y of the base line */
export function drawGauge(canvas: Canvas, x: number, y: number, radius: number, score: number): void {
  const angle = (value: number) => 180 + (Math.min(Math.max(value, 0), TOP_SCORE) / TOP_SCORE) * 180
  for (const [i, [from, ink]] of BANDS.entries()) {
    const to = BANDS[i + 1]?.[0] ?? TOP_SCORE
    const gap = to === TOP_SCORE ? 0 : 1.2
    canvas.arc(x, y, radius, angle(from), angle(to) - gap, 15, ink)
  }
  const turn = (angle(score) * Math.PI) / 180
  const tip = { x: x + (radius - 14) * Math.cos(turn), y: y + (radius - 14) * Math.sin(turn) }
  canvas.line(x, y, tip.x, tip.y, 2.6, INKS.navy)
  canvas.disc(x, y, 5, INKS.navy)
  canvas.text('0', x - radius, y + 13, { size: 7.5, ink: INKS.soft, align: 'center' })
  canvas.text(String(TOP_SCORE), x + radius, y + 13, { size: 7.5, ink: INKS.soft, align: 'center' })
}

interface Bar {
  label: string
  value: number
  shown: string
  ink: Ink
}

/** Draws values as horizontal bars with the same scale. @returns the y below the last bar */
export function drawBars(canvas: Canvas, x: number, y: number, width: number, bars: readonly Bar[]): number {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  let top = y
  for (const { label, value, shown, ink } of bars) {
    canvas.text(label, x, top + 8, { size: 8.5, ink: INKS.soft })
    canvas.text(shown, x + width, top + 8, { size: 8.5, bold: true, align: 'right' })
    canvas.rect(x, top + 13, width, 8, INKS.pale)
    if (value > 0) canvas.rect(x, top + 13, Math.max(1.5, (width * value) / most), 8, ink)
    top += 30
  }
  return top
}
