import { CALLS } from '../contract/calls/calls.ts'
import { isLoopback } from '../domain/addresses.ts'
import { percentDecoded } from '../text/secrets.ts'
import { isServiceWord } from './field-kinds.ts'
import { SECRET_MARK } from './secrets.ts'
import { type Sanitising, sanitiseId, sanitiseName, sanitiseText, sizeMark } from './values.ts'

/** The hosts and paths of the recorded service. A recording contains them unchanged. */
export interface KnownAddresses {
  /** Hosts of the service, with their ports. */
  hosts: ReadonlySet<string>
  words: ReadonlySet<string>
  /** The paths of the calls for which the specification shows no path. The keys are names of settings, such as `paths.leads`. */
  paths: Partial<Record<string, string>>
}

interface CallPath {
  endpoint: string
  method: string
  parts: readonly string[]
}

/** Returns the paths of the calls. Paths with more fixed words come first, because the first path that matches is used. */
export function callPaths(paths: KnownAddresses['paths']): CallPath[] {
  const fixed = ({ parts }: CallPath) => parts.filter((part) => !part.startsWith('{')).length
  return Object.entries(CALLS)
    .map(([endpoint, call]) => {
      const setting = 'pathSetting' in call ? paths[call.pathSetting] : undefined
      return { endpoint, method: call.method, parts: (setting ?? call.path).split('/').filter(Boolean) }
    })
    .sort((a, b) => fixed(b) - fixed(a))
}

/**
 * Returns the call to which a path belongs. The path may begin with words of the base address.
 * @param method undefined for any method
 */
export function callOfPath(
  calls: readonly CallPath[],
  method: string | undefined,
  path: string,
): { endpoint: string; parts: readonly string[] } | undefined {
  const segments = (path.split('?')[0] ?? '').split('/').filter(Boolean)
  return calls.find(
    (call) =>
      (method === undefined || call.method === method) &&
      call.parts.length <= segments.length &&
      call.parts.every((part, i) => {
        const segment = segments[segments.length - call.parts.length + i] ?? ''
        return part.startsWith('{') ? segment !== '' : part === segment
      }),
  )
}

/** Returns the fields of a query or a form, with the original text of each field as `raw`. */
export function queryPairs(text: string): { raw: string; name: string; value: string | undefined }[] {
  return text.split('&').map((raw) => {
    const at = raw.indexOf('=')
    return {
      raw,
      name: decoded(at < 0 ? raw : raw.slice(0, at)),
      value: at < 0 ? undefined : decoded(raw.slice(at + 1)),
    }
  })
}

const decoded = (text: string): string => percentDecoded(text.replaceAll('+', ' '))

/**
 * Replaces secrets and personal data in a path and its query.
 * @param place the path's name in the recording's list of left-out values
 * @param calls the result of `callPaths`
 */
export function sanitisePath(
  target: string,
  place: string,
  calls: readonly CallPath[],
  known: KnownAddresses,
  s: Sanitising,
): string {
  const [whole = '', ...fragment] = target.split('#')
  const at = whole.indexOf('?')
  const path = at < 0 ? whole : whole.slice(0, at)
  const parts = path.split('/')
  const call = callOfPath(calls, undefined, path)
  const filled = parts.flatMap((part, i) => (part === '' ? [] : [i]))
  const first = filled.length - (call?.parts.length ?? 0)
  const clean = parts.map((raw, i) => {
    if (raw === '') return raw
    const template = call?.parts[filled.indexOf(i) - first]
    const segment = percentDecoded(raw)
    const made = template?.startsWith('{')
      ? sanitiseText(segment, template.slice(1, -1), place, s)
      : sanitiseSegment(segment, known, s)
    return made === segment ? raw : encodeURIComponent(made)
  })
  const query = at < 0 ? '' : `?${sanitiseQuery(whole.slice(at + 1), place, s)}`
  return clean.join('/') + query + (fragment.length === 0 ? '' : `#${sizeMark(fragment.join('#').length)}`)
}

function sanitiseSegment(segment: string, { words }: KnownAddresses, s: Sanitising): string {
  const [, stem = segment, ending = ''] = /^(.+)(\.(?:pdf|json|html|js))$/.exec(segment) ?? []
  const report = /^PreAprobacion_(.+)$/.exec(stem)?.[1]
  if (report !== undefined) return `PreAprobacion_${sanitiseId(report, s)}${ending}`
  if (words.has(segment) || isServiceWord(segment) || /^v\d{1,2}$/.test(segment)) return segment
  return sanitiseText(stem, 'part', 'a part of a path', { ...s, leftOut: () => {} }) + ending
}

function sanitiseQuery(query: string, place: string, s: Sanitising): string {
  return queryPairs(query)
    .map(({ raw, name, value }) => {
      if (value === undefined && name !== '') {
        const made = sanitiseText(name, 'word', `${place}?`, { ...s, leftOut: () => {} })
        return made === name ? raw : encodeURIComponent(made)
      }
      const cleanName = sanitiseName(name, s)
      const cleanValue = value === undefined ? undefined : sanitiseText(value, name, `${place}?${cleanName}`, s)
      if (cleanName === name && cleanValue === value) return raw
      return encodeURIComponent(cleanName) + (cleanValue === undefined ? '' : `=${encodeURIComponent(cleanValue)}`)
    })
    .join('&')
}

/** Returns a URL with its secrets, personal data and foreign hosts replaced; undefined if the text is not a URL. */
export function sanitiseUrl(
  text: string,
  calls: readonly CallPath[],
  known: KnownAddresses,
  s: Sanitising,
): string | undefined {
  if (/^\/[^/]/.test(text) && !/\s/.test(text)) return sanitisePath(text, 'an address', calls, known, s)
  const read = /^(https?):\/\/(?:([^/?#@\s]*)@)?(\[[0-9a-f:]+\]|[^/?#:@\s]+)(:\d{1,5})?([/?#]\S*)?$/i.exec(text)
  if (read === null) return undefined
  const [, scheme = '', user, host = '', port = '', rest = ''] = read
  const shown = known.hosts.has(host + port) || isLoopback(host) ? host : s.standIns.host(host)
  const inner = rest === '' ? '' : sanitisePath(rest, 'an address', calls, known, s)
  return `${scheme}://${user === undefined ? '' : `${SECRET_MARK}@`}${shown}${port}${inner}`
}
