import { resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import { SANDBOX, sandboxTraits } from '../../../domain/sandbox-accounts.ts'
import { secretLines } from '../../../domain/secret.ts'
import { doubtAbout } from '../../../domain/signature-settings.ts'
import { config } from '../../../errors.ts'
import type { OnFault } from '../../../receiver/fault-channel.ts'
import type { RotatingSecrets, RotationOptions } from '../../../receiver/verification/rotating-secrets.ts'
import { noteShortSecret } from '../../secret-strength.ts'
import { asSecrets, findSecrets, readSecrets, secretsFor, secretsOfRegularFile } from '../signature-options.ts'
import type { ListenPlan } from './plan.ts'

/**
 * Returns the secrets with which a listener verifies deliveries. Secrets from a file or from a stored profile are read again from time to
 * time, so that a rotation needs no restart. Without `--public-url`, throws `config` when no secret is set.
 */
export async function listenSecrets(context: Context, plan: ListenPlan, onFault: OnFault): Promise<RotatingSecrets> {
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
  const { rotatingSecrets } = await import('../../../receiver/verification/rotating-secrets.ts')
  const { read, source } = await rereader(context, plan)
  return rotatingSecrets(initial, {
    read: read && (async () => secretsFor(plan.scheme, await read())),
    source,
    clock: context.clock,
    onChange: (count) =>
      output.note(`The webhook secrets have changed: ${count === 1 ? '1 is' : `${count} are`} valid now.`),
    onTrouble: (why) =>
      why === undefined
        ? output.note('The webhook secret can be read again.')
        : output.warn(`${why}; until this is corrected, the secrets that were read last stay valid`),
    onFault,
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
