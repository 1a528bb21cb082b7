import type { Context } from '../../../context.ts'
import type { OnFault } from '../../../receiver/fault-channel.ts'
import type { Inbox } from '../../../receiver/inbox.ts'
import { bindFailure, ownHosts, shownAddress } from './forwarding.ts'
import type { ListenPlan } from './listen.ts'
import type { View } from './view/view.ts'

/** What those who watch the listener are told, on its second port. */
export interface Health {
  /** Where it is, up to the path. */
  url: string
  /** The view, counted on its way. */
  watch(view: View): View
  opened(): void
  ending(): void
}

/** Starts it, not yet ready; undefined when it was not asked for. It goes on until everything else has ended. */
export async function startHealth(
  context: Context,
  plan: ListenPlan,
  inbox: Inbox,
  onFault: OnFault,
): Promise<Health | undefined> {
  if (plan.metrics === undefined) return undefined
  const { clock, world } = context
  const at = { ...plan.metrics, path: '' }
  const { createReadiness } = await import('../../../receiver/health/readiness.ts')
  const { createMetrics } = await import('../../../receiver/health/metrics.ts')
  const { serveHealth } = await import('../../../receiver/health/health-server.ts')
  const readiness = createReadiness(inbox, clock)
  const ready = () => readiness.known() === 'ready'
  const metrics = createMetrics({ inbox, clock, version: world.version, ready })
  const hosts = ownHosts({ host: at.host, publicHosts: plan.publicHosts })
  const server = await serveHealth({ ...at, hosts, readiness, metrics, onFault }).catch((error: unknown) =>
    Promise.reject(bindFailure(error, at, 'metrics-')),
  )
  context.onClose(() => server.close())
  return {
    url: shownAddress(at, server.port),
    watch: (view) => ({
      ...view,
      observe(happening) {
        metrics.observe(happening)
        if (happening.what === 'recorded') readiness.wrote()
        if (happening.what === 'not-stored') readiness.failed()
        view.observe(happening)
      },
      forwarded(event, result, next) {
        metrics.forwarded(result)
        view.forwarded(event, result, next)
      },
    }),
    opened: readiness.opened,
    ending: readiness.ending,
  }
}
