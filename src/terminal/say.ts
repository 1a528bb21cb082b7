import {
  BnplError,
  ChildEnded,
  ClosedPipe,
  errorAsJson,
  exitCodeOf,
  Failures,
  faultPlace,
  Interrupted,
  tellable,
  Unsettled,
} from '../errors.ts'
import { toJson, visible } from '../text/visible.ts'
import type { Io } from './io.ts'
import { wrapWords } from './wrap.ts'

/** What an error is said with: stderr, and the version that a fault of ours is reported with. */
interface Listener {
  io: Pick<Io, 'err' | 'stderrIsTty' | 'columns' | 'errColor'>
  version: string
}

/** The beginning of the first line, and the indent of a hint. */
const ERROR = 'error: '
const INDENT = '  '

/**
 * The one place where an error becomes words on stderr and an exit code.
 * @param argv decides whether they are said in JSON too
 * @returns the exit code: the first failure's, where several were met
 */
export function say(error: unknown, argv: readonly string[], { io, version }: Listener): number {
  const [first, others] = error instanceof Failures ? [error.first, error.others] : [error, []]
  const lines = [
    ...wordsOf(first, version, io.stderrIsTty),
    ...others.map((other) => `${ERROR}afterwards this failed too: ${visible(tellable(other))}`),
  ]
  for (const line of lines) {
    const shown = io.stderrIsTty ? fitted(line, io.columns) : line
    io.err(`${io.errColor ? marked(shown) : shown}\n`)
  }
  if (!isSilent(first) && wantsJson(argv)) io.err(`${toJson(errorAsJson(first))}\n`)
  return exitCodeOf(first)
}

/** Ends that print nothing: the reader is gone, or a program of the user's has already said what happened. */
const isSilent = (error: unknown) => error instanceof ClosedPipe || error instanceof ChildEnded

/** A line as it is read on a terminal: broken between words, and never within a command that is there to be pasted. */
function fitted(line: string, columns: number): string {
  const indent = /^(error: )?\s*/.exec(line)?.[0] ?? ''
  return `${indent}${wrapWords(line.slice(indent.length), columns - indent.length, ' '.repeat(indent.length))}`
}

/** Its first word in red, where colours are shown. The colour library is not worth its time for one word. */
const marked = (line: string): string =>
  line.startsWith(ERROR) ? `\u001b[31m${ERROR.trimEnd()}\u001b[39m ${line.slice(ERROR.length)}` : line

/** @param atTerminal whether a person reads it, who may see again what they typed */
function wordsOf(error: unknown, version: string, atTerminal: boolean): string[] {
  if (error instanceof ClosedPipe) return []
  if (error instanceof ChildEnded) return error.message === '' ? [] : [`${ERROR}${visible(error.message)}`]
  if (error instanceof Interrupted) return error.message === 'interrupted' ? [] : [visible(error.message)]
  if (error instanceof BnplError) {
    const words = atTerminal ? (error.atTerminal ?? error.message) : error.message
    const [message = '', ...more] = words.split('\n').map((line) => visible(line))
    const hint = error.hint === undefined ? [] : visible(error.hint, true).split('\n')
    return [`${ERROR}${message}`, ...[...more, ...hint].map((line) => `${INDENT}${line}`)]
  }
  if (error instanceof Unsettled) {
    const { command, step } = error.whereabouts
    const last = step === '' ? '' : ` (last step: ${step})`
    return [
      `${ERROR}a fault of bnpl ${version} itself: \`${`bnpl ${command}`.trim()}\` ended without a result${visible(last)}`,
      `${INDENT}Look at what was done before you run it again, and please report this line where you got bnpl from.`,
    ]
  }
  return [
    `${ERROR}a fault of bnpl ${version} itself (${visible(faultPlace(error))}); nothing of yours caused it`,
    `${INDENT}Please report it where you got bnpl from, with this line and the command you ran (leave keys and ids out).`,
  ]
}

function wantsJson(argv: readonly string[]): boolean {
  // What follows `--` is a command line of someone else's.
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some(
    (word, i) =>
      word === '--json' ||
      /^(--output=|-o)(nd)?json$/.test(word) ||
      (/^(-o|--output)$/.test(word) && /^(nd)?json$/.test(argv[i + 1] ?? '')),
  )
}
