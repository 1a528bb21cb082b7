import type { Context } from '../../context.ts'
import { config, usage } from '../../errors.ts'
import { GAP_HELP, PROFILE_SETTINGS, type Profile } from '../../profiles/profile.ts'
import { type ProfileSetting, settingProblem } from '../../profiles/settings.ts'
import { didYouMean } from '../../text/similar.ts'
import { type Define, examples, offer } from '../command.ts'
import { nextCommand, refuseDryRun } from '../global-options.ts'
import { addSecretOptions, readSecret } from '../secret-input.ts'
import { namedService } from '../service-option.ts'
import { changeProfile, storedProfile } from './change.ts'
import { keyIsPublic, withKeyOf } from './stored-key.ts'
import { addCheckOption, tryBeforeReplacing } from './try-key.ts'

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
        const apiKey = gives
          ? await readSecret(context, {
              what: 'API key',
              option: 'api-key',
              stdin: options.apiKeyStdin,
              file: options.apiKeyFile,
            })
          : undefined
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
    `Use one of: ${names.join(', ')}`,
    'NO_SUCH_SETTING',
  )
}

function settingsHelp(): string {
  const width = Math.max(...Object.keys(PROFILE_SETTINGS).map((name) => name.length))
  const lines = Object.entries(PROFILE_SETTINGS).map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
  return ['', 'Settings:', ...lines, '', ...GAP_HELP].join('\n')
}
