import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { startDeadline } from '../../lifetime.ts'
import { CONTROL_PREFIX, controlProof, sameText } from '../service/access.ts'

/** A sandbox on a busy machine takes seconds to answer, and a sandbox that is taken for gone would be replaced. */
const PATIENCE_MS = 5_000

const ANSWER_BYTES = 1_000

/**
 * Connects to the sandbox at `baseUrl`, and asks it to prove that it knows the control token. The token is not sent.
 * @returns true if the proof is right. A sandbox can prove this even while its database does not work
 */
export async function provesToken(baseUrl: string, controlToken: string): Promise<boolean> {
  const nonce = randomBytes(24).toString('base64url')
  const given = await ask(`${baseUrl}${CONTROL_PREFIX}/hello`, JSON.stringify({ nonce }))
  const proof = controlProof(controlToken, new URL(baseUrl).origin, nonce)
  return sameText(given, JSON.stringify({ data: { proof } }))
}

function ask(url: string, body: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
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
    const deadline = startDeadline(PATIENCE_MS, () => asked.destroy())
    asked.on('error', () => resolve(''))
    asked.on('close', deadline.clear)
    asked.end(body)
  })
}
