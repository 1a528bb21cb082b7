import { LineCapStyle, type PDFPage } from '@cantoo/pdf-lib'
import { type Fonts, PAGE, type Surface } from './canvas.ts'

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
