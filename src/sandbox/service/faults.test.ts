import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { WireFailure } from '../../contract/wire.ts'

test('a fault with a status answers instead of the service, from the n-th call on, as many times as armed', async () => {
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

test('an injected status is answered with its documented code, and with Retry-After', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'getInforme', status: 503, retryAfter: 7 })
  const reply = await kit.send('GET', '/partner/pre-approve/P1/informe')
  expect(reply).toMatchObject({ status: 503, code: 'ERR_UNABLE_TO_RENDER_INFORME' })
  expect(reply.headers['retry-after']).toBe('7')
})

test('a call whose answer is lost is carried out; a call that is lost on its way is not carried out', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'evaluate', cut: true })
  await expect(kit.evaluate('t1')).rejects.toMatchObject({ kind: 'reset', sent: true })
  expect((await kit.control('status')).data.preApprovals).toBe(1)
  await kit.control('faultAdd', { endpoint: 'evaluate', cut: true, before: true })
  await expect(kit.evaluate('t2')).rejects.toBeInstanceOf(WireFailure)
  expect((await kit.control('status')).data.preApprovals).toBe(1)
  expect((await kit.control('requests')).data.map(({ status }: { status: number }) => status)).toEqual([0, 0])
})

test('a fault delays a call in the machine’s time, and at most as long as the caller waits', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'evaluate', delayMs: 4_000, times: 2 })
  expect(await kit.evaluate('t1')).toMatchObject({ status: 200 })
  expect(kit.clock.slept).toEqual([4_000])
  const late = kit.send('POST', '/partner/pre-loan-request/bnpl', { form: {}, timeoutMs: 100 })
  await expect(late).rejects.toMatchObject({ kind: 'timeout', sent: true })
  expect(kit.clock.slept).toEqual([4_000, 100])
})

test('a slow call is carried out even if its caller stops waiting, but a loan is then not marked as verified', async () => {
  await using kit = await sandboxKit()
  const evaluation = { idNumber: '11222333-9', amount: '250000', entityId: kit.bnpl.entityId, externalTrxId: 't1' }
  const send = (form: Record<string, string>) =>
    kit.send('POST', '/partner/pre-loan-request/bnpl', { form, timeoutMs: 1_000 })
  await kit.control('faultAdd', { endpoint: 'evaluate', kind: 'slow' })
  await expect(send(evaluation)).rejects.toMatchObject({ kind: 'timeout', sent: true })
  expect((await kit.control('status')).data.preApprovals).toBe(1)
  // The slow test customer has the same effect without a fault.
  await expect(send({ ...evaluation, idNumber: '99999999-9' })).rejects.toMatchObject({ kind: 'timeout' })
  expect((await kit.control('status')).data.preApprovals).toBe(2)
  // A merchant who received no answer about a loan has not verified it.
  await kit.control('pay', { externalTrxId: 't1' })
  await kit.control('faultAdd', { endpoint: 'verifyLoan', kind: 'slow' })
  await expect(kit.send('POST', '/partner/pre-approve/t1/loan', { form: {}, timeoutMs: 1_000 })).rejects.toMatchObject({
    kind: 'timeout',
  })
  const { verifiedAt } = kit.store.db.get<any>('select verifiedAt from loans')
  expect(verifiedAt).toBeNull()
})

test.each([
  ['refused', { kind: 'refused', sent: false }, 0],
  ['cut-before', { kind: 'reset' }, 0],
  ['cut-after', { kind: 'reset' }, 1],
  ['cut-within', { kind: 'reset', bytes: 10 }, 1],
] as const)('the fault %s breaks the connection, and %o tells what the caller can know', async (kind, fault, done) => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'evaluate', kind })
  await expect(kit.evaluate('t1')).rejects.toMatchObject(fault)
  expect((await kit.control('status')).data.preApprovals).toBe(done)
})

test.each([
  ['rate-limited', 429, '1'],
  ['server-error', 500, undefined],
] as const)('the fault %s answers %i and does nothing', async (kind, status, retryAfter) => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'evaluate', kind })
  const reply = await kit.evaluate('t1')
  expect([reply.status, reply.headers['retry-after']]).toEqual([status, retryAfter])
  expect((await kit.control('status')).data.preApprovals).toBe(0)
})

