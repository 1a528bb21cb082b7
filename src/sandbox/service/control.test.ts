import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { CONTROL_TOKEN_HEADER } from './access.ts'

test('control actions need the control token, and an API key is refused [row 109]', async () => {
  await using kit = await sandboxKit()
  for (const token of ['', 'wrong', kit.bnpl.apiKey]) {
    for (const action of ['status', 'reset', 'nonsense']) {
      const reply = await kit.control(action, {}, { [CONTROL_TOKEN_HEADER]: token })
      expect(reply).toMatchObject({ status: 401, code: 'ERR_CONTROL_TOKEN' })
    }
  }
  expect(await kit.send('POST', '/_sandbox/status', { json: {} })).toMatchObject({ status: 401 })
})

test('an unknown action is refused with the list of actions', async () => {
  await using kit = await sandboxKit()
  const reply = await kit.control('nonsense')
  expect(reply).toMatchObject({ status: 404, code: 'ERR_NO_SUCH_ACTION' })
  expect(reply.body.error.message).toContain('status, reset, pay')
  for (const name of ['constructor', 'toString', '__proto__', '']) {
    expect(await kit.control(name)).toMatchObject({ status: 404 })
  }
})

test.each([
  ['pay', {}, 'externalTrxId'],
  ['pay', { externalTrxId: 7 }, 'externalTrxId'],
  ['pay', { externalTrxId: 'T', reject: 'yes' }, 'reject'],
  ['clock', {}, 'advanceMs'],
  ['clock', { advanceMs: -1 }, 'advanceMs'],
  ['clock', { advanceMs: 1.5 }, 'advanceMs'],
  ['clock', { advanceMs: 1e15 }, 'ten years'],
  ['requests', { limit: 0 }, 'limit'],
  ['lead', { rut: '12345678-4' }, 'for this number it is 5'],
  ['lead', { rut: 'x' }, 'RUT'],
  ['lead', { outcome: 'maybe' }, 'outcome'],
  ['lead', { evaluateInMs: 1e14 }, 'ten years'],
  ['deliver', { delayMs: 1e9 }, 'ten minutes'],
  ['lead', [], 'not a JSON object'],
])('the control action %s refuses the input %j and says what is wrong', async (action, input, words) => {
  await using kit = await sandboxKit()
  const reply = await kit.control(action, input)
  expect(reply).toMatchObject({ status: 400, code: 'rut' in input ? 'ERR_INVALID_ID_NUMBER' : 'ERR_CONTROL_INPUT' })
  expect(reply.body.error.message).toContain(words)
})

test('pay distinguishes an unknown transaction, a paid one and a customer who was not approved', async () => {
  await using kit = await sandboxKit()
  expect(await kit.control('pay', { externalTrxId: 'T1' })).toMatchObject({
    status: 404,
    code: 'ERR_TRANSACTION_NOT_FOUND',
  })
  await kit.evaluate('T1')
  expect((await kit.control('pay', { externalTrxId: 'T1' })).data).toMatchObject({ outcome: 'paid', installments: 3 })
  expect(await kit.control('pay', { externalTrxId: 'T1' })).toMatchObject({
    status: 409,
    code: 'ERR_TRANSACTION_ALREADY_PAID',
  })
  await kit.evaluate('T2', { rut: '11111111-1' })
  expect(await kit.control('pay', { externalTrxId: 'T2' })).toMatchObject({ code: 'ERR_CUSTOMER_NOT_APPROVED' })
})

test('pay with reject rejects the payment, and the transaction can be paid afterwards', async () => {
  await using kit = await sandboxKit()
  await kit.evaluate('T1')
  expect((await kit.control('pay', { externalTrxId: 'T1', reject: true })).data).toMatchObject({
    outcome: 'rejected',
    installments: null,
  })
  expect(await kit.verify('T1')).toMatchObject({ status: 404 })
  expect((await kit.control('pay', { externalTrxId: 'T1', installments: 24 })).data).toMatchObject({
    outcome: 'paid',
    installments: 24,
  })
  await kit.evaluate('T2')
  expect(await kit.control('pay', { externalTrxId: 'T2', installments: 5 })).toMatchObject({ status: 422 })
})

test('pay finds the unpaid transaction when two accounts use the same id', async () => {
  await using kit = await sandboxKit()
  await kit.evaluate('T1')
  await kit.control('pay', { externalTrxId: 'T1' })
  const form = { idNumber: '11222333-9', amount: '5000', entityId: kit.estate.entityId, externalTrxId: 'T1' }
  await kit.send('POST', '/partner/pre-loan-request/bnpl', { form, key: kit.estate.apiKey })
  expect(await kit.control('pay', { externalTrxId: 'T1', partner: kit.bnpl.name })).toMatchObject({ status: 409 })
  expect((await kit.control('pay', { externalTrxId: 'T1' })).data).toMatchObject({ outcome: 'paid' })
  expect(await kit.control('pay', { externalTrxId: 'T1' })).toMatchObject({ status: 409 })
})

test('pay ends the open payment session of the transaction', async () => {
  await using kit = await sandboxKit()
  await kit.evaluate('T1')
  const { widgetToken } = (await kit.startWidget('T1')).data
  await kit.control('pay', { externalTrxId: 'T1' })
  expect(await kit.sandbox.payments.session(widgetToken, kit.bnpl.publicKey)).toMatchObject({ problem: 'used' })
})

test('pay asks for the national id of a transaction that has a session but no evaluation', async () => {
  await using kit = await sandboxKit()
  await kit.startWidget('T1')
  expect(await kit.control('pay', { externalTrxId: 'T1' })).toMatchObject({ status: 422, code: 'ERR_ID_NUMBER_NEEDED' })
  expect((await kit.control('pay', { externalTrxId: 'T1', rut: '55555555-5' })).status).toBe(503)
  expect((await kit.control('pay', { externalTrxId: 'T1', rut: '11222333-9' })).data).toMatchObject({
    outcome: 'paid',
    step: null,
  })
})

test('only real-estate accounts have leads', async () => {
  await using kit = await sandboxKit()
  expect(await kit.control('lead', { partner: kit.bnpl.name })).toMatchObject({ status: 422 })
  expect(await kit.control('lead', { partner: 'nobody' })).toMatchObject({ status: 404 })
  const named = await kit.control('lead', { partner: kit.withoutModule.name })
  expect(named.data).toMatchObject({ partner: kit.withoutModule.name, preApproveId: null })
})

test('reset deletes everything except the accounts, and sets the clock back to the machine’s', async () => {
  await using kit = await sandboxKit()
  await kit.evaluate('T1')
  const { widgetToken } = (await kit.startWidget('T1')).data
  await kit.send('POST', '/partner/webhook', { form: { url: 'https://shop.example' } })
  await kit.control('lead', { now: true })
  await kit.control('clock', { advanceMs: 3_600_000 })
  const before = (await kit.control('status')).data
  expect(before).toMatchObject({ now: '2026-03-01T13:00:00.000Z', preApprovals: 2, webhooks: 1, leads: 1, events: 2 })
  const accounts = (await kit.control('partners')).data
  await kit.control('reset')
  const after = (await kit.control('status')).data
  expect(after).toMatchObject({ now: '2026-03-01T12:00:00.000Z', preApprovals: 0, webhooks: 0, leads: 0, requests: 0 })
  expect((await kit.control('partners')).data).toEqual(accounts)
  expect((await kit.send('GET', '/partner/webhook')).data).toEqual([])
  expect(await kit.sandbox.payments.session(widgetToken, kit.bnpl.publicKey)).toMatchObject({ problem: 'expired' })
})
