import type { VerificationScheme } from '../contract/integrations.ts'
import { destinationsAt, isId, secretOf } from '../domain/destination.ts'
import { BnplError } from '../errors.ts'
import { maskText } from '../text/masking.ts'
import type { ApiClient } from './client.ts'

/**
 * Returns the destination of a registration that the service answered with a success. An answer without an id, such as an empty one, does
 * not show that the destination exists, so it is looked up in the list of destinations, and `lookedUp` is true. The fields of the answer are
 * kept. Throws `service` if the destination is not in the list, and `outcome-unknown` if the list cannot be read.
 */
export async function registered(
  api: ApiClient,
  answer: Record<string, unknown>,
  wanted: { url: string; scheme: VerificationScheme },
): Promise<{ destination: Record<string, unknown>; lookedUp: boolean }> {
  if (isId(answer.id)) return { destination: answer, lookedUp: false }
  const url = maskText(wanted.url)
  const list = await api.call('listWebhooks', { params: {}, body: {} }).catch((error: unknown) => {
    if (!(error instanceof BnplError)) throw error
    throw new BnplError(
      'outcome-unknown',
      `${url} is probably registered: the answer was a success, but it had no id, and this failed: ${error.message}`,
      {
        code: 'UNEXPECTED_ANSWER',
        hint: 'List the destinations before you register the address again.',
        advice: { id: 'look-for-destination' },
        // The list was rejected; what is unknown is the registration, which was sent.
        exchange: error.exchange && { ...error.exchange, sent: true, outcome: 'unknown' },
        cause: error,
      },
    )
  })
  const found = destinationsAt(list.data, wanted.url, wanted.scheme).at(-1)
  if (found !== undefined) return { destination: { ...found, ...answer, id: found.id }, lookedUp: true }
  // The service shows a secret only once, so an answer with a secret must not be lost.
  if (secretOf(answer) !== undefined) return { destination: answer, lookedUp: true }
  throw new BnplError(
    'service',
    `${url} is not registered: the answer was a success, but it had no id, and the address is not in the list of destinations`,
    {
      code: 'UNEXPECTED_ANSWER',
      hint: 'Register the address again. If the answer is the same, ask the support of the service.',
      exchange: list.exchange(),
    },
  )
}
