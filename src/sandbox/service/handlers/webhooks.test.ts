import { expect, test } from 'vitest'
import { sandboxKit } from '../../../../test/kit/sandbox-kit.ts'
import { DESTINATION_LIMIT, INTEGRATIONS } from '../../../contract/integrations.ts'

const BNPL = '/partner/webhook'
const ESTATE = '/partner/webhook/subscription'
const url = 'https://shop.example/hook'
const EVENTS = INTEGRATIONS['real-estate'].events

test('a BNPL destination is subscribed to loan_approved, whatever the request contains, and its secret is shown once [row 79]', async () => {
  await using kit = await sandboxKit()
  const bodies = [
    { form: { url, eventTypes: ['new_lead'], filters: { outcome: 'approved' } } },
    { form: { url, eventTypes: 'anything', filters: 'at all' } },
    { json: { url, eventTypes: 7, filters: [{}] } },
  ]
  for (const body of bodies) {
    const created = await kit.send('POST', BNPL, body)
    expect(created.status).toBe(201)
    expect(created.data).toEqual({
      id: expect.any(String),
      url,
      verificationScheme: 'HMAC',
      eventTypes: INTEGRATIONS.bnpl.events,
      filters: null,
      projectId: null,
      createdAt: '2026-03-01T12:00:00.000Z',
      secret: expect.stringMatching(/^[\w-]{43}$/),
    })
  }
  const listed = await kit.send('GET', BNPL)
  expect(listed.data).toHaveLength(3)
  expect(listed.text).not.toContain('secret')
})

test('a real-estate destination has the requested events, filter and project', async () => {
  await using kit = await sandboxKit()
  const key = kit.estate.apiKey
  const form = { url, eventTypes: EVENTS, filters: { outcome: 'approved' }, projectId: 'P1' }
  for (const body of [{ form }, { json: form }]) {
    const created = await kit.send('POST', ESTATE, { ...body, key })
    expect(created.status).toBe(201)
    expect(created.data).toMatchObject({
      verificationScheme: 'token',
      eventTypes: EVENTS,
      filters: { outcome: 'approved' },
    })
    expect(created.data).toMatchObject({ projectId: 'P1', secret: expect.any(String) })
  }
  const one = await kit.send('POST', ESTATE, { key, form: { url, eventTypes: 'new_lead' } })
  expect(one.data).toMatchObject({ eventTypes: ['new_lead'], filters: null, projectId: null })
})

test.each([
  [{ eventTypes: INTEGRATIONS.bnpl.events }, 422, 'ERR_INVALID_EVENT_TYPES'],
  [{ eventTypes: ['new_lead', 'x'] }, 422, 'ERR_INVALID_EVENT_TYPES'],
  [{ eventTypes: [] }, 400, 'ERR_INVALID_REQUEST'],
  [{ eventTypes: EVENTS, filters: { outcome: 'maybe' } }, 422, 'ERR_INVALID_FILTERS'],
  [{ eventTypes: EVENTS, filters: { comuna: 'Maipu' } }, 422, 'ERR_INVALID_FILTERS'],
  [{ eventTypes: ['new_lead'], filters: { outcome: 'approved' } }, 422, 'ERR_INVALID_FILTERS'],
  [{ eventTypes: EVENTS, proyecto: 'P1' }, 400, 'ERR_INVALID_REQUEST'],
  [{ eventTypes: EVENTS, projectId: '' }, 400, 'ERR_INVALID_REQUEST'],
])('a real-estate registration with %j is refused', async (form, status, code) => {
  await using kit = await sandboxKit()
  const reply = await kit.send('POST', ESTATE, { key: kit.estate.apiKey, form: { url, ...form } as never })
  expect(reply).toMatchObject({ status, code })
})

test('a subscription by a BNPL partner is refused, whatever it contains [row 79]', async () => {
  await using kit = await sandboxKit()
  const bodies = [{ url, eventTypes: INTEGRATIONS.bnpl.events }, { url, eventTypes: EVENTS }, { nonsense: 'x' }, {}]
  for (const form of bodies) {
    expect(await kit.send('POST', ESTATE, { form: form as never })).toMatchObject({
      status: 422,
      code: 'ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS',
    })
  }
})

