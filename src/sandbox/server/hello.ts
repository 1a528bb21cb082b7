import { randomBytes, timingSafeEqual } from 'node:crypto'
import { request } from 'node:http'
import { CONTROL_PREFIX, controlProof } from '../service/access.ts'

const PATIENCE_MS = 2_000

const ANSWER_BYTES = 1_000

/**
 * Connects to the sandbox at `baseUrl`, and asks it to prove that it knows the control token. The token is not sent.
 * @returns true if the proof is right. A sandbox can prove this even while its database does not work
 */
export async function provesToken(baseUrl: string, controlToken: string): Promise<boolean> {
  const nonce = randomBytes(24).toString('base64url')
  const given = Buffer.from(await ask(`${baseUrl}${CONTROL_PREFIX}/hello`, JSON.stringify({ nonce })))
  const right = Buffer.from(
    JSON.stringify({ data: { proof: controlProof(controlToken, new URL(baseUrl).origin, nonce) } }),
  )
  return given.length === right.length && timingSafeEqual(given, right)
}

function ask(url: string, body: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          if (text.length > ANSWER_BYTES) response.destroy()
        })
        response.on('end', () => resolve(text))
        response.on('close', () => resolve(''))
        response.on('error', () => resolve(''))
      },
    )
    asked.on('error', () => resolve(''))
    asked.end(body)
  })
}
