import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Machine, machine } from '../../../test/kit/harness.ts'
import { decodeForm } from '../../contract/form.ts'
import { type Transport, WireFailure, type WireRequest, type WireResponse } from '../../contract/wire.ts'
import { Interrupted } from '../../errors.ts'
import { openProfiles } from '../../profiles/store.ts'

const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com' }
const URL_1 = 'https://shop.example/hooks'

/** A service that keeps destinations, with a script of what happens to the next registrations. */
function service(existing: Record<string, unknown>[] = []) {
  const destinations = [...existing]
  const calls: string[] = []
  const bodies: Record<string, unknown>[] = []
  const script: ((request: WireRequest, commit: () => void) => WireResponse | undefined)[] = []
  const answer = (status: number, data: unknown): WireResponse => ({
    status,
    headers: {},
    body: Buffer.from(JSON.stringify(data)),
  })
  const transport: Transport = async (request) => {
    const { pathname } = new URL(request.url)
    calls.push(`${request.method} ${pathname}`)
    if (request.method === 'GET') return answer(200, { data: destinations })
    if (request.method === 'DELETE') {
      const at = destinations.findIndex(({ id }) => id === pathname.split('/').at(-1))
      if (at < 0) return answer(404, {})
      destinations.splice(at, 1)
      return answer(200, { data: {} })
    }
    const fields = decodeForm(new TextDecoder().decode(request.body))
    bodies.push(fields)
    const made = {
      id: `w${destinations.length + 1}`,
      url: fields.url,
      verificationScheme: pathname.endsWith('subscription') ? 'token' : 'hmac',
      ...(fields.eventTypes ? { eventTypes: fields.eventTypes } : {}),
    }
    const scripted = script.shift()?.(request, () => destinations.push(made))
    if (scripted) return scripted
    destinations.push(made)
    return answer(201, { data: { ...made, secret: 'whs-1234567890' } })
  }
  return { transport, destinations, calls, bodies, script, answer }
}

let m: Machine
beforeEach(() => {
  m = machine()
})
afterEach(() => m[Symbol.dispose]())

test('webhooks list shows the destinations as received, and how many of the ten are used', async () => {
  const s = service([{ id: 'w1', url: URL_1, verificationScheme: 'hmac', note: 'kept' }])
  const listed = await m.run('webhooks list --json', { env, transport: s.transport })
  expect(listed.json()).toEqual(s.destinations)
  expect((await m.run('webhooks list', { env, transport: s.transport })).stdout).toContain('1 of 10 destinations used')
  expect((await m.run('webhooks list', { env, transport: service().transport })).stdout).toMatch(/^No destinations/)
})

test('list never cuts an address: on a narrow terminal it is below its row', async () => {
  const url = 'https://hooks.shop.example/bnpl/webhooks?branch=providencia'
  const s = service([{ id: '0'.repeat(36), url, verificationScheme: 'HMAC', eventTypes: ['loan_approved'] }])
  const on = (columns: number) =>
    m.run('webhooks list', { env, transport: s.transport, stdoutIsTty: true, columns }).then(({ stdout }) => stdout)
  expect((await on(80)).split('\n').slice(0, 4)).toEqual([
    expect.stringMatching(/^Id +Scheme +Events$/),
    '  Address',
    expect.stringMatching(/^0{36} +HMAC +loan_approved$/),
    `  ${url}`,
  ])
  expect(await on(140)).toContain(`loan_approved  ${url}\n`)
})

test('add of an address that is already registered warns that each event can arrive twice, and names --if-missing', async () => {
  const s = service([{ id: 'w1', url: URL_1, verificationScheme: 'hmac' }])
  const ran = await m.run(`webhooks add ${URL_1}`, { env, transport: s.transport })
  expect(ran.code).toBe(0)
  const said = ran.stderr.replaceAll(/\s+/g, ' ')
  expect(said).toContain(`${URL_1} is registered 2 times now`)
  expect(said).toContain('Remove the new registration with: bnpl webhooks rm w2. With --if-missing')
  const other = await m.run(`webhooks add ${URL_1}/2`, { env, transport: s.transport })
  expect(other.stderr).not.toContain('times now')
})

