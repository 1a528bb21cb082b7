import { formatRut } from '../../../domain/identifiers.ts'
import { type Canvas, COLUMN, INKS, LEFT, RIGHT } from './canvas.ts'
import { customerAddress, customerName, type ReportData } from './data.ts'
import { bandInk, drawBars, drawGauge, TOP_SCORE } from './figures.ts'
import { drawHeading, drawOptions, drawRows, resultRows } from './tables.ts'
import { conclusion, percent, pesos, plain } from './words.ts'

const asNumber = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** Draws the customer and the result. */
export function drawOutcome(canvas: Canvas, data: ReportData, y: number): void {
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
export function drawSummary(canvas: Canvas, data: ReportData, y: number): void {
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
