import { formatRut } from '../../../domain/identifiers.ts'
import { type Canvas, COLUMN, INKS, LEFT, RIGHT } from './canvas.ts'
import { customerName, type ReportData } from './data.ts'
import { day, percent, pesos, plain, SECTIONS } from './words.ts'

/** Returns the result of the evaluation as rows of a name and a value. */
export function resultRows({ details, amount, outcome, evaluatedAt }: ReportData): [string, string][] {
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
export function drawOptions(canvas: Canvas, { options }: ReportData, y: number): number {
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
export function drawSections(canvas: Canvas, data: ReportData, y: number): void {
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

/** Draws a title with a line below it. */
export function drawHeading(canvas: Canvas, title: string, x: number, y: number, width = COLUMN): void {
  canvas.text(title, x, y + 4, { size: 11.5, bold: true, ink: INKS.navy })
  canvas.line(x, y + 11, x + width, y + 11, 0.9, INKS.line)
}

const ROW = 18

/** Draws names and values on alternating backgrounds. @returns the y below the last row */
export function drawRows(
  canvas: Canvas,
  x: number,
  y: number,
  width: number,
  rows: readonly [string, string][],
): number {
  for (const [i, [label, value]] of rows.entries()) {
    const top = y + i * ROW
    if (i % 2 === 0) canvas.rect(x, top, width, ROW, INKS.pale)
    canvas.text(label, x + 6, top + 12.5, { size: 9, ink: INKS.soft })
    canvas.text(value, x + width - 6, top + 12.5, { size: 9.5, bold: true, align: 'right', maxWidth: width * 0.68 })
  }
  return y + rows.length * ROW
}