test('webhooks add sends only the address, and shows the secret once, on stderr', async () => {
  const s = service()
  const ran = await m.run(`webhooks add ${URL_1}`, { env, transport: s.transport })
  expect(ran.code).toBe(0)
  expect(s.bodies).toEqual([{ url: URL_1 }])
  expect(ran.stdout).not.toContain('whs-')
  expect(ran.stderr.match(/whs-1234567890/g)).toHaveLength(1)
  expect(ran.stderr).toContain('1 of 10')
  const json = await m.run(`webhooks add ${URL_1}/2 --json --quiet`, { env, transport: s.transport })
  expect(json.json()).toMatchObject({ secret: 'whs-1234567890', verificationScheme: 'hmac' })
})

test.each([
  ['http://shop.example/x', 'it must begin with https://'],
  ['http://127.0.0.1:80/x', 'it must begin with https://'],
  ['ftp://shop.example', 'it must begin with https://'],
  ['shop.example', 'not an absolute address'],
  ['https://user:pw@shop.example', 'user name'],
])('an address that the service cannot deliver to is refused before anything is sent: %s', async (url, why) => {
  const s = service()
  const ran = await m.run(['webhooks', 'add', url], { env, transport: s.transport })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(why)
  expect(s.calls).toEqual([])
})

test('a plain http address on loopback is accepted if the service is also on loopback', async () => {
  const s = service()
  const local = { ...env, BNPL_BASE_URL: 'http://127.0.0.1:9' }
  const ran = await m.run('webhooks add http://localhost:3000/x', { env: local, transport: s.transport })
  expect(ran.code).toBe(0)
})

test('--if-missing is idempotent: the second run registers nothing', async () => {
  const s = service()
  await m.run(`webhooks add ${URL_1} --if-missing`, { env, transport: s.transport })
  const again = await m.run('webhooks add HTTPS://Shop.example/hooks --if-missing --json', {
    env,
    transport: s.transport,
  })
  expect(again.json()).toMatchObject({ id: 'w1' })
  expect(again.stderr).toContain('already registered')
  expect(s.bodies).toHaveLength(1)
})

test('--if-missing ignores a real-estate destination at the same address and adds a BNPL destination', async () => {
  const s = service([{ id: 'w1', url: URL_1, verificationScheme: 'token' }])
  await m.run(`webhooks add ${URL_1} --if-missing`, { env, transport: s.transport })
  expect(s.destinations).toHaveLength(2)
})

test('if the answer to add is lost, add finds the destination in the list and does not create another', async () => {
  const s = service()
  s.script.push((_, commit) => {
    commit()
    throw new WireFailure('reset', true, 'ECONNRESET')
  })
  const ran = await m.run(`webhooks add ${URL_1} --json`, { env, transport: s.transport })
  expect(ran.code).toBe(0)
  expect(ran.json()).toMatchObject({ id: 'w1', url: URL_1 })
  expect(s.calls).toEqual(['POST /partner/webhook', 'GET /partner/webhook'])
  expect(s.destinations).toHaveLength(1)
})

test('if the answer is lost and no destination exists, add sends the request once more, and not a third time', async () => {
  const lost = () => {
    throw new WireFailure('reset', true, 'ECONNRESET')
  }
  const s = service()
  s.script.push(lost)
  expect((await m.run(`webhooks add ${URL_1}`, { env, transport: s.transport })).code).toBe(0)
  expect(s.destinations).toHaveLength(1)
  const t = service()
  t.script.push(lost, lost, lost)
  const ran = await m.run(`webhooks add ${URL_1}`, { env, transport: t.transport })
  expect(ran.code).toBe(12)
  expect(ran.stderr).toContain('bnpl webhooks list')
  expect(t.calls.filter((call) => call.startsWith('POST'))).toHaveLength(2)
})

