import type { SignalName, World } from '../context.ts'
import { interruptedBy } from '../errors.ts'

export interface Stop {
  /** Resolves when the command must end. The value is the error to throw; undefined for a normal end. */
  readonly wanted: Promise<Error | undefined>
  /** Aborted by a second signal. After that, the command does not wait for optional work. */
  readonly hurry: AbortSignal
  /** Ends the command without a signal. Has no effect if the command is already ending. */
  now(reason: Error | undefined): void
  release(): void
}

/** Handles signals, so that a second Ctrl-C does not interrupt the necessary work at the end. */
export function takeStop(world: Pick<World, 'takeSignals' | 'signal'>): Stop {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  const hurry = new AbortController()
  let signalled = false
  const onSignal = (name: SignalName) => {
    if (signalled) hurry.abort()
    signalled = true
    resolve(interruptedBy(name))
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
