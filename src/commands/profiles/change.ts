import type { Context } from '../../context.ts'
import { DESTINATION_LIMIT } from '../../contract/integrations.ts'
import { config, usage } from '../../errors.ts'
import { GAP_HELP, PROFILE_SETTINGS, type Profile } from '../../profiles/profile.ts'
import { type ProfileSetting, settingProblem } from '../../profiles/settings.ts'
import { fingerprints } from '../../text/masking.ts'
import { didYouMean } from '../../text/similar.ts'
import { type Define, examples, offer } from '../command.ts'
import { addSecretOptions, readApiKey, readSecret } from '../file-input.ts'
import { agree, nextCommand, refuseDryRun } from '../global-options.ts'
import { namedService } from '../service-option.ts'
import { addCheckOption, tryBeforeReplacing } from './key-check.ts'
import { changeProfile, forgetKey, keyIsPublic, storedProfile, storeKey, withKeyOf } from './stored-profile.ts'

const isRequired = (name: ProfileSetting) => name === 'environment' || name === 'baseUrl'

/** `profiles set KEY VALUE`: checks and stores one setting of a profile. */
export const defineSet: Define = (command, act) => {
  addCheckOption(
    addSecretOptions(
      command.argument('<key>', 'name of the setting').argument('<value>', 'the new value'),
      'API key',
      'api-key',
    ),
  )
    .addHelpText('after', settingsHelp)
    .action(
      act(async (context, options, key, value) => {
        const name = settingName(context, key)
        const problem = settingProblem(name, value)
        if (problem !== undefined) throw usage(`this value is not a valid ${name}: ${problem}`, undefined, 'BAD_VALUE')
        const stored = name === 'service' ? (await namedService(context, value, 'the argument')).name : value
        const gives = options.apiKeyStdin || options.apiKeyFile !== undefined
        if (gives && name !== 'baseUrl') {
          throw usage(
            'an API key can be given only together with baseUrl',
            `To change only the key, run: ${nextCommand(context, 'bnpl profiles set-key')}`,
          )
        }
        const apiKey = gives ? await readApiKey(context, options) : undefined
        refuseDryRun(context)
        if (name === 'baseUrl') {
          const before = storedProfile(context, undefined, await (await context.profiles()).read())
          moveTo(before.profile, before.name, value, apiKey)
          if (options.check) await tryBeforeReplacing(context, before.name, before.profile, { baseUrl: value, apiKey })
        }
        const changed = await changeProfile(context, undefined, (profile, of) => {
          if (name === 'publicKey' && value === profile.apiKey) throw keyIsPublic()
          return name === 'baseUrl' ? moveTo(profile, of, value, apiKey) : { ...profile, [name]: stored }
        })
        context.output.note(`${name} of ${changed} is set.`)
      }),
    )
  offer(command, 'key', Object.keys(PROFILE_SETTINGS))
  examples(command, [
    ['set the merchant entity of the default profile', 'bnpl profiles set entityId 7001'],
    [
      'set another address, with the key for that address',
      'bnpl profiles set baseUrl https://api.example.com --api-key-file key.txt',
    ],
  ])
}

/** `profiles unset KEY`: removes one setting of a profile. */
export const defineUnset: Define = (command, act) => {
  command
    .argument('<key>', 'name of the setting')
    .addHelpText('after', settingsHelp)
    .action(
      act(async (context, _, key) => {
        const name = settingName(context, key)
        if (isRequired(name))
          throw usage(
            `${name} cannot be removed, because every profile needs it`,
            `Change it with: ${nextCommand(context, `bnpl profiles set ${name} VALUE`)}`,
          )
        const changed = await changeProfile(context, undefined, (profile) => {
          const rest = { ...profile }
          delete rest[name]
          return rest
        })
        context.output.note(`${name} of ${changed} is removed.`)
      }),
    )
  offer(command, 'key', Object.keys(PROFILE_SETTINGS))
  examples(command, [['print amounts without a currency sign', 'bnpl profiles unset currency -p acme']])
}

/**
 * Changes the base address. Throws `config` when the stored key is for another origin and no new key is given, because
 * a key may only be sent to the origin for which it was stored.
 */
function moveTo(profile: Profile, name: string, baseUrl: string, apiKey: string | undefined): Profile {
  const origin = new URL(baseUrl).origin
  if (apiKey !== undefined) return withKeyOf({ ...profile, baseUrl }, { apiKey, apiKeyOrigin: origin })
  const bound = profile.apiKeyOrigin ?? new URL(profile.baseUrl).origin
  if ((profile.apiKey ?? profile.apiKeyEntry) === undefined || origin === bound) return { ...profile, baseUrl }
  throw config(
    `the key stored in ${name} is for ${bound} and would be sent to ${origin}`,
    'Add the key for the new address to the same command: --api-key-stdin or --api-key-file F. Nothing was changed.',
    'KEY_NOT_FOR_ADDRESS',
  )
}

const isSetting = (key: string): key is ProfileSetting => Object.hasOwn(PROFILE_SETTINGS, key)

function settingName(context: Context, key: string): ProfileSetting {
  if (isSetting(key)) return key
  if (/key$/i.test(key)) {
    throw usage(
      'a key must not be an argument',
      `Use: ${nextCommand(context, 'bnpl profiles set-key --api-key-stdin')} (or --api-key-file F)`,
      'SECRET_ARGUMENT',
    )
  }
  if (/secret/i.test(key)) {
    throw usage(
      'a secret must not be an argument',
      `Use: ${nextCommand(context, 'bnpl profiles add-secret --secret-stdin')} (or --secret-file F)`,
      'SECRET_ARGUMENT',
    )
  }
  const names = Object.keys(PROFILE_SETTINGS)
  throw usage(
    `“${key}” is not a setting of a profile${didYouMean(key, names)}`,
    `Use one of: ${names.join(', ')}.`,
    'NO_SUCH_SETTING',
  )
}

