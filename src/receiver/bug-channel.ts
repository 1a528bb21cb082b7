import { EXIT_CODES, exitCodeOf } from '../errors.ts'
import type { Inbox } from './inbox.ts'

/** Reports an error that ends the receiver. Never throws. */
export type OnFault = (error: unknown) => void

export interface FaultChannel {
  readonly report: OnFault
  /** Reports the error of a promise that is not awaited, if the error is a fault in the program. */
  mind(promise: Promise<unknown>): void
  /** Rejects with the first reported error. */
  readonly raised: Promise<never>
  /** Throws the first fault in the program, if there was one. */
  rethrow(): void
}

/** Creates a channel to which no error was reported yet. */
export function faultChannel(): FaultChannel {
  const { promise, reject } = Promise.withResolvers<never>()
  let fault: { error: unknown } | undefined
  // Without this, a rejection that no code awaits yet would end the process.
  promise.catch(() => {})
  const report: OnFault = (error) => {
    if (isFault(error)) fault ??= { error }
    reject(error)
  }
  return {
    report,
    mind(given) {
      given.catch((error: unknown) => isFault(error) && report(error))
    },
    raised: promise,
    rethrow() {
      if (fault) throw fault.error
    },
  }
}

/** Whether an error is a fault in the program, and not a condition outside of it, such as a full disk or a closed pipe. */
export const isFault = (error: unknown): boolean => exitCodeOf(error) === EXIT_CODES.bug

/** Wraps a callback so that its errors are reported and not thrown. */
export function guarded<A extends unknown[]>(callback: (...args: A) => void, onFault: OnFault): (...args: A) => void {
  return (...args) => {
    try {
      callback(...args)
    } catch (error) {
      onFault(error)
    }
  }
}

/** Wraps an inbox so that its faults are reported to `onFault` even if a caller ignores them. */
export function watchedInbox(inbox: Inbox, onFault: OnFault): Inbox {
  const watched =
    (method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      const result = method(...args)
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        if (isFault(error)) onFault(error)
        throw error
      })
    }
  const members = Object.entries(inbox).map(([name, member]) => [
    name,
    typeof member === 'function' ? watched(member) : member,
  ])
  return Object.fromEntries(members)
}
