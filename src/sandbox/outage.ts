import { BnplError } from '../errors.ts'
import { isOutage } from '../postgres/failure.ts'
import { Refusal } from './refusal.ts'

/** What keeps a database from being written for a while: what only reads may still work. */
const NO_WRITES: readonly (string | undefined)[] = [
  'STATE_FULL',
  'STATE_BUSY',
  'STATE_READ_ONLY',
  'DATABASE_READ_ONLY',
  'DATABASE_DENIED',
]

/** What keeps it from being used at all until somebody does something. */
const NO_USE: readonly (string | undefined)[] = ['DATABASE_LOGIN', 'STATE_DAMAGED', 'STATE_LOST', 'STATE_NEWER']

/** Whether the database refused to be written, and may be read. @param error as the store's `failure` names it */
export function takesNoWrites(error: unknown): error is BnplError {
  return error instanceof BnplError && NO_WRITES.includes(error.code)
}

/**
 * Whether the database or the way to it is what failed, and not the sandbox: it is away, takes no writes, or cannot be used.
 * @param error as the store's `failure` names it
 */
export function isTrouble(error: unknown): error is BnplError {
  if (!(error instanceof BnplError)) return false
  return isOutage(error) || [...NO_WRITES, ...NO_USE].includes(error.code)
}

/** What a caller is answered meanwhile: 503, and to try again. Who serves it is told where the database is, its callers are not. */
export function troubleRefusal(error: BnplError): Refusal {
  const words = isOutage(error)
    ? 'the sandbox cannot reach its database; it answers again when that is back'
    : error.code === 'STATE_NEWER'
      ? 'a newer bnpl has changed the sandbox’s data; this sandbox has to be started again with that version'
      : error.code === 'STATE_LOST'
        ? 'the file of the sandbox’s data was taken away; this sandbox has to be started again'
        : 'the sandbox cannot use its database at present; try again in a moment'
  return new Refusal(503, 'ERR_SANDBOX_DATABASE', words, { 'retry-after': '1' })
}

export interface OutageReport {
  /** Told of what went wrong, as an error for the reader; of a trouble of the database once, however many things fail by it. */
  onFault(error: unknown): void
  /** Told once when the database works again. */
  onRecovery(): void
}

function troubleOf(error: unknown): string | undefined {
  if (!isTrouble(error)) return undefined
  return isOutage(error) ? 'away' : error.code
}

/** Keeps what serves a sandbox from saying a hundred times that its database does not work. */
export function createOutageReport({ onFault, onRecovery }: OutageReport) {
  /** The troubles that were told of since the database last worked: it may be away first, and then be another one that is read-only. */
  const told = new Set<string>()
  let failures = 0
  return {
    /** Something failed. @param error as the store's `failure` names it */
    failed(error: unknown): void {
      const which = troubleOf(error)
      if (which === undefined || !told.has(which)) onFault(error)
      if (which === undefined) return
      told.add(which)
      failures++
    },
    /** The database was tried since it failed, and works. */
    worked(): void {
      if (told.size > 0) onRecovery()
      told.clear()
    },
    isOut: () => told.size > 0,
    /** Troubles so far: when none came meanwhile, it may be over. */
    failures: () => failures,
  }
}
