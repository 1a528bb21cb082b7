import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../domain/clock.ts'
import type { HttpVisit } from '../../http-server/door.ts'
import { singleHeader } from '../../http-server/request.ts'
import { environmentOf, isPageAddress, WINDOW_PREFIX } from '../addresses.ts'
import { Refusal } from './refusal.ts'

/** Control actions are `POST /_sandbox/<action>` with a JSON body and the control token in a header. */
export const CONTROL_PREFIX = '/_sandbox'

export const CONTROL_TOKEN_HEADER = 'x-sandbox-token'

export const isControlAddress = (pathname: string): boolean => pathname.startsWith(`${CONTROL_PREFIX}/`)

/**
 * Returns a proof that a sandbox knows the control token. The proof is valid for only one address, so a false sandbox at another address
 * cannot use the proof of a real sandbox.
 * @param origin the origin of the address that the caller uses
 * @param nonce a random text of the caller, which is used only once
 */
export function controlProof(controlToken: string, origin: string, nonce: string): string {
  return createHmac('sha256', controlToken).update(`bnpl sandbox hello\n${origin}\n${nonce}`).digest('base64url')
}

/**
 * Checks the headers of a request, and returns the refusal; undefined when the request is accepted.
 * A foreign `Host` means that the name of another site points at this machine (DNS rebinding). A foreign `Origin` means that a page of
 * another site sends the request through a visitor's browser.
 */
export function refuse(visit: HttpVisit): Refusal | undefined {
  const { request, hostRefusal } = visit
  if (!request.url?.startsWith('/')) return new Refusal(400, 'ERR_BAD_REQUEST', 'the request target must be a path')
  if (hostRefusal === 400 || request.headers.host === undefined)
    return new Refusal(400, 'ERR_BAD_REQUEST', 'exactly one Host header is needed')
  if (hostRefusal === 421) {
    return new Refusal(
      421,
      'ERR_MISDIRECTED_REQUEST',
      'this Host is not a name of this sandbox; `bnpl sandbox start --allow-host NAME` adds a name',
    )
  }
  if (isGuarded(request.method, request.url) && isForeign(visit, request.url)) {
    return new Refusal(
      403,
      'ERR_FOREIGN_ORIGIN',
      'a page of another site must not call this address; call the service from your backend',
    )
  }
  return undefined
}

/**
 * Returns whether a request is refused if it comes from a page of another site. Links to the payment page and to reports are accepted,
 * because customers follow such links.
 */
function isGuarded(method: string | undefined, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true
  return [CONTROL_PREFIX, WINDOW_PREFIX].some((prefix) => `${path}/`.startsWith(`${prefix}/`))
}

function isForeign({ request: { headers }, isOwnHost }: HttpVisit, path: string): boolean {
  // A page cannot change `sec-fetch-site`. `Origin` is not enough: for a form of the sandbox's pages, browsers send `Origin: null`, because
  // these pages have the policy `no-referrer`.
  const fetchSite = singleHeader(headers, 'sec-fetch-site')
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  // Browsers do not send `sec-fetch-site` over plain http to another machine, for example when a phone opens the payment page. So the
  // payment page accepts requests with `Origin: null`. The page itself checks the token in the form.
  if (origin === 'null' && isPageAddress(environmentOf(path).inside)) return false
  return !origin.startsWith('http://') || !isOwnHost(origin.slice('http://'.length))
}

/**
 * Decides which browsers may use the window. Only the user of this machine can make a ticket. A browser exchanges the ticket for a key, and
 * sends the key with every request.
 * The key is not a cookie, because a browser would send a cookie to every port of this machine. Only fingerprints of tickets and keys are
 * stored.
 */
export interface WindowKeys {
  /** Returns a link that can open the window only one time. The ticket is in the fragment, which browsers do not send. */
  link(): string
  /** Exchanges a ticket for a key. @returns undefined if the ticket was already used or is unknown */
  enter(ticket: string): string | undefined
  /** Returns whether a key is valid. The call counts as a use of the key. */
  isInside(key: string): boolean
  leave(key: string): void
  /** Makes every key, and every unused ticket, invalid. */
  leaveAll(): void
  /**
   * Returns the signature of an address. With the signature, a browser can load the address, for example a picture, without the key. The
   * signature is valid until the sandbox stops.
   */
  seal(address: string): string
  isSealed(address: string, seal: string): boolean
}

/** The header that contains the key. A page of another origin cannot send this header. */
export const WINDOW_KEY_HEADER = 'x-window-key'

const KEPT = 100

/** How long a key stays valid without being used, in ms. */
export const UNUSED_MS = 12 * 3_600_000

interface Kept {
  print: Buffer
  /** When the key was last used, or when the ticket was made, in ms by the monotonic clock. */
  usedAt: number
}

/** Makes the keys of a window. @param baseUrl the address of the sandbox, without a slash at the end */
export function createWindowKeys(baseUrl: string, clock: Pick<Clock, 'monotonic'>): WindowKeys {
  const tickets: Kept[] = []
  const keys: Kept[] = []
  const sealing = randomBytes(32)
  const seal = (address: string) => createHmac('sha256', sealing).update(address).digest('base64url')
  const give = (kept: Kept[]): string => {
    const secret = randomBytes(24).toString('base64url')
    kept.push({ print: fingerprint(secret), usedAt: clock.monotonic() })
    if (kept.length > KEPT) kept.splice(longestUnused(kept), 1)
    return secret
  }
  return {
    link: () => `${baseUrl}/#ticket=${give(tickets)}`,
    enter(ticket) {
      const at = find(tickets, ticket)
      if (at < 0) return undefined
      tickets.splice(at, 1)
      return give(keys)
    },
    isInside(key) {
      const at = find(keys, key)
      const kept = keys[at]
      if (kept === undefined) return false
      if (clock.monotonic() - kept.usedAt > UNUSED_MS) {
        keys.splice(at, 1)
        return false
      }
      kept.usedAt = clock.monotonic()
      return true
    },
    leave(key) {
      const at = find(keys, key)
      if (at >= 0) keys.splice(at, 1)
    },
    leaveAll() {
      keys.length = 0
      tickets.length = 0
    },
    seal,
    isSealed: (address, given) => sameText(seal(address), given),
  }
}

function longestUnused(kept: readonly Kept[]): number {
  return kept.reduce((found, { usedAt }, i) => (usedAt < (kept[found]?.usedAt ?? 0) ? i : found), 0)
}

/** Returns the index of a secret, or -1 when it is not stored. Compares in constant time. */
function find(kept: readonly Kept[], secret: string): number {
  const wanted = fingerprint(secret)
  return kept.reduce((found, { print }, i) => (timingSafeEqual(print, wanted) ? i : found), -1)
}

const fingerprint = (secret: string) => hash('sha256', secret, 'buffer')

/** Whether two texts of any length are equal. The comparison takes constant time. */
export const sameText = (given: string, right: string): boolean =>
  timingSafeEqual(fingerprint(given), fingerprint(right))
