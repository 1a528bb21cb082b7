import { request } from 'node:http'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from './control-address.ts'

const PATIENCE_MS = 2_000

/**
 * Greets a served sandbox, over a socket of its own.
 * @returns true when it answers and takes the token, whether or not it has its database
 */
export function knock(baseUrl: string, controlToken: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(
      `${baseUrl}${CONTROL_PREFIX}/hello`,
      {
        method: 'POST',
        agent: false,
        headers: { [CONTROL_TOKEN_HEADER]: controlToken, 'content-type': 'application/json', 'content-length': 2 },
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode === 200))
        response.on('error', () => resolve(false))
      },
    )
    asked.on('error', () => resolve(false))
    asked.end('{}')
  })
}
