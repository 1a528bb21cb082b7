import { shownDatabase } from '../../profiles/database.ts'
import type { Setting, Settings } from '../../profiles/resolve.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** A check for each setting in force, with its source. */
export function accountChecks(settings: Settings): Finding[] {
  return [
    { name: 'profile', look: async () => profile(settings) },
    needed(
      'base address',
      settings.baseUrl,
      `Set BNPL_BASE_URL, or run: ${account(settings, 'bnpl profiles set baseUrl https://…')}`,
    ),
    {
      name: 'API key',
      look: async () => {
        if (!settings.apiKey)
          return fail('not set', `Set BNPL_API_KEY, or run: ${account(settings, 'bnpl profiles set-key')}`)
        const { fingerprint } = await import('../../text/fingerprint.ts')
        return ok(`${fingerprint(settings.apiKey.value)} (from ${settings.apiKey.source})`)
      },
    },
    optional(
      'payment address',
      settings.paymentUrl,
      `Set it before you use pay-url: ${account(settings, 'bnpl profiles set paymentUrl https://…')}`,
    ),
    optional(
      'public key',
      settings.publicKey,
      `Set it before you use pay-url: ${account(settings, 'bnpl profiles set publicKey …')}`,
    ),
    optional(
      'entity id',
      settings.entityId,
      `Set it before you use evaluate or widget-token: ${account(settings, 'bnpl profiles set entityId …')}`,
    ),
    {
      name: 'webhook secrets',
      look: async () =>
        settings.webhookSecrets
          ? ok(`${settings.webhookSecrets.value.length} (from ${settings.webhookSecrets.source})`)
          : undefined,
    },
    {
      name: 'database',
      look: async () =>
        settings.database
          ? ok(`${shownDatabase(settings.database.value)} (from ${settings.database.source})`)
          : undefined,
    },
  ]
}

/** The command that changes the profile in force, or adds one when there is none. */
const account = ({ profile }: Settings, line: string) => (profile ? line : 'bnpl profiles add NAME')

function profile(settings: Settings) {
  const { profile: chosen, environment } = settings
  if (chosen === undefined)
    return settings.baseUrl
      ? ok('none: everything comes from the environment')
      : warn('none', 'Add your account: bnpl profiles add NAME. Or try the sandbox: bnpl doctor -p sandbox')
  const detail = `${chosen.value}, ${environment.value} (from ${chosen.source})`
  return environment.value === 'production'
    ? warn(detail, 'This is production: a command that changes something asks first.')
    : ok(detail)
}

function needed(name: string, setting: Setting | undefined, how: string): Finding {
  return { name, look: async () => (setting ? shown(setting) : fail('not set', how)) }
}

function optional(name: string, setting: Setting | undefined, what: string): Finding {
  return { name, look: async () => (setting ? shown(setting) : warn('not set', what)) }
}

const shown = (setting: Setting) => ok(`${setting.value} (from ${setting.source})`)
