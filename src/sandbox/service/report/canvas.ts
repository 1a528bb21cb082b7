import { LineCapStyle, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib'
import { type Html, html } from '../../../text/escaping.ts'

/** A4, in points. Positions are measured from the upper left corner of the page. */
export const PAGE = { width: 595, height: 842, margin: 44 } as const

export const LEFT = PAGE.margin
export const RIGHT = PAGE.width - PAGE.margin
export const COLUMN = (RIGHT - LEFT - 28) / 2

export type Ink = ReturnType<typeof rgb>

const ink = (hex: string): Ink =>
  rgb(...([0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number]))

export const INKS = {
  navy: ink('17324d'),
  text: ink('22303c'),
  soft: ink('6b7a88'),
  line: ink('d9e0e6'),
  pale: ink('f3f6f8'),
  white: ink('ffffff'),
  sky: ink('9fb8cc'),
  green: ink('1e8e5a'),
  lime: ink('8ab84a'),
  amber: ink('e3a72f'),
  orange: ink('dd7a2c'),
  red: ink('c0392b'),
} as const

export interface Fonts {
  regular: PDFFont
  bold: PDFFont
}

interface TextLook {
  size: number
  bold?: boolean
  ink?: Ink
  align?: 'left' | 'right' | 'center'
  /** A text that is wider than this is cut and ends with `…`. */
  maxWidth?: number
}

export interface Canvas {
  text(text: string, x: number, y: number, look: TextLook): void
  paragraph(text: string, x: number, y: number, width: number, look: TextLook): void
  rect(x: number, y: number, width: number, height: number, fill: Ink): void
  line(x1: number, y1: number, x2: number, y2: number, width: number, stroke: Ink): void
  pill(x: number, y: number, width: number, height: number, radius: number, fill: Ink): void
  /** Draws a part of a circle's rim. Angles are in degrees: 180 is left, 270 up, 360 right. */
  arc(x: number, y: number, radius: number, from: number, to: number, width: number, stroke: Ink): void
  disc(x: number, y: number, radius: number, fill: Ink): void
  widthOf(text: string, look: TextLook): number
}

/** Draws the shapes and texts of a canvas in a file format, PDF or SVG. Paths are SVG paths, relative to `x` and `y`. */
export interface Surface {
  text(shown: string, x: number, y: number, width: number, look: { size: number; bold: boolean; ink: Ink }): void
  rect(x: number, y: number, width: number, height: number, fill: Ink): void
  line(x1: number, y1: number, x2: number, y2: number, width: number, stroke: Ink): void
  fill(path: string, x: number, y: number, fill: Ink): void
  stroke(path: string, x: number, y: number, width: number, stroke: Ink): void
  disc(x: number, y: number, radius: number, fill: Ink): void
}

export function createCanvas(surface: Surface, fonts: Fonts): Canvas {
  const fontOf = (look: TextLook) => (look.bold ? fonts.bold : fonts.regular)
  const widthOf = (text: string, look: TextLook) =>
    fontOf(look).widthOfTextAtSize(printable(text, fontOf(look)), look.size)
  const write: Canvas['text'] = (text, x, y, look) => {
    const font = fontOf(look)
    const shown = fitted(printable(text, font), look, (part) => font.widthOfTextAtSize(part, look.size))
    const width = font.widthOfTextAtSize(shown, look.size)
    const left = look.align === 'right' ? x - width : look.align === 'center' ? x - width / 2 : x
    surface.text(shown, left, y, width, { size: look.size, bold: look.bold ?? false, ink: look.ink ?? INKS.text })
  }
  return {
    widthOf,
    text: write,
    paragraph(text, x, y, width, look) {
      let line = ''
      let top = y
      for (const word of text.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`
        if (line === '' || widthOf(longer, look) <= width) line = longer
        else {
          write(line, x, top, look)
          top += look.size * 1.5
          line = word
        }
      }
      write(line, x, top, look)
    },
    rect: surface.rect,
    line: surface.line,
    pill(x, y, width, height, radius, fill) {
      const [w, h, r] = [width, height, radius]
      const corner = (dx: number, dy: number) => `a ${r} ${r} 0 0 1 ${dx} ${dy}`
      const path = `M ${r} 0 H ${w - r} ${corner(r, r)} V ${h - r} ${corner(-r, r)} H ${r} ${corner(-r, -r)} V ${r} ${corner(r, -r)} Z`
      surface.fill(path, x, y, fill)
    },
    arc(x, y, radius, from, to, width, stroke) {
      const at = (angle: number) => {
        const turn = (angle * Math.PI) / 180
        return `${(radius * Math.cos(turn)).toFixed(3)} ${(radius * Math.sin(turn)).toFixed(3)}`
      }
      const path = `M ${at(from)} A ${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`
      surface.stroke(path, x, y, width, stroke)
    },
    disc: surface.disc,
  }
}

/** Returns a text in which `?` replaces each letter that the font does not have, so that every name can be drawn. */
function printable(text: string, font: PDFFont): string {
  const known = knownLetters(font)
  return [...text.normalize('NFC')].map((letter) => (known.has(letter.codePointAt(0) ?? 0) ? letter : '?')).join('')
}

const LETTERS = new WeakMap<PDFFont, Set<number>>()

function knownLetters(font: PDFFont): Set<number> {
  const known = LETTERS.get(font) ?? new Set(font.getCharacterSet())
  LETTERS.set(font, known)
  return known
}

function fitted(text: string, { maxWidth }: TextLook, measure: (text: string) => number): string {
  if (maxWidth === undefined || measure(text) <= maxWidth) return text
  let cut = text
  while (cut !== '' && measure(`${cut}…`) > maxWidth) cut = cut.slice(0, -1)
  return `${cut.trimEnd()}…`
}

/** Returns a surface that draws on a page of a PDF. A PDF measures positions from the lower left corner of the page. */
export function pdfSurface(page: PDFPage, fonts: Fonts): Surface {
  const up = (y: number) => PAGE.height - y
  return {
    text: (shown, x, y, _width, { size, bold, ink }) =>
      page.drawText(shown, { x, y: up(y), size, font: bold ? fonts.bold : fonts.regular, color: ink }),
    rect: (x, y, width, height, fill) => page.drawRectangle({ x, y: up(y + height), width, height, color: fill }),
    line: (x1, y1, x2, y2, width, stroke) =>
      page.drawLine({ start: { x: x1, y: up(y1) }, end: { x: x2, y: up(y2) }, thickness: width, color: stroke }),
    fill: (path, x, y, fill) => page.drawSvgPath(path, { x, y: up(y), color: fill }),
    stroke: (path, x, y, width, stroke) =>
      page.drawSvgPath(path, {
        x,
        y: up(y),
        borderColor: stroke,
        borderWidth: width,
        borderLineCap: LineCapStyle.Butt,
      }),
    disc: (x, y, radius, fill) => page.drawCircle({ x, y: up(y), size: radius, color: fill }),
  }
}

/** Returns a surface that draws a page as a picture, which every browser can show. */
export function svgSurface(): Surface & { picture(): Html } {
  const parts: Html[] = []
  const near = (value: number) => Math.round(value * 100) / 100
  const colour = ({ red, green, blue }: Ink) => `rgb(${[red, green, blue].map((part) => near(part * 255)).join(' ')})`
  const move = (x: number, y: number) => `translate(${near(x)} ${near(y)})`
  return {
    text(shown, x, y, width, { size, bold, ink }) {
      if (shown === '') return
      // The text gets the same width as in the PDF, whichever font the browser uses.
      parts.push(
        html`<text x="${near(x)}" y="${near(y)}" font-size="${size}" font-weight="${bold ? 700 : 400}" fill="${colour(ink)}" textLength="${near(width)}" lengthAdjust="spacingAndGlyphs">${shown}</text>`,
      )
    },
    rect(x, y, width, height, fill) {
      parts.push(
        html`<rect x="${near(x)}" y="${near(y)}" width="${near(width)}" height="${near(height)}" fill="${colour(fill)}"/>`,
      )
    },
    line(x1, y1, x2, y2, width, stroke) {
      parts.push(
        html`<path d="M ${near(x1)} ${near(y1)} L ${near(x2)} ${near(y2)}" stroke="${colour(stroke)}" stroke-width="${width}"/>`,
      )
    },
    fill(path, x, y, fill) {
      parts.push(html`<path transform="${move(x, y)}" d="${path}" fill="${colour(fill)}"/>`)
    },
    stroke(path, x, y, width, stroke) {
      parts.push(
        html`<path transform="${move(x, y)}" d="${path}" fill="none" stroke="${colour(stroke)}" stroke-width="${width}"/>`,
      )
    },
    disc(x, y, radius, fill) {
      parts.push(html`<circle cx="${near(x)}" cy="${near(y)}" r="${near(radius)}" fill="${colour(fill)}"/>`)
    },
    picture: () =>
      html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PAGE.width} ${PAGE.height}" width="${PAGE.width}" height="${PAGE.height}" font-family="Helvetica, Arial, sans-serif"><rect width="100%" height="100%" fill="white"/>${parts}</svg>`,
  }
}
