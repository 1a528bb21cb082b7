import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import { isLoopback } from '../../../domain/addresses.ts'
import { SANDBOX, sandboxTraits } from '../../../domain/sandbox-accounts.ts'
import { secretLines } from '../../../domain/secret.ts'
import { doubtAbout } from '../../../domain/signature-settings.ts'
import { config } from '../../../errors.ts'
import { namesOfHost } from '../../../http-server/door.ts'
import type { OnError } from '../../../receiver/bug-channel.ts'
import { FORWARD_PAUSES } from '../../../receiver/forwarding/forwarder.ts'
import type { Inbox } from '../../../receiver/inbox.ts'
import type { ReceiverOptions } from '../../../receiver/receiver.ts'
import { connectionLimit, ENOUGH_CONNECTIONS } from '../../../receiver/server.ts'
import {
  type RotatingSecrets,
  type RotationOptions,
  rotatingSecrets,
} from '../../../receiver/verification/rotating-secrets.ts'
import type { SecretsInForce } from '../../../receiver/verification/verifier.ts'
import { headersOf, signatureVerdict } from '../../../recording/verdicts.ts'
import { noteShortSecret } from '../../file-input.ts'
import {
  asSecrets,
  findSecrets,
  readSecrets,
  secretsFor,
  secretsOfRegularFile,
  signatureSettings,
} from '../signature-options.ts'
import type { ListenPlan } from './plan.ts'
import type { View } from './view.ts'

/**
 * Returns the options of the receiver for a plan. Warns if the limit of open connections is low, or if events would be
 * forwarded to another machine without encryption.
 */
export async function receiverSettings(
  context: Context,
  plan: ListenPlan,
  parts: { inbox: Inbox; secrets: SecretsInForce; view: View; onError: ReceiverOptions['onError'] },
): Promise<ReceiverOptions> {
  const { inbox, secrets, view, onError } = parts
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
    connectionLimit: connectionsOf(context),
    forward: await forwardSettings(context, plan, view),
    emit: view.emit,
    observe: view.observe,
    answered: await recordDeliveries(context, plan, secrets),
    onError,
  }
}

async function recordDeliveries(
  context: Context,
  { scheme, signature }: ListenPlan,
  secrets: SecretsInForce,
): Promise<ReceiverOptions['answered']> {
  const recorder = await context.recorder()
  if (recorder === undefined) return undefined
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

function connectionsOf({ output }: Context): number | undefined {
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
  return {
    target: {
      url,
      transport: await network(),
      clock,
      timeoutMs: options.timeoutMs,
      userAgent: `bnpl/${world.version}`,
    },
    retry: { ...FORWARD_PAUSES, attempts: forwardAttempts },
    random: world.random,
    onResult: view.forwarded,
  }
}

/**
 * Returns the secrets with which a listener verifies deliveries. Secrets from a file or from a stored profile are read again from time to
 * time, so that a rotation needs no restart. Without `--public-url`, throws `config` when no secret is set.
 */
export async function listenSecrets(context: Context, plan: ListenPlan, onError: OnError): Promise<RotatingSecrets> {
  const { output } = context
  const find = plan.publicUrl === undefined ? readSecrets : findSecrets
  const found = await find(context, plan.signature)
  // With --public-url, ignore a secret that comes from a sandbox profile, because the registration creates a new secret.
  const initial = (plan.publicUrl !== undefined && isOfSandbox(found?.source) ? undefined : found?.values) ?? []
  secretsFor(plan.scheme, initial)
  if (initial.some((each) => doubtAbout(each) === 'blank'))
    output.warn(
      'a webhook secret contains a space; if it is a list of several secrets, write each secret on its own line',
    )
  noteShortSecret(initial, plan.scheme === 'token' ? 'webhook token' : 'webhook secret', output.warn)
  const { read, source } = await rereader(context, plan)
  return rotatingSecrets(initial, {
    read: read && (async () => secretsFor(plan.scheme, await read())),
    source,
    clock: context.clock,
    onChange: (count) =>
      output.note(`The webhook secrets have changed: ${count === 1 ? '1 is' : `${count} are`} valid now.`),
    onProblem: (why) =>
      why === undefined
        ? output.note('The webhook secret can be read again.')
        : output.warn(`${why}; until this is corrected, the secrets that were read last stay valid`),
    onError,
  })
}

const isOfSandbox = (source: string | undefined) => sandboxTraits(source) !== undefined

async function rereader(context: Context, plan: ListenPlan): Promise<Pick<RotationOptions, 'read' | 'source'>> {
  const { secretFile, secretStdin } = plan.signature
  if (secretFile !== undefined) {
    const path = resolve(context.world.cwd, secretFile)
    return { read: () => secretsOfRegularFile(path), source: `the secret file ${path}` }
  }
  const fixed = { read: undefined, source: '' }
  const { profile, environment, webhookSecrets } = await context.settings()
  if (secretStdin || webhookSecrets?.source === 'BNPL_WEBHOOK_SECRET') return fixed
  if (profile === undefined || environment.value === SANDBOX) return fixed
  const store = await context.profiles()
  const source = `profile ${profile.value}`
  const read = async () => {
    const kept = (await store.read()).profiles[profile.value]
    if (kept === undefined) throw config(`${source} no longer exists`)
    return asSecrets((kept.webhookSecrets ?? []).flatMap(secretLines), `the webhook secret from ${source}`)
  }
  return { read, source }
}
