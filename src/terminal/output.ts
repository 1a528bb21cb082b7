import { constants, fstatSync } from 'node:fs'
import { BnplError, ClosedPipe, failureOf } from '../errors.ts'
import { ENGLISH } from '../language/language.ts'
import type { Words } from '../language/patterns.ts'
import { createSecrets, type Secrets } from '../text/secrets.ts'
import { toJson, visible } from '../text/visible.ts'
import { wrapWords } from './wrap.ts'

/** The streams of a command, with their properties as plain fields, so that commands never ask the system about them. */
export interface Io {
  /** Writes to stdout; resolves when the system has accepted the bytes. Throws `ClosedPipe` or an `output` error if writing fails. */
  out(text: string | Uint8Array): Promise<void>
  /** Writes to stderr at once. A failure to write there is not an error. */
  err(text: string): void
  stdin(): AsyncIterable<Uint8Array>
  stdinIsTty: boolean
  stdoutIsTty: boolean
  stderrIsTty: boolean
  /** Whether another program reads stdout. That program may write to the same terminal as this program. */
  stdoutIsPipe: boolean
  /** Width of the terminal in columns; 80 without a terminal. */
  columns: number
  /**
   * Whether lines on the terminal can be redrawn. They cannot with TERM=dumb, and in a CI system (CI is set), which keeps all lines as a
   * log.
   */
  redraws: boolean
  /**
   * Whether the terminal is read aloud or in braille (BNPL_ACCESSIBLE). Then nothing is redrawn, no colour is used, and each change is one
   * line.
   */
  accessible?: boolean
  /** Whether colours may be used on each stream, after NO_COLOR, FORCE_COLOR, TERM and --no-color were considered. */
  outColor: boolean
  errColor: boolean
  /** Returns a text in the language of the user. Set at the start of a command line, and English before that. */
  inLanguage?: Words
  /** The terminal's own streams, for the prompt library only. */
  tty?: { input: NodeJS.ReadStream; output: NodeJS.WriteStream }
}

/** Returns streams whose stderr masks the known secrets. Stdout is not changed here, because it may be a file or the answer of the service. */
export function hidingIo(io: Io, { hide }: Pick<Secrets, 'hide'>): Io {
  const err = { value: (text: string) => io.err(hide(text)), enumerable: true }
  // Copy getters as getters, because what they return may change.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(io), err }) as Io
}

/** Yields the chunks of a stream. When the signal is aborted, throws the signal's reason instead of waiting for the next chunk. */
export async function* untilStopped(stream: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = () => stream.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    yield* stream
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Reads all of stdin. Returns undefined if there are more than `maxBytes`. */
export async function readAll(io: Pick<Io, 'stdin'>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of io.stdin()) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// Node has no constants for these two on Windows.
const PIPE = 0o010000
const SOCKET = 0o140000

/** Returns whether a file descriptor is connected with another program. Some shells use sockets for this, not pipes. */
export function isPipe(fd: number): boolean {
  try {
    // Node's own isFIFO and isSocket are always false on Windows.
    const type = fstatSync(fd).mode & constants.S_IFMT
    return type === PIPE || type === SOCKET
  } catch {
    return false
  }
}

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
   * @param columns the first columns of CSV, for data whose elements do not all have the same fields
   */
  result(data: unknown, table: () => string | Promise<string>, columns?: readonly string[]): Promise<void>
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
  const result: Output['result'] = async (given, table, columns) => {
    const data = secrets.hideIn(given)
    switch (options.output) {
      case 'json':
        return io.out(`${toJson(data, 2)}\n`)
      case 'ndjson':
        return io.out((Array.isArray(data) ? data : [data]).map((row) => `${toJson(row)}\n`).join(''))
      case 'csv':
        return io.out(await csv(io, data, columns))
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

async function csv(io: Io, data: unknown, columns?: readonly string[]): Promise<string> {
  const { toCsv } = await import('./csv.ts')
  const text = await toCsv(Array.isArray(data) ? data : [data], columns)
  return io.stdoutIsTty ? visible(text, true) : text
}

/**
 * Reads the results of a command that does several things, and shows them together. If an error or an interruption ends the command early,
 * shows the results before it, then throws it, also if they cannot be shown. If there are none, shows nothing.
 * @param results yields each result as soon as it is known, because only what was yielded is shown
 * @returns all results
 */
export async function showEach<T>(
  results: AsyncIterable<T>,
  show: (results: readonly T[]) => Promise<void>,
): Promise<readonly T[]> {
  const shown: T[] = []
  let ended: { error: unknown } | undefined
  try {
    for await (const result of results) shown.push(result)
  } catch (error) {
    ended = { error }
  }
  const failures = ended === undefined ? [] : [ended.error]
  if (ended === undefined || shown.length > 0)
    await show(shown).catch((error: unknown) => {
      // A closed pipe ends a command without a word, and would hide why the command ended early.
      if (ended === undefined || !(error instanceof ClosedPipe)) failures.push(error)
    })
  if (failures.length > 0) throw failureOf(failures)
  return shown
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
