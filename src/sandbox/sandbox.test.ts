import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sandboxKit } from '../../test/kit/sandbox-kit.ts'
import { ENDPOINTS, type EndpointName, endpointOf } from '../contract/endpoints.ts'
import { addRequest, KEPT_REQUESTS } from './store/requests.ts'
import { countRowsOf } from './store/store.ts'

test('a payment goes from evaluation to a verified loan', async () => {
  await using kit = await sandboxKit()
  const evaluated = await kit.evaluate('T1')
  expect(evaluated.data.installmentOptions.map((option: any) => option.installments)).toEqual([3, 6, 12, 24])
  const { preApproveId } = evaluated.data
  const selected = await kit.send('POST', '/partner/pre-loan-request/loan-request', {
    form: { preApproveId, installmentOption: '6', externalTrxId: 'T1', amount: '250000' },
  })
  expect(selected.data).toMatchObject({ step: 'AUTHORIZATION', preApproveId })
  expect((await kit.startWidget('T1')).data).toMatchObject({ accepted: true, widgetToken: expect.any(String) })
  expect(await kit.verify('T1')).toMatchObject({ status: 404, code: 'ERR_LOAN_NOT_FOUND' })
  expect((await kit.control('pay', { externalTrxId: 'T1' })).data).toMatchObject({ outcome: 'paid', installments: 6 })
  const { data: loan } = await kit.verify('T1')
  expect(loan).toMatchObject({ loanAmount: 250_000, periods: 6, state: 'ACTIVE', externalTrxId: 'T1' })
  const option = evaluated.data.installmentOptions[1]
  expect(loan.installmentAmount * 5 + loan.lastInstallmentAmount).toBe(option.total)
  expect(loan.installments.map((each: any) => each.expirationDate).slice(0, 2)).toEqual(['2026-04-01', '2026-05-01'])
  expect((await kit.startWidget('T1')).data).toEqual({ accepted: false, widgetToken: null })
})

test('every endpoint that requires a key refuses a missing key, a wrong key and an inactive partner', async () => {
  await using kit = await sandboxKit()
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const { auth, method, path } = endpointOf(name)
    if (auth === 'none') continue
    const address = path.replaceAll(/\{\w+\}/g, 'x')
    for (const key of [null, 'wrong', '', `${kit.bnpl.apiKey}x`]) {
      const status = name === 'getInforme' ? 400 : 401
      expect(await kit.send(method, address, { key })).toMatchObject({ status, code: 'ERR_UNAUTHORIZED' })
    }
    expect(await kit.send(method, address, { key: kit.inactive.apiKey })).toMatchObject({
      status: 403,
      code: 'ERR_PARTNER_INACTIVE',
    })
  }
})

test('an unknown address is 404, a wrong method is 405 with the possible methods', async () => {
  await using kit = await sandboxKit()
  for (const path of [
    '/partner/nothing',
    '/nothing',
    '/partner/',
    '/partner/pre-approve//loan',
    '/partner/leads/%zz',
  ]) {
    const answer = await kit.send('GET', path)
    expect(answer).toMatchObject({ status: 404, code: 'ERR_NOT_FOUND' })
    expect(answer.text).toContain('the path of every call begins with /partner/')
  }
  expect(await kit.send('PUT', '/partner/webhook')).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } })
  expect(await kit.send('GET', '/partner/widget/start')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
})

test('a call above the rate limit is refused before anything is done, and calls of other partners are not refused', async () => {
  await using kit = await sandboxKit({ rateLimit: { burst: 2, perSecond: 0.5 } })
  const add = (key?: string) =>
    kit.send('POST', '/partner/webhook', { form: { url: 'https://shop.example' }, ...(key ? { key } : {}) })
  expect([(await add()).status, (await add()).status]).toEqual([201, 201])
  const refused = await add()
  expect(refused).toMatchObject({ status: 429, code: 'ERR_RATE_LIMIT_EXCEEDED', headers: { 'retry-after': '2' } })
  expect((await add(kit.estate.apiKey)).status).toBe(201)
  kit.clock.advance(2_000)
  expect((await kit.send('GET', '/partner/webhook')).data).toHaveLength(2)
})

test('calls are kept without keys, ids and secrets [row 84]', async () => {
  await using kit = await sandboxKit()
  const foreign = 'sk_live_of_somebody_else_1234'
  await kit.send('GET', '/partner/webhook', { key: foreign })
  await kit.evaluate('T1', { rut: '12345678-5' })
  const { widgetToken } = (await kit.startWidget('T1')).data
  const { secret } = (await kit.send('POST', '/partner/webhook', { form: { url: 'https://shop.example' } })).data
  await kit.send('GET', '/partner/pre-approve/rut/12345678-5?email=ana@example.com')
  await kit.send('POST', '/partner/webhook', { json: `{"idNumber":"12345678-5"`, key: foreign })
  const { data } = await kit.control('requests', { limit: 10 })
  expect(data.map((row: any) => [row.method, row.status, row.partner])).toEqual([
    ['POST', 401, null],
    ['GET', 200, kit.bnpl.name],
    ['POST', 201, kit.bnpl.name],
    ['POST', 200, kit.bnpl.name],
    ['POST', 200, kit.bnpl.name],
    ['GET', 401, null],
  ])
  expect(data[4].requestBody).toContain('"amount":"250000"')
  kit.store.close()
  const stored = ['', '-wal']
    .map((beside) => kit.store.file + beside)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'latin1'))
    .join('')
  expect(stored).not.toContain(foreign)
  const kept = JSON.stringify(data)
  for (const canary of [foreign, '12345678-5', widgetToken, secret, 'ana@example.com', kit.bnpl.apiKey]) {
    expect(kept).not.toContain(canary)
  }
})

test('the latest calls are kept, older ones are deleted', async () => {
  await using kit = await sandboxKit({ random: () => 0 })
  const row = {
    at: '',
    partner: null,
    method: 'GET',
    path: '/',
    status: 200,
    ms: 0,
    requestBody: null,
    responseBody: null,
    fault: null,
    passed: null,
  }
  kit.store.transaction((db) => {
    for (let i = 0; i < KEPT_REQUESTS + 50; i++) addRequest(db, { ...row, id: String(i).padStart(9, '0') }, false)
  })
  await kit.send('GET', '/partner/webhook')
  expect(countRowsOf(kit.store.db, 'requests')).toBe(KEPT_REQUESTS)
  expect((await kit.control('requests', { limit: 1 })).data[0].path).toBe('/partner/webhook')
})
