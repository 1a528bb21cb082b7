import type { Context } from '../../context.ts'
import { answerOf, sourceInWords } from '../../contract/description.ts'
import { SERVICE_NAMES } from '../../contract/services.ts'
import { isPrivate } from '../../disk/private.ts'
import { usage } from '../../errors.ts'
import { type Profile, type ProfileFile, profileIn, profileNameProblem } from '../../profiles/profile.ts'
import { type ProfileSetting, settingProblem } from '../../profiles/settings.ts'
import { type Command, type Define, examples, type OptionsOf, offer } from '../command.ts'
import { addSecretOptions, readApiKey } from '../file-input.ts'
import { refuseDryRun } from '../global-options.ts'
import { namedService } from '../service-option.ts'
import { addCheckOption, tryBeforeReplacing, tryKey } from './key-check.ts'
import { forgetKey, keyIsPublic, profileRow, storeKey } from './stored-profile.ts'

const addOptions = (command: Command) => {
  const own = command
    .argument('[name]', 'name of the profile: letters, digits, “.”, “_” and “-”')
    .option('--base-url <url>', 'base address of the service')
    .option('--payment-url <url>', 'address of the hosted payment page')
    .option('--public-key <key>', 'public key for the payment page')
    .option('--entity-id <id>', 'merchant entity id')
    .option(
      '--service <service>',
      'service: a name (specification, banca.me), or a file that `bnpl contract learn` wrote',
    )
    .addOption(
      command
        .createOption('--environment <name>', 'environment of the account (default: beta)')
        .choices(['beta', 'production']),
    )
  return addCheckOption(addSecretOptions(own, 'API key', 'api-key'))
    .option('--keyring', 'store the key in the keyring of this system')
    .option('--force', 'replace an existing profile')
}

type Options = OptionsOf<ReturnType<typeof addOptions>>

/** `profiles add NAME`: adds an account from options or, on a terminal, from questions. */
export const defineAdd: Define = (command, act) => {
  addOptions(command).action(act(add))
  offer(command, '--service', SERVICE_NAMES)
  examples(command, [
    ['answer questions on a terminal', 'bnpl profiles add acme'],
    ['an account of banca.me', 'bnpl profiles add acme --service banca.me --api-key-file key.txt'],
    [
      'in a script: the key comes from stdin, not from an argument',
      'pass acme/beta | bnpl profiles add acme --base-url https://api.example.com --payment-url https://pay.example.com --api-key-stdin',
    ],
  ])
}

async function add(context: Context, options: Options, given: string | undefined): Promise<void> {
  refuseDryRun(context)
  const { apiKeyStdin, apiKeyFile, force, keyring, service, check, ...said } = options
  const asks = options.baseUrl === undefined && context.options.input
  const described = service === undefined ? undefined : await namedService(context, service, '--service')
  const named = described && { service: described.name }
  const ownUrl = described && answerOf(described, 'baseUrl').url
  if (said.baseUrl === undefined && described !== undefined && ownUrl !== undefined) {
    said.baseUrl = ownUrl
    const { source } = described.answers.baseUrl
    context.output.note(`The base address is ${ownUrl} (${sourceInWords(source)}). To use another, add --base-url.`)
  }
  const store = await context.profiles()
  const before = await store.read()
  const name = await chooseName(context, given, (typed) => nameProblem(typed, before, force))
  const account = accountOf(asks ? await askAccount(context, said) : said)
  const apiKey = await readApiKey(context, { apiKeyStdin, apiKeyFile })
  if (apiKey === account.publicKey) throw keyIsPublic()
  const earlier = profileIn(before, name)
  if (check) await tryBeforeReplacing(context, name, earlier, { baseUrl: account.baseUrl, apiKey })
  const profile = { ...(await storeKey(context, name, account, apiKey, keyring)), ...named }
  const file = await store.update((now) => {
    const problem = nameProblem(name, now, force)
    if (problem !== undefined) throw usage(problem, existsHint(name), 'PROFILE_EXISTS')
    return { ...now, default: now.default ?? name, profiles: { ...now.profiles, [name]: profile } }
  })
  await forgetKey(context, earlier)
  const row = profileRow(name, profile, file)
  await context.output.result(row, () => '')
  context.output.note(storedIn(context, name, store.path))
  if (profile.apiKeyEntry !== undefined) context.output.note('The key of the profile is in the keyring of this system.')
  context.output.note(
    row.default
      ? 'The profile is now the default.'
      : `Use the profile with -p ${name}, or make it the default: bnpl profiles use ${name}`,
  )
  if (row.environment === 'production') {
    context.output.note('This is a production account, so commands that change something there ask first.')
  }
  if (context.options.input && earlier === undefined) await tryKey(context, name)
  context.output.note(`Next: bnpl doctor -p ${name}`)
}

