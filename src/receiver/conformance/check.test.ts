import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realClock } from '../../../test/kit/harness.ts'
import { createNetwork } from '../../client/network.ts'
import { forwardEvent } from '../forwarding/forward-attempt.ts'
import type { StoredEvent } from '../inbox.ts'
import { deliveryRequest, send } from './check.ts'

const network = createNetwork({ env: {} })
const server = createServer((request, response) => {
  response.statusCode = Number(request.url?.slice(1))
  // One answer has a Content-Length, the other one is sent in chunks.
  if (request.url === '/200') response.end('x'.repeat(100_000))
  else {
    response.write('x'.repeat(50_000))
    response.end('x'.repeat(50_000))
  }
})
let base = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await network.close()
  server.close()
})

test.each([200, 201, 500])(
  'an answer of %i with a body that is too large still counts as an answer',
  async (status) => {
    const { transport } = network
    const url = `${base}/${status}`
    expect(await send(deliveryRequest(url, Buffer.from('{}'), {}, 5000), transport, realClock)).toMatchObject({
      status,
      fault: null,
    })
    const event = { eventId: 'e1', event: 'loan_approved', scheme: 'hmac', contentType: null, signature: null } as const
    const stored = { ...event, body: Buffer.from('{}'), confirmation: null } as unknown as StoredEvent
    const target = { url, transport, clock: realClock, timeoutMs: 5000, userAgent: 'test' }
    const attempt = await forwardEvent(stored, 1, target)
    expect(attempt).toMatchObject({ status, error: status < 300 ? null : 'answered 500', sent: true })
  },
)
