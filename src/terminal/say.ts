import {
  BnplError,
  bugPlace,
  ChildEnded,
  ClosedPipe,
  errorAsJson,
  exitCodeOf,
  Failures,
  Interrupted,
  tellable,
  Unsettled,
} from '../errors.ts'
import { ENGLISH } from '../language/language.ts'
import type { Words } from '../language/patterns.ts'
import { createSecrets, type Secrets } from '../text/secrets.ts'
import { toJson, visible } from '../text/visible.ts'
import type { Io } from './output.ts'
import { wrapWords } from './wrap.ts'

interface Listener {
  io: Pick<Io, 'err' | 'stderrIsTty' | 'columns' | 'errColor' | 'inLanguage'>
  secrets?: Pick<Secrets, 'hide' | 'hideIn'>
  version: string
}

const ERROR = 'error: '
const INDENT = '  '

/** Reports an error on stderr, also as JSON if `argv` asks for JSON, and returns the exit code. No other code writes errors to stderr. */
export function say(
  error: unknown,
  argv: readonly string[],
  { io, version, secrets = createSecrets() }: Listener,
): number {
  const { inLanguage = ENGLISH } = io
  const [first, others] = error instanceof Failures ? [error.first, error.others] : [error, []]
  const lines = [
    ...wordsOf(first, version, io.stderrIsTty, inLanguage),
    ...others.map((other) => `${ERROR}${inLanguage(`after that, this failed too: ${visible(tellable(other))}`)}`),
  ]
  for (const line of lines) {
    // Hide secrets before a line is broken, because half a secret would not be found.
    const hidden = secrets.hide(line)
    const shown = io.stderrIsTty ? fitted(hidden, io.columns) : hidden
    io.err(`${io.errColor ? marked(shown) : shown}\n`)
  }
  if (!isSilent(first) && wantsJson(argv)) io.err(`${toJson(secrets.hideIn(errorAsJson(first)))}\n`)
  return exitCodeOf(first)
}

/**
 * Whether an error is not reported as JSON. A closed pipe is not an error, and the failure of a program that bnpl ran is not a failure of
 * bnpl.
 */
const isSilent = (error: unknown) => error instanceof ClosedPipe || error instanceof ChildEnded

/** Breaks a line between words for a terminal, but never inside a command that the user may paste. */
function fitted(line: string, columns: number): string {
  const indent = /^(error: )?\s*/.exec(line)?.[0] ?? ''
  return `${indent}${wrapWords(line.slice(indent.length), columns - indent.length, ' '.repeat(indent.length))}`
}

/**
 * Colours the word “error” at the beginning of a line. Writes the escape codes itself, because loading the colour library for one word
 * would take too long.
 */
const marked = (line: string): string =>
  line.startsWith(ERROR) ? `\u001b[31m${ERROR.trimEnd()}\u001b[39m ${line.slice(ERROR.length)}` : line

/** Returns the lines for an error. What the user typed may be personal data, so the lines repeat it only on a terminal. */
function wordsOf(error: unknown, version: string, atTerminal: boolean, inLanguage: Words): string[] {
  const hintLines = ({ hint }: { hint: string | undefined }): string[] =>
    hint === undefined
      ? []
      : inLanguage(visible(hint, true))
          .split('\n')
          .map((line) => `${INDENT}${line}`)
  if (error instanceof ClosedPipe) return []
  if (error instanceof ChildEnded) return error.message === '' ? [] : [`${ERROR}${inLanguage(visible(error.message))}`]
  if (error instanceof Interrupted)
    return error.message === 'interrupted' ? [] : [inLanguage(visible(error.message)), ...hintLines(error)]
  if (error instanceof BnplError) {
    const words = atTerminal ? (error.atTerminal ?? error.message) : error.message
    const [message = '', ...more] = words.split('\n').map((line) => inLanguage(visible(line)))
    return [`${ERROR}${message}`, ...more.map((line) => `${INDENT}${line}`), ...hintLines(error)]
  }
  if (error instanceof Unsettled) {
    const { command, step } = error.whereabouts
    const last = step === '' ? '' : ` (last step: ${step})`
    return [
      `${ERROR}${inLanguage(`a fault in bnpl ${version} itself: \`${`bnpl ${command}`.trim()}\` ended without a result${visible(last)}`)}`,
      `${INDENT}${inLanguage('Before you run the command again, check what it has done. Please send the line above to the maintainers of bnpl.')}`,
    ]
  }
  return [
    `${ERROR}${inLanguage(`a fault in bnpl ${version} itself (${visible(bugPlace(error))}); it is not caused by your input`)}`,
    `${INDENT}${inLanguage('Please send the line above and your command to the maintainers of bnpl, without keys and ids.')}`,
  ]
}

function wantsJson(argv: readonly string[]): boolean {
  // The words after `--` are the command line of another program, so they are not bnpl's options.
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some(
    (word, i) =>
      word === '--json' ||
      /^(--output=|-o)(nd)?json$/.test(word) ||
      (/^(-o|--output)$/.test(word) && /^(nd)?json$/.test(argv[i + 1] ?? '')),
  )
}
