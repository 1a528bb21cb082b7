import type { Context } from '../../context.ts'
import { shownDatabase } from '../../profiles/database.ts'
import type { Setting, Settings } from '../../profiles/resolve.ts'
import { nextCommand } from '../global-options.ts'
import { type Examination, failResult, okResult, warnResult } from './examination.ts'

/** Returns a check for each setting in use. The result of a check names the source of the setting. */
export function accountChecks(context: Context, settings: Settings): Examination[] {
  const account = (words: string) => (settings.profile ? nextCommand(context, words) : 'bnpl profiles add NAME')
  return [
    { name: 'profile', look: async () => profile(settings) },
    needed(
      'base address',
      settings.baseUrl,
      `Set BNPL_BASE_URL, or run: ${account('bnpl profiles set baseUrl https://…')}`,
    ),
    {
      name: 'API key',
      look: async () => {
        if (!settings.apiKey)
          return failResult('not set', `Set BNPL_API_KEY, or run: ${account('bnpl profiles set-key')}`)
        const { fingerprint } = await import('../../text/fingerprint.ts')
        return okResult(`${fingerprint(settings.apiKey.value)} (from ${settings.apiKey.source})`)
      },
    },
    optional(
      'payment address',
      settings.paymentUrl,
      `Before you open a payment page, run: ${account('bnpl profiles set paymentUrl https://…')}`,
    ),
    optional(
      'public key',
      settings.publicKey,
      `Before you open a payment page, run: ${account('bnpl profiles set publicKey …')}`,
    ),
    optional(
      'entity id',
      settings.entityId,
      `Before you evaluate a customer or create a widget token, run: ${account('bnpl profiles set entityId …')}`,
    ),
    {
      name: 'webhook secrets',
      look: async () =>
        settings.webhookSecrets
          ? okResult(`${settings.webhookSecrets.value.length} (from ${settings.webhookSecrets.source})`)
          : undefined,
    },
    {
      name: 'database',
      look: async () =>
        settings.database
          ? okResult(`${shownDatabase(settings.database.value)} (from ${settings.database.source})`)
          : undefined,
    },
  ]
}

function profile(settings: Settings) {
  const { profile: chosen, environment } = settings
  if (chosen === undefined)
    return settings.baseUrl
      ? okResult('none: every setting comes from the environment')
      : warnResult('none', 'Add your account: bnpl profiles add NAME. Or try the sandbox: bnpl doctor -p sandbox')
  const detail = `${chosen.value}, ${environment.value} (from ${chosen.source})`
  return environment.value === 'production'
    ? warnResult(detail, 'This is production: a command that changes something asks first.')
    : okResult(detail)
}

function needed(name: string, setting: Setting | undefined, how: string): Examination {
  return { name, look: async () => (setting ? shown(setting) : failResult('not set', how)) }
}

function optional(name: string, setting: Setting | undefined, what: string): Examination {
  return { name, look: async () => (setting ? shown(setting) : warnResult('not set', what)) }
}

const shown = (setting: Setting) => okResult(`${setting.value} (from ${setting.source})`)
