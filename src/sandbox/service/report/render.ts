import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { formatRut } from '../../../domain/identifiers.ts'
import {
  type Canvas,
  COLUMN,
  createCanvas,
  type Fonts,
  INKS,
  type Ink,
  LEFT,
  PAGE,
  pdfSurface,
  RIGHT,
  type Surface,
  svgSurface,
} from './canvas.ts'
import {
  conclusion,
  customerAddress,
  customerName,
  day,
  percent,
  pesos,
  plain,
  type ReportData,
  SECTIONS,
} from './data.ts'

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

const TOP_SCORE = 1000

const BANDS: readonly (readonly [from: number, ink: Ink])[] = [
  [0, INKS.red],
  [300, INKS.orange],
  [500, INKS.amber],
  [650, INKS.lime],
  [800, INKS.green],
]

function bandInk(score: number): Ink {
  return BANDS.findLast(([from]) => score >= from)?.[1] ?? INKS.red
}

/** Draws the score on a half circle, from red on the left to green on the right. @param y the y of the base line */
function drawGauge(canvas: Canvas, x: number, y: number, radius: number, score: number): void {
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
function drawBars(canvas: Canvas, x: number, y: number, width: number, bars: readonly Bar[]): number {
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

function resultRows({ details, amount, outcome, evaluatedAt }: ReportData): [string, string][] {
  const rows: [string, string][] = [
    ['Resultado', outcome === 'approved' ? 'Aprobado' : 'Rechazado'],
    ['Monto solicitado', pesos(amount)],
    ['Monto pre-aprobado', pesos(details.montoPreAprobado)],
  ]
  if (outcome === 'approved')
    rows.push(
      ['Plazo máximo', `${plain(details.plazoMaximoMeses)} meses`],
      ['Tasa de referencia', percent(details.tasaReferencia)],
    )
  else rows.push(['Motivo', plain(details.motivoRechazo)])
  return [...rows, ['Fecha de evaluación', day(evaluatedAt)]]
}

/** Draws the installment options of an evaluation, at most eight. @returns the y below the options */
function drawOptions(canvas: Canvas, { options }: ReportData, y: number): number {
  drawHeading(canvas, 'Opciones de pago', LEFT, y, RIGHT - LEFT)
  const columns = [LEFT + 60, LEFT + 280, RIGHT - 6]
  const shown = options.slice(0, 8)
  for (const [i, title] of ['Cuotas', 'Valor cuota', 'Total'].entries())
    canvas.text(title, columns[i] ?? 0, y + 24, { size: 8.5, ink: INKS.soft, align: 'right' })
  for (const [i, option] of shown.entries()) {
    const top = y + 30 + i * 17
    if (i % 2 === 0) canvas.rect(LEFT, top, RIGHT - LEFT, 17, INKS.pale)
    const cells = [String(option.installments), pesos(option.amount), pesos(option.total)]
    for (const [c, cell] of cells.entries()) canvas.text(cell, columns[c] ?? 0, top + 12, { size: 9.5, align: 'right' })
  }
  return y + 30 + shown.length * 17
}

/** Draws every parameter, in two columns of tables. */
function drawSections(canvas: Canvas, data: ReportData, y: number): void {
  const identity: [string, string][] = [
    ['RUT', formatRut(data.idNumber)],
    ['Nombre', customerName(data)],
    ['Nacimiento', day(data.contact.fechaNacimiento)],
    ['Nacionalidad', plain(data.details.nacionalidad)],
    ['Estado civil', plain(data.details.estadoCivil)],
    ['Dirección', plain(data.contact.direccion)],
    ['Comuna', plain(data.contact.comuna)],
    ['Región', plain(data.contact.region)],
  ]
  const tables = [
    { title: 'Identificación', rows: identity },
    ...SECTIONS.map(({ title, rows }) => ({
      title,
      rows: rows.map(([field, label, write]) => [label, write(data.details[field])] as [string, string]),
    })),
    { title: 'Resultado', rows: resultRows(data) },
  ]
  const tops = [y, y]
  for (const [i, { title, rows }] of tables.entries()) {
    const column = i % 2
    const x = LEFT + column * (COLUMN + 28)
    const top = tops[column] ?? y
    drawHeading(canvas, title, x, top)
    tops[column] = drawRows(canvas, x, top + 18, COLUMN, rows) + 30
  }
}

function drawHeading(canvas: Canvas, title: string, x: number, y: number, width = COLUMN): void {
  canvas.text(title, x, y + 4, { size: 11.5, bold: true, ink: INKS.navy })
  canvas.line(x, y + 11, x + width, y + 11, 0.9, INKS.line)
}

const ROW = 18

/** Draws names and values on alternating backgrounds. @returns the y below the last row */
function drawRows(canvas: Canvas, x: number, y: number, width: number, rows: readonly [string, string][]): number {
  for (const [i, [label, value]] of rows.entries()) {
    const top = y + i * ROW
    if (i % 2 === 0) canvas.rect(x, top, width, ROW, INKS.pale)
    canvas.text(label, x + 6, top + 12.5, { size: 9, ink: INKS.soft })
    canvas.text(value, x + width - 6, top + 12.5, { size: 9.5, bold: true, align: 'right', maxWidth: width * 0.68 })
  }
  return y + rows.length * ROW
}

const asNumber = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** Draws the customer and the result. */
function drawOutcome(canvas: Canvas, data: ReportData, y: number): void {
  const approved = data.outcome === 'approved'
  const colour = approved ? INKS.green : INKS.red
  const word = approved ? 'APROBADO' : 'RECHAZADO'
  canvas.rect(LEFT, y, RIGHT - LEFT, 104, INKS.pale)
  canvas.rect(LEFT, y, 4, 104, colour)
  canvas.text('Cliente', LEFT + 18, y + 20, { size: 8.5, ink: INKS.soft })
  canvas.text(customerName(data), LEFT + 18, y + 40, { size: 17, bold: true, maxWidth: 330 })
  canvas.text(`RUT ${formatRut(data.idNumber)}`, LEFT + 18, y + 58, { size: 11 })
  canvas.text(customerAddress(data), LEFT + 18, y + 80, { size: 9, ink: INKS.soft, maxWidth: 330 })
  const look = { size: 12.5, bold: true } as const
  const width = canvas.widthOf(word, look) + 30
  canvas.pill(RIGHT - 16 - width, y + 16, width, 25, 12.5, colour)
  canvas.text(word, RIGHT - 16 - width / 2, y + 33, { ...look, ink: INKS.white, align: 'center' })
  const amount = approved ? asNumber(data.details.montoPreAprobado ?? data.amount) : data.amount
  canvas.text(approved ? 'Monto pre-aprobado' : 'Monto solicitado', RIGHT - 16, y + 62, {
    size: 8.5,
    ink: INKS.soft,
    align: 'right',
  })
  canvas.text(pesos(amount), RIGHT - 16, y + 83, { size: 18, bold: true, align: 'right' })
}

/** Draws the most important figures: score, income and obligations, debts, and the conclusion. */
function drawSummary(canvas: Canvas, data: ReportData, y: number): void {
  const { details } = data
  const score = asNumber(details.puntajeRiesgo)
  drawHeading(canvas, 'Puntaje de riesgo', LEFT, y)
  const middle = LEFT + COLUMN / 2
  drawGauge(canvas, middle, y + 112, 82, score)
  canvas.text(String(score), middle, y + 148, { size: 27, bold: true, ink: bandInk(score), align: 'center' })
  canvas.text(`de ${TOP_SCORE}  ·  segmento ${plain(details.segmentoRiesgo)}`, middle, y + 164, {
    size: 9,
    ink: INKS.soft,
    align: 'center',
  })

  const second = LEFT + COLUMN + 28
  drawHeading(canvas, 'Ingresos y obligaciones mensuales', second, y)
  const below = drawBars(canvas, second, y + 22, COLUMN, [
    bar('Ingreso total', details.ingresoTotal, INKS.green),
    bar('Arriendo actual', details.arriendoActual, INKS.amber),
    bar('Cuota mensual de deudas', details.cuotaMensualDeudas, INKS.orange),
  ])
  canvas.text('Carga financiera', second, below + 10, { size: 8.5, ink: INKS.soft })
  canvas.text(percent(details.cargaFinanciera), second + COLUMN, below + 10, { size: 12, bold: true, align: 'right' })
  canvas.text('Probabilidad de incumplimiento', second, below + 28, { size: 8.5, ink: INKS.soft })
  canvas.text(percent(details.probabilidadDefault), second + COLUMN, below + 28, {
    size: 12,
    bold: true,
    align: 'right',
  })

  const next = y + 196
  drawHeading(canvas, 'Deudas vigentes', LEFT, next)
  drawBars(canvas, LEFT, next + 22, COLUMN, [
    bar('Hipotecaria', details.deudaHipotecaria, INKS.navy),
    bar('Consumo', details.deudaConsumo, INKS.navy),
    bar('Tarjetas', details.deudaTarjetas, INKS.navy),
  ])
  drawHeading(canvas, 'Resultado', second, next)
  drawRows(canvas, second, next + 18, COLUMN, resultRows(data))
  const end = data.options.length > 0 ? drawOptions(canvas, data, next + 146) + 22 : next + 152
  drawHeading(canvas, 'Conclusión', LEFT, end, RIGHT - LEFT)
  canvas.paragraph(conclusion(data), LEFT, end + 31, RIGHT - LEFT, { size: 10 })
}

const bar = (label: string, value: unknown, ink: (typeof INKS)[keyof typeof INKS]) => ({
  label,
  value: asNumber(value),
  shown: pesos(value),
  ink,
})
