import { SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/sandbox-kit.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'

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

test('a payment is rejected for the test customer of rejected payments, and for a customer without evaluation', async () => {
  await using it = await paying('T7', '77777777-7')
  expect(await it.payments.confirm(it.token, it.key, 3)).toEqual({
    ok: true,
    outcome: 'rejected',
    externalTrxId: 'T7',
    preApproveId: it.preApproveId,
  })
  const token = (await it.startWidget('never evaluated')).data.widgetToken
  expect(await it.payments.confirm(token, it.key, 3)).toMatchObject({ outcome: 'rejected', preApproveId: undefined })
  expect(await it.verify('T7')).toMatchObject({ status: 404 })
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
