import { request } from 'node:http'

import { config } from '../errors.ts'

import { proofHeader, type VerifierOptions } from './verification/verifier.ts'

interface SelfTest extends VerifierOptions {
  host: string
  port: number
  path: string
  id: string
}

/** The time limit of the test delivery, in ms. The service waits equally long for an answer. */
const TIME_MS = 3000

const HINTS: Readonly<Record<number | string, string>> = {
  503: 'Check the disk of the state folder, or the database, because no delivery can be stored.',
  ABORT_ERR: `Check the disk of the state folder, or the database, because the listener did not answer within ${TIME_MS / 1000} s.`,
}

/**
 * Sends the receiver a test delivery that needs every step: socket, head, verification, envelope, a synced write, and the answer 200.
 * @throws `config` when the delivery is not acknowledged
 */
export async function selfTest(test: SelfTest): Promise<void> {
  const body = Buffer.from(JSON.stringify({ eventId: test.id, data: null }))
  const [secret = ''] = test.secrets.current()
  const result = await post(test, body, proofHeader(body, { ...test, secret }, test.clock?.now()))
  if (result === 200) return
  throw config(
    `the listener's own test delivery was not acknowledged (${result})`,
    HINTS[result] ?? 'Check that --host is an address of this machine.',
    'SELF_TEST',
  )
}

function post({ host, port, path }: SelfTest, body: Buffer, headers: Record<string, string>): Promise<number | string> {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((resolve) => {
    const sent = request(
      {
        host: address,
        port,
        path,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length, connection: 'close' },
        signal: AbortSignal.timeout(TIME_MS),
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name))
    sent.end(body)
  })
}
