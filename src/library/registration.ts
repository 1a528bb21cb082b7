import type { ApiClient } from '../client/client.ts'
import { registered } from '../client/registered.ts'
import type { VerificationScheme } from '../contract/integrations.ts'
import { idText, isId, secretOf } from '../domain/destination.ts'
import { rawNumbersAsText } from '../text/json-text.ts'

interface Made {
  id: string
  url: string
  secret?: string
  [field: string]: unknown
}

/**
 * Returns a registered destination with its id, its address and its secret, wherever the answer contains them. Throws as `registered` does.
 * @param answer the `data` of the answer to the registration
 */
export async function registeredDestination(
  api: ApiClient,
  answer: Record<string, unknown>,
  wanted: { url: string; scheme: VerificationScheme },
): Promise<Made> {
  const { destination } = await registered(api, answer, wanted)
  const secret = secretOf(destination)
  const { id, url } = destination
  return {
    ...rawNumbersAsText(destination),
    id: isId(id) ? idText(id) : '',
    url: typeof url === 'string' ? url : wanted.url,
    ...(secret === undefined ? {} : { secret }),
  }
}
