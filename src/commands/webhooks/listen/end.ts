import { type Close, closeAll } from '../../../closing.ts'
import type { Clock } from '../../../domain/clock.ts'
import { failureOf } from '../../../errors.ts'
import type { Receiver } from '../../../receiver/receiver.ts'
import type { ReadyFile } from '../../ready-file.ts'
import type { Stop } from '../../stop-signal.ts'
import type { Health } from './health.ts'
import type { PublicDestination } from './public-destination.ts'
import type { View } from './view/view.ts'

/** The time limit for ending the listener, in ms. */
const END_MS = 4500
/** The time limit for the deliveries in progress, in ms. */
const DRAIN_MS = 3000

interface Listening {
  clock: Clock
  stop: Pick<Stop, 'hurry'>
  health: Pick<Health, 'ending'> | undefined
  view: Pick<View, 'ending' | 'end'>
  receiver: Pick<Receiver, 'close'>
  destination: Pick<PublicDestination, 'remove'> | undefined
  readyFile: Pick<ReadyFile, 'remove'> | undefined
}

/**
 * Removes the destination before the receiver is closed, so that no more deliveries arrive. Returns the errors of the
 * steps that failed. The other steps still run.
 */
function endListening({ clock, stop, health, view, receiver, destination, readyFile }: Listening): Promise<unknown[]> {
  const started = clock.monotonic()
  const steps: Close[] = [
    async () => {
      health?.ending()
      view.ending()
    },
    async () => destination?.remove(),
    () => receiver.close(Math.min(DRAIN_MS, END_MS - (clock.monotonic() - started)), stop.hurry),
    () => view.end(),
    async () => readyFile?.remove(),
  ]
  return closeAll(steps.reverse())
}

/**
 * Runs `listen` until there is a reason to stop, then ends the listener. Throws the errors of `listen` and of the steps that end the
 * listener. Without errors, throws the reason, if there is one.
 * @param listen resolves with the reason; undefined for a normal end
 * @param open returns everything that is open when `listen` has ended
 */
export async function untilEnded(listen: () => Promise<Error | undefined>, open: () => Listening): Promise<void> {
  const failures: unknown[] = []
  let reason: Error | undefined
  try {
    reason = await listen()
  } catch (error) {
    failures.push(error)
  }
  failures.push(...(await endListening(open())))
  if (failures.length > 0) throw failureOf(failures)
  if (reason) throw reason
}
