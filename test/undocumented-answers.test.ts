import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeForm } from '../src/contract/form.ts'
import type { Transport, WireRequest } from '../src/contract/wire.ts'
import { machine } from './kit/harness.ts'
import { LOAN } from './kit/loan.ts'

const env = { BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
const HOOK = 'https://s.example/hook'

const answering =
  (status: number, body: unknown): Transport =>
  async () => ({ status, headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) })

test('a 400 without a code gives the hint that the key may be wrong; a 400 with a code about the request does not', async () => {
  using m = machine()
  for (const line of ['webhooks list', 'verify T1', 'evaluate --rut 11222333-9 --amount 1', `webhooks add ${HOOK}`]) {
    const ran = await m.run(`${line} --json`, { env, transport: answering(400, { error: 'bad key' }) })
    expect([line, ran.code]).toEqual([line, 5])
    expect(ran.error().hint).toContain('a wrong key may be refused with 400')
  }
  const coded = await m.run('webhooks list --json', {
    env,
    transport: answering(400, { error: { code: 'ERR_INVALID_REQUEST', message: 'amount' } }),
  })
  const hint = 'See the calls of the service and their fields: bnpl contract openapi'
  expect(coded.error()).toMatchObject({ code: 'ERR_INVALID_REQUEST', hint })
  const key = await m.run('webhooks list --json', { env, transport: answering(400, { error: 'ERR_INVALID_API_KEY' }) })
  expect(key.error().hint).toContain('key')
})

const PAGE = '<!DOCTYPE html><html><body>Not Found</body></html>'

test.each([
  [404, PAGE],
  [405, `<?xml version="1.0" encoding="utf-8"?>\n${PAGE}`],
  [422, `<!-- nginx -->\n${PAGE}`],
])(
  'a web page with the status %i is not an answer of the service, so the base address is doubted',
  async (status, page) => {
    using m = machine()
    const transport = answering(status, page)
    writeFileSync(join(m.dir, 'in.csv'), 'externalTrxId\nT1\n')
    for (const [line, code] of [
      ['verify T1', 8],
      ['verify T1 --wait 1s', 8],
      ['evaluate --rut 11222333-9 --amount 1000', 8],
      ['verify --from in.csv -o ndjson', 11],
      ['smoke', 10],
      ['doctor', 10],
    ] as const) {
      const ran = await m.run(line, { env, transport })
      expect([line, ran.code]).toEqual([line, code])
      expect(ran.stdout + ran.stderr).not.toMatch(/no loan|key is accepted, and/)
    }
    const error = (await m.run('verify T1 --json', { env, transport })).error()
    expect(error).toMatchObject({ kind: 'service', code: 'UNEXPECTED_ANSWER', status, sent: true, outcome: 'rejected' })
    expect(error.hint).toContain('Check the base address')
    // A profile may say that this status means “no loan yet”, whatever the body is.
    const profile = '--base-url https://api.example.com --api-key-stdin'
    await m.run(`profiles add acme ${profile}`, { stdin: 'key-of-the-test', transport })
    await m.run('profiles set notYet 404,405,422 -p acme')
    expect((await m.run('verify T1 -p acme', { transport })).code).toBe(6)
  },
)

test('a session that is accepted without a token is exit 8, not a refusal', async () => {
  using m = machine()
  const transport = answering(200, { data: { accepted: true } })
  for (const line of ['widget-token', 'pay-url --success-url https://a.example --error-url https://a.example']) {
    const ran = await m.run(`${line} --trx T1 --amount 5 --email a@b.example --json`, {
      env: { ...env, BNPL_PAYMENT_URL: 'https://pay.example', BNPL_PUBLIC_KEY: 'pk' },
      transport,
    })
    expect(ran).toMatchObject({ code: 8, stdout: '' })
    expect(ran.error()).toMatchObject({ code: 'NO_WIDGET_TOKEN', message: expect.stringContaining('no widgetToken') })
  }
})

test('an evaluation without options does not suggest to select one', async () => {
  using m = machine()
  const transport = answering(200, { data: { preApproveId: 'P1', installmentOptions: [] } })
  const ran = await m.run('evaluate --rut 11222333-9 --amount 1000', { env, transport })
  expect(ran.code).toBe(0)
  expect(ran.stderr).not.toMatch(/select|pay-url/)
  expect(ran.stderr).toContain('Evaluate another amount')
})

