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
import { visible } from '../text/visible.ts'
import type { Io } from './io.ts'
import { toJson } from './json.ts'

/** What an error is said with: stderr, and the version that a fault of ours is reported with. */
export interface Listener {
  io: Pick<Io, 'err'>
  version: string
}

/**
 * The one place where an error becomes words on stderr and an exit code.
 * @param argv decides whether they are said in JSON too
 * @returns the exit code: the first failure's, where several were met
 */
export function say(error: unknown, argv: readonly string[], { io, version }: Listener): number {
  const [first, others] = error instanceof Failures ? [error.first, error.others] : [error, []]
  for (const line of linesOf(first, version)) io.err(`${line}\n`)
  for (const other of others) io.err(`error: afterwards this failed too: ${visible(tellable(other))}\n`)
  if (!isSilent(first) && wantsJson(argv)) io.err(`${toJson(errorAsJson(first))}\n`)
  return exitCodeOf(first)
}

/** Ends whose exit code says it all: nobody reads any more, or a program of the user's said what there was to say. */
const isSilent = (error: unknown) => error instanceof ClosedPipe || error instanceof ChildEnded

function linesOf(error: unknown, version: string): string[] {
  if (error instanceof ClosedPipe) return []
  if (error instanceof ChildEnded) return error.message === '' ? [] : [`error: ${visible(error.message)}`]
  if (error instanceof Interrupted) return error.message === 'interrupted' ? [] : [visible(error.message)]
  if (error instanceof BnplError) {
    const [message = '', ...more] = error.message.split('\n').map((line) => visible(line))
    const hint = error.hint === undefined ? [] : visible(error.hint, true).split('\n')
    return [`error: ${message}`, ...[...more, ...hint].map((line) => `  ${line}`)]
  }
  if (error instanceof Unsettled) {
    const { command, step } = error.whereabouts
    const last = step === '' ? '' : ` (last step: ${step})`
    return [
      `error: a fault of bnpl ${version} itself: \`${`bnpl ${command}`.trim()}\` ended without a result${visible(last)}`,
      '  Look at what was done before you run it again, and please report this line where you got bnpl from.',
    ]
  }
  return [
    `error: a fault of bnpl ${version} itself (${visible(faultPlace(error))}); nothing of yours caused it`,
    '  Please report it where you got bnpl from, with this line and the command you ran (leave keys and ids out).',
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
