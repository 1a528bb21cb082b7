import { BnplError } from '../errors.ts'
import { toJson, visible } from '../text/visible.ts'
import { toCsv } from './csv.ts'
import type { Io } from './io.ts'
import type { Style } from './style.ts'
import { wrapWords } from './wrap.ts'

export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv'

/** How results and talk reach the streams: stdout is the result and only the result, everything said to a person goes to stderr. */
export interface Output {
  style: Style
  /** Style for text that goes to stderr. */
  errStyle: Style
  /**
   * Writes the result: `data` for machines in the format asked for, or what `table` makes of it for people. Without colours nothing in a
   * table is ours that a terminal would obey, so it is all made visible; with them, every cell is cleaned where it is made.
   * An array is one document in JSON and a line an element in NDJSON and CSV.
   */
  result(data: unknown, table: () => string | Promise<string>): Promise<void>
  /** Writes lines as they are, for results that are a bare value (a token, an address); made harmless for a terminal. */
  raw(text: string): Promise<void>
  /**
   * Writes the requests of a dry run: curl lines as they are, to be run; in JSON `{"curl"}`, of several an array of these, in NDJSON
   * a line each.
   */
  requests(lines: readonly string[]): Promise<void>
  /** A remark on stderr, one line whatever is in it; silent with --quiet. */
  note(text: string): void
  /** A warning on stderr, one line whatever is in it; silent with --quiet. */
  warn(text: string): void
  /** Something that must be seen even with --quiet (a secret shown once, the production banner), an argument a line. */
  say(...lines: string[]): void
  /** A line that must be seen even with --quiet, behind a word of ours in red. */
  alert(word: string, text: string): void
  /** True when stdout gets a table for people. */
  readonly forPeople: boolean
  /** Columns a table may take: those of the terminal; Infinity for a pipe or a file, which get the whole text. */
  readonly width: number
}

/** @param styles made once, from what the streams can show */
export function createOutput(
  io: Io,
  options: { output: OutputFormat; quiet: boolean },
  styles: { out: Style; err: Style },
): Output {
  const { out: style, err: errStyle } = styles
  const raw = (text: string) => io.out(`${io.stdoutIsTty ? visible(text, true) : text}\n`)
  const result: Output['result'] = async (data, table) => {
    switch (options.output) {
      case 'json':
        return io.out(`${toJson(data, 2)}\n`)
      case 'ndjson':
        return io.out((Array.isArray(data) ? data : [data]).map((row) => `${toJson(row)}\n`).join(''))
      case 'csv':
        return io.out(await csv(io, data))
      case 'table': {
        const text = io.outColor ? await table() : visible(await table(), true)
        return io.out(text === '' || text.endsWith('\n') ? text : `${text}\n`)
      }
    }
  }
  /** Words of ours for stderr: on a terminal broken between words. `before` takes its columns already. */
  const words = (text: string, before = ''): string =>
    io.stderrIsTty ? wrapWords(visible(text), io.columns - before.length, ' '.repeat(before.length)) : visible(text)
  return {
    style,
    errStyle,
    forPeople: options.output === 'table',
    get width() {
      return io.stdoutIsTty ? io.columns : Number.POSITIVE_INFINITY
    },
    result,
    raw,
    requests(lines) {
      const data = lines.map((curl) => ({ curl }))
      // A shell cannot run a cell of CSV.
      if (options.output === 'table' || options.output === 'csv') return raw(lines.join('\n'))
      return result(data.length === 1 ? data[0] : data, () => '')
    },
    note(text) {
      if (!options.quiet) io.err(`${errStyle.dim(words(text))}\n`)
    },
    warn(text) {
      if (!options.quiet) io.err(`${errStyle.yellow('!')} ${words(text, '! ')}\n`)
    },
    say(...lines) {
      for (const line of lines) io.err(`${words(line)}\n`)
    },
    alert(word, text) {
      io.err(`${errStyle.red(word)} ${words(text, `${word} `)}\n`)
    },
  }
}

/** CSV as it is for a file or a program; for a terminal made harmless. */
async function csv(io: Io, data: unknown): Promise<string> {
  const text = await toCsv(Array.isArray(data) ? data : [data])
  return io.stdoutIsTty ? visible(text, true) : text
}

/** The error for a result that could not be written. */
export function outputFailed(cause: unknown): BnplError {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'EIO'
  return new BnplError('output', `the result could not be written to stdout (${code})`, {
    code,
    hint: 'Check the disk or the pipe behind it; what was done is done, so look before running it again.',
    cause,
  })
}
