import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serviceCalled } from '../../src/contract/services.ts'
import { BASE, type CallOptions, sandboxKit } from '../kit/sandbox-kit.ts'

/**
 * The sentences of the specification about requests and answers that no other test checks for the sandbox. They also hold for the sandbox
 * as banca.me, except where the pages of that service say something else.
 */
describe.each(['specification', 'banca.me'])('the sandbox as %s', (name) => {
  const isPublished = name === 'banca.me'
  let kit: Awaited<ReturnType<typeof sandboxKit>>
  beforeEach(async () => {
    kit = await sandboxKit(isPublished ? { description: await serviceCalled(name) } : {})
  })
  /** Returns the body of a call about webhooks. The published calls take JSON. */
  const written = (fields: NonNullable<CallOptions['form']>): CallOptions =>
    isPublished ? { json: fields } : { form: fields }
  afterEach(() => kit[Symbol.asyncDispose]())

  const AMOUNT = 250_000

  const evaluate = async (externalTrxId: string) => (await kit.evaluate(externalTrxId)).data
  const select = (preApproveId: string, externalTrxId: string) =>
    kit.send('POST', '/partner/pre-loan-request/loan-request', {
      form: { preApproveId, installmentOption: '6', externalTrxId, amount: String(AMOUNT) },
    })
  const ofEstate = (method: string, path: string) => kit.send(method, path, { key: kit.estate.apiKey })
  const open = (url: string) =>
    kit.sandbox.transport({ method: 'GET', url, headers: {}, timeoutMs: 1000, maxBytes: 1_000_000 })

  test('a successful answer of every call has the single key data, and the fields in the order of the specification', async () => {
    const { leadId, preApproveId: leadApproval } = (await kit.control('lead', { now: true, rut: '12345678-5' })).data
    const evaluated = await kit.evaluate('T1')
    const selected = await select(evaluated.data.preApproveId, 'T1')
    const started = await kit.startWidget('T1')
    await kit.control('pay', { externalTrxId: 'T1' })
    const verified = await kit.verify('T1')
    const url = 'https://shop.example/hook'
    const registered = await kit.send('POST', '/partner/webhook', written({ url }))
    const subscribed = await kit.send('POST', '/partner/webhook/subscription', {
      key: kit.estate.apiKey,
      ...written({ url, eventTypes: ['new_lead'] }),
    })
    const others = [
      await kit.send('GET', '/partner/webhook'),
      await kit.send('DELETE', `/partner/webhook/${registered.data.id}`),
      await ofEstate('GET', `/partner/pre-approve/${leadApproval}/informe`),
      await ofEstate('GET', '/partner/pre-approve/rut/12345678-5'),
      await ofEstate('GET', `/partner/pre-approve/lead/${leadId}`),
      await ofEstate('GET', '/partner/leads'),
      await ofEstate('GET', `/partner/leads/${leadId}`),
    ]
    for (const { status, body } of [evaluated, selected, started, verified, registered, subscribed, ...others])
      expect([status, Object.keys(body)]).toEqual([expect.toBeOneOf([200, 201]), ['data']])

    for (const option of evaluated.data.installmentOptions) {
      expect(Object.keys(option)).toEqual(['installments', 'amount', 'total'])
      for (const value of Object.values(option)) expect(value).toSatisfy(Number.isInteger)
    }
    expect(Object.keys(selected.data)).toEqual(['loanRequestId', 'step', 'preApproveId'])
    expect(Object.keys(started.data)).toEqual(isPublished ? ['widgetToken', 'validUntil'] : ['accepted', 'widgetToken'])
    const { installments, ...loan } = verified.data
    const date = expect.stringMatching(isPublished ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ : /^\d{4}-\d{2}-\d{2}$/)
    expect(Object.entries(loan)).toEqual([
      ['loanAmount', AMOUNT],
      ['interestRate', expect.toSatisfy((rate: number) => rate > 0 && rate < 1)],
      ['periods', 6],
      ['installmentAmount', expect.toSatisfy(Number.isInteger)],
      ['lastInstallmentAmount', expect.toSatisfy(Number.isInteger)],
      ['state', 'ACTIVE'],
      ['transferDate', date],
      ['externalTrxId', 'T1'],
    ])
    const periods = [1, 2, 3, 4, 5, 6].map((period) => ({ state: 'ACTIVE', period, expirationDate: date }))
    expect(installments).toEqual(periods)
  })

  test('a preApproveId is still valid after another evaluation, and hours later', async () => {
    const { preApproveId } = await evaluate('T1')
    expect((await evaluate('T1')).preApproveId).not.toBe(preApproveId)
    kit.clock.advance(2 * 3_600_000)
    expect((await select(preApproveId, 'T1')).status).toBe(200)
    expect((await kit.send('GET', `/partner/pre-approve/${preApproveId}/informe`)).status).toBe(200)
  })

  test('a preLoanRequestId and a lead id are not accepted as a preApproveId', async () => {
    const { leadId } = (await kit.control('lead', { now: true, rut: '12345678-5' })).data
    const { preLoanRequestId } = (await ofEstate('GET', `/partner/pre-approve/lead/${leadId}`)).data
    for (const id of [preLoanRequestId, leadId])
      expect((await ofEstate('GET', `/partner/pre-approve/${id}/informe`)).status).toBe(404)
    await evaluate('T1')
    const { data } = await kit.send('GET', '/partner/pre-approve/rut/11222333-9')
    expect((await select(data.preLoanRequestId, 'T1')).status).toBe(404)
    expect((await select(data.idPreAprobacion, 'T1')).status).toBe(200)
  })

  test('no request changes a destination', async () => {
    const url = 'https://shop.example/hook'
    const { id } = (await kit.send('POST', '/partner/webhook', written({ url }))).data
    const before = (await kit.send('GET', '/partner/webhook')).data
    for (const method of ['PUT', 'PATCH', 'POST', 'GET'])
      expect((await kit.send(method, `/partner/webhook/${id}`, written({ url: `${url}2` }))).status).toBe(405)
    expect((await kit.send('GET', '/partner/webhook')).data).toEqual(before)
  })

  test('an entity and an e-mail address that are wrong are refused', async () => {
    const { entityId } = kit.bnpl
    const form = { externalTrxId: 'T1', amount: String(AMOUNT), entityId }
    const start = (more: object) =>
      kit.send('POST', '/partner/widget/start', { form: { ...form, email: 'ana@example.com', ...more } })
    expect(await start({ email: 'nobody' })).toMatchObject({ status: 422, code: 'ERR_INVALID_EMAIL' })
    expect(await start({ entityId: 'other' })).toMatchObject({ status: 422, code: 'ERR_ENTITY_NOT_FOUND' })
    const path = '/partner/pre-loan-request/bnpl'
    const refused = await kit.send('POST', path, { form: { ...form, idNumber: '11222333-9', entityId: 'other' } })
    expect(refused).toMatchObject({ status: 422, code: 'ERR_ENTITY_NOT_FOUND' })
  })

  test('a transaction id of any characters is evaluated, paid and verified', async () => {
    const id = 'shop ñ/&?=#%+“1”'
    await kit.evaluate(id)
    await kit.startWidget(id)
    expect((await kit.control('pay', { externalTrxId: id })).data).toMatchObject({ outcome: 'paid' })
    const path = `/partner/pre-approve/${encodeURIComponent(id)}/loan`
    expect((await kit.send('POST', path, { form: {} })).data.externalTrxId).toBe(id)
  })

  test('the page needs each of its four parameters, and the public key of the token’s partner', async () => {
    await evaluate('T1')
    const parameters = {
      widgetToken: (await kit.startWidget('T1')).data.widgetToken,
      publicKey: kit.bnpl.publicKey,
      successReturnUrl: 'https://shop.example/ok?a=1&b=ñ',
      errorReturnUrl: 'https://shop.example/no',
    }
    const visit = async (more: Record<string, string>) =>
      (await open(`${BASE}/pay/?${new URLSearchParams({ ...parameters, ...more })}`)).status
    expect(await visit({})).toBe(200)
    for (const name of Object.keys(parameters)) expect([name, await visit({ [name]: '' })]).not.toEqual([name, 200])
    expect(await visit({ publicKey: kit.estate.publicKey })).toBe(403)
  })

  test('every call for a report gets a link of its own', async () => {
    const { preApproveId } = (await kit.control('lead', { now: true, rut: '12345678-5' })).data
    const link = async () => (await ofEstate('GET', `/partner/pre-approve/${preApproveId}/informe`)).body
    const first = await link()
    expect(Object.keys(first.data)).toEqual(['url'])
    const second = await link()
    expect(second.data.url).not.toBe(first.data.url)
    for (const { data } of [first, second]) expect((await open(data.url)).status).toBe(200)
  })

  test('a report is the same document by its link and by its endpoint', async () => {
    const { leadId } = (await kit.control('lead', { now: true, rut: '12345678-5' })).data
    const { idPreAprobacion, urlInforme } = (await ofEstate('GET', '/partner/pre-approve/rut/12345678-5')).data
    const { data } = await ofEstate('GET', `/partner/pre-approve/lead/${leadId}`)
    expect(data).toMatchObject({ idPreAprobacion, urlInforme })
    const byEndpoint = await open((await ofEstate('GET', `/partner/pre-approve/${idPreAprobacion}/informe`)).data.url)
    const opened = await open(urlInforme)
    const byLink = await open(String(opened.headers.location))
    expect(Buffer.from(byLink.body).equals(byEndpoint.body)).toBe(true)
    expect(Buffer.from(byLink.body).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
