import type { Context } from '../../../context.ts'
import { shownAddress } from '../../../http/address.ts'
import { namesOfHost } from '../../../http/own-host.ts'
import type { OnFault } from '../../../receiver/fault-channel.ts'
import type { Inbox } from '../../../receiver/inbox.ts'
import type { ListenPlan } from './plan.ts'
import type { View } from './view/view.ts'

export interface Health {
  url: string
  watch(view: View): View
  opened(): void
  ending(): void
}

/** Serves readiness and metrics. Reports “not ready” until `opened` is called. Returns undefined without `--metrics-port`. */
export async function startHealth(
  context: Context,
  plan: ListenPlan,
  inbox: Inbox,
  onFault: OnFault,
): Promise<Health | undefined> {
  if (plan.metrics === undefined) return undefined
  const { clock, world } = context
  const { host, port } = plan.metrics
  const { createReadiness } = await import('../../../receiver/health/health-server.ts')
  const { createMetrics } = await import('../../../receiver/health/metrics.ts')
  const { serveHealth } = await import('../../../receiver/health/health-server.ts')
  const readiness = createReadiness(inbox, clock)
  const ready = () => readiness.known() === 'ready'
  const metrics = createMetrics({ inbox, clock, version: world.version, ready })
  const hosts = namesOfHost(host, plan.publicHosts)
  const door = await serveHealth({ host, port, hosts, readiness, metrics, onFault })
  context.onClose(() => door.close())
  return {
    url: shownAddress(host, door.port),
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