test('webhooks add does not send events or filters, and names the command that does', async () => {
  const s = service()
  const ran = await m.run(`webhooks add --event pre_approve ${URL_1}`, { env, transport: s.transport })
  expect(ran.code).toBe(0)
  expect(s.bodies).toEqual([{ url: URL_1 }])
  expect(ran.stderr).toContain('bnpl webhooks subscribe')
  expect(ran.stderr).toContain('! --event is not sent')
  const both = await m.run(`webhooks add --event pre_approve --filter outcome=approved ${URL_1}`, {
    env,
    transport: service().transport,
  })
  expect(both.stderr).toContain('! --event and --filter are not sent')
})

test('if all ten destinations are used, the error names the command that deletes one', async () => {
  const s = service(Array.from({ length: 10 }, (_, i) => ({ id: `w${i}`, url: `https://x.example/${i}` })))
  s.script.push(() => s.answer(409, { error: { code: 'ERR_TOO_MANY', message: 'too many' } }))
  const ran = await m.run(`webhooks add ${URL_1}`, { env, transport: s.transport })
  expect(ran.code).toBe(5)
  expect(ran.stderr).toContain('10 of 10 destinations used')
  expect(ran.stderr).toContain('webhooks rm')
})

test('subscribe sends events, filters and the project as form fields', async () => {
  const s = service()
  const ran = await m.run(
    `webhooks subscribe ${URL_1} --event new_lead pre_approve --filter outcome=approved --project P-7 --json`,
    { env, transport: s.transport },
  )
  expect(ran.code).toBe(0)
  expect(s.bodies[0]).toMatchObject({
    url: URL_1,
    eventTypes: ['new_lead', 'pre_approve'],
    filters: { outcome: 'approved' },
    projectId: 'P-7',
  })
})

test.each([
  ['--event loan_approved', 'bnpl webhooks add'],
  ['--event nope', 'is not an event'],
  ['--event new_lead --filter x', 'key=value'],
  ['--event new_lead --filters-json [1]', 'object'],
  ['--event new_lead --filters-json {', 'not JSON'],
  ['--event new_lead --filter a=b --filters-json {}', 'one of these options'],
])('subscribe %s is refused before anything is sent', async (options, why) => {
  const s = service()
  const ran = await m.run(`webhooks subscribe ${URL_1} ${options}`, { env, transport: s.transport })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(why)
  expect(s.calls).toEqual([])
})

test('the error after a 422 names the command to use instead, and the error after a 403 names the missing module', async () => {
  const s = service()
  s.script.push(() => s.answer(422, { error: { code: 'ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS' } }))
  s.script.push(() => s.answer(403, { message: 'module evaluation is not enabled' }))
  const refused = await m.run(`webhooks subscribe ${URL_1} --event new_lead`, { env, transport: s.transport })
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain(`bnpl webhooks add ${URL_1}`)
  const lacking = await m.run(`webhooks subscribe ${URL_1} --event new_lead`, { env, transport: s.transport })
  expect(lacking.code).toBe(5)
  expect(lacking.stderr).toContain('module evaluation is not enabled')
  // Whatever the message says, a code that speaks of no module is another reason.
  for (const [line, code] of [
    [`webhooks subscribe ${URL_1} --event new_lead`, 5],
    [`webhooks add ${URL_1}`, 4],
  ] as const) {
    s.script.push(() => s.answer(403, { error: { code: 'ERR_PARTNER_INACTIVE' } }))
    const inactive = await m.run(line, { env, transport: s.transport })
    expect(inactive).toMatchObject({ code, stderr: expect.stringContaining('your account is inactive (403') })
    expect(inactive.stderr).toContain('activate your account')
    expect(inactive.stderr).not.toContain('module')
  }
  s.script.push(() => s.answer(403, { error: { code: 'ERR_IP_NOT_ALLOWED' } }))
  const barred = await m.run(`webhooks subscribe ${URL_1} --event new_lead`, { env, transport: s.transport })
  expect(barred).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('the API key has no permission for this call'),
  })
  s.script.push(() => s.answer(403, { error: { code: 'ERR_PARTNER_MODULE_REQUIRED' } }))
  const coded = await m.run(`webhooks subscribe ${URL_1} --event new_lead`, { env, transport: s.transport })
  expect(coded.stderr).toContain('does not have the evaluation module')
  // Another code is another reason: a real-estate account with ten destinations is not a BNPL account.
  s.script.push(() => s.answer(422, { error: { code: 'ERR_WEBHOOK_LIMIT_REACHED', message: 'there are ten' } }))
  const full = await m.run(`webhooks subscribe ${URL_1} --event new_lead`, { env, transport: s.transport })
  expect(full).toMatchObject({ code: 5, stderr: expect.stringContaining('ERR_WEBHOOK_LIMIT_REACHED') })
  expect(full.stderr).not.toMatch(/cannot receive|webhooks add/)
})