test('a subscription without the evaluation module is refused, and the error names the module [row 79]', async () => {
  await using kit = await sandboxKit()
  for (const event of EVENTS) {
    const form = { url, eventTypes: [event] }
    const reply = await kit.send('POST', ESTATE, { key: kit.withoutModule.apiKey, form })
    expect(reply.status).toBe(403)
    expect(reply.body.error.message).toContain('evaluation module')
  }
  expect((await kit.send('GET', BNPL, { key: kit.withoutModule.apiKey })).data).toEqual([])
})

test.each([
  ['no body', undefined],
  ['no url', { eventTypes: ['new_lead'] }],
  ['no event', { url }],
  ['an unknown event', { url, eventTypes: ['nothing'] }],
  ['an unknown field', { url, eventTypes: ['new_lead'], other: '1' }],
  ['an address that is not https', { url: 'http://shop.example', eventTypes: ['new_lead'] }],
])(
  'a subscription with %s is first refused for what the account cannot mend: product, module, state',
  async (_, form) => {
    await using kit = await sandboxKit()
    const codeOf = async (key: string | null) =>
      (await kit.send('POST', ESTATE, { key, ...(form === undefined ? {} : { form }) })).code
    expect(await codeOf(kit.withoutModule.apiKey)).toBe('ERR_PARTNER_MODULE_REQUIRED')
    expect(await codeOf(kit.bnpl.apiKey)).toBe('ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS')
    expect(await codeOf(kit.inactive.apiKey)).toBe('ERR_PARTNER_INACTIVE')
    expect(await codeOf(null)).toBe('ERR_UNAUTHORIZED')
  },
)

test('an address must be https; http is accepted only on loopback, and only if it was allowed [row 75]', async () => {
  await using strict = await sandboxKit()
  await using lenient = await sandboxKit({ allowHttp: true })
  const status = async (kit: typeof strict, address: string) =>
    (await kit.send('POST', BNPL, { form: { url: address } })).status
  for (const address of ['http://shop.example', 'http://127.0.0.1:9', 'ftp://shop.example', 'javascript:alert(1)']) {
    expect(await status(strict, address)).toBe(422)
  }
  for (const address of ['not an address', '/hook', '', 'https://user:pass@shop.example']) {
    expect(await status(strict, address)).toBe(400)
  }
  for (const address of ['http://127.0.0.1:9', 'http://localhost/hook', 'http://[::1]:80']) {
    expect(await status(lenient, address)).toBe(201)
  }
  for (const address of ['http://shop.example', 'http://127.0.0.1.evil.example', 'http://10.0.0.1']) {
    expect(await status(lenient, address)).toBe(422)
  }
})

test.each([
  'https://example.com/\r\nX: 1',
  'https://example.com/a\tb',
  ' https://example.com/',
  'https://example.com/\n',
  'https://exa\u200bmple.com/',
  'https://example.com/\u202egnp.exe',
  'https://example.com/\u009b31m',
  'https:\\\\example.com/',
  'https:example.com',
])('the destination %j is refused with 400 at both endpoints and is not stored [attack 30]', async (address) => {
  await using kit = await sandboxKit()
  const key = kit.estate.apiKey
  for (const sent of [
    await kit.send('POST', BNPL, { form: { url: address } }),
    await kit.send('POST', ESTATE, { key, form: { url: address, eventTypes: ['new_lead'] } }),
    await kit.send('POST', BNPL, { json: { url: address } }),
  ]) {
    expect(sent).toMatchObject({ status: 400, code: 'ERR_INVALID_REQUEST' })
  }
  expect((await kit.send('GET', BNPL)).data).toEqual([])
})

