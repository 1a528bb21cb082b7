import { heldAgainst, type Probe, type Seen, type SmokeRun, skipped } from './run.ts'

/** A destination is made and removed again: what the run made does not stay. */
export function webhookChecks(run: SmokeRun): Probe[] {
  return [{ name: 'registration', changes: true, look: () => registration(run) }]
}

async function registration({ context, options }: SmokeRun): Promise<Seen> {
  const { webhookUrl: url } = options
  if (url === undefined) return skipped('no --webhook-url was given')
  const api = await context.api()
  const before = await api.call('listWebhooks', { params: {}, body: {} })
  if (before.data.some((each) => each.url === url)) return skipped('this address is registered already, and stays')
  await api.probe('registerWebhook', { params: {}, body: { url } })
  const { data } = await api.call('listWebhooks', { params: {}, body: {} })
  const made = data.filter((each) => each.url === url)
  for (const { id } of made) await api.call('deleteWebhook', { params: { id }, body: {} })
  if (made.length === 0) return { status: 'fail', detail: 'it was answered, but is not in the list' }
  return heldAgainst('listWebhooks', made, 'registered, listed, and deleted again')
}
