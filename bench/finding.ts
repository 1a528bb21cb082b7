/**
 * What a measurement found, as plain data: every script here prints its findings as Markdown, or as a JSON array with `--json`, from
 * which `npm run bench` writes docs/benchmarks.md.
 */
export interface Finding {
  title: string
  /** What was run, and what a ratio is to: a sentence or two of Markdown. */
  about: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
  /** What did not reach its goal, a line each; empty when everything did. */
  missed: readonly string[]
  /** Set where nothing was measured, because this machine lacks what it takes; `about` says what. */
  notMeasured?: true
}

/** A number is shown with as many digits as it is worth; NaN is empty. */
export type Cell = string | number

const given = process.argv.slice(2)
/** Fewer rounds and smaller files, to see that everything runs: the figures mean little. */
export const quick = given.includes('--quick')
/** What was typed besides `--json` and `--quick`. */
export const words: readonly string[] = given.filter((word) => word !== '--json' && word !== '--quick')

/** A finding that nothing was measured. @param why `Not measured: …` */
export function notMeasured(title: string, why: string): Finding {
  return { title, about: why, columns: [], rows: [], missed: [], notMeasured: true }
}

/** Writes the findings to stdout; the exit code is 1 when a goal was missed. */
export function publish(...findings: readonly Finding[]): void {
  console.log(
    given.includes('--json')
      ? JSON.stringify(findings, (_, value) => (Number.isNaN(value) ? '' : value))
      : findings.map(toMarkdown).join('\n'),
  )
  if (findings.some(({ missed }) => missed.length > 0)) process.exitCode = 1
}

/** A section with its table, and the goals that were missed. */
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
