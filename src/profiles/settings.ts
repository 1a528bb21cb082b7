import { BODY_ENCODINGS, LIST_ENCODINGS } from '../contract/form.ts'
import { NOT_YET_FORM, parseNotYet } from '../contract/not-yet.ts'
import { parseReturnAddress, serviceAddressProblem } from '../domain/origin.ts'
import { HMAC_ALGORITHMS, HMAC_ENCODINGS } from '../domain/signature-settings.ts'
import { parseDatabaseAddress } from '../postgres/address.ts'
import type { PROFILE_SETTINGS } from './profile.ts'
import { publicKeyProblem } from './secret.ts'

export type ProfileSetting = keyof typeof PROFILE_SETTINGS

/** Returns why a value is not valid for a setting; undefined when it is valid. */
export function settingProblem(name: ProfileSetting, value: string): string | undefined {
  if (value.trim() !== value || value === '') return 'it is empty, or begins or ends with a space'
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value) || !value.isWellFormed()) return 'it contains a control character'
  return CHECKS[name]?.(value)
}

const CHECKS: Partial<Record<ProfileSetting, (value: string) => string | undefined>> = {
  environment: oneOf('beta', 'production'),
  baseUrl: serviceAddressProblem,
  paymentUrl: serviceAddressProblem,
  publicKey: (value) => publicKeyProblem(value),
  successUrl: returnAddress,
  errorUrl: returnAddress,
  hmacAlgorithm: oneOf(...HMAC_ALGORITHMS),
  hmacEncoding: oneOf(...HMAC_ENCODINGS),
  preApproveIdField: fieldName,
  projectField: fieldName,
  currency: (value) => (value.length > 8 ? 'it is longer than 8 characters' : undefined),
  database: databaseAddress,
  'paths.evaluationByLead': pathOfLead,
  'paths.leads': path,
  'paths.lead': pathOfLead,
  'bodies.verification': oneOf(...BODY_ENCODINGS),
  'bodies.registration': oneOf(...BODY_ENCODINGS),
  'bodies.subscription': oneOf(...BODY_ENCODINGS),
  'bodies.eventTypes': oneOf(...LIST_ENCODINGS),
  notYet: (value) => (parseNotYet(value) === undefined ? `it must be ${NOT_YET_FORM}` : undefined),
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

function fieldName(value: string): string | undefined {
  return /^[\w.-]+$/.test(value) ? undefined : 'it must consist of letters, digits, “_”, “.” and “-”'
}

function path(value: string): string | undefined {
  return /^\/[^\s?#\\]*$/.test(value) && !/(^|\/)\.\.?(\/|$)/.test(value) && !value.startsWith('//')
    ? undefined
    : 'it must be a path such as /partner/leads'
}

function pathOfLead(value: string): string | undefined {
  return path(value) ?? (value.includes('{leadId}') ? undefined : 'it must contain {leadId} where the lead id belongs')
}