/** Says where a profile is stored, and who can read it. Files have no modes on Windows, and on some disks. */
function storedIn({ world: { runtime, env } }: Context, name: string, path: string): string {
  const isOnWindows = runtime.platform === 'win32'
  if (isOnWindows && env.BNPL_CONFIG_DIR)
    return `${name} is stored in ${path}. To see who can read it: icacls "${path}"`
  return isOnWindows || isPrivate(path)
    ? `${name} is stored in ${path}, readable only by you.`
    : `${name} is stored in ${path}. Other users may be able to read it, because its disk stores no modes.`
}

async function chooseName(
  context: Context,
  given: string | undefined,
  problemOf: (name: string) => string | undefined,
): Promise<string> {
  if (given === undefined) {
    if (!context.options.input)
      throw usage(
        'the name of the profile is missing',
        'Add the name as an argument: bnpl profiles add NAME --base-url https://… --api-key-file F',
      )
    const prompts = await context.prompts()
    const message = 'Name of the profile'
    return (await prompts.input({ message, validate: (typed) => problemOf(typed.trim()) ?? true })).trim()
  }
  const problem = problemOf(given)
  if (problem !== undefined)
    throw usage(problem, profileNameProblem(given) === undefined ? existsHint(given) : undefined, 'BAD_NAME')
  return given
}

function nameProblem(name: string, file: ProfileFile, force: boolean | undefined): string | undefined {
  const problem = profileNameProblem(name)
  if (problem !== undefined) return `“${name}” is not a valid profile name: ${problem}`
  return Object.hasOwn(file.profiles, name) && !force ? `the profile ${name} already exists` : undefined
}

const existsHint = (name: string) =>
  `Add --force to replace the profile, or change one setting: bnpl profiles set SETTING VALUE -p ${name}`

interface Account {
  environment?: string
  baseUrl?: string
  paymentUrl?: string
  publicKey?: string
  entityId?: string
}

const OPTIONS = [
  ['environment', '--environment'],
  ['baseUrl', '--base-url'],
  ['paymentUrl', '--payment-url'],
  ['publicKey', '--public-key'],
  ['entityId', '--entity-id'],
] as const satisfies [keyof Account, string][]

/** Checks an account and returns it as a profile. Throws `usage` for a value that is not valid, and when the base address is missing. */
function accountOf(given: Account): Profile {
  for (const [name, option] of OPTIONS) {
    const value = given[name]
    const problem = value === undefined ? undefined : settingProblem(name, value)
    if (problem !== undefined) throw usage(`${option} is not valid: ${problem}`, undefined, 'BAD_VALUE')
  }
  const { environment = 'beta', baseUrl, ...rest } = given
  if (baseUrl === undefined) {
    throw usage('the address of the service is missing', 'Add --base-url https://…', 'NO_BASE_URL')
  }
  return { environment: environment === 'production' ? 'production' : 'beta', baseUrl, ...rest }
}

/** Asks for the values that no option gave. Returns the given values with the answers. */
async function askAccount(context: Context, given: Account): Promise<Account> {
  const prompts = await context.prompts()
  const account = { ...given }
  account.environment ??= await prompts.select<string>({
    message: 'Which environment does the account belong to?',
    choices: [
      { name: 'beta', value: 'beta', description: 'for tests, with the test key pair' },
      {
        name: 'production',
        value: 'production',
        description: 'for real customers; before a command changes something, bnpl asks',
      },
    ],
  })
  const ask = async (name: ProfileSetting & keyof Account, message: string, optional: boolean) => {
    if (account[name] !== undefined) return
    const value = await prompts.input({
      message: optional ? `${message} (press Enter to skip)` : message,
      validate: (typed) => (optional && typed.trim() === '') || (settingProblem(name, typed.trim()) ?? true),
    })
    if (value.trim() !== '') account[name] = value.trim()
  }
  await ask('baseUrl', 'Base address of the service (https://…)', false)
  await ask('paymentUrl', 'Address of the hosted payment page', true)
  await ask('publicKey', 'Public key for the payment page', true)
  await ask('entityId', 'Merchant entity id', true)
  return account
}
