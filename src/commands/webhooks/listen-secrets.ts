import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { config } from '../../errors.ts'
import type { RotatingSecrets } from '../../receiver/rotating-secrets.ts'
import { noteShortSecret } from '../secret-strength.ts'
import type { ListenPlan } from './listen.ts'
import { findSecrets, linesOf, readSecrets, secretsOfFile } from './signature-options.ts'

/**
 * The secrets a listener verifies with, read again where they are kept so that a rotation needs no restart.
 * Throws `config` when there is none and none will be learned from a registration.
 */
export async function listenSecrets(
  context: Context,
  plan: ListenPlan,
  onChange: (count: number) => void,
): Promise<RotatingSecrets> {
  const find = plan.publicUrl === undefined ? readSecrets : findSecrets
  const initial = (await find(context, plan.signature))?.values ?? []
  checkTokens(plan, initial)
  noteShortSecret(initial, plan.scheme === 'token' ? 'webhook token' : 'webhook secret', context.output.warn)
  const { rotatingSecrets } = await import('../../receiver/rotating-secrets.ts')
  return rotatingSecrets(initial, await rereader(context, plan), context.clock, onChange)
}

/** A token that no header can carry would never be matched. */
function checkTokens({ scheme }: Pick<ListenPlan, 'scheme'>, tokens: readonly string[]): void {
  if (scheme !== 'token' || tokens.every((token) => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(token))) return
  throw config('the webhook token has a character that no header can carry', 'Copy it again.', 'BAD_TOKEN')
}

/** Reads the secrets again where they are kept; undefined where they cannot change while this process runs. */
async function rereader(context: Context, plan: ListenPlan): Promise<(() => Promise<readonly string[]>) | undefined> {
  const { secretFile, secretStdin } = plan.signature
  if (secretFile !== undefined) {
    const path = resolve(context.world.cwd, secretFile)
    return () => secretsOfFile(path)
  }
  const { profile, environment, webhookSecrets } = await context.settings()
  if (secretStdin || webhookSecrets?.source === 'BNPL_WEBHOOK_SECRET') return undefined
  if (profile === undefined || environment.value === SANDBOX) return undefined
  const store = await context.profiles()
  return async () => {
    const kept = (await store.read()).profiles[profile.value]
    if (kept === undefined) throw new Error('the profile is gone')
    return (kept.webhookSecrets ?? []).flatMap(linesOf)
  }
}
