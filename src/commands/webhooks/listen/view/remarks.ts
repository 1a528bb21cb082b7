import type { Context } from '../../../../context.ts'
import type { Happening } from '../../../../receiver/delivery.ts'
import type { NextAttempt } from '../../../../receiver/forwarding/forwarder.ts'
import type { ForwardResult, StoredEvent } from '../../../../receiver/inbox.ts'
import type { explainDisbelief as Explain } from '../../../../receiver/verification/verifier.ts'
import { commandLine, shellQuoted } from '../../../../text/shell-word.ts'
import type { ListenPlan } from '../listen.ts'
import { throttled } from './throttled.ts'

export interface Remarks {
  observe(happening: Happening): void
  forwarded(event: StoredEvent, result: ForwardResult, next: NextAttempt | undefined): void
}

const REFUSALS: Record<number, (plan: ListenPlan) => string> = {
  404: ({ path }) => `its path is not ${path}`,
  405: () => 'it is not a POST',
  408: () => 'it came too slowly',
  413: () => 'its body is larger than 1 MiB',
  415: () => 'its body is not plain JSON (Content-Type or Content-Encoding)',
  421: () => 'its Host is not a name of this listener; --public-host NAME adds one',
  503: () => 'too much is being received at once',
}

/**
 * What the operator is told on stderr beside the events themselves. Nothing of a body or a secret is part of it.
 * @param seen whether the events stand on a screen anyway, with what the handler answered
 */
export function createRemarks(
  context: Context,
  plan: ListenPlan,
  explainDisbelief: typeof Explain,
  seen: boolean,
  say: (text: string) => void,
): Remarks {
  const remark = throttled(context.clock, say)
  let isAway = false
  return {
    observe(happening) {
      switch (happening.what) {
        case 'disbelieved':
          return remark(
            `401 ${happening.why}`,
            `refused a delivery from ${happening.from} with 401: ${explainDisbelief(happening.why, plan.scheme)}`,
          )
        case 'refused': {
          const why = REFUSALS[happening.status]?.(plan) ?? 'it is no delivery'
          return remark(
            `refused ${happening.status}`,
            `refused a request from ${happening.from} with ${happening.status}: ${why}`,
          )
        }
        case 'not-stored': {
          const { error } = happening
          // A database that is away was told when it went, and is when it is back.
          if (error.kind === 'network') return
          return remark('not stored', `NOT STORED and not acknowledged (503): ${error.message}`)
        }
        case 'recorded': {
          const { arrival, recorded } = happening
          if (recorded.fate === 'variant')
            remark(
              'variant',
              `${arrival.eventId} came again with another body: kept, not handed on (bnpl webhooks events show '#${recorded.seq}')`,
            )
          if (recorded.fate === 'quarantined')
            remark(
              'quarantined',
              `a verified delivery is no envelope (${arrival.odd}): kept in quarantine (bnpl webhooks events show '#${recorded.seq}')`,
            )
          return
        }
        // Its batch is reported once, as not stored.
        case 'unacknowledged':
      }
    },
    forwarded(event, { state, error, attempts }, next) {
      const id = event.eventId ?? `#${event.seq}`
      if (state === 'dead')
        say(
          `${id} is set aside after ${attempts} attempts (${error}): ${commandLine('bnpl webhooks events replay', [id], `--forward-to ${shellQuoted(plan.forwardTo ?? 'URL')}`)}`,
        )
      if (seen || state === 'dead') return
      if (next?.away) {
        isAway = true
        return remark(
          'away',
          `the handler ${plan.forwardTo} is away (${error}): ${id} and what follows it wait, in order, until it is back`,
        )
      }
      if (isAway) say(`the handler ${plan.forwardTo} answers again`)
      isAway = false
      if (state === 'retrying')
        remark(
          'refused by the handler',
          `${id} was not taken: ${error} (attempt ${attempts} of ${plan.forwardAttempts}); trying again`,
        )
    },
  }
}
