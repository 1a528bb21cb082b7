import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { sandboxKit } from '../../../../test/kit/sandbox-kit.ts'
import { answerOf, SPECIFICATION } from '../../../contract/description.ts'
import { WireFailure } from '../../../contract/wire.ts'
import { parseRut } from '../../../domain/identifiers.ts'
import { SLOW_MS, TEST_CUSTOMERS } from '../../records/customers.ts'

const EVALUATE = '/partner/pre-loan-request/bnpl'
const SELECT = '/partner/pre-loan-request/loan-request'
const START = '/partner/widget/start'

test('every test customer has a valid id of its own', () => {
  for (const { rut } of TEST_CUSTOMERS) expect(parseRut(rut)).toEqual({ ok: true, rut })
  expect(new Set(TEST_CUSTOMERS.map(({ rut }) => rut)).size).toBe(TEST_CUSTOMERS.length)
})

test('the national id of a test customer decides the outcome of the evaluation', async () => {
  await using kit = await sandboxKit()
  const periods = async (rut: string) =>
    (await kit.evaluate(`T-${rut}`, { rut })).data.installmentOptions.map((option: any) => option.installments)
  expect(await periods('11222333-9')).toEqual([...answerOf(SPECIFICATION, 'installmentOptions')])
  expect(await periods('12345678-5')).toEqual([...answerOf(SPECIFICATION, 'installmentOptions')])
  expect(await periods('88888888-8')).toEqual([3])
  expect(await periods('77777777-7')).toEqual([...answerOf(SPECIFICATION, 'installmentOptions')])
  expect(await kit.evaluate('T2', { rut: '11111111-1' })).toMatchObject({
    status: 422,
    code: 'ERR_CUSTOMER_NOT_APPROVED',
  })
  expect(await kit.evaluate('T5', { rut: '55555555-5' })).toMatchObject({ status: 503 })
})

test('the slow customer is answered late, and a caller that does not wait gets no answer', async () => {
  await using kit = await sandboxKit()
  expect((await kit.evaluate('T4', { rut: '99999999-9' })).status).toBe(200)
  expect(kit.clock.slept).toEqual([SLOW_MS])
  const form = { idNumber: '99999999-9', amount: '5000', entityId: kit.bnpl.entityId, externalTrxId: 'T4b' }
  const fault = await kit.send('POST', EVALUATE, { form, timeoutMs: 1_000 }).catch((error) => error)
  expect(fault).toBeInstanceOf(WireFailure)
  expect(fault).toMatchObject({ kind: 'timeout', sent: true })
})

test('the rate-limited test customer gets one 429 for each transaction', async () => {
  await using kit = await sandboxKit()
  const rut = '66666666-6'
  expect(await kit.evaluate('T6', { rut })).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
  expect(await kit.evaluate('T6', { rut })).toMatchObject({ status: 200 })
  expect(await kit.evaluate('T6', { rut })).toMatchObject({ status: 200 })
  const both = await Promise.all([kit.evaluate('T6b', { rut }), kit.evaluate('T6b', { rut })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 429])
})

test.each([
  ['12345678-4', 'a check character that does not fit'],
  ['12.345.678-5', 'dots'],
  ['123456785', 'no dash'],
  ['abc', 'letters'],
])('idNumber %s is refused: %s', async (rut) => {
  await using kit = await sandboxKit()
  expect(await kit.evaluate('T', { rut })).toMatchObject({ status: 422, code: 'ERR_INVALID_ID_NUMBER' })
})

test('the smallest and the largest amount are accepted, amounts beyond them are refused', async () => {
  await using kit = await sandboxKit()
  const { min, max } = answerOf(SPECIFICATION, 'amounts')
  for (const amount of [min, max]) expect((await kit.evaluate(`T${amount}`, { amount })).status).toBe(200)
  for (const amount of [0, min - 1, max + 1, Number.MAX_SAFE_INTEGER]) {
    expect(await kit.evaluate('T', { amount })).toMatchObject({ status: 422, code: 'ERR_AMOUNT_OUT_OF_BOUNDS' })
    expect(await kit.startWidget('T', amount)).toMatchObject({ status: 422, code: 'ERR_AMOUNT_OUT_OF_BOUNDS' })
  }
})

test('a body may be a form or JSON, and the error says what is wrong with it', async () => {
  await using kit = await sandboxKit()
  const good = { idNumber: '11222333-9', amount: 5_000, entityId: kit.bnpl.entityId, externalTrxId: 'T' }
  const form = { ...good, amount: '5000' }
  const ok = (call: object) => kit.send('POST', EVALUATE, call)
  expect((await ok({ form })).status).toBe(200)
  expect((await ok({ json: good })).status).toBe(200)
  expect((await ok({ json: { ...good, amount: '5000' } })).status).toBe(200)
  const refused = async (call: object, words: string, status = 400) => {
    const reply = await ok(call)
    expect(reply).toMatchObject({ status })
    expect(reply.body.error.message).toContain(words)
  }
  await refused({ form: { ...form, amount: '' } }, 'amount')
  await refused({ form: { ...form, amount: '5e3' } }, 'amount')
  await refused({ json: { ...good, amount: 5_000.5 } }, 'amount')
  await refused({ json: { ...good, amount: null } }, 'amount')
  await refused({ form: { ...form, rut: '1' } }, 'unknown field: rut')
  await refused({ form: { idNumber: '11222333-9' } }, 'is missing')
  await refused({ json: '{"idNumber":' }, 'not JSON')
  await refused({ form: { ...form, externalTrxId: 'a\u0000b' } }, 'NUL')
  await refused({ json: { ...good, externalTrxId: 'a\u0000b' } }, 'NUL')
  expect(await kit.verify('a%00b')).toMatchObject({ status: 400 })
  await refused({ json: '[1]' }, 'not a JSON object')
  await refused({ json: '', headers: { 'content-type': 'text/plain' } }, 'is missing')
  await refused({ json: 'x', headers: { 'content-type': 'text/plain' } }, 'application/json', 415)
  await refused({ form: { ...form, entityId: 'another' } }, 'entityId', 422)
})

