import { BnplError } from '../errors.ts'
import { ENGLISH } from '../language/language.ts'
import type { Words } from '../language/patterns.ts'
import { createSecrets, type Secrets } from '../text/secrets.ts'
import { toJson, visible } from '../text/visible.ts'
import type { Io } from './io.ts'
import { wrapWords } from './wrap.ts'

/** The forms of a server's log on stderr. */
export const LOG_FORMS = ['time', 'json'] as const
type LogForm = (typeof LOG_FORMS)[number]

export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv'

/** Only the result goes to stdout. Notes and warnings go to stderr, and are left out with --quiet. */
export interface Output {
  style: Style
  errStyle: Style
  /**
   * Writes the result: `data` in the chosen format for machines, or the output of `table` for people. In NDJSON and CSV, each element of
   * an array has its own line. With colours, `table` itself must make control characters visible. Without colours, this method does it.
   * The secrets of this run are masked.
   */
  result(data: unknown, table: () => string | Promise<string>): Promise<void>
  /** Writes plain lines, for results that are a single value (a token, an address). On a terminal, control characters are made visible. */
  raw(text: string): Promise<void>
  /** Writes the requests of a dry run as curl lines that can be run; in JSON as `{"curl"}`, or an array of these for several requests. */
  requests(lines: readonly string[]): Promise<void>
  note(text: string): void
  warn(text: string): void
  /** Writes lines that the user must see even with --quiet, such as a secret that is shown only here. */
  say(...lines: string[]): void
  /** Writes a line that the user must see even with --quiet. It begins with a red keyword. */
  alert(word: string, text: string): void
  /** From now on, each message of `note`, `warn`, `say` and `alert` is one line of a log: with its time (ISO 8601), or as JSON. */
  logAs(form: LogForm, now: () => number): void
  /** Returns one of our texts in the language of the user. Texts in JSON and CSV are never passed to it. */
  readonly inLanguage: Words
  /** Whether stdout gets a table for people, and not data for a program. */
  readonly forPeople: boolean
  /** The width of the terminal, or Infinity for a pipe or a file, so that no text is cut. */
  readonly width: number
}

/** Returns the object with which a command writes its result and its messages. */
export function createOutput(
  io: Io,
  options: { output: OutputFormat; quiet: boolean },
  styles: { out: Style; err: Style },
  secrets: Pick<Secrets, 'hide' | 'hideIn'> = createSecrets(),
): Output {
  const { out: style, err: errStyle } = styles
  const { inLanguage = ENGLISH } = io
  const raw = (text: string) => io.out(`${io.stdoutIsTty ? visible(text, true) : text}\n`)
  const result: Output['result'] = async (given, table) => {
    const data = secrets.hideIn(given)
    switch (options.output) {
      case 'json':
        return io.out(`${toJson(data, 2)}\n`)
      case 'ndjson':
        return io.out((Array.isArray(data) ? data : [data]).map((row) => `${toJson(row)}\n`).join(''))
      case 'csv':
        return io.out(await csv(io, data))
      case 'table': {
        const shown = secrets.hide(inLanguage(await table()))
        const text = io.outColor ? shown : visible(shown, true)
        return io.out(text === '' || text.endsWith('\n') ? text : `${text}\n`)
      }
    }
  }
  let log: { form: LogForm; now: () => number } | undefined
  const tell = (level: 'note' | 'warning' | 'message' | 'alert', text: string, forPeople: () => string): void => {
    if (log === undefined) {
      io.err(`${forPeople()}\n`)
      return
    }
    const time = new Date(log.now()).toISOString()
    const message = secrets.hide(text)
    io.err(log.form === 'json' ? `${toJson({ time, level, message })}\n` : `${time} ${inLanguage(visible(message))}\n`)
  }
  /** Breaks text between words for a terminal. `before` is text that is already on the line. */
  const words = (text: string, before = ''): string =>
    // Hide secrets before a line is broken, because half a secret would not be found.
    io.stderrIsTty
      ? wrapWords(inLanguage(visible(secrets.hide(text))), io.columns - before.length, ' '.repeat(before.length))
      : inLanguage(visible(secrets.hide(text)))
  return {
    style,
    errStyle,
    inLanguage,
    forPeople: options.output === 'table',
    get width() {
      return io.stdoutIsTty ? io.columns : Number.POSITIVE_INFINITY
    },
    logAs(form, now) {
      log = { form, now }
    },
    result,
    raw,
    requests(lines) {
      const data = lines.map((curl) => ({ curl }))
      // With CSV, as with tables, print plain lines, because a shell cannot run a CSV cell.
      if (options.output === 'table' || options.output === 'csv') return raw(secrets.hide(lines.join('\n')))
      return result(data.length === 1 ? data[0] : data, () => '')
    },
    note(text) {
      if (!options.quiet) tell('note', text, () => errStyle.dim(words(text)))
    },
    warn(text) {
      if (!options.quiet) tell('warning', text, () => `${errStyle.yellow('!')} ${words(text, '! ')}`)
    },
    say(...lines) {
      for (const line of lines) tell('message', line, () => words(line))
    },
    alert(word, text) {
      tell('alert', `${word} ${text}`, () => `${errStyle.red(inLanguage(word))} ${words(text, `${inLanguage(word)} `)}`)
    },
  }
}

async function csv(io: Io, data: unknown): Promise<string> {
  const { toCsv } = await import('./csv.ts')
  const text = await toCsv(Array.isArray(data) ? data : [data])
  return io.stdoutIsTty ? visible(text, true) : text
}

/** The advice for a command that cannot continue where it stopped. */
export const CHECK_FIRST = 'Before you run the command again, check what it has already done.'

/** Returns the error for a result that could not be written. */
export function outputFailed(cause: unknown): BnplError {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'EIO'
  return new BnplError('output', `the result could not be written to stdout (${code})`, {
    code,
    hint: `Check the disk, or the program that reads stdout. ${CHECK_FIRST}`,
    cause,
  })
}

export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

const asItIs = (text: string): string => text

const PLAIN: Style = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs, cyan: asItIs }

/** Whether BNPL_ACCESSIBLE asks for an output that can be read aloud. */
export const isAccessible = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !/^(0|false)?$/.test(env.BNPL_ACCESSIBLE ?? '')

/** Whether an option or the environment switches colours on or off; undefined if neither does. Words after `--` are ignored. */
export function colorChoice(
  env: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
): boolean | undefined {
  const end = words.indexOf('--')
  if (isAccessible(env) || env.NO_COLOR || (end === -1 ? words : words.slice(0, end)).includes('--no-color'))
    return false
  if (env.FORCE_COLOR) return !/^(0|false)$/.test(env.FORCE_COLOR)
  return env.TERM === 'dumb' ? false : undefined
}

/** Returns a style for a stream. Without colours, each of its functions returns the text unchanged. */
export async function createStyle(color: boolean): Promise<Style> {
  if (!color) return PLAIN
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level: 1 })
  // Pass on only the text, because chalk joins all its arguments, and a table calls the style of a column with the text and the row.
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
  }
}
