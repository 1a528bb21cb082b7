import { BnplError, type ErrorKind, errorAsJson, Interrupted } from '../errors.ts'
import type { Operation, RowResult } from './operation.ts'

/** What becomes of a row. */
export type RowFate =
  /** The service answered for good. With an error: it refused the row, and would refuse it again. */
  | { fate: 'done'; result: RowResult; error: BnplError | undefined }
  /** Nothing was done, and the row may be sent again. */
  | { fate: 'failed'; result: RowResult; error: BnplError }
  /** The row was sent, and its outcome is not known. */
  | { fate: 'unknown'; result: RowResult; error: Error }
  /** The row never left this machine. */
  | { fate: 'untouched' }
  /** The run cannot go on. `sent`: the row may have been sent. */
  | { fate: 'fatal'; error: unknown; sent: boolean }

const FINAL: readonly unknown[] = ['refused', 'not-found', 'check-failed'] satisfies ErrorKind[]
const PASSING: readonly unknown[] = ['auth', 'rate-limited', 'network', 'service'] satisfies ErrorKind[]

/** Whether a failed row would fail again as it is. */
export const isFinal = ({ error }: RowResult): boolean => FINAL.includes(error?.kind)

/**
 * What becomes of a row whose call threw an error.
 * @param reasons the reasons of the signals: an error that is one of them stopped the call before it left
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
  // Wrong options and a wrong account are found before a call is made.
  return { fate: 'fatal', error, sent: error.kind !== 'usage' && error.kind !== 'config' }
}

const interruptedJson = (error: Interrupted) => ({ kind: 'outcome-unknown', code: 'ABORTED', message: error.message })

/** The result of a row whose intent is in the ledger without an outcome: the process ended in between. */
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

/** How many failures of one kind in a row end a run: an error of the whole service is not met once for every row. */
const IN_A_ROW: Partial<Record<ErrorKind, number>> = {
  auth: 5,
  'rate-limited': 5,
  network: 20,
  service: 20,
  'outcome-unknown': 20,
}

/** Counts failures of one kind in a row. @returns takes the error of each outcome, and returns the error that ends the run, if any */
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