test('both endpoints together accept ten destinations, and deleting one frees its slot at once [row 74]', async () => {
  await using kit = await sandboxKit()
  const key = kit.estate.apiKey
  const add = (i: number) =>
    i % 2 === 0
      ? kit.send('POST', BNPL, { key, form: { url } })
      : kit.send('POST', ESTATE, { key, form: { url, eventTypes: EVENTS } })
  const ids: string[] = []
  for (let i = 0; i < DESTINATION_LIMIT; i++) ids.push((await add(i)).data.id)
  for (const i of [0, 1]) expect(await add(i)).toMatchObject({ status: 422, code: 'ERR_WEBHOOK_LIMIT_REACHED' })
  // Each partner has a limit of its own.
  expect((await kit.send('POST', BNPL, { form: { url } })).status).toBe(201)
  for (const i of [0, 1]) {
    expect(await kit.send('DELETE', `${BNPL}/${ids[i]}`, { key })).toMatchObject({ status: 200, body: { data: {} } })
    expect((await add(i)).status).toBe(201)
    expect((await add(i)).status).toBe(422)
  }
  expect(await kit.send('DELETE', `${BNPL}/${ids[0]}`, { key })).toMatchObject({
    status: 404,
    code: 'ERR_WEBHOOK_NOT_FOUND',
  })
})

test("a partner neither sees nor deletes another's destinations", async () => {
  await using kit = await sandboxKit()
  const { id } = (await kit.send('POST', BNPL, { form: { url } })).data
  expect((await kit.send('GET', BNPL, { key: kit.estate.apiKey })).data).toEqual([])
  expect((await kit.send('DELETE', `${BNPL}/${id}`, { key: kit.estate.apiKey })).status).toBe(404)
  expect((await kit.send('GET', BNPL)).data).toHaveLength(1)
})

test('of many destinations created at once, in two sandboxes on one file, exactly ten are kept [row 74]', async () => {
  await using one = await sandboxKit()
  await using other = await sandboxKit({ place: one.place })
  const kits = [one, other]
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => kits[i % 2]!.send('POST', BNPL, { form: { url: `${url}/${i}` } })),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(DESTINATION_LIMIT)
  expect(replies.filter(({ code }) => code === 'ERR_WEBHOOK_LIMIT_REACHED')).toHaveLength(40 - DESTINATION_LIMIT)
  expect((await one.send('GET', BNPL)).data).toHaveLength(DESTINATION_LIMIT)
})

test('the verificationScheme of a destination is HMAC or token, as in the specification [specification F14]', async () => {
  await using kit = await sandboxKit()
  const created = await kit.send('POST', BNPL, { form: { url } })
  expect(created.data.verificationScheme).toBe('HMAC')
  expect((await kit.send('GET', BNPL)).data[0].verificationScheme).toBe('HMAC')
  const key = kit.estate.apiKey
  const subscribed = await kit.send('POST', ESTATE, { key, form: { url, eventTypes: EVENTS } })
  expect(subscribed.data.verificationScheme).toBe('token')
})

test('a destination that no delivery would reach is refused when it is registered [specification F20]', async () => {
  await using kit = await sandboxKit()
  const register = (to: string) => kit.send('POST', BNPL, { form: { url: to } })
  for (const to of ['https://127.0.0.1:8443/hook', 'https://localhost/hook', 'https://[::1]/hook']) {
    const refused = await register(to)
    expect(refused).toMatchObject({ status: 422, code: 'ERR_WEBHOOK_URL_PRIVATE' })
    expect(refused.body.error.message).toContain('--allow-http')
  }
  expect(await register('https://10.0.0.1/hook')).toMatchObject({ status: 422, code: 'ERR_WEBHOOK_URL_PRIVATE' })
  await using open = await sandboxKit({ allowHttp: true })
  for (const to of ['https://127.0.0.1:8443/hook', 'http://127.0.0.1:8080/hook'])
    expect((await open.send('POST', BNPL, { form: { url: to } })).status).toBe(201)
  expect(await open.send('POST', BNPL, { form: { url: 'https://192.168.1.9/' } })).toMatchObject({ status: 422 })
})
