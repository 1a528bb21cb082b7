import { INTEGRATIONS, type VerificationScheme } from '../../contract/integrations.ts'
import { hasHost, isLoopback } from '../../domain/origin.ts'
import { usage } from '../../errors.ts'
import { maskAddress } from '../../text/masking.ts'

export const VERIFICATION_SCHEMES: readonly VerificationScheme[] = Object.values(INTEGRATIONS).map(
  ({ scheme }) => scheme,
)

export const SCHEMES = VERIFICATION_SCHEMES.join(' or ')

/** Reads `--scheme`. Throws `usage`. */
export function readScheme(text: string): VerificationScheme {
  const scheme = VERIFICATION_SCHEMES.find((each) => each === text)
  if (scheme !== undefined) return scheme
  throw usage(`--scheme “${text}” is not a known scheme`, `Use ${SCHEMES}.`, 'INVALID_SCHEME')
}

/** Reads `--forward-to`, the address of a handler. Throws `usage`. */
export function readForwardTo(text: string): string {
  const url = URL.canParse(text) && hasHost(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text
  throw usage(
    `--forward-to “${maskAddress(text)}” is not the address of a handler`,
    'Write an address such as http://127.0.0.1:3000/hook, without user name and password.',
    'INVALID_FORWARD_TO',
  )
}

/** Returns the address of a receiver of signed deliveries. Throws `usage` unless it is https, or http on this machine. */
export function readReceiverUrl(option: string, text: string): string {
  const refuse = (reason: string) =>
    usage(
      `${option} “${maskAddress(text)}” is not a valid address for deliveries: ${reason}`,
      undefined,
      'INVALID_DESTINATION',
    )
  if (!URL.canParse(text) || !hasHost(text))
    throw refuse('it is not an absolute address such as https://shop.example/webhooks')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw refuse('it must not contain a user name or a password')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return text
  throw refuse('destinations must be https; http is only for this machine (loopback)')
}