function settingsHelp(): string {
  const width = Math.max(...Object.keys(PROFILE_SETTINGS).map((name) => name.length))
  const lines = Object.entries(PROFILE_SETTINGS).map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
  return ['', 'Settings:', ...lines, '', ...GAP_HELP].join('\n')
}

/** `profiles set-key [NAME]`: replaces the API key after the service has accepted the new one. The new key may be sent only to the present address of the profile. */
export const defineSetKey: Define = (command, act) => {
  addCheckOption(
    addSecretOptions(command.argument('[name]', 'the profile (default: the one in use)'), 'API key', 'api-key'),
  )
    .option('--keyring', 'store the key in the keyring of this system (default: where the old key is stored)')
    .option('--no-keyring', 'store the key in the profile file')
    .action(
      act(async (context, options, named) => {
        refuseDryRun(context)
        const before = storedProfile(context, named, await (await context.profiles()).read())
        const apiKey = await readApiKey(context, options)
        const { baseUrl, publicKey } = before.profile
        if (apiKey === publicKey) throw keyIsPublic()
        if (options.check) await tryBeforeReplacing(context, before.name, before.profile, { baseUrl, apiKey })
        const { keyring = before.profile.apiKeyEntry !== undefined } = options
        const stored = await storeKey(context, before.name, before.profile, apiKey, keyring)
        const name = await changeProfile(context, named, (profile) => withKeyOf(profile, stored))
        await forgetKey(context, before.profile)
        const fingerprint = await fingerprints()
        context.output.note(`The key of ${name} is now ${fingerprint(apiKey)}.`)
      }),
    )
  examples(command, [
    ['read the new key from a password manager', 'pass acme/beta | bnpl profiles set-key acme --api-key-stdin'],
  ])
}

/** `profiles add-secret [NAME]`: adds a webhook secret. The earlier secrets stay valid. */
export const defineAddSecret: Define = (command, act) => {
  addSecretOptions(
    command.argument('[name]', 'the profile (default: the one in use)'),
    'webhook secret',
    'secret',
  ).action(
    act(async (context, options, named) => {
      refuseDryRun(context)
      const store = await context.profiles()
      roomFor(storedProfile(context, named, await store.read()))
      const secret = await readSecret(context, {
        what: 'webhook secret',
        option: 'secret',
        stdin: options.secretStdin,
        file: options.secretFile,
      })
      const name = await changeProfile(context, named, (profile, of) => {
        const others = (profile.webhookSecrets ?? []).filter((each) => each !== secret)
        roomFor({ name: of, profile: { ...profile, webhookSecrets: others } })
        return { ...profile, webhookSecrets: [secret, ...others] }
      })
      const fingerprint = await fingerprints()
      context.output.note(
        `Deliveries to ${name} are accepted if they are signed with ${fingerprint(secret)} or with an earlier secret of the profile.`,
      )
    }),
  )
  examples(command, [
    [
      'rotate: add the new secret, set it at the service, remove the old secret',
      'bnpl profiles add-secret acme --secret-file new.txt',
    ],
  ])
}

/** `profiles rm-secret [NAME]`: removes the webhook secret with the given fingerprint, or the oldest one. */
export const defineRmSecret: Define = (command, act) => {
  command
    .argument('[name]', 'the profile (default: the one in use)')
    .option(
      '--fingerprint <hex>',
      'remove the secret with this fingerprint, which `bnpl profiles show` prints (default: the oldest secret)',
    )
    .action(
      act(async (context, options, named) => {
        refuseDryRun(context)
        const store = await context.profiles()
        const { name, profile } = storedProfile(context, named, await store.read())
        const fingerprint = await fingerprints()
        const secret = chooseSecret(name, profile, options.fingerprint, fingerprint)
        await agree(
          context,
          `Remove the webhook secret ${fingerprint(secret)} of ${name}, and refuse deliveries that are signed with it?`,
        )
        await changeProfile(context, name, ({ webhookSecrets = [], ...rest }) => {
          const left = webhookSecrets.filter((each) => each !== secret)
          return left.length === 0 ? rest : { ...rest, webhookSecrets: left }
        })
        context.output.note(`${fingerprint(secret)} is removed from ${name}.`)
      }),
    )
  examples(command, [['remove the old secret after a rotation', 'bnpl profiles rm-secret acme']])
}

function chooseSecret(
  name: string,
  { webhookSecrets = [] }: Profile,
  hex: string | undefined,
  fingerprint: (secret: string) => string,
): string {
  const isNamed = (each: string) => hex === undefined || fingerprint(each).toLowerCase().endsWith(hex.toLowerCase())
  const fitting = webhookSecrets.filter(isNamed)
  const secret = fitting.at(-1)
  if (secret !== undefined && (hex === undefined || hex.length >= 4)) return secret
  if (webhookSecrets.length === 0)
    throw usage(`${name} has no webhook secret`, 'List the profiles: bnpl profiles list', 'NO_SECRET')
  throw usage(
    `the given fingerprint does not identify a webhook secret of ${name}`,
    `Give at least the last 4 characters of a fingerprint that this command prints: bnpl profiles show ${name}`,
    'NO_SECRET',
  )
}

function roomFor({ name, profile }: { name: string; profile: Profile }): void {
  if ((profile.webhookSecrets?.length ?? 0) < DESTINATION_LIMIT) return
  throw usage(
    `${name} already has ${DESTINATION_LIMIT} webhook secrets, one for each possible destination`,
    `Remove a secret first: bnpl profiles rm-secret ${name}`,
    'MANY_SECRETS',
  )
}
