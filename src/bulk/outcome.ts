import { BnplError, type ErrorKind, errorAsJson, Interrupted } from '../errors.ts'
import type { Operation, RowResult } from './operation.ts'

/** What becomes of a row. */
export type Fate =
  /** It was answered as it will stay; with an error: the service refused it for good, and would refuse the same row again. */
  | { fate: 'done'; result: RowResult; error: BnplError | undefined }
  /** Nothing was done; it may be sent again. */
  | { fate: 'failed'; result: RowResult; error: BnplError }
  /** It was sent and nobody knows. */
  | { fate: 'unknown'; result: RowResult; error: Error }
  /** It never left this machine. */
  | { fate: 'untouched' }
  /** Nothing of the run can go on. `sent`: the row may have been sent all the same. */
  | { fate: 'fatal'; error: unknown; sent: boolean }

const FINAL = new Set<ErrorKind>(['refused', 'not-found', 'check-failed'])
/** Whether a failed row would fail again as it is. */
export const isFinal = ({ error }: RowResult): boolean =>
  FINAL.has((error as { kind?: ErrorKind } | undefined)?.kind as ErrorKind)

const PASSING = new Set<ErrorKind>(['auth', 'rate-limited', 'network', 'service'])

/**
 * @param reasons what a signal was aborted with: an error that is one of them says that the call was stopped before it left
 */
export function fateOf(error: unknown, operation: Pick<Operation, 'repeatable'>, reasons: readonly unknown[]): Fate {
  if (error !== undefined && reasons.includes(error)) return { fate: 'untouched' }
  if (error instanceof Interrupted) {
    if (operation.repeatable) return { fate: 'untouched' }
    return { fate: 'unknown', result: { outcome: 'unknown', error: interruptedJson(error) }, error }
  }
  if (!(error instanceof BnplError)) return { fate: 'fatal', error, sent: true }
  const failed = (outcome: string): RowResult => ({ outcome, error: errorAsJson(error).error })
  if (error.kind === 'outcome-unknown') return { fate: 'unknown', result: failed('unknown'), error }
  if (FINAL.has(error.kind)) return { fate: 'done', result: failed('failed'), error }
  if (PASSING.has(error.kind)) return { fate: 'failed', result: failed('failed'), error }
  // What is wrong with the options or the account is found before a call is made.
  return { fate: 'fatal', error, sent: error.kind !== 'usage' && error.kind !== 'config' }
}

const interruptedJson = (error: Interrupted) => ({ kind: 'outcome-unknown', code: 'ABORTED', message: error.message })

/** What is known of a row whose intent was written and whose outcome was not: the process ended in between. */
export const CUT_OFF: RowResult = {
  outcome: 'unknown',
  error: {
    kind: 'outcome-unknown',
    code: 'CUT_OFF',
    status: null,
    message: 'it was being sent when an earlier run was cut off, so it may have been done',
    hint: null,
  },
}