test('webhooks rm deletes a destination by its id or by its address', async () => {
  const s = service([
    { id: 'w1', url: URL_1 },
    { id: 'w2', url: 'https://b.example/' },
    { id: 'w3', url: 'https://b.example' },
  ])
  const ran = await m.run('webhooks rm w1 --url https://b.example --json', { env, transport: s.transport })
  expect(ran.json()).toEqual([
    { id: 'w1', deleted: true },
    { id: 'w2', deleted: true },
    { id: 'w3', deleted: true },
  ])
  expect(s.destinations).toEqual([])
})

test('rm exits with 6 if a destination is missing, and still deletes and reports the other destinations', async () => {
  const s = service([{ id: 'w1', url: URL_1 }])
  expect((await m.run('webhooks rm w9', { env, transport: s.transport })).code).toBe(6)
  expect((await m.run('webhooks rm --url https://no.example', { env, transport: s.transport })).code).toBe(6)
  const ran = await m.run('webhooks rm w9 w1 --json', { env, transport: s.transport })
  expect(ran.code).toBe(6)
  expect(ran.json()).toEqual([
    { id: 'w9', deleted: false },
    { id: 'w1', deleted: true },
  ])
  expect((await m.run('webhooks rm', { env, transport: s.transport })).code).toBe(2)
})

test('rm of several prints what it deleted before a refused key or an interruption, and nothing if that was the first answer', async () => {
  const ended = async (ids: string, end: () => WireResponse) => {
    const s = service([{ id: 'w1', url: URL_1 }])
    const transport: Transport = async (request, ...more) =>
      request.url.endsWith('/END') ? end() : s.transport(request, ...more)
    const { code, stdout } = await m.run(`webhooks rm ${ids} -o ndjson`, { env, transport })
    return [code, stdout]
  }
  const refuse = () => ({ status: 401, headers: {}, body: Buffer.from('{}') })
  const interrupt = () => {
    throw new Interrupted(130)
  }
  const deleted = '{"id":"w1","deleted":true}\n'
  expect(await ended('w1 END w9', refuse)).toEqual([4, deleted])
  expect(await ended('w1 END w9', interrupt)).toEqual([130, deleted])
  expect(await ended('END w1', refuse)).toEqual([4, ''])
  const json = await m.run('webhooks rm w1 w2 --json', { env, transport: async () => refuse() })
  expect(json).toMatchObject({ code: 4, stdout: '' })
})

test('--save-secret stores the secret in the profile and does not print the secret', async () => {
  const s = service()
  const store = await openProfiles(m.configDir)
  const acme = { environment: 'beta', baseUrl: 'https://api.example.com', apiKey: 'test-key-123456' } as const
  await store.update((file) => ({ ...file, profiles: { acme } }))
  const ran = await m.run(`webhooks add ${URL_1} --save-secret -p acme`, { transport: s.transport })
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.stdout + ran.stderr).not.toContain('whs-')
  expect((await store.read()).profiles.acme?.webhookSecrets).toEqual(['whs-1234567890'])
  const json = await m.run(`webhooks add ${URL_1} --save-secret -p acme --json`, { transport: s.transport })
  expect(json.json()).toMatchObject({ url: URL_1 })
  expect(json.stdout + json.stderr).not.toContain('whs-')
  const nowhere = await m.run(`webhooks add ${URL_1} --save-secret`, { env, transport: s.transport })
  expect(nowhere.code).toBe(2)
  expect(s.bodies).toHaveLength(2)
})