test('a reported option must match its evaluation', async () => {
  await using kit = await sandboxKit()
  const { preApproveId } = (await kit.evaluate('T1')).data
  const good = { preApproveId, installmentOption: '12', externalTrxId: 'T1', amount: '250000' }
  const select = (change: object, key?: string) =>
    kit.send('POST', SELECT, { form: { ...good, ...change }, ...(key ? { key } : {}) })
  expect((await select({})).data).toMatchObject({ step: 'AUTHORIZATION', preApproveId })
  expect(await select({ preApproveId: 'unknown' })).toMatchObject({ status: 404, code: 'ERR_PRE_APPROVAL_NOT_FOUND' })
  expect(await select({}, kit.estate.apiKey)).toMatchObject({ status: 404, code: 'ERR_PRE_APPROVAL_NOT_FOUND' })
  expect(await select({ externalTrxId: 'T2' })).toMatchObject({ code: 'ERR_TRANSACTION_MISMATCH' })
  expect(await select({ amount: '250001' })).toMatchObject({ code: 'ERR_AMOUNT_MISMATCH' })
  expect(await select({ installmentOption: '5' })).toMatchObject({ code: 'ERR_INSTALLMENT_OPTION_NOT_OFFERED' })
  await kit.control('pay', { externalTrxId: 'T1' })
  expect(await select({})).toMatchObject({ status: 409, code: 'ERR_TRANSACTION_ALREADY_PAID' })
  expect(await kit.evaluate('T1')).toMatchObject({ status: 409, code: 'ERR_TRANSACTION_ALREADY_PAID' })
})

test('a paid transaction is refused as paid, whatever else the call gets wrong', async () => {
  await using kit = await sandboxKit()
  const { preApproveId } = (await kit.evaluate('T1')).data
  await kit.control('pay', { externalTrxId: 'T1' })
  const { entityId } = kit.bnpl
  const evaluation = { idNumber: '11222333-9', amount: '250000', entityId, externalTrxId: 'T1' }
  for (const wrong of [{ idNumber: '1-1' }, { amount: '1' }, { entityId: 'another' }])
    expect((await kit.send('POST', EVALUATE, { form: { ...evaluation, ...wrong } })).code).toBe(
      'ERR_TRANSACTION_ALREADY_PAID',
    )
  const choice = { preApproveId, installmentOption: '12', externalTrxId: 'T1', amount: '250000' }
  for (const wrong of [{ preApproveId: 'unknown' }, { amount: '1' }, { installmentOption: '5' }])
    expect((await kit.send('POST', SELECT, { form: { ...choice, ...wrong } })).code).toBe(
      'ERR_TRANSACTION_ALREADY_PAID',
    )
  const session = { amount: '250000', externalTrxId: 'T1', entityId, email: 'ana@example.com' }
  for (const wrong of [{ amount: '1' }, { entityId: 'another' }, { email: 'nobody' }])
    expect((await kit.send('POST', START, { form: { ...session, ...wrong } })).data).toMatchObject({ accepted: false })
})

test('a call with a value that no call may have is first refused for its missing key', async () => {
  await using kit = await sandboxKit()
  expect(await kit.send('POST', '/partner/pre-approve/a%00b/loan', { key: null })).toMatchObject({ status: 401 })
})

test('the installment option that was reported last is the option that is paid', async () => {
  await using kit = await sandboxKit()
  const { preApproveId } = (await kit.evaluate('T1')).data
  for (const installmentOption of ['3', '24', '6']) {
    const form = { preApproveId, installmentOption, externalTrxId: 'T1', amount: '250000' }
    await kit.send('POST', SELECT, { form })
  }
  expect((await kit.control('pay', { externalTrxId: 'T1' })).data.installments).toBe(6)
})

test('a widget token is a JWT that is valid for ten minutes and has no customer data', async () => {
  await using kit = await sandboxKit()
  const { widgetToken } = (await kit.startWidget('T1')).data
  expect(decodeProtectedHeader(widgetToken)).toEqual({ alg: 'HS256', typ: 'JWT' })
  const claims = decodeJwt(widgetToken)
  expect(claims).toEqual({
    externalTrxId: 'T1',
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: claims.iat! + 600,
  })
  const form = { amount: '250000', externalTrxId: 'T1', entityId: kit.bnpl.entityId, email: 'not an e-mail' }
  expect(await kit.send('POST', START, { form })).toMatchObject({ status: 422, code: 'ERR_INVALID_EMAIL' })
  await kit.evaluate('T2')
  expect(await kit.startWidget('T2', 251_000)).toMatchObject({ status: 422, code: 'ERR_AMOUNT_MISMATCH' })
})
