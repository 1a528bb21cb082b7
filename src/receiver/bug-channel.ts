import { EXIT_CODES, exitCodeOf } from '../errors.ts'
import type { Inbox } from './inbox.ts'

/** Reports an error that ends the receiver. Never throws. */
export type OnError = (error: unknown) => void

export interface BugChannel {
  readonly report: OnError
  /** Reports the error of a promise that is not awaited, if the error is a bug. */
  mind(promise: Promise<unknown>): void
  /** Rejects with the first reported error. */
  readonly raised: Promise<never>
  /** Throws the first bug, if there was one. */
  rethrow(): void
}

/** Creates a channel to which no error was reported yet. */
export function bugChannel(): BugChannel {
  const { promise, reject } = Promise.withResolvers<never>()
  let bug: { error: unknown } | undefined
  // Without this, a rejection that no code awaits yet would end the process.
  promise.catch(() => {})
  const report: OnError = (error) => {
    if (isBug(error)) bug ??= { error }
    reject(error)
  }
  return {
    report,
    mind(given) {
      given.catch((error: unknown) => isBug(error) && report(error))
    },
    raised: promise,
    rethrow() {
      if (bug) throw bug.error
    },
  }
}

/** Whether an error is a bug, and not a condition outside of it, such as a full disk or a closed pipe. */
export const isBug = (error: unknown): boolean => exitCodeOf(error) === EXIT_CODES.bug

/** Wraps a callback so that its errors are reported and not thrown. */
export function guarded<A extends unknown[]>(callback: (...args: A) => void, onError: OnError): (...args: A) => void {
  return (...args) => {
    try {
      callback(...args)
    } catch (error) {
      onError(error)
    }
  }
}

/** Wraps an inbox so that its bugs are reported to `onError` even if a caller ignores them. */
export function watchedInbox(inbox: Inbox, onError: OnError): Inbox {
  const watched =
    (method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      const result = method(...args)
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        if (isBug(error)) onError(error)
        throw error
      })
    }
  const members = Object.entries(inbox).map(([name, member]) => [
    name,
    typeof member === 'function' ? watched(member) : member,
  ])
  return Object.fromEntries(members)
}
