import { SCHEME_HEADERS } from '../contract/integrations.ts'
import type { WireRequest } from '../contract/wire.ts'
import { asItIs, shellQuoted } from '../text/shell-word.ts'

/** Headers such as `service-webhook-secret`, also under a name of the merchant’s settings. */
const isTokenHeader = (name: string) => SCHEME_HEADERS.token.includes(name) || /secret|token/.test(name)

/** Returns a curl command that can be run unchanged, with `$BNPL_API_KEY` and `$BNPL_WEBHOOK_SECRET` in place of the secrets. */
export function toCurl(request: WireRequest): string {
  const words = ['curl', '-sS']
  // With `-X HEAD` curl would wait for a body.
  if (request.method === 'HEAD') words.push('--head')
  else if (request.method !== 'GET') words.push('-X', request.method)
  for (const [name, value] of Object.entries(request.headers)) {
    if (name === 'authorization') words.push('-H', '"Authorization: Bearer $BNPL_API_KEY"')
    else if (isTokenHeader(name)) words.push('-H', `"${name}: $BNPL_WEBHOOK_SECRET"`)
    else words.push('-H', shellQuoted(`${name}: ${value}`))
  }
  if (request.method === 'POST' || request.body !== undefined)
    words.push('--data-raw', shellQuoted(request.body ? new TextDecoder().decode(request.body) : ''))
  words.push(...asItIs(request.url), shellQuoted(request.url))
  return words.join(' ')
}