test('after a 422 to a subscription, webhooks add is suggested only if the code is the specified one', async () => {
  using m = machine()
  const subscribe = async (body: unknown) =>
    (
      await m.run(`webhooks subscribe ${HOOK} --event new_lead --json`, { env, transport: answering(422, body) })
    ).error()
  const code = 'ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS'
  expect(await subscribe({ error: { code } })).toMatchObject({ hint: expect.stringContaining('bnpl webhooks add') })
  expect(await subscribe(code)).toMatchObject({ code, hint: expect.stringContaining('bnpl webhooks add') })
  for (const body of [{ error: 'the url is not reachable' }, '', { error: { code: 'ERR_WEBHOOK_LIMIT_REACHED' } }]) {
    const { message, hint } = await subscribe(body)
    expect(message).toContain('the service refused the request (422')
    expect(message).not.toContain('cannot receive')
    expect(String(hint)).not.toContain('webhooks add')
  }
})

test.each(['webhooks add', 'webhooks subscribe --event new_lead'])(
  'if all ten destinations are used, the hint of %s says so, whatever the status of the refusal is',
  async (line) => {
    using m = machine()
    const all = Array.from({ length: 10 }, (_, id) => ({ id, url: `https://s.example/${id}` }))
    for (const status of [400, 409, 422]) {
      const transport: Transport = ({ method }) =>
        method === 'GET'
          ? answering(200, { data: all })({} as WireRequest)
          : answering(status, 'no more')({} as WireRequest)
      const [first = '', second = '', ...rest] = line.split(' ')
      const ran = await m.run([first, second, HOOK, ...rest, '--json'], { env, transport })
      expect(ran.error().hint).toContain('10 of 10 destinations used')
    }
  },
)

/** Returns a machine whose profile has a setting, and the content types and bodies that its calls sent. */
async function withSetting(setting: string, value: string) {
  const m = machine()
  await m.run(
    'profiles add acme --environment beta --base-url https://api.example.com --entity-id E1 --api-key-stdin',
    {
      stdin: 'sk_0123456789',
    },
  )
  expect(await m.run(`profiles set ${setting} ${value}`)).toMatchObject({ code: 0 })
  const sent: [type: string | undefined, body: string][] = []
  const transport: Transport = async ({ headers, body, url }) => {
    sent.push([headers['content-type'], Buffer.from(body ?? []).toString()])
    const data = url.endsWith('/loan') ? LOAN : { id: 1, url: HOOK, secret: 'a-secret-of-the-test' }
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) }
  }
  return { m, sent, transport }
}

const JSON_TYPE = 'application/json'
const SUBSCRIBE = `webhooks subscribe ${HOOK} --event new_lead pre_approve --filter outcome=approved --project P1 -q`

test.each([
  ['bodies.verification', `verify ${LOAN.externalTrxId}`, {}],
  ['bodies.registration', `webhooks add ${HOOK} -q`, { url: HOOK }],
  [
    'bodies.subscription',
    SUBSCRIBE,
    { url: HOOK, eventTypes: ['new_lead', 'pre_approve'], filters: { outcome: 'approved' }, projectId: 'P1' },
  ],
])('the setting %s chooses whether the body is sent as JSON or as a form', async (setting, line, body) => {
  const { m, sent, transport } = await withSetting(setting, 'json')
  using _ = m
  expect(await m.run(line, { transport })).toMatchObject({ code: 0 })
  expect(sent[0]?.[0]).toBe(JSON_TYPE)
  expect(JSON.parse(sent[0]?.[1] ?? '')).toEqual(body)
  const dry = await m.run(`${line} --dry-run`, { transport })
  expect(dry.stdout).toContain("-H 'content-type: application/json'")
  expect((await m.run('profiles show --json')).json()[setting]).toEqual({ value: 'json', source: 'profile acme' })
  expect((await m.run(`profiles set ${setting} xml`)).code).toBe(2)
  await m.run(`profiles set ${setting} form`)
  await m.run(line, { transport })
  expect(sent.at(-1)?.[0]).toBe('application/x-www-form-urlencoded')
  expect(decodeForm(sent.at(-1)?.[1] ?? '')).toEqual(body)
  // The calls whose body the specification shows are still sent as forms.
  await m.run(`profiles set ${setting} json`)
  await m.run('evaluate --rut 11222333-9 --amount 5', { transport })
  expect(sent.at(-1)?.[0]).toBe('application/x-www-form-urlencoded')
})

