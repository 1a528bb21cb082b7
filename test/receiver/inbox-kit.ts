import type { Arrival, Batch, ForwardResult, Inbox } from '../../src/receiver/inbox.ts'

/** Arrivals that the tests of the inbox store in it. */

export const arrival = (eventId: string, more: Partial<Arrival> = {}): Arrival => ({
  destination: '/webhooks',
  scheme: 'hmac',
  eventId,
  event: 'loan_approved',
  odd: null,
  body: Buffer.from(`{"eventId":"${eventId}"}`),
  contentType: 'application/json',
  signature: 'aa',
  receivedAt: 1000,
  forward: false,
  ...more,
})
export const batch = (arrivals: Arrival[], more: Partial<Batch> = {}): Batch => ({
  arrivals,
  forwards: [],
  emittedUpTo: undefined,
  ...more,
})
export const fates = async (inbox: Inbox, ...arrivals: Arrival[]) =>
  (await inbox.commit(batch(arrivals))).map(({ fate }) => fate)
export const result = (seq: number, state: ForwardResult['state'], receivedAt = 1000): ForwardResult => ({
  seq,
  receivedAt,
  state,
  attempts: 1,
  status: 200,
  error: null,
  ms: 3.7,
  at: 2000,
})
