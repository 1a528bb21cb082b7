import { isRawNumber, isRecord } from '../text/json-text.ts'

interface AtAddress {
  url: string
  verificationScheme?: string | undefined
}

/**
 * Returns the destinations at an address. Addresses are compared in their normal form: `HTTPS://Shop.example` is
 * `https://shop.example/`.
 */
export function destinationsAt<D extends AtAddress>(
  destinations: readonly D[],
  url: string,
  scheme?: 'hmac' | 'token',
): D[] {
  return destinations.filter(
    (each) =>
      sameAddress(each.url, url) &&
      (scheme === undefined ||
        each.verificationScheme === undefined ||
        each.verificationScheme.toLowerCase().includes(scheme)),
  )
}

function sameAddress(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) ? new URL(a).href === new URL(b).href : a === b
}

/** Whether a value of the service is an id: text or a number. */
export const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || isRawNumber(value)

/** Returns an id as text. A number keeps the digits that were sent. */
export const idText = (id: string | number): string => (typeof id === 'string' ? id : JSON.stringify(id))

/**
 * Returns the secret in the answer to a registration; undefined if the answer has no secret. The secret is the first text field
 * whose name contains “secret”: in the answer itself, otherwise in a nested object.
 */
export function secretOf(answer: Record<string, unknown>): string | undefined {
  const fields = Object.entries(answer)
  const found = fields.find(isSecret)
  if (found) return String(found[1])
  return fields.flatMap(([, value]) => (isRecord(value) ? (secretOf(value) ?? []) : []))[0]
}

export const withoutSecret = (answer: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(answer)
      .filter((field) => !isSecret(field))
      .map(([name, value]) => [name, isRecord(value) ? withoutSecret(value) : value]),
  )

const isSecret = ([name, value]: [string, unknown]): boolean =>
  /secret/i.test(name) && typeof value === 'string' && value !== ''