test.each([
  ['brackets', 'eventTypes[]=new_lead&eventTypes[]=pre_approve'],
  ['repeated', 'eventTypes=new_lead&eventTypes=pre_approve'],
  ['indexed', 'eventTypes[0]=new_lead&eventTypes[1]=pre_approve'],
  ['comma', 'eventTypes=new_lead,pre_approve'],
])(
  'the setting bodies.eventTypes sends the event types of a subscription in the form %s',
  async (encoding, written) => {
    const { m, sent, transport } = await withSetting('bodies.eventTypes', encoding)
    using _ = m
    expect(await m.run(SUBSCRIBE, { transport })).toMatchObject({ code: 0 })
    expect(decodeURIComponent(sent[0]?.[1] ?? '')).toContain(written)
    expect((await m.run('profiles set bodies.eventTypes semicolon')).code).toBe(2)
  },
)

test('an unknown encoding in the profile file is exit 3, and nothing is sent', async () => {
  const { m, sent, transport } = await withSetting('bodies.verification', 'json')
  using _ = m
  const { readFileSync, writeFileSync } = await import('node:fs')
  const file = `${m.configDir}/profiles.json`
  writeFileSync(file, readFileSync(file, 'utf8').replace('"json"', '"xml"'))
  const ran = await m.run('verify T1 --json', { transport })
  expect(ran.code).toBe(3)
  expect(ran.error().message).toContain('bodies.verification')
  expect(sent).toEqual([])
})

test('a destination list in an unknown shape is shown as received, and no call changes a destination on a guess', async () => {
  using m = machine()
  const odd = { webhooks: 'see the portal', count: 2 }
  const sent: string[] = []
  const transport: Transport = async ({ method }) => {
    sent.push(method)
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data: odd })) }
  }
  const shown = await m.run('webhooks list --json', { env, transport })
  expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining('shown as it was sent') })
  expect(shown.json()).toEqual(odd)
  expect((await m.run('webhooks list', { env, transport })).stdout).toContain('see the portal')
  expect((await m.run(`webhooks add ${HOOK} --if-missing`, { env, transport })).code).toBe(8)
  expect((await m.run(`webhooks rm --url ${HOOK}`, { env, transport })).code).toBe(8)
  expect(new Set(sent)).toEqual(new Set(['GET']))
  expect((await m.run('webhooks rm 7', { env, transport })).code).toBe(0)
})

test('a destination list with rows that are not as specified is exit 8', async () => {
  using m = machine()
  for (const data of [[{}], [{ id: 1 }], [{ id: 1, url: 'https://s.example' }, { id: 2 }], [7]]) {
    const ran = await m.run('webhooks list --json', { env, transport: answering(200, { data }) })
    expect(ran).toMatchObject({ code: 8, stdout: '' })
    expect(ran.error().hint).toContain('bnpl api GET /partner/webhook')
  }
})

test('an answer with a nested loan or with several loans is exit 8, not a verified loan', async () => {
  using m = machine()
  for (const data of [{ status: 'PENDING', previous: LOAN }, [LOAN, LOAN], { loans: [LOAN, LOAN] }])
    expect((await m.run(`verify ${LOAN.externalTrxId}`, { env, transport: answering(200, { data }) })).code).toBe(8)
})

test('the pre-approval id “undefined” is refused with exit 2, and nothing is sent', async () => {
  using m = machine()
  let sent = 0
  const transport: Transport = async (request) => {
    sent++
    return answering(200, { data: {} })(request)
  }
  for (const line of [
    'select --trx T1 --amount 5 --installments 3 --pre-approve-id undefined',
    'informe get undefined',
    'informe download undefined',
  ])
    expect(await m.run(line, { env, transport })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no pre-approval'),
    })
  expect(sent).toBe(0)
})

test('the secret of a registration is found, kept and not shown, wherever in the answer it is', async () => {
  const { m, transport: sandbox } = await withSetting('currency', 'CLP')
  using _ = m
  const secret = 'canary-secret-0123456789'
  for (const data of [
    { destination: { id: 7, url: HOOK, secret }, message: 'created' },
    { webhook: { id: 7, url: HOOK, webhookSecret: secret } },
    [{ id: 7, url: HOOK, secret }],
  ]) {
    const transport: Transport = (request) =>
      request.method === 'POST' ? answering(201, { data })(request) : sandbox(request)
    const added = await m.run(`webhooks add ${HOOK} --save-secret --json`, { transport })
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('The secret is stored') })
    expect(added.stdout + added.stderr).not.toContain('canary')
    expect((await m.run('profiles show --json')).json().webhookSecrets.value).toHaveLength(1)
    await m.run('profiles rm-secret --yes')
  }
})
