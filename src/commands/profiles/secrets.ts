import { DESTINATION_LIMIT } from '../../contract/integrations.ts'
import { usage } from '../../errors.ts'
import type { Profile } from '../../profiles/profile.ts'
import { type Define, examples } from '../command.ts'
import { agree, refuseDryRun } from '../global-options.ts'
import { addSecretOptions, readSecret } from '../secret-input.ts'
import { changeProfile, storedProfile } from './change.ts'
import { forgetKey, keyIsPublic, storeKey, withKeyOf } from './stored-key.ts'
import { addCheckOption, tryBeforeReplacing } from './try-key.ts'

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
        const apiKey = await readSecret(context, {
          what: 'API key',
          option: 'api-key',
          stdin: options.apiKeyStdin,
          file: options.apiKeyFile,
        })
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

const fingerprints = async () => (await import('../../text/fingerprint.ts')).fingerprint

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
