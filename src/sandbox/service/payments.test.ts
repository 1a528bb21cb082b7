import { SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { SPECIFICATION, withAnswers } from '../../contract/description.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'
import type { StepAnswer } from './payments.ts'

async function paying(externalTrxId = 'T1', rut = '11222333-9') {
  const kit = await sandboxKit()
  const { preApproveId } = (await kit.evaluate(externalTrxId, { rut })).data
  const token: string = (await kit.startWidget(externalTrxId)).data.widgetToken
  return { ...kit, token, preApproveId, payments: kit.sandbox.payments, key: kit.bnpl.publicKey }
}

test('a session shows the payment, and confirming it makes the loan and its event', async () => {
  await using it = await paying()
  const opened = await it.payments.session(it.token, it.key)
  expect(opened).toEqual({
    ok: true,
    session: {
      externalTrxId: 'T1',
      merchantName: it.bnpl.name,
      amount: 250_000,
      options: expect.arrayContaining([expect.objectContaining({ installments: 24 })]),
      selected: undefined,
      asks: 'option',
      chosen: undefined,
      leaves: false,
      isDirect: false,
      preApproveId: it.preApproveId,
      firstDueDate: '2026-04-01',
      expiresAt: '2026-03-01T12:10:00.000Z',
      remainingMs: WIDGET_TOKEN_LIFE_MS,
    },
  })
  expect(await it.payments.confirm(it.token, it.key, 12)).toEqual({
    ok: true,
    outcome: 'paid',
    externalTrxId: 'T1',
    preApproveId: it.preApproveId,
    firstDueDate: '2026-04-01',
    proof: 'signature',
  })
  const { data: loan } = await it.verify('T1')
  expect(loan).toMatchObject({ periods: 12, loanAmount: 250_000, transferDate: '2026-03-01' })
  const events = it.store.db.all<any>('select * from events')
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({ type: 'loan_approved', subject: 'T1' })
  expect(JSON.parse(events[0]!.data)).toEqual({ preApproveId: it.preApproveId, ...loan })
})

test('in the evening in Chile, when the next day has begun in UTC, the dates of loans and evaluations are those of Chile', async () => {
  await using kit = await sandboxKit()
  kit.clock.advance(14 * 3_600_000)
  await kit.evaluate('T1')
  const token = (await kit.startWidget('T1')).data.widgetToken
  const opened = await kit.sandbox.payments.session(token, kit.bnpl.publicKey)
  expect(opened.ok && opened.session.firstDueDate).toBe('2026-04-01')
  await kit.sandbox.payments.confirm(token, kit.bnpl.publicKey, 3)
  const { data: loan } = await kit.verify('T1')
  expect(loan).toMatchObject({ transferDate: '2026-03-01' })
  expect(loan.installments[0].expirationDate).toBe('2026-04-01')
  const { data: evaluation } = await kit.send('GET', '/partner/pre-approve/rut/11222333-9')
  expect(evaluation).toMatchObject({ fechaEvaluacion: '2026-03-02T02:00:00.000Z', vigenciaHasta: '2026-04-01' })
  expect(String(await kit.sandbox.service.reports.pictures(evaluation.idPreAprobacion))).toContain('01-03-2026')
})

test('an installment option that was not offered is refused, and the session remains open', async () => {
  await using it = await paying('T3', '88888888-8')
  expect(await it.payments.confirm(it.token, it.key, 12)).toEqual({ ok: false, problem: 'bad-option' })
  expect(await it.payments.confirm(it.token, it.key, 3)).toMatchObject({ outcome: 'paid' })
})

test('if the merchant reported an option, no other option can be paid', async () => {
  await using it = await paying()
  const form = { preApproveId: it.preApproveId, installmentOption: '6', externalTrxId: 'T1', amount: '250000' }
  await it.send('POST', '/partner/pre-loan-request/loan-request', { form })
  const opened = await it.payments.session(it.token, it.key)
  expect(opened.ok && opened.session.selected?.installments).toBe(6)
  expect(await it.payments.confirm(it.token, it.key, 3)).toEqual({ ok: false, problem: 'bad-option' })
})

test('a token is valid for exactly ten minutes of the sandbox clock [row 107]', async () => {
  await using it = await paying()
  it.clock.advance(WIDGET_TOKEN_LIFE_MS)
  expect(await it.payments.session(it.token, it.key)).toMatchObject({ ok: true, session: { remainingMs: 0 } })
  await it.control('clock', { advanceMs: 1 })
  const dead = { ok: false, problem: 'expired', closed: { externalTrxId: 'T1', preApproveId: it.preApproveId } }
  expect(await it.payments.session(it.token, it.key)).toEqual(dead)
  expect(await it.payments.confirm(it.token, it.key, 3)).toEqual(dead)
  expect(await it.verify('T1')).toMatchObject({ status: 404 })
})

test('a token that is issued between two full seconds is also valid for exactly ten minutes', async () => {
  await using it = await paying('T0')
  for (const ms of [1, 499, 999]) {
    it.clock.advance(ms)
    const token = (await it.startWidget('T0')).data.widgetToken
    it.clock.advance(WIDGET_TOKEN_LIFE_MS)
    expect(await it.payments.session(token, it.key)).toMatchObject({ ok: true })
    it.clock.advance(1)
    expect(await it.payments.session(token, it.key)).toMatchObject({ problem: 'expired' })
  }
})

test('a token can be used for one payment, and a paid session closes the other session of its transaction [row 107]', async () => {
  await using it = await paying()
  const second = (await it.startWidget('T1')).data.widgetToken
  expect(await it.payments.confirm(it.token, it.key, 3)).toMatchObject({ outcome: 'paid' })
  const used = { ok: false, problem: 'used', closed: { externalTrxId: 'T1', preApproveId: it.preApproveId } }
  for (const token of [it.token, second]) {
    expect(await it.payments.confirm(token, it.key, 3)).toEqual(used)
    expect(await it.payments.session(token, it.key)).toEqual(used)
    expect(await it.payments.cancel(token, it.key)).toEqual(used)
  }
})

test('a cancelled session is over, and the transaction can be paid with a new one', async () => {
  await using it = await paying()
  expect(await it.payments.cancel(it.token, it.key)).toMatchObject({ outcome: 'cancelled' })
  expect(await it.payments.confirm(it.token, it.key, 3)).toMatchObject({ problem: 'used' })
  const next = (await it.startWidget('T1')).data.widgetToken
  expect(await it.payments.confirm(next, it.key, 3)).toMatchObject({ outcome: 'paid' })
})

test('a payment is refused if the token is forged, unsigned, altered or missing, or if the public key is wrong [row 107]', async () => {
  await using it = await paying()
  const [head, claims, signature] = it.token.split('.') as [string, string, string]
  const session = it.store.db.get<any>('select id from widgetSessions')
  const forged = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setJti(session.id).sign(Buffer.alloc(32, 1))
  const unsigned = new UnsecuredJWT({}).setJti(session.id).encode()
  const altered = `${head}.${Buffer.from(JSON.stringify({ jti: session.id })).toString('base64url')}.${signature}`
  const flipped = `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  for (const token of [forged, unsigned, altered, flipped, 'x', 'a.b.c', `${it.token}.`]) {
    expect(await it.payments.session(token, it.key)).toEqual({ ok: false, problem: 'forged' })
    expect(await it.payments.confirm(token, it.key, 3)).toEqual({ ok: false, problem: 'forged' })
  }
  expect(await it.payments.session('', it.key)).toEqual({ ok: false, problem: 'missing' })
  expect(await it.payments.confirm(it.token, it.estate.publicKey, 3)).toEqual({ ok: false, problem: 'wrong-key' })
  expect(await it.payments.confirm(it.token, '', 3)).toEqual({ ok: false, problem: 'wrong-key' })
  expect(await it.verify('T1')).toMatchObject({ status: 404 })
})

test('a payment is rejected for the test customer of rejected payments', async () => {
  await using it = await paying('T7', '77777777-7')
  expect(await it.payments.confirm(it.token, it.key, 3)).toEqual({
    ok: true,
    outcome: 'rejected',
    reason: 'RISK_REJECTED',
    externalTrxId: 'T7',
    preApproveId: it.preApproveId,
  })
  expect(await it.verify('T7')).toMatchObject({ status: 404 })
})

test('a service that needs an evaluation rejects a payment without one', async () => {
  const needed = { needsEvaluation: { text: 'yes', source: { setting: 'test' } } }
  await using kit = await sandboxKit({ description: withAnswers(SPECIFICATION, needed) })
  const { payments } = kit.sandbox
  const token = (await kit.startWidget('T1')).data.widgetToken
  expect(await payments.session(token, kit.bnpl.publicKey)).toMatchObject({ session: { asks: 'option' } })
  expect(await payments.confirm(token, kit.bnpl.publicKey, 3)).toMatchObject({
    outcome: 'rejected',
    preApproveId: undefined,
  })
})

/** A session whose transaction was never evaluated. */
async function unknown() {
  const kit = await sandboxKit()
  const token: string = (await kit.startWidget('T1')).data.widgetToken
  return { ...kit, token, payments: kit.sandbox.payments, key: kit.bnpl.publicKey }
}

test('without an evaluation the page asks for the national id, then refreshes the token, whose time starts again', async () => {
  await using it = await unknown()
  expect(await it.payments.session(it.token, it.key)).toMatchObject({ session: { asks: 'id-number' } })
  expect(await it.verify('T1')).toMatchObject({ status: 404 })
  it.clock.advance(9 * 60_000)
  const known = await it.payments.identify(it.token, it.key, '11222333-9')
  if (!known.ok || known.outcome !== 'open') throw new Error('the customer was not approved')
  const { widgetToken } = known
  expect(widgetToken).not.toBe(it.token)
  expect(await it.payments.session(widgetToken, it.key)).toMatchObject({
    session: { asks: 'option', remainingMs: WIDGET_TOKEN_LIFE_MS, preApproveId: expect.any(String) },
  })
  // The first token ends when it was to end, ten minutes after it was created.
  it.clock.advance(2 * 60_000)
  expect(await it.payments.session(it.token, it.key)).toMatchObject({ problem: 'expired' })
  it.clock.advance(7 * 60_000)
  const paid = await it.payments.confirm(widgetToken, it.key, 12)
  expect(paid).toMatchObject({ outcome: 'paid', preApproveId: expect.any(String) })
  expect((await it.verify('T1')).data).toMatchObject({ periods: 12, state: 'ACTIVE' })
  expect((await it.send('GET', '/partner/pre-approve/rut/11222333-9')).data.idPreAprobacion).toBe(
    paid.ok && paid.outcome === 'paid' ? paid.preApproveId : '',
  )
})

test.each([
  ['11111111-1', { outcome: 'rejected', reason: 'RISK_REJECTED' }, 'used'],
  ['44444444-4', { outcome: 'rejected', reason: 'USER_HAS_ACTIVE_LOAN' }, 'used'],
  ['55555555-5', { ok: false, problem: 'unavailable' }, undefined],
])('the test customer %s who gives the national id on the page ends with %j', async (rut, end, problem) => {
  await using it = await unknown()
  expect(await it.payments.identify(it.token, it.key, rut)).toMatchObject(end)
  expect(await it.payments.session(it.token, it.key)).toMatchObject(problem ? { problem } : { ok: true })
  expect((await it.control('payment', { externalTrxId: 'T1' })).data).toMatchObject(
    problem ? { step: 'ARCHIVED_FAIL', reason: end.reason } : { step: null, state: 'open' },
  )
})

test('two answers with the national id at once make one evaluation', async () => {
  await using it = await unknown()
  const both = await Promise.all([1, 2].map(() => it.payments.identify(it.token, it.key, '11222333-9')))
  expect(both).toMatchObject([{ outcome: 'open' }, { outcome: 'open' }])
  expect(it.store.db.all('select * from preApprovals')).toHaveLength(1)
})

test('a session can be bound to an evaluation, which must be that of its transaction and its amount', async () => {
  await using kit = await sandboxKit()
  const first = (await kit.evaluate('T1')).data.preApproveId
  await kit.evaluate('T1', { rut: '12345678-5' })
  const other = (await kit.evaluate('T2')).data.preApproveId
  const start = (preApproveId: string, amount = '250000') =>
    kit.send('POST', '/partner/widget/start', {
      form: { amount, externalTrxId: 'T1', entityId: kit.bnpl.entityId, email: 'a@example.com', preApproveId },
    })
  const { widgetToken } = (await start(first)).data
  expect(await kit.sandbox.payments.session(widgetToken, kit.bnpl.publicKey)).toMatchObject({
    session: { preApproveId: first },
  })
  expect(await start('unknown')).toMatchObject({ status: 404, code: 'ERR_PRE_APPROVAL_NOT_FOUND' })
  expect(await start(other)).toMatchObject({ status: 422, code: 'ERR_TRANSACTION_MISMATCH' })
  expect(await start(first, '1000')).toMatchObject({ status: 422, code: 'ERR_AMOUNT_MISMATCH' })
})

/** Takes a customer from the options to the end, and returns what the page asks after each answer, and how the payment ended. */
async function steps(it: Awaited<ReturnType<typeof paying>>, answers: readonly StepAnswer[]) {
  const seen: unknown[] = []
  const look = async () => {
    const found = await it.payments.session(it.token, it.key)
    const { step } = (await it.control('payment', { externalTrxId: 'T1' })).data
    seen.push(found.ok ? `${found.session.asks} at ${step}` : step)
  }
  await look()
  if (seen[0] === 'option at READY_FOR_LOAN') {
    await it.payments.confirm(it.token, it.key, 6)
    await look()
  }
  let end: unknown
  for (const answer of answers) {
    end = await it.payments.answer(it.token, it.key, answer)
    await look()
  }
  return { seen, end }
}

test('a verification without a loan contains the step, once the customer has given a national id', async () => {
  await using it = await unknown()
  expect((await it.verify('T1')).body).toEqual({
    error: { code: 'ERR_LOAN_NOT_FOUND', message: 'no loan for this transaction' },
  })
  await it.payments.identify(it.token, it.key, '13131313-6')
  const step = async () => (await it.verify('T1')).body.error
  expect(await step()).toMatchObject({ step: 'READY_FOR_LOAN', preApproveId: expect.any(String) })
  await it.payments.confirm(it.token, it.key, 3)
  expect(await step()).toMatchObject({ step: 'PAYMENT_SUBSCRIPTION' })
  it.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
  expect(await step()).toMatchObject({ step: 'ARCHIVED_FAIL' })
})

test('every other customer passes the steps without a question', async () => {
  await using it = await paying()
  expect((await steps(it, [])).seen).toEqual(['option at READY_FOR_LOAN', null])
  expect((await it.verify('T1')).data).toMatchObject({ periods: 6 })
})

test.each<[string, StepAnswer[], string[], object]>([
  [
    '22222222-2',
    [{ kind: 'sign' }],
    ['option at READY_FOR_LOAN', 'signature at AUTHORIZATION', 'ARCHIVED_FAIL'],
    { outcome: 'rejected', reason: 'SIGNATURE_FAILED' },
  ],
  ['33333333-3', [{ kind: 'code', code: '654321' }], ['code at AUTHORIZATION', 'null'], { outcome: 'paid' }],
  [
    '33333333-3',
    ['12345', '123456', '123456', '123456'].map((code) => ({ kind: 'code', code })),
    [...Array(4).fill('code at AUTHORIZATION'), 'ARCHIVED_FAIL'],
    { outcome: 'rejected', reason: 'AUTH_FACTOR_FAILED' },
  ],
  [
    '13131313-6',
    [{ kind: 'subscribe' }],
    ['option at READY_FOR_LOAN', 'subscription at PAYMENT_SUBSCRIPTION', 'null'],
    { outcome: 'paid' },
  ],
  [
    '14141414-3',
    [{ kind: 'code', code: '654321' }, { kind: 'sign' }],
    ['option at READY_FOR_LOAN', 'signature at AUTHORIZATION', 'signature at AUTHORIZATION', 'null'],
    { outcome: 'paid' },
  ],
])('the test customer %s who answers %j is asked %j', async (rut, answers, seen, end) => {
  await using it = await paying('T1', rut)
  const result = await steps(it, answers)
  expect(result.seen.map(String)).toEqual(seen)
  expect(result.end).toMatchObject(end)
})

test('a customer with an earlier loan types a code in place of the signature', async () => {
  await using it = await paying('T0', '14141414-3')
  await it.payments.confirm(it.token, it.key, 3)
  await it.payments.answer(it.token, it.key, { kind: 'sign' })
  await it.evaluate('T1', { rut: '14141414-3' })
  const token = (await it.startWidget('T1')).data.widgetToken
  await it.payments.confirm(token, it.key, 3)
  expect(await it.payments.session(token, it.key)).toMatchObject({
    session: { asks: 'code', chosen: { installments: 3 } },
  })
  expect(await it.payments.answer(token, it.key, { kind: 'code', code: '000000' })).toMatchObject({ outcome: 'paid' })
})

test('fifty confirmations at once, over many tokens and two processes, make one loan [row 107]', async () => {
  await using it = await paying()
  await using other = await sandboxKit({ place: it.place })
  const tokens = [it.token]
  for (let i = 0; i < 4; i++) tokens.push((await it.startWidget('T1')).data.widgetToken)
  const ends = await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      const { payments } = i % 2 === 0 ? it.sandbox : other.sandbox
      return payments.confirm(tokens[i % tokens.length]!, it.key, 3)
    }),
  )
  expect(ends.filter(({ ok }) => ok)).toHaveLength(1)
  expect(ends.filter((end) => !end.ok && end.problem === 'used')).toHaveLength(49)
  expect(it.store.db.all<any>('select * from loans')).toHaveLength(1)
  expect(it.store.db.all<any>('select * from events')).toHaveLength(1)
})

test('a payment can be verified by its preApproveId as well as by its externalTrxId [specification F1]', async () => {
  await using it = await paying()
  expect(await it.verify(it.preApproveId)).toMatchObject({ status: 404, code: 'ERR_LOAN_NOT_FOUND' })
  await it.payments.confirm(it.token, it.key, 12)
  const byPreApproval = await it.verify(it.preApproveId)
  expect(byPreApproval.status).toBe(200)
  const { verifiedAt } = it.store.db.all<any>('select * from loans')[0] ?? {}
  expect(verifiedAt).toBe('2026-03-01T12:00:00.000Z')
  expect(byPreApproval.data).toEqual((await it.verify('T1')).data)
  expect(
    await it.send('POST', `/partner/pre-approve/${it.preApproveId}/loan`, { key: it.estate.apiKey }),
  ).toMatchObject({
    status: 404,
  })
})

test('the preApproveId of every evaluation of a paid transaction verifies the payment, and no other id does [specification F1]', async () => {
  await using it = await paying()
  const again: string = (await it.evaluate('T1')).data.preApproveId
  await it.payments.confirm(it.token, it.key, 3)
  for (const id of [it.preApproveId, again]) expect((await it.verify(id)).data?.externalTrxId).toBe('T1')
  const { preLoanRequestId } = it.store.db.all<any>('select * from preApprovals')[0] ?? {}
  expect((await it.verify(String(preLoanRequestId))).status).toBe(404)
  await it.control('lead', { now: true })
  const lead = it.store.db.all<any>('select * from leads')[0]
  const ofLead = await it.send('POST', `/partner/pre-approve/${lead?.preApproveId}/loan`, { key: it.estate.apiKey })
  expect(ofLead.status).toBe(404)
})

test('an externalTrxId that equals the preApproveId of another transaction returns the loan of its own transaction [specification F1]', async () => {
  await using it = await paying()
  await it.payments.confirm(it.token, it.key, 3)
  await it.evaluate(it.preApproveId, { amount: 90_000 })
  await it.control('pay', { externalTrxId: it.preApproveId })
  expect((await it.verify(it.preApproveId)).data).toMatchObject({ externalTrxId: it.preApproveId, loanAmount: 90_000 })
})
