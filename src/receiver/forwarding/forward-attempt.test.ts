import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/harness.ts'
import type { StoredEvent } from '../inbox.ts'
import { forwardEvent } from './forward-attempt.ts'

const EVENT: StoredEvent = {
  seq: 1,
  place: 1,
  fate: 'new',
  destination: '/webhooks',
  scheme: 'hmac',
  eventId: 'e1',
  event: 'loan_approved',
  odd: null,
  body: Buffer.from('{}'),
  contentType: null,
  signature: 'aa',
  receivedAt: 0,
  variantOf: null,
  confirmation: null,
  forwarding: null,
}

test.each([
  ['application/json', 'application/json'],
  ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
  ['application/vnd.shop+json', 'application/vnd.shop+json'],
  [null, 'application/json'],
  ['', 'application/json'],
  ['text/plain', 'application/json'],
  ['application/octet-stream', 'application/json'],
])('an event that came as %s is forwarded as %s', async (contentType, sent) => {
  const types: (string | undefined)[] = []
  const forward = (event: Partial<StoredEvent>) =>
    forwardEvent({ ...EVENT, contentType, ...event }, 1, {
      url: 'http://127.0.0.1:1/hook',
      clock: fakeClock(),
      timeoutMs: 1000,
      userAgent: 'test',
      async transport({ headers }) {
        types.push(headers['content-type'])
        return { status: 200, headers: {}, body: new Uint8Array() }
      },
    })
  await forward({})
  // A body that is no event goes on as it came.
  await forward({ odd: 'it is not JSON' })
  expect(types).toEqual([sent, contentType ?? 'application/json'])
})
