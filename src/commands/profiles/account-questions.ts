import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import type { Profile } from '../../profiles/profile.ts'
import { type ProfileSetting, settingProblem } from '../../profiles/settings.ts'

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
export function accountOf(given: Account): Profile {
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
export async function askAccount(context: Context, given: Account): Promise<Account> {
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
