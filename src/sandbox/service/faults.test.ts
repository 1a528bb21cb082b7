import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/sandbox-kit.ts'
import { WireFault } from '../../contract/wire.ts'

test('a status is answered instead of the work, from the n-th call on, as often as it was armed', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'evaluate', status: 503, skip: 1, times: 2 })
  const statuses: number[] = []
  for (const trx of ['t1', 't2', 't3', 't4']) statuses.push((await kit.evaluate(trx)).status)
  expect(statuses).toEqual([200, 503, 503, 200])
  expect((await kit.control('faults')).data).toEqual([])
  expect((await kit.control('status')).data).toMatchObject({ preApprovals: 2 })
})

test('a fault applies to its endpoint, or every endpoint, before the key is checked', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'verifyLoan', status: 500 })
  expect(await kit.evaluate('t1')).toMatchObject({ status: 200 })
  expect(await kit.verify('t1')).toMatchObject({ status: 500, code: 'ERR_SANDBOX_FAULT' })
  await kit.control('faultAdd', { endpoint: 'any', status: 502, code: 'ERR_OWN', times: null })
  for (let i = 0; i < 3; i++) expect(await kit.evaluate('t2')).toMatchObject({ status: 502, code: 'ERR_OWN' })
  expect(await kit.send('GET', '/partner/webhook', { key: 'wrong' })).toMatchObject({ status: 502 })
  const [{ id }] = (await kit.control('faults')).data
  expect((await kit.control('faultClear', { id })).data).toEqual({ cleared: 1 })
  expect(await kit.evaluate('t2')).toMatchObject({ status: 200 })
})

test('a status brings the code that is documented for it, and a Retry-After', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'getInforme', status: 503, retryAfter: 7 })
  const reply = await kit.send('GET', '/partner/pre-approve/P1/informe')
  expect(reply).toMatchObject({ status: 503, code: 'ERR_UNABLE_TO_RENDER_INFORME' })
  expect(reply.headers['retry-after']).toBe('7')
})

test('with a lost answer the work is done; with a lost call it is not', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'evaluate', cut: true })
  await expect(kit.evaluate('t1')).rejects.toMatchObject({ kind: 'reset', sent: true })
  expect((await kit.control('status')).data.preApprovals).toBe(1)
  await kit.control('faultAdd', { endpoint: 'evaluate', cut: true, before: true })
  await expect(kit.evaluate('t2')).rejects.toBeInstanceOf(WireFault)
  expect((await kit.control('status')).data.preApprovals).toBe(1)
  expect((await kit.control('requests')).data.map(({ status }: { status: number }) => status)).toEqual([0, 0])
})

test('a delay takes the machine’s time, but not longer than the caller waits', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'evaluate', delayMs: 4_000, times: 2 })
  expect(await kit.evaluate('t1')).toMatchObject({ status: 200 })
  expect(kit.clock.slept).toEqual([4_000])
  const late = kit.send('POST', '/partner/pre-loan-request/bnpl', { form: {}, timeoutMs: 100 })
  await expect(late).rejects.toMatchObject({ kind: 'timeout', sent: true })
  expect(kit.clock.slept).toEqual([4_000, 100])
})

test('of many simultaneous calls a fault applies to exactly the armed number', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'listWebhooks', status: 500, times: 5, skip: 3 })
  const replies = await Promise.all(Array.from({ length: 20 }, () => kit.send('GET', '/partner/webhook')))
  expect(replies.filter(({ status }) => status === 500)).toHaveLength(5)
})

test('two faults count the same calls, and the one armed first applies first', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'listWebhooks', status: 500 })
  kit.clock.advance(1)
  await kit.control('faultAdd', { endpoint: 'any', status: 502, skip: 1 })
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await kit.send('GET', '/partner/webhook')).status)
  expect(statuses).toEqual([500, 502, 200])
})

test('a reset disarms everything', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'any', status: 500, times: null })
  await kit.control('reset')
  expect((await kit.control('faults')).data).toEqual([])
})

test.each([
  [{ endpoint: 'evaluate' }, 'has no effect'],
  [{ endpoint: 'nope', cut: true }, 'endpoint must be one of: evaluate,'],
  [{ cut: true }, 'endpoint must be one of'],
  [{ endpoint: 'toString', cut: true }, 'endpoint must be one of'],
  [{ endpoint: 'any', status: 200 }, 'status'],
  [{ endpoint: 'any', status: 600 }, '400 to 599'],
  [{ endpoint: 'any', cut: true, status: 500 }, 'cannot be combined with status or truncate'],
  [{ endpoint: 'any', truncate: 1, before: true }, 'before needs cut'],
  [{ endpoint: 'any', cut: true, code: 'ERR_X' }, 'need status'],
  [{ endpoint: 'any', status: 500, code: 'x\r\n' }, 'capitals'],
  [{ endpoint: 'any', cut: true, times: 0 }, 'times'],
  [{ endpoint: 'any', delayMs: 1e9 }, 'ten minutes'],
])('%j is refused as a fault: %s', async (input, words) => {
  await using kit = await sandboxKit()
  const reply = await kit.control('faultAdd', input)
  expect(reply).toMatchObject({ status: 400 })
  expect(reply.body.error.message).toContain(words)
})
