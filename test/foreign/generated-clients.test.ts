import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceCalled } from '../../src/contract/services.ts'
import { program } from '../kit/program.ts'
import { proxied } from '../kit/proxied.ts'
import { ROOT } from '../kit/source-graph.ts'
import { document } from './document.ts'
import { type Client, MAKERS } from './makers.ts'

const dir = mkdtempSync(join(ROOT, '.generated-'))
interface Partner {
  product: string
  apiKey: string
  publicKey: string
  entityId: string
}

interface Served {
  baseUrl: string
  /** The address of the proxy between the clients and the service. The proxy must not change any result. */
  clientUrl: string
  paymentUrl: string
  shop: Partner
  estate: Partner
  lead: { preApproveId: string }
  proxy: Awaited<ReturnType<typeof proxied>>
  close(): Promise<void>
}

async function serve(service: string): Promise<Served> {
  const p = program()
  const { baseUrl, ready } = await p.sandbox(`--ephemeral --service ${service}`)
  const [shop, estate] = ['bnpl', 'real-estate'].map((kind) =>
    ready.partners.find(({ product }: Partner) => product === kind),
  )
  const description = await serviceCalled(service)
  const proxy = await proxied(Number(new URL(baseUrl).port), description === undefined ? {} : { description })
  const lead = JSON.parse((await p.run('sandbox lead --now --rut 11222333-9 --json')).stdout)
  return {
    baseUrl,
    clientUrl: `http://127.0.0.1:${proxy.port}`,
    paymentUrl: ready.paymentUrl,
    shop,
    estate,
    lead,
    proxy,
    async close() {
      await proxy.door.close()
      await p[Symbol.asyncDispose]()
    },
  }
}

afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Makes a client from a document, in a new folder. */
async function clientOf(maker: string, text: string, baseUrl: string): Promise<Client> {
  const folder = mkdtempSync(join(dir, 'client-'))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, text)
  const made = MAKERS[maker]?.({ dir: folder, file, document: JSON.parse(text), baseUrl })
  if (made === undefined) throw new Error(`nothing is known of ${maker}`)
  return made
}

/** Returns the document of a service that accepts only forms. */
function withoutJson(text: string): string {
  const document = JSON.parse(text)
  for (const path of Object.values<any>(document.paths))
    for (const { requestBody } of Object.values<any>(path)) delete requestBody?.content['application/json']
  return JSON.stringify(document)
}

describe.each(['specification', 'banca.me'])('with the service %s', (service) => {
  const isPublished = service === 'banca.me'
  let served: Served
  beforeAll(async () => {
    served = await serve(service)
  })
  afterAll(() => served?.close())

  describe.each(Object.keys(MAKERS))('a client made with %s', (maker) => {
    let client: Client
    beforeAll(async () => {
      client = await clientOf(maker, await document({}, service), served.clientUrl)
    })

    test('pays', async () => {
      const { apiKey: key, entityId, publicKey } = served.shop
      const [externalTrxId, amount] = [`generated with ${maker}`, 250_000]
      const path = { externalTrxId }
      const order = { externalTrxId, amount, entityId }
      const evaluated = await client('evaluate', { key, body: { ...order, idNumber: '11222333-9' } })
      expect(evaluated.status).toBe(200)
      const { preApproveId, installmentOptions } = evaluated.data.data
      const [{ installments }] = installmentOptions
      const body = { preApproveId, installmentOption: installments, externalTrxId, amount }
      expect((await client('select', { key, body })).data.data.preApproveId).toBe(preApproveId)
      const started = await client('startWidget', { key, body: { ...order, email: 'maria@example.com' } })
      expect(started.data.data.accepted).toBe(isPublished ? undefined : true)
      expect((await client('verifyLoan', { key, path, body: {} })).status).toBe(404)
      const shop = `${served.baseUrl}/shop`
      const returns = { successReturnUrl: `${shop}/paid`, errorReturnUrl: `${shop}/failed` }
      const { widgetToken } = started.data.data
      const asked = new URLSearchParams({ widgetToken, publicKey, ...returns })
      expect(await confirmAt(`${served.paymentUrl}/?${asked}`)).toContain(`${returns.successReturnUrl}?preApproveId=`)
      const { status, data } = await client('verifyLoan', { key, path, body: {} })
      const loan = { externalTrxId, loanAmount: amount, periods: installments, state: 'ACTIVE' }
      expect([status, data.data]).toEqual([200, expect.objectContaining(loan)])
    })

    const asked = ['new_lead', 'pre_approve']

    test('subscribes to two events with JSON, and the destination has both events', async () => {
      await subscribe(client, { eventTypes: asked, filters: { outcome: 'approved' }, projectId: 'p1' })
      const url = 'https://shop.example/hook'
      expect((await client('registerWebhook', { key: served.shop.apiKey, body: { url } })).status).toBe(201)
    })

    // The published calls about webhooks take only JSON.
    if (!isPublished)
      test('subscribes to two events with a form, and the destination has both events', async () => {
        const other = await clientOf(maker, withoutJson(await document()), served.clientUrl)
        await subscribe(other, { 'eventTypes[]': asked, 'filters[outcome]': 'approved', projectId: 'p1' })
      })

    async function subscribe(client: Client, body: Record<string, unknown>) {
      const { apiKey: key } = served.estate
      const url = `https://shop.example/${encodeURIComponent(maker)}`
      const subscribed = await client('subscribeWebhook', { key, body: { url, ...body } })
      expect([subscribed.status, subscribed.data]).toEqual([201, expect.anything()])
      const { data } = await client('listWebhooks', { key })
      const own = data.data.find((each: { url: string }) => each.url === url)
      expect(own).toMatchObject({ eventTypes: asked, filters: { outcome: 'approved' }, projectId: 'p1' })
      expect((await client('deleteWebhook', { key, path: { id: own.id } })).status).toBe(200)
    }

    test('reads an evaluation and its report', async () => {
      const { apiKey: key } = served.estate
      const evaluation = await client('evaluationByRut', { key, path: { rut: '11222333-9' } })
      expect(evaluation.data.data.idPreAprobacion).toBe(served.lead.preApproveId)
      const { status, data } = await client('getInforme', { key, path: { preApproveId: served.lead.preApproveId } })
      expect(status).toBe(200)
      const report = await fetch(data.data.url)
      expect((await report.text()).slice(0, 5)).toBe('%PDF-')
      expect((await client('getInforme', { key, path: { preApproveId: 'no-such' } })).status).toBe(404)
    })
  })

  test('no call of the generated clients through the proxy differs from the contract', () => {
    expect(served.proxy.seen.length).toBeGreaterThan(10 * Object.keys(MAKERS).length)
    expect(served.proxy.seen.filter(({ compared }) => compared.problems.length > 0)).toEqual([])
  })
})

/** Sends the form of a payment page, as a browser does after “confirm” was pressed. @returns the next page */
async function confirmAt(address: string): Promise<string> {
  const page = await (await fetch(address)).text()
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const [form = ''] = /<form [^>]*method="post"[^>]*>/.exec(page) ?? []
  const body = new URLSearchParams({ action: 'confirm' })
  for (const [tag] of page.matchAll(/<input [^>]*>/g))
    if (/ type="hidden"| checked/.test(tag)) body.append(attribute(tag, 'name'), attribute(tag, 'value'))
  const paid = await fetch(new URL(attribute(form, 'action'), address), { method: 'POST', body })
  expect([paid.status, paid.redirected]).toEqual([200, true])
  return paid.text()
}
