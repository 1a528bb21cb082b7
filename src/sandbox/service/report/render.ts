import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { formatRut } from '../../../domain/identifiers.ts'
import { type Canvas, createCanvas, type Fonts, INKS, PAGE, pdfSurface, type Surface, svgSurface } from './canvas.ts'
import { day, type ReportData } from './data.ts'
import { drawOutcome, drawSections, drawSummary } from './sections.ts'

/** Returns a report as the bytes of a PDF. The same data gives the same bytes, at any time and on every machine. */
export async function renderReport(data: ReportData, fingerprint: string): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const made = new Date(data.evaluatedAt)
  document.setTitle(`Informe de pre-aprobación ${data.preApproveId}`)
  document.setAuthor(data.partner)
  document.setSubject(`Evaluación de ${formatRut(data.idNumber)}`)
  document.setCreator('bnpl sandbox')
  document.setProducer('bnpl sandbox')
  document.setLanguage('es-CL')
  document.setCreationDate(made)
  document.setModificationDate(made)
  const fonts = await fontsOf(document)
  const addPage = () => pdfSurface(document.addPage([PAGE.width, PAGE.height]), fonts)
  drawPages([addPage(), addPage()], fonts, data, fingerprint)
  return document.save()
}

/** Returns the pages of a report as pictures (SVG), for a browser that cannot show a PDF. */
export async function pictureReport(data: ReportData, fingerprint: string): Promise<string[]> {
  const fonts = await fontsOf(await PDFDocument.create({ updateMetadata: false }))
  const pages = [svgSurface(), svgSurface()] as const
  drawPages(pages, fonts, data, fingerprint)
  return pages.map((page) => page.picture().markup)
}

async function fontsOf(document: PDFDocument): Promise<Fonts> {
  return {
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  }
}

function drawPages(pages: readonly [Surface, Surface], fonts: Fonts, data: ReportData, fingerprint: string): void {
  const [first, second] = [createCanvas(pages[0], fonts), createCanvas(pages[1], fonts)]
  drawHeader(first, data)
  drawOutcome(first, data, 118)
  drawSummary(first, data, 250)
  drawHeader(second, data)
  drawSections(second, data, 122)
  for (const [i, canvas] of [first, second].entries()) drawFooter(canvas, data, fingerprint, i + 1, pages.length)
}

function drawHeader(canvas: Canvas, data: ReportData): void {
  const right = PAGE.width - PAGE.margin
  canvas.rect(0, 0, PAGE.width, 82, INKS.navy)
  canvas.rect(0, 82, PAGE.width, 3, INKS.amber)
  canvas.text(data.partner, PAGE.margin, 38, { size: 19, bold: true, ink: INKS.white, maxWidth: 320 })
  canvas.text('Informe de evaluación de riesgo', PAGE.margin, 58, { size: 11, ink: INKS.sky })
  canvas.text('Pre-aprobación', right, 32, { size: 8, ink: INKS.sky, align: 'right' })
  canvas.text(data.preApproveId, right, 45, { size: 8.5, bold: true, ink: INKS.white, align: 'right' })
  const project = data.projectId === null ? '' : `Proyecto ${data.projectId}  ·  `
  canvas.text(`${project}Evaluado el ${day(data.evaluatedAt)}`, right, 60, {
    size: 8.5,
    ink: INKS.sky,
    align: 'right',
    maxWidth: 240,
  })
}

function drawFooter(canvas: Canvas, data: ReportData, fingerprint: string, page: number, pages: number): void {
  const y = PAGE.height - 36
  const look = { size: 7.5, ink: INKS.soft } as const
  canvas.line(PAGE.margin, y - 14, PAGE.width - PAGE.margin, y - 14, 0.7, INKS.line)
  canvas.text('Datos ficticios del sandbox de bnpl: este informe no describe a ninguna persona.', PAGE.margin, y, look)
  canvas.text(`Huella de los datos: ${fingerprint.slice(0, 16)}  ·  ${data.preApproveId}`, PAGE.margin, y + 11, look)
  canvas.text(`Página ${page} de ${pages}`, PAGE.width - PAGE.margin, y, { ...look, align: 'right' })
}
