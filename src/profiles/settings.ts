import { answerProblem, isFieldName } from '../contract/description.ts'
import { gitBashAdvice, parseReturnAddress, serviceAddressProblem } from '../domain/origin.ts'
import { parseDatabaseAddress } from '../postgres/address.ts'
import type { PROFILE_SETTINGS } from './profile.ts'
import { publicKeyFormProblem, publicKeyProblem } from './secret.ts'

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
  environment: oneOf('beta', 'production'),
  baseUrl: serviceAddressProblem,
  paymentUrl: serviceAddressProblem,
  publicKey: (value) => publicKeyFormProblem(value) ?? publicKeyProblem(value),
  successUrl: returnAddress,
  errorUrl: returnAddress,
  currency: (value) => (value.length > 8 ? 'it is longer than 8 characters' : undefined),
  database: databaseAddress,
}

function oneOf(...values: string[]) {
  return (value: string) => (values.includes(value) ? undefined : `it must be one of ${values.join(', ')}`)
}

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
