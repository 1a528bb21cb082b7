import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { isLoopback } from '../../../domain/origin.ts'
import { namesOfHost } from '../../../http/own-host.ts'
import type { Inbox } from '../../../receiver/inbox.ts'
import type { ReceiverOptions } from '../../../receiver/receiver.ts'
import type { SecretsInForce } from '../../../receiver/verification/verifier.ts'
import { signatureSettings } from '../signature-options.ts'
import type { ListenPlan } from './plan.ts'
import type { View } from './view/view.ts'

/**
 * Returns the options of the receiver for a plan. Warns if the limit of open connections is low, or if events would be
 * forwarded to another machine without encryption.
 */
export async function receiverSettings(
  context: Context,
  plan: ListenPlan,
  parts: { inbox: Inbox; secrets: SecretsInForce; view: View; onFault: ReceiverOptions['onFault'] },
): Promise<ReceiverOptions> {
  const { inbox, secrets, view, onFault } = parts
  return {
    host: plan.host,
    port: plan.port,
    path: plan.path,
    hosts: namesOfHost(plan.host, plan.publicHosts),
    scheme: plan.scheme,
    signature: await signatureSettings(context, plan.signature),
    secrets,
    inbox,
    clock: context.clock,
    selfTestId: `self-test-${randomBytes(16).toString('hex')}`,
    connectionLimit: await connectionsOf(context),
    forward: await forwardSettings(context, plan, view),
    emit: view.emit,
    observe: view.observe,
    answered: await recordDeliveries(context, plan, secrets),
    onFault,
  }
}

async function recordDeliveries(
  context: Context,
  { scheme, signature }: ListenPlan,
  secrets: SecretsInForce,
): Promise<ReceiverOptions['answered']> {
  const recorder = await context.recorder()
  if (recorder === undefined) return undefined
  const { headersOf, signatureVerdict } = await import('../../../recording/verdicts.ts')
  const settings = await signatureSettings(context, signature)
  const budget = { misfits: 0 }
  return ({ request, body, receivedAt: at, ms, status, cutMs }) => {
    for (const secret of secrets.current()) recorder.learnSecret(secret)
    const headers = headersOf(request)
    const verdict = signatureVerdict(headers, body, { scheme, settings, secrets: secrets.current() }, budget)
    const { method = '', url: path = '' } = request
    recorder.delivery({ at, ms, request: { method, path, headers, body }, status, signature: verdict, cutMs })
  }
}

async function connectionsOf({ output }: Context): Promise<number | undefined> {
  const { connectionLimit, ENOUGH_CONNECTIONS } = await import('../../../receiver/server.ts')
  const limit = connectionLimit()
  if (limit !== undefined && limit < ENOUGH_CONNECTIONS) {
    output.warn(
      `Raise the limit of open connections with: ulimit -n 4096. This process can have at most ${limit} connections open at once. Further connections are reset, and a new_lead in one of them is lost.`,
    )
  }
  return limit
}

async function forwardSettings(
  { output, clock, options, world, network }: Context,
  { forwardTo: url, forwardAttempts }: ListenPlan,
  view: View,
): Promise<ReceiverOptions['forward']> {
  if (url === undefined) return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !isLoopback(hostname))
    output.warn(`events are sent to ${hostname} over plain http, including the personal data in them`)
  const { FORWARD_RETRY } = await import('../../../receiver/forwarding/forwarder.ts')
  return {
    target: {
      url,
      transport: await network(),
      clock,
      timeoutMs: options.timeoutMs,
      userAgent: `bnpl/${world.version}`,
    },
    retry: { ...FORWARD_RETRY, attempts: forwardAttempts },
    random: world.random,
    onResult: view.forwarded,
  }
}