test('if a secret cannot be stored, the error says how to delete the new destination', async () => {
  const s = service()
  const store = await openProfiles(m.configDir)
  const acme = { environment: 'beta', baseUrl: 'https://api.example.com', apiKey: 'test-key-123456' } as const
  await store.update((file) => ({ ...file, profiles: { acme } }))
  const transport: Transport = async (request) => {
    if (request.method === 'POST') await store.update((file) => ({ ...file, profiles: {} }))
    return s.transport(request)
  }
  const ran = await m.run(`webhooks add ${URL_1}?a=1&b=2 --save-secret -p acme`, { transport })
  expect(ran.code).toBe(3)
  expect(ran.stderr).toContain(`bnpl webhooks rm --url '${URL_1}?a=1&b=2'`)
  expect(ran.stdout + ran.stderr).not.toContain('whs-')
})

describe('with --if-exists', () => {
  test.each([
    ['webhooks rm --url https://shop.example/gone', []],
    ['webhooks rm w7', [{ id: 'w7', deleted: false }]],
    [
      `webhooks rm w7 --url ${URL_1} --url https://shop.example/gone`,
      [
        { id: 'w7', deleted: false },
        { id: 'w1', deleted: true },
      ],
    ],
  ])('%s ends with 0', async (line, deletions) => {
    const s = service([{ id: 'w1', url: URL_1, verificationScheme: 'hmac' }])
    expect((await m.run(`${line} --json`, { env, transport: s.transport })).code).toBe(6)
    const again = service([{ id: 'w1', url: URL_1, verificationScheme: 'hmac' }])
    const ran = await m.run(`${line} --if-exists --json`, { env, transport: again.transport })
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, deletions])
  })

  test.each([
    ['profiles rm gone', 3, { name: 'gone', deleted: false }],
    ['history rm gone', 6, { forgotten: 0 }],
  ])('%s ends with 0', async (line, before, result) => {
    expect((await m.run(`${line} --json`, { env })).code).toBe(before)
    const ran = await m.run(`${line} --if-exists --json`, { env })
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, result])
  })

  test('another failure is still a failure', async () => {
    const transport: Transport = async () => ({ status: 401, headers: {}, body: Buffer.from('') })
    for (const line of [`webhooks rm --url ${URL_1}`, 'webhooks rm w1'])
      expect((await m.run(`${line} --if-exists`, { env, transport })).code).toBe(4)
  })
})

describe.each([
  ['webhooks add', `webhooks add ${URL_1}`],
  ['webhooks subscribe', `webhooks subscribe ${URL_1} --event new_lead`],
])('%s', (_, line) => {
  const answers: [string, number, string][] = [
    ['200 with empty data', 200, '{"data":{}}'],
    ['200 with data null', 200, '{"data":null}'],
    ['201 with an empty body', 201, ''],
    ['201 with a page', 201, '<html>created</html>'],
    ['201 with an answer without id', 201, '{"data":{"registered":true}}'],
  ]

  test.each(answers)('looks the destination up after %s, and prints it', async (_name, status, text) => {
    const s = service()
    s.script.push((_request, commit) => {
      commit()
      return { status, headers: {}, body: Buffer.from(text) }
    })
    const ran = await m.run(`${line} --json`, { env, transport: s.transport })
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, expect.objectContaining({ id: 'w1', url: URL_1 })])
    expect(ran.stderr).toContain('has no id, so the list of destinations was read')
  })

  test.each(answers)(
    'ends with 8 after %s if the list does not contain the destination',
    async (_name, status, text) => {
      const s = service([{ id: 'w9', url: 'https://shop.example/other' }])
      s.script.push(() => ({ status, headers: {}, body: Buffer.from(text) }))
      const ran = await m.run(`${line} --json`, { env, transport: s.transport })
      expect([ran.code, ran.stdout, ran.error().kind]).toEqual([8, '', 'service'])
      expect(ran.error().message).toContain('is not in the list of destinations')
    },
  )
})
