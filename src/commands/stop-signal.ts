import { constants } from 'node:os'
import type { SignalName, World } from '../context.ts'
import { Interrupted } from '../errors.ts'

/** Why a listener ends: a signal, enough events, or a failure after which it cannot continue. */
export interface Stop {
  /** Resolves once, with the error to throw at the end; undefined for a normal end. */
  readonly wanted: Promise<Error | undefined>
  /** Aborted by a second signal, after which it waits for no optional work. */
  readonly hurry: AbortSignal
  /** Ends it for another reason; the first reason counts. */
  now(reason: Error | undefined): void
  /** Ends the handling of signals. */
  release(): void
}

/** Handles the signals, so that a second Ctrl-C does not interrupt necessary work at the end. */
export function takeStop(world: Pick<World, 'takeSignals' | 'signal'>): Stop {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  const hurry = new AbortController()
  let signalled = false
  const onSignal = (name: SignalName) => {
    if (signalled) hurry.abort()
    signalled = true
    resolve(new Interrupted(128 + constants.signals[name]))
  }
  const release = world.takeSignals(onSignal)
  const aborted = () => resolve(world.signal.reason)
  if (world.signal.aborted) aborted()
  else world.signal.addEventListener('abort', aborted, { once: true })
  return {
    wanted: promise,
    hurry: hurry.signal,
    now: resolve,
    release() {
      release()
      world.signal.removeEventListener('abort', aborted)
    },
  }
}
