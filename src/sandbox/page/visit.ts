import type { Language } from '../../contract/languages.ts'
import { type AddressResult, parseReturnAddress, parseServiceAddress, withParameters } from '../../domain/addresses.ts'
import { baseOf, PAGE_PATHS, type PagePath } from '../addresses.ts'
import type { Environment } from '../conventions.ts'
import { readLanguage } from '../languages/languages.ts'

type Place = { kind: 'hosted'; success: string; error: string } | { kind: 'embedded'; parentOrigin: string }

/** A parameter that is missing ('') or wrong, so that the page cannot open. */
export interface BadParameter {
  name: 'publicKey' | 'successReturnUrl' | 'errorReturnUrl' | 'parentOrigin'
  value: string
}

/** The parameters of a visit: the query of a GET, or the fields of the page's own form. */
export interface Visit {
  path: PagePath
  environment: Environment
  language: Language
  /** The colours of the page around the widget; undefined for the colours that the user prefers. */
  theme: 'light' | 'dark' | undefined
  widgetToken: string
  publicKey: string
  /** Undefined if `bad` is not empty. */
  place: Place | undefined
  bad: readonly BadParameter[]
  /** The return address after an error, as the merchant wrote it; undefined if it is missing or unsafe. */
  wayBack: string | undefined
  fields: URLSearchParams
}

const THEMES = ['light', 'dark'] as const

/**
 * Reads the parameters of a visit. Never throws: a missing or wrong parameter is listed in `bad`.
 * @param acceptLanguage the request's header, '' without one
 */
export function readVisit(
  { path, environment }: Pick<Visit, 'path' | 'environment'>,
  fields: URLSearchParams,
  acceptLanguage: string,
): Visit {
  const value = (name: string): string => fields.get(name) ?? ''
  const publicKey = value('publicKey')
  const bad: BadParameter[] = publicKey === '' ? [{ name: 'publicKey', value: '' }] : []
  const address = (name: BadParameter['name'], parse: (text: string) => AddressResult): URL | undefined => {
    const result = parse(value(name))
    if (!result.ok) bad.push({ name, value: value(name) })
    return result.ok ? result.url : undefined
  }
  let place: Place | undefined
  let wayBack: string | undefined
  const merchantAddress = (name: BadParameter['name']) => address(name, parseReturnAddress) && value(name)
  if (path === PAGE_PATHS.embedded) {
    const parent = address('parentOrigin', parseOrigin)
    if (parent !== undefined) place = { kind: 'embedded', parentOrigin: parent.origin }
  } else {
    const success = merchantAddress('successReturnUrl')
    wayBack = merchantAddress('errorReturnUrl')
    if (success !== undefined && wayBack !== undefined) place = { kind: 'hosted', success, error: wayBack }
  }
  const language = readLanguage(value('lang'), acceptLanguage)
  const theme = THEMES.find((each) => each === value('theme'))
  return {
    path,
    environment,
    language,
    theme,
    widgetToken: value('widgetToken'),
    publicKey,
    place,
    bad,
    wayBack,
    fields,
  }
}

/** Reads an origin. The text must be exactly an origin, because it becomes part of a header, and the payment's result is sent to it. */
function parseOrigin(text: string): AddressResult {
  const result = parseServiceAddress(text)
  if (!result.ok) return result
  // A host can contain `;`, which would end the directive `frame-ancestors` in the header Content-Security-Policy.
  const plainHost = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)$/.test(result.url.hostname)
  return plainHost && result.url.origin === text ? result : { ok: false, reason: 'it is not a plain origin' }
}

/** Returns the address to which the page's form is sent. */
export const formAddress = ({ path, environment }: Visit): string => baseOf('', environment) + path

/** Returns the path and the query of a visit, with each known parameter once. */
export function visitAddress(visit: Visit, replaced: { lang?: Language; widgetToken?: string } = {}): string {
  const query = new URLSearchParams()
  for (const name of VISIT_FIELDS) {
    const own = name === 'lang' || name === 'widgetToken' ? replaced[name] : undefined
    const value = own ?? visit.fields.get(name)
    if (value !== null) query.set(name, value)
  }
  return `${formAddress(visit)}?${query}`
}

export const VISIT_FIELDS = [
  'widgetToken',
  'publicKey',
  'successReturnUrl',
  'errorReturnUrl',
  'parentOrigin',
  'lang',
  'theme',
] as const

/** A merchant's page gets this value of `preApproveId` if there is no pre-approval (gap 22). */
const NO_PRE_APPROVAL = 'undefined'

/**
 * Returns the merchant's address with `preApproveId` and `externalTrxId`, each one time, at the end of its query (specification: "Hosted
 * payment page"). The other characters of the address stay as they are, because the merchant may have signed them.
 * @param externalTrxId undefined when the transaction is not known. An `externalTrxId` in the merchant's address then stays
 */
export function returnAddress(
  merchantAddress: string,
  preApproveId: string | undefined,
  externalTrxId: string | undefined,
): string {
  return withParameters(merchantAddress, {
    preApproveId: preApproveId ?? NO_PRE_APPROVAL,
    ...(externalTrxId === undefined ? {} : { externalTrxId }),
  })
}
