import { shownDatabase } from '../../profiles/database.ts'
import type { Setting, Settings } from '../../profiles/resolve.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Every setting in force, and where it came from. */
export function accountChecks(settings: Settings): Finding[] {
  return [
    { name: 'profile', look: async () => profile(settings) },
    needed(
      'base address',
      settings.baseUrl,
      `BNPL_BASE_URL, or: ${account(settings, 'bnpl profiles set baseUrl https://…')}`,
    ),
    {
      name: 'API key',
      look: async () => {
        if (!settings.apiKey)
          return fail('not set', `Set BNPL_API_KEY, or: ${account(settings, 'bnpl profiles set-key')}`)
        const { fingerprint } = await import('../../domain/fingerprint.ts')
        return ok(`${fingerprint(settings.apiKey.value)} (from ${settings.apiKey.source})`)
      },
    },
    optional(
      'payment address',
      settings.paymentUrl,
      `pay-url needs it: ${account(settings, 'bnpl profiles set paymentUrl https://…')}`,
    ),
    optional(
      'public key',
      settings.publicKey,
      `pay-url needs it: ${account(settings, 'bnpl profiles set publicKey …')}`,
    ),
    optional(
      'entity id',
      settings.entityId,
      `evaluate and widget-token need it: ${account(settings, 'bnpl profiles set entityId …')}`,
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

/** What sets something in the profile in force, or makes a profile when there is none. */
const account = ({ profile }: Settings, line: string) => (profile ? line : 'bnpl profiles add NAME')

function profile(settings: Settings) {
  const { profile: chosen, environment } = settings

  if (chosen === undefined)
    return settings.baseUrl
      ? ok('none: everything comes from the environment')
      : warn('none', 'Without an account, try the sandbox: bnpl doctor -p sandbox')
  const detail = `${chosen.value}, ${environment.value} (from ${chosen.source})`
  return environment.value === 'production'
    ? warn(detail, 'This is production: what changes something asks first.')
    : ok(detail)
}

function needed(name: string, setting: Setting | undefined, how: string): Finding {
  return { name, look: async () => (setting ? shown(setting) : fail('not set', `Set ${how}`)) }
}

function optional(name: string, setting: Setting | undefined, what: string): Finding {
  return { name, look: async () => (setting ? shown(setting) : warn('not set', what)) }
}

const shown = (setting: Setting) => ok(`${setting.value} (from ${setting.source})`)
