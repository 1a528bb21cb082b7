import { BnplError, type ErrorKind } from '../errors.ts'

/** How many failures of a kind in a row end a run: what fails everywhere is not tried on every row. */
const IN_A_ROW: Partial<Record<ErrorKind, number>> = {
  auth: 5,
  'rate-limited': 5,
  network: 20,
  service: 20,
  'outcome-unknown': 20,
}

/** Watches for the same failure again and again. @returns after each outcome: the error the run must end with, if it must */
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