/** Returns the body of the verification of a loan of 250000, as the client reads it, after one kind of fault. */
async function verificationWith(kind: string | undefined) {
  await using kit = await sandboxKit()
  await kit.evaluate('t1')
  await kit.control('pay', { externalTrxId: 't1' })
  if (kind !== undefined) await kit.control('faultAdd', { endpoint: 'verifyLoan', kind })
  const { status, body } = await kit.sandbox.transport({
    method: 'POST',
    url: 'http://127.0.0.1:4555/partner/pre-approve/t1/loan',
    headers: { authorization: `Bearer ${kit.bnpl.apiKey}` },
    timeoutMs: 1_000,
    maxBytes: 1e6,
  })
  expect(status).toBe(200)
  return new TextDecoder().decode(body)
}

test('each kind of fault changes the body of a verification in its own way, and the status remains 200', async () => {
  const genuine = await verificationWith(undefined)
  const altered = async (kind: string) => JSON.parse(await verificationWith(kind))
  const { data } = JSON.parse(genuine)
  expect(await altered('other-amount')).toEqual({
    data: {
      ...data,
      loanAmount: data.loanAmount - 1,
      installmentAmount: data.installmentAmount - 1,
      lastInstallmentAmount: data.lastInstallmentAmount - 1,
    },
  })
  const cancelled = data.installments.map((each: object) => ({ ...each, state: 'CANCELLED' }))
  expect(await altered('other-state')).toEqual({ data: { ...data, state: 'CANCELLED', installments: cancelled } })
  expect(await altered('other-transaction')).toEqual({ data: { ...data, externalTrxId: 'another-t1' } })
  const unknown = await altered('unknown-fields')
  expect(Object.keys(unknown)).toEqual(['unknownField', 'data'])
  expect(unknown.data).toMatchObject({ ...data, installments: data.installments, unknownField: expect.anything() })
  const reordered = await altered('reordered-fields')
  expect(reordered).toEqual({ data })
  expect(Object.keys(reordered.data)).toEqual(Object.keys(data).toReversed())
  expect(await verificationWith('half-body')).toBe(genuine.slice(0, Math.floor(genuine.length / 2)))
  expect(await verificationWith('empty-body')).toBe('')
  expect(await verificationWith('broken-body')).toMatch(/^<!doctype html>/)
})

test('the fault “other-id” changes the ids of an evaluation, but not a refusal', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'evaluate', kind: 'other-id', times: 2 })
  expect((await kit.evaluate('t1')).data.preApproveId).toMatch(/^another-/)
  expect((await kit.evaluate('t2', { rut: '11111111-1' })).code).toBe('ERR_CUSTOMER_NOT_APPROVED')
})

test('a fault applies to exactly the armed number of calls, even when many calls are simultaneous', async () => {
  await using kit = await sandboxKit()
  await kit.control('faultAdd', { endpoint: 'listWebhooks', status: 500, times: 5, skip: 3 })
  const replies = await Promise.all(Array.from({ length: 20 }, () => kit.send('GET', '/partner/webhook')))
  expect(replies.filter(({ status }) => status === 500)).toHaveLength(5)
})

test('two faults count the same calls, and the fault that was armed first applies first', async () => {
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
  [{ endpoint: 'any', cut: true, status: 500 }, '“cut” cannot be combined with the field “status”'],
  [
    { endpoint: 'any', kind: 'cut-after', status: 500 },
    'the kind “cut-after” cannot be combined with the field “status”',
  ],
  [{ endpoint: 'any', truncate: 1, before: true }, 'the field “before” needs the field “cut”'],
  [{ endpoint: 'any', cut: true, code: 'ERR_X' }, 'the field “code” needs the field “status”'],
  [{ endpoint: 'any', status: 500, code: 'x\r\n' }, 'capital letters'],
  [{ endpoint: 'any', cut: true, times: 0 }, 'times'],
  [{ endpoint: 'any', delayMs: 1e9 }, 'ten minutes'],
  [{ endpoint: 'any', kind: 'nope' }, 'must be one of: refused, slow,'],
  [{ endpoint: 'any', kind: 'twice' }, 'must be one of: refused, slow,'],
  [{ endpoint: 'delivery', kind: 'slow' }, 'must be one of: twice, late,'],
  [{ endpoint: 'page', kind: 'toString' }, 'must be one of: no-return,'],
  [{ endpoint: 'page' }, 'needs the field “kind”'],
  [{ endpoint: 'delivery', kind: 'twice', cut: true }, 'the field “cut” is for calls'],
  [{ endpoint: 'page', kind: 'rejected', delayMs: 5 }, 'calls and deliveries'],
])('%j is refused as a fault: %s', async (input, words) => {
  await using kit = await sandboxKit()
  const reply = await kit.control('faultAdd', input)
  expect(reply).toMatchObject({ status: 400 })
  expect(reply.body.error.message).toContain(words)
})
