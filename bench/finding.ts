/**
 * What a measurement found, as plain data. Every script here prints its findings as Markdown, or as a JSON array with `--json`. `npm run
 * bench` makes bench/results.md from these arrays.
 */
export interface Finding {
  title: string
  /** What was run, and which program the ratios compare it with: one or two sentences of Markdown. */
  about: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
  /** The goals that were not reached, one line each; empty when every goal was reached. */
  missed: readonly string[]
  /** Set when nothing was measured, because this machine lacks a program that the measurement needs. `about` names it. */
  notMeasured?: true
}

/** A cell of a table. Numbers are rounded to the digits that matter; NaN becomes an empty cell. */
export type Cell = string | number

const given = process.argv.slice(2)
/** Whether there are fewer rounds and smaller files, only to see that every script runs. The figures then mean little. */
export const quick = given.includes('--quick')
/** The arguments other than `--json` and `--quick`. */
export const words: readonly string[] = given.filter((word) => word !== '--json' && word !== '--quick')

/** Returns a finding that says why nothing was measured. @param why `Not measured: …` */
export function notMeasured(title: string, why: string): Finding {
  return { title, about: why, columns: [], rows: [], missed: [], notMeasured: true }
}

/** Writes the findings to stdout, and sets the exit code to 1 when a goal was missed. */
export function publish(...findings: readonly Finding[]): void {
  console.log(
    given.includes('--json')
      ? JSON.stringify(findings, (_, value) => (Number.isNaN(value) ? '' : value))
      : findings.map(toMarkdown).join('\n'),
  )
  if (findings.some(({ missed }) => missed.length > 0)) process.exitCode = 1
}

/** Returns the section of the page for a finding: its table, and the goals that were missed. */
export function toMarkdown({ title, about, columns, rows, missed }: Finding): string {
  if (columns.length === 0) return `## ${title}\n\n${about}\n`
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(show))]
  const table = lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('')
  const wrong = missed.length === 0 ? '' : `\n${missed.map((each) => `- **Goal missed:** ${each}\n`).join('')}`
  return `## ${title}\n\n${about}\n\n${table}${wrong}`
}

function show(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (Number.isNaN(cell)) return ''
  if (Number.isInteger(cell) || Math.abs(cell) >= 1000) return Math.round(cell).toLocaleString('en')
  return cell.toFixed(Math.abs(cell) >= 100 ? 0 : Math.abs(cell) >= 20 ? 1 : 2)
}
