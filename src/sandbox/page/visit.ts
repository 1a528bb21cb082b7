import { type AddressResult, parseReturnAddress, parseServiceAddress } from '../../domain/origin.ts'
import { PAGE_PATHS, type PagePath } from './addresses.ts'
import type { Language } from './texts.ts'

/** The two ways the page is shown: by redirect, or in a frame that `widget.js` made. */
export type Place = { kind: 'hosted'; success: URL; error: URL } | { kind: 'embedded'; parentOrigin: string }

/** A parameter that makes the page refuse to open, and what came in it ('' where it is missing). */
export interface BadParameter {
  name: 'publicKey' | 'successReturnUrl' | 'errorReturnUrl' | 'parentOrigin'
  value: string
}

/** What somebody came with: the query of a GET, or the fields of the page's own form. */
export interface Visit {
  path: PagePath
  language: Language
  widgetToken: string
  publicKey: string
  /** Undefined where `bad` is not empty. */
  place: Place | undefined
  bad: readonly BadParameter[]
  /** A safe way back, also where something else is wrong. */
  wayBack: URL | undefined
  fields: URLSearchParams
}

/** Reads a visit; never fails, every problem is in `bad`. @param acceptLanguage the request's header, '' where there is none */
export function readVisit(path: PagePath, fields: URLSearchParams, acceptLanguage: string): Visit {
  const value = (name: string): string => fields.get(name) ?? ''
  const publicKey = value('publicKey')
  const bad: BadParameter[] = publicKey === '' ? [{ name: 'publicKey', value: '' }] : []
  const address = (name: BadParameter['name'], parse: (text: string) => AddressResult): URL | undefined => {
    const result = parse(value(name))
    if (!result.ok) bad.push({ name, value: value(name) })
    return result.ok ? result.url : undefined
  }
  let place: Place | undefined
  let wayBack: URL | undefined
  if (path === PAGE_PATHS.embedded) {
    const parent = address('parentOrigin', parseOrigin)
    if (parent !== undefined) place = { kind: 'embedded', parentOrigin: parent.origin }
  } else {
    const success = address('successReturnUrl', parseReturnAddress)
    wayBack = address('errorReturnUrl', parseReturnAddress)
    if (success !== undefined && wayBack !== undefined) place = { kind: 'hosted', success, error: wayBack }
  }
  const language = readLanguage(value('lang'), acceptLanguage)
  return { path, language, widgetToken: value('widgetToken'), publicKey, place, bad, wayBack, fields }
}

/** An origin and nothing more: it goes into a header (`frame-ancestors`) and names who may hear that a payment succeeded. */
function parseOrigin(text: string): AddressResult {
  const result = parseServiceAddress(text)
  if (!result.ok) return result
  // A host may contain `;`, which would end the directive it is put into.
  const plainHost = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)$/.test(result.url.hostname)
  return plainHost && result.url.origin === text ? result : { ok: false, reason: 'it is not a plain origin' }
}

/** The visitor's choice, else the first of the browser's languages that the page speaks, else Spanish. */
export function readLanguage(chosen: string, acceptLanguage: string): Language {
  if (chosen === 'es' || chosen === 'en') return chosen
  const wanted = acceptLanguage
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { tag: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ tag, quality }) => (tag === 'es' || tag === 'en') && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return wanted[0]?.tag === 'en' ? 'en' : 'es'
}

/** The page's own address for the same visit: the parameters it knows, once each, with what is given replaced. */
export function visitAddress(visit: Visit, replaced: { lang?: Language } = {}): string {
  const query = new URLSearchParams()
  for (const name of VISIT_FIELDS) {
    const value = name === 'lang' ? (replaced.lang ?? visit.fields.get('lang')) : visit.fields.get(name)
    if (value !== null) query.set(name, value)
  }
  return `${visit.path}?${query}`
}

/** The parameters of a visit, which the form carries along. */
export const VISIT_FIELDS = [
  'widgetToken',
  'publicKey',
  'successReturnUrl',
  'errorReturnUrl',
  'parentOrigin',
  'lang',
] as const
