import { answerProblem, isFieldName } from '../contract/description.ts'
import { gitBashAdvice, parseReturnAddress, serviceAddressProblem } from '../domain/addresses.ts'
import { config, usage } from '../errors.ts'
import { LANGUAGES } from '../language/language.ts'
import { type DatabaseAddress, describeDatabase, parseDatabaseAddress } from '../postgres/address.ts'
import { type PROFILE_SETTINGS, publicKeyFormProblem, publicKeyProblem } from './profile.ts'
import type { Env, NamedDatabase } from './resolve.ts'

export type ProfileSetting = keyof typeof PROFILE_SETTINGS

/** Returns why a value is not valid for a setting; undefined when it is valid. */
export function settingProblem(name: ProfileSetting, value: string): string | undefined {
  if (value.trim() !== value || value === '') return 'it is empty, or begins or ends with a space'
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value) || !value.isWellFormed()) return 'it contains a control character'
  const check = CHECKS[name]
  if (check !== undefined) return check(value)
  const problem = isFieldName(name) ? answerProblem(name, value) : undefined
  const advice = name.startsWith('paths.') ? gitBashAdvice(value) : undefined
  return problem === undefined || advice === undefined ? problem : `${problem}. ${advice}`
}

const CHECKS: Partial<Record<ProfileSetting, (value: string) => string | undefined>> = {
  environment: (value) => oneOf(['beta', 'production'], value),
  language: (value) => oneOf(LANGUAGES, value),
  baseUrl: serviceAddressProblem,
  paymentUrl: serviceAddressProblem,
  publicKey: (value) => publicKeyFormProblem(value) ?? publicKeyProblem(value),
  successUrl: returnAddress,
  errorUrl: returnAddress,
  currency: (value) => (value.length > 8 ? 'it is longer than 8 characters' : undefined),
  database: databaseAddress,
}

const oneOf = (values: readonly string[], value: string): string | undefined =>
  values.includes(value) ? undefined : `it must be one of ${values.join(', ')}`

function returnAddress(value: string): string | undefined {
  const parsed = parseReturnAddress(value)
  return parsed.ok ? undefined : parsed.reason
}

function databaseAddress(value: string): string | undefined {
  const parsed = parseDatabaseAddress(value)
  if (!parsed.ok) return parsed.reason
  return parsed.password === undefined
    ? undefined
    : 'it contains a password; set the password in BNPL_DATABASE_PASSWORD or PGPASSWORD instead'
}

/** Returns the address of a database for display, without its password. */
export function shownDatabase(text: string): string {
  const parsed = parseDatabaseAddress(text)
  return parsed.ok ? describeDatabase(parsed.address) : 'not an address of a database'
}

/**
 * Returns the address of a database and its password. The password is `passwordInFile`. If this is undefined, the password comes from
 * BNPL_DATABASE_PASSWORD, BNPL_DATABASE or PGPASSWORD, in this order. Throws `usage` or `config` for an address that is not valid, or that
 * contains a password where others can read it.
 */
export function wayToDatabase(
  { text, source }: NamedDatabase,
  env: Env,
  passwordInFile?: string,
): { address: DatabaseAddress; password: string | undefined } {
  const complain = source === '--database' ? usage : config
  const parsed = parseDatabaseAddress(text)
  if (!parsed.ok)
    throw complain(`the database address of ${source} is not valid: ${parsed.reason}`, undefined, 'BAD_DATABASE')
  if (parsed.password !== undefined && source !== 'BNPL_DATABASE') {
    throw complain(
      `the address of ${source} contains a password, which other users may have read`,
      'Change the password, and use an address without a password. Set the new password in BNPL_DATABASE_PASSWORD or PGPASSWORD, or use --database-password-file FILE.',
      'PASSWORD_IN_ADDRESS',
    )
  }
  const password = passwordInFile ?? (env.BNPL_DATABASE_PASSWORD || parsed.password || env.PGPASSWORD || undefined)
  return { address: parsed.address, password }
}
