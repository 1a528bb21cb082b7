import { BnplError, type ErrorKind, errorAsJson, Interrupted } from '../errors.ts'
import type { Operation, RowResult } from './row.ts'

export type RowFate =
  /** The service gave a final answer. If that is an error, the service would refuse the row again. */
  | { fate: 'done'; result: RowResult; error: BnplError | undefined }
  /** The service did nothing, or the call is safe to repeat, so the row may be sent again. */
  | { fate: 'failed'; result: RowResult; error: BnplError }
  | { fate: 'unknown'; result: RowResult; error: Error }
  /** The row counts as not sent. Either it was not sent, or its call was interrupted and is safe to repeat. */
  | { fate: 'untouched' }
  /** The run cannot continue. `sent` says whether the row may have been sent. */
  | { fate: 'fatal'; error: unknown; sent: boolean }

const FINAL: readonly unknown[] = ['refused', 'not-found', 'check-failed'] satisfies ErrorKind[]
const PASSING: readonly unknown[] = ['auth', 'rate-limited', 'network', 'service'] satisfies ErrorKind[]

/** Whether a failed row would fail again if it were sent again unchanged. */
export const isFinal = ({ error }: RowResult): boolean => FINAL.includes(error?.kind)

/**
 * Returns the outcome of a row whose call threw an error.
 * @param reasons the abort reasons of a stopped run. A call that failed with one of them was not sent, or is safe to repeat
 */
export function rowFateOf(
  error: unknown,
  operation: Pick<Operation, 'repeatable'>,
  reasons: readonly unknown[],
): RowFate {
  if (error !== undefined && reasons.includes(error)) return { fate: 'untouched' }
  if (error instanceof Interrupted) {
    if (operation.repeatable) return { fate: 'untouched' }
    return { fate: 'unknown', result: { outcome: 'unknown', error: interruptedJson(error) }, error }
  }
  if (!(error instanceof BnplError)) return { fate: 'fatal', error, sent: true }
  const failed = (outcome: string): RowResult => ({ outcome, error: errorAsJson(error).error })
  if (error.kind === 'outcome-unknown') return { fate: 'unknown', result: failed('unknown'), error }
  if (FINAL.includes(error.kind)) return { fate: 'done', result: failed('failed'), error }
  if (PASSING.includes(error.kind)) return { fate: 'failed', result: failed('failed'), error }
  return { fate: 'fatal', error, sent: error.kind !== 'usage' && error.kind !== 'config' }
}

const interruptedJson = ({ message, hint }: Interrupted) => ({
  kind: 'outcome-unknown',
  code: 'ABORTED',
  status: null,
  message,
  hint: hint ?? null,
})

/** The result of a row that was sent, but has no outcome in the ledger, because the process ended. */
export const CUT_OFF: RowResult = {
  outcome: 'unknown',
  error: {
    kind: 'outcome-unknown',
    code: 'CUT_OFF',
    status: null,
    message: 'an earlier run was cut off while it sent this row, so the call may have been carried out',
    hint: 'Find out whether the service carried out this row before you send it again.',
  },
}

/** A run ends after this many consecutive failures of the same kind. */
const IN_A_ROW: Partial<Record<ErrorKind, number>> = {
  auth: 5,
  'rate-limited': 5,
  network: 20,
  service: 20,
  'outcome-unknown': 20,
}

/**
 * Returns a function that the run calls with the error of each outcome. After too many consecutive failures of one kind, the function
 * returns the error that ends the run.
 */
export function createHalt(): (error: Error | undefined) => BnplError | undefined {
  let kind: ErrorKind | undefined
  let count = 0
  return (error) => {
    const now = error instanceof BnplError ? error.kind : undefined
    count = now !== undefined && now === kind ? count + 1 : 1
    kind = now
    const limit = now === undefined ? undefined : IN_A_ROW[now]
    return limit !== undefined && count >= limit && error instanceof BnplError ? error : undefined
  }
}
