import { expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { informeUrl } from '../records/records.ts'

const EVALUATE = '/partner/pre-loan-request/bnpl'
const START = '/partner/widget/start'

type Kit = Awaited<ReturnType<typeof sandboxKit>>

const customer = (kit: Kit, externalTrxId: string) => ({
  idNumber: '11222333-9',
  amount: '250000',
  entityId: kit.bnpl.entityId,
  externalTrxId,
})

test('an API key is accepted at the address of its environment, and refused at the address of the other environment [specification F19]', async () => {
  await using kit = await sandboxKit()
  const { apiKey, production } = kit.bnpl
  expect(new Set([apiKey, production.apiKey, kit.bnpl.publicKey, production.publicKey]).size).toBe(4)
  const list = (base: string, key: string) => kit.send('GET', `${base}/partner/webhook`, { key })
  expect((await list('', apiKey)).status).toBe(200)
  expect((await list('/production', production.apiKey)).status).toBe(200)
  for (const [base, key, words] of [
    ['', production.apiKey, 'this API key is for production, but this address belongs to beta'],
    ['/production', apiKey, 'this API key is for beta, but this address belongs to production'],
  ] as const) {
    const refused = await list(base, key)
    expect(refused).toMatchObject({ status: 401, code: 'ERR_UNAUTHORIZED' })
    expect(refused.body.error.message).toBe(words)
    const informe = await kit.send('GET', `${base}/partner/pre-approve/P1/informe`, { key })
    expect(informe).toMatchObject({ status: 400, code: 'ERR_UNAUTHORIZED' })
  }
})

test('a payment of production is made on the page of production, and is unknown in beta [specification F19]', async () => {
  await using kit = await sandboxKit()
  const { apiKey: key, publicKey } = kit.bnpl.production
  const evaluated = await kit.send('POST', `/production${EVALUATE}`, { key, form: customer(kit, 'T1') })
  expect(evaluated.status).toBe(200)
  const { idNumber: _idNumber, ...payment } = customer(kit, 'T1')
  const form = { ...payment, email: 'ana@example.com' }
  const { widgetToken } = (await kit.send('POST', `/production${START}`, { key, form })).data
  const query = new URLSearchParams({
    widgetToken,
    publicKey,
    successReturnUrl: 'https://shop.example/ok',
    errorReturnUrl: 'https://shop.example/error',
  })
  const page = (base: string) => kit.send('GET', `${base}/pay/?${query}`, { key: null })
  expect((await page('')).status).toBe(403)
  expect((await kit.send('GET', `/production/pay?${query}`, { key: null })).headers.location).toBe(
    `/production/pay/?${query}`,
  )
  const open = await page('/production')
  expect(open.status).toBe(200)
  expect(open.text).toContain('action="/production/pay/"')
  const confirm = { ...Object.fromEntries(query), action: 'confirm', installments: '6' }
  const done = await kit.send('POST', '/production/pay/', { key: null, form: confirm })
  expect([done.status, done.headers.location]).toEqual([303, expect.stringMatching(/^\/production\/pay\/\?/)])
  const verify = (base: string, of: string) => kit.send('POST', `${base}/partner/pre-approve/T1/loan`, { key: of })
  expect((await verify('/production', key)).data).toMatchObject({ externalTrxId: 'T1', periods: 6 })
  expect((await verify('', kit.bnpl.apiKey)).status).toBe(404)
  expect((await kit.evaluate('T1')).status).toBe(200)
})

test('a lead of production has its evaluation and its report in production, and is unknown in beta [specification F19]', async () => {
  await using kit = await sandboxKit()
  const { name, apiKey: key } = kit.estate.production
  const { preApproveId, leadId } = (await kit.control('lead', { partner: name, now: true })).data
  const read = await kit.send('GET', `/production/partner/pre-approve/lead/${leadId}`, { key })
  const { signingSecret } = kit.sandbox.service
  expect(read.data.urlInforme).toBe(informeUrl(`${BASE}/production`, signingSecret, preApproveId))
  expect((await kit.send('GET', read.data.urlInforme, { key: null })).status).toBe(302)
  expect((await kit.send('GET', `/partner/pre-approve/lead/${leadId}`, { key: kit.estate.apiKey })).status).toBe(404)
  const informe = await kit.send('GET', `/production/partner/pre-approve/${preApproveId}/informe`, { key })
  expect(informe.status).toBe(200)
  expect((await kit.send('GET', '/partner/leads', { key: kit.estate.apiKey })).data).toEqual([])
})

test('what belongs to the other environment is unknown, also to the other key of the same account', async () => {
  await using kit = await sandboxKit()
  const { signingSecret } = kit.sandbox.service
  const [beta, production] = [
    { base: '', account: kit.estate },
    { base: '/production', account: kit.estate.production },
  ]
  for (const [own, other] of [
    [beta, production],
    [production, beta],
  ] as const) {
    const { preApproveId, leadId } = (await kit.control('lead', { partner: own.account.name, now: true })).data
    const key = own.account.apiKey
    const form = { url: 'https://shop.example/hook', eventTypes: ['new_lead'] }
    const { id } = (await kit.send('POST', `${own.base}/partner/webhook/subscription`, { key, form })).data
    const ask = (method: string, path: string) =>
      kit.send(method, `${other.base}/partner/${path}`, { key: other.account.apiKey })
    for (const [method, path] of [
      ['GET', `pre-approve/${preApproveId}/informe`],
      ['GET', `pre-approve/lead/${leadId}`],
      ['GET', `leads/${leadId}`],
      ['POST', `pre-approve/${preApproveId}/loan`],
      ['DELETE', `webhook/${id}`],
    ] as const)
      expect([path, (await ask(method, path)).status]).toEqual([path, 404])
    const link = (base: string) =>
      kit.send('GET', informeUrl(`${BASE}${base}`, signingSecret, preApproveId), { key: null })
    expect([(await link(own.base)).status, (await link(other.base)).status]).toEqual([302, 404])
  }
  const { preApproveId } = (await kit.evaluate('T1')).data
  const { apiKey: key } = kit.bnpl.production
  expect((await kit.send('GET', `/production/partner/pre-approve/${preApproveId}/informe`, { key })).code).toBe(
    'ERR_PRE_APPROVAL_NOT_FOUND',
  )
  const choice = { preApproveId, installmentOption: '3', externalTrxId: 'T1', amount: '250000' }
  const select = '/production/partner/pre-loan-request/loan-request'
  expect((await kit.send('POST', select, { key, form: choice })).code).toBe('ERR_PRE_APPROVAL_NOT_FOUND')
})

test('each environment has ten destinations of its own [specification F19]', async () => {
  await using kit = await sandboxKit()
  const register = (base: string, key: string) =>
    kit.send('POST', `${base}/partner/webhook`, { key, form: { url: 'https://shop.example/hook' } })
  for (let slot = 0; slot < 10; slot++) expect((await register('', kit.bnpl.apiKey)).status).toBe(201)
  expect((await register('', kit.bnpl.apiKey)).status).toBe(422)
  expect((await register('/production', kit.bnpl.production.apiKey)).status).toBe(201)
})

test('the address of production answers 404 to everything except the calls of the service and the payment page', async () => {
  await using kit = await sandboxKit()
  for (const path of [
    '/production',
    '/production/',
    '/production/production/partner/webhook',
    '/production/_control/status',
  ])
    expect(await kit.send('GET', path)).toMatchObject({ status: 404, code: 'ERR_NOT_FOUND' })
})
