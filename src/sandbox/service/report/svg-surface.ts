import { type Html, html } from '../../../text/escaping.ts'
import { type Ink, PAGE, type Surface } from './canvas.ts'

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
