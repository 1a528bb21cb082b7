import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeClock, realClock } from '../../../../test/kit/harness.ts'
import { newPlace } from '../../../../test/kit/store-place.ts'
import { bodyForms } from '../../../domain/body-bytes.ts'
import { verifySignature } from '../../../domain/signature.ts'
import { DEFAULT_SIGNATURE } from '../../../domain/signature-settings.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { listPartners } from '../../store/partners.ts'
import { openStore } from '../../store/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from '../access.ts'
import { nextWait, post } from './post.ts'
import { guardedLookup, mayConnect } from './private-addresses.ts'

interface Receiver {
  url: string
  got: { body: string; headers: Record<string, unknown>; at: number }[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a merchant's receiver on loopback. @param answer returns the status of the nth answer, or what the receiver does instead */
async function receiver(
  answer: (n: number) => number | 'hang' | 'endless' | 'redirect' | 'reset' | 'slow' | 'late' | 'drip' = () => 200,
): Promise<Receiver> {
  const got: Receiver['got'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const what = answer(got.push({ body, headers: request.headers, at: performance.now() }) - 1)
      if (what === 'hang') return
      if (what === 'reset') return request.socket.resetAndDestroy()
      if (what === 'slow') return setTimeout(() => response.end('ok'), 150)
      if (what === 'late') return setTimeout(() => response.end('ok'), 1500)
      if (what === 'drip') {
        const drip = setInterval(() => response.write('x'), 50)
        return response.on('close', () => clearInterval(drip))
      }
      if (what === 'redirect') return response.writeHead(302, { location: '/second' }).end()
      if (what !== 'endless') return response.writeHead(what).end('ok\0')
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      response.on('error', () => {})
      more()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function sandboxWith(random = () => 0.5) {
  const own = await newPlace()
  onTestFinished(own[Symbol.asyncDispose])
  // Use the clock of the test, even if the state is in a database.
  const store = { ...(await openStore(own.place)), time: undefined }
  let isOver = false
  onTestFinished(() => {
    isOver = true
    return store.close()
  })
  const clock = fakeClock()
  const sandbox = await createSandbox({
    store,
    clock: { ...clock, now: clock.now, monotonic: () => performance.now() },
    random,
    baseUrl: 'http://127.0.0.1:1',
    controlToken: 'c',
    allowHttp: true,
    onError: (error) => {
      // A delivery that ends after the test cannot be stored, so its error does not matter.
      if (!isOver) throw error
    },
  })
  const [bnpl, realEstate] = listPartners(store.db)
  const call = async (
    partner: 'bnpl' | 'real-estate',
    method: string,
    path: string,
    form: Record<string, string> | [name: string, value: string][],
  ) => {
    const { status, body } = await sandbox.transport({
      method,
      url: `http://127.0.0.1:1${path}`,
      headers: {
        authorization: `Bearer ${(partner === 'bnpl' ? bnpl : realEstate)?.apiKey}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: Buffer.from(new URLSearchParams(form).toString()),
      timeoutMs: 1000,
      maxBytes: 1e6,
    })
    return { status, json: JSON.parse(Buffer.from(body).toString()) }
  }
  const control = async (action: string, input: object = {}): Promise<any> => {
    const { body } = await sandbox.transport({
      method: 'POST',
      url: `http://127.0.0.1:1${CONTROL_PREFIX}/${action}`,
      headers: { [CONTROL_TOKEN_HEADER]: 'c' },
      body: Buffer.from(JSON.stringify(input)),
      timeoutMs: 1000,
      maxBytes: 1e6,
    })
    return JSON.parse(Buffer.from(body).toString()).data
  }
  return { sandbox, clock, store, call, control, entityId: bnpl?.entityId ?? '' }
}

type World = Awaited<ReturnType<typeof sandboxWith>>

async function register(world: World, url: string): Promise<string> {
  const made = await world.call('bnpl', 'POST', '/partner/webhook', { url })
  expect(made.status).toBe(201)
  return made.json.data.secret
}

async function subscribe(world: World, url: string, events: readonly string[] = ['new_lead']): Promise<string> {
  const form: [string, string][] = [['url', url], ...events.map((event): [string, string] => ['eventTypes[]', event])]
  const made = await world.call('real-estate', 'POST', '/partner/webhook/subscription', form)
  expect(made.status).toBe(201)
  return made.json.data.secret
}

const BOTH = ['new_lead', 'pre_approve']

async function payOnce(world: World, trx = 'T1') {
  await world.call('bnpl', 'POST', '/partner/pre-loan-request/bnpl', {
    idNumber: '11222333-9',
    amount: '10000',
    entityId: world.entityId,
    externalTrxId: trx,
  })
  await world.control('pay', { externalTrxId: trx })
}

const settled = async (sandbox: Sandbox) => sandbox.deliverer.idle(45_000)

test('a payment is delivered to its destinations: an envelope of eventId and data, signed over the raw bytes', async () => {
  await using shop = await receiver()
  const world = await sandboxWith()
  const secret = await register(world, shop.url)
  await payOnce(world)
  await settled(world.sandbox)
  const [delivery] = shop.got
  const envelope = JSON.parse(delivery?.body ?? '')
  expect(Object.keys(envelope)).toEqual(['eventId', 'data'])
  expect(envelope.data).toMatchObject({ externalTrxId: 'T1', state: 'ACTIVE' })
  const signature = delivery?.headers['service-signature'] as string
  expect(
    verifySignature(signature, Buffer.from(delivery?.body ?? ''), [secret], { algorithm: 'sha256', encoding: 'hex' }),
  ).toBe(true)
  expect(delivery?.headers).not.toHaveProperty('service-webhook-secret')
  expect(await world.control('deliveries')).toMatchObject([
    {
      type: 'loan_approved',
      subject: 'T1',
      state: 'delivered',
      attempts: [{ number: 1, status: 200, answer: expect.stringMatching(/^ok/) }],
    },
  ])
})

test('parsing a delivery and writing it again with JSON.stringify never gives the same bytes [specification F11]', async () => {
  await using shop = await receiver()
  await using agency = await receiver()
  const world = await sandboxWith()
  const secret = await register(world, shop.url)
  await subscribe(world, agency.url, BOTH)
  await payOnce(world)
  await world.control('lead', { now: true })
  await settled(world.sandbox)
  const bodies = [...shop.got, ...agency.got].map(({ body }) => body)
  expect(bodies).toHaveLength(3)
  for (const body of bodies) {
    const compact = JSON.stringify(JSON.parse(body))
    const again = new Map(bodyForms(Buffer.from(compact)).map(([form, bytes]) => [String(Buffer.from(bytes)), form]))
    // No JSON library writes the bytes that the sandbox sent. `verify-signature` recognizes these bytes.
    expect(again.get(body)).toBe('parsed, and written again with the unusual spaces and escapes of the sandbox')
    expect(body).toMatch(/^[ -~]+$/)
  }
  const signature = String(shop.got[0]?.headers['service-signature'])
  const over = (bytes: string) => verifySignature(signature, Buffer.from(bytes), [secret], DEFAULT_SIGNATURE)
  expect([over(bodies[0]!), over(JSON.stringify(JSON.parse(bodies[0]!)))]).toEqual([true, false])
})

test('new_lead has 11 fields and a static token, pre_approve has 51 fields; a filter and a project limit the deliveries', async () => {
  await using all = await receiver()
  await using rejectedOnly = await receiver()
  await using project = await receiver()
  const world = await sandboxWith()
  const token = await subscribe(world, all.url)
  const both = { eventTypes: 'pre_approve' }
  const made = await world.call('real-estate', 'POST', '/partner/webhook/subscription', {
    url: rejectedOnly.url,
    'eventTypes[]': both.eventTypes,
    'filters[outcome]': 'rejected',
  })
  expect(made.status).toBe(201)
  const scoped = await world.call('real-estate', 'POST', '/partner/webhook/subscription', {
    url: project.url,
    'eventTypes[]': 'pre_approve',
    projectId: 'torre-1',
  })
  expect(scoped.status).toBe(201)
  await world.control('lead', { now: true, outcome: 'approved', projectId: 'torre-1' })
  await world.control('lead', { now: true, outcome: 'rejected' })
  await settled(world.sandbox)
  expect(all.got).toHaveLength(2)
  expect(all.got[0]?.headers['service-webhook-secret']).toBe(token)
  expect(Object.keys(JSON.parse(all.got[0]?.body ?? '').data)).toHaveLength(11)
  expect(rejectedOnly.got).toHaveLength(1)
  const evaluation = JSON.parse(rejectedOnly.got[0]?.body ?? '').data
  expect(Object.keys(evaluation)).toHaveLength(51)
  expect(evaluation).toMatchObject({ idPreAprobacion: expect.any(String), urlInforme: expect.any(String) })
  expect(project.got).toHaveLength(1)
})

test('a new_lead that fails is never sent again; a loan_approved is sent again with the same bytes and eventId [row 70, row 71]', async () => {
  for (const failing of [() => 500, () => 'redirect' as const, () => 'reset' as const]) {
    await using agency = await receiver(failing)
    const world = await sandboxWith()
    await subscribe(world, agency.url)
    await world.control('lead', {})
    await settled(world.sandbox)
    await world.control('clock', { advanceMs: 86_400_000 })
    await settled(world.sandbox)
    expect(agency.got).toHaveLength(1)
    expect(await world.control('deliveries')).toMatchObject([{ state: 'failed', attempts: [{ number: 1 }] }])
  }
  await using shop = await receiver((n) => (n < 3 ? 503 : 200))
  const world = await sandboxWith()
  await register(world, shop.url)
  await payOnce(world)
  for (let i = 0; i < 5; i++) {
    await settled(world.sandbox)
    await world.control('clock', { advanceMs: 600_000 })
  }
  await settled(world.sandbox)
  expect(shop.got).toHaveLength(4)
  expect(new Set(shop.got.map(({ body }) => body)).size).toBe(1)
  expect(new Set(shop.got.map(({ headers }) => headers['service-signature'])).size).toBe(1)
})

test('the waits between attempts can be set, and each further attempt is made after its wait [row 71]', async () => {
  await using shop = await receiver(() => 500)
  const world = await sandboxWith()
  await register(world, shop.url)
  await world.control('deliverySchedule', { stepsMs: [1000, 60_000] })
  await payOnce(world)
  // With the random number 0.5, every wait is exactly as long as its step.
  for (const [advanceMs, attempts] of [
    [0, 1],
    [900, 1],
    [200, 2],
    [59_000, 2],
    [2000, 3],
    [86_400_000, 3],
  ] as const) {
    await world.control('clock', { advanceMs })
    await settled(world.sandbox)
    expect([advanceMs, shop.got.length]).toEqual([advanceMs, attempts])
  }
  expect(await world.control('deliveries')).toMatchObject([{ state: 'failed' }])
})

test('the answer to a new_lead must be complete within 3 s, otherwise it counts as no answer [row 70, row 73]', async () => {
  await using silent = await receiver(() => 'hang')
  await using dripping = await receiver(() => 'drip')
  await using late = await receiver(() => 'late')
  const world = await sandboxWith()
  for (const { url } of [silent, dripping, late]) await subscribe(world, url)
  await world.control('lead', {})
  await settled(world.sandbox)
  const deliveries: any[] = await world.control('deliveries')
  const of = ({ url }: { url: string }) => deliveries.find((each) => each.url === url)
  for (const each of [of(silent), of(dripping)]) {
    expect(each).toMatchObject({ state: 'failed', attempts: [{ status: null, error: 'no answer within 3000 ms' }] })
    expect(each.attempts[0].ms).toBeGreaterThanOrEqual(2990)
  }
  expect(of(late)).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] })
  expect(of(late).attempts[0].ms).toBeGreaterThanOrEqual(1490)
})

test('a redirect is a failed attempt and is not followed; an attempt with an endless answer succeeds [row 72, row 73]', async () => {
  await using shop = await receiver((n) => (n === 0 ? 'redirect' : 'endless'))
  const world = await sandboxWith()
  await register(world, shop.url)
  await payOnce(world)
  await settled(world.sandbox)
  expect(shop.got).toHaveLength(1)
  await world.control('clock', { advanceMs: 60_000 })
  await settled(world.sandbox)
  expect(await world.control('deliveries')).toMatchObject([
    { state: 'delivered', attempts: [{ status: 302 }, { status: 200 }] },
  ])
})

test('a deleted destination gets no more deliveries [row 74]', async () => {
  await using shop = await receiver(() => 500)
  const world = await sandboxWith()
  await register(world, shop.url)
  await payOnce(world)
  await settled(world.sandbox)
  const [destination] = (await world.call('bnpl', 'GET', '/partner/webhook', {})).json.data
  await world.call('bnpl', 'DELETE', `/partner/webhook/${destination.id}`, {})
  await world.control('clock', { advanceMs: 3_600_000 })
  await settled(world.sandbox)
  expect(shop.got).toHaveLength(1)
  expect(await world.control('deliveries')).toMatchObject([{ state: 'cancelled' }])
})

test('private addresses are refused when the connection is made, whatever the name resolved to before [row 75]', async () => {
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '::10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2002:a00:1::1',
    '2001:0:a00:1::1',
    'fec0::1',
    '224.0.0.1',
    '255.255.255.255',
  ]) {
    expect([address, mayConnect(address, false)]).toEqual([address, false])
  }
  for (const address of ['8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8'])
    expect([address, mayConnect(address, false)]).toEqual([address, true])
  expect([mayConnect('127.0.0.1', true), mayConnect('::1', true), mayConnect('10.0.0.1', true)]).toEqual([
    true,
    true,
    false,
  ])
  const answers = ['8.8.8.8', '127.0.0.1']
  const flipping = guardedLookup(false, (_, __, done) => done(null, [{ address: answers.shift() ?? '', family: 4 }]))
  const ask = () =>
    new Promise((resolve) => flipping('rebind.example', {}, (error, address) => resolve(error?.message ?? address)))
  expect([await ask(), await ask()]).toEqual(['8.8.8.8', 'rebind.example leads only to private addresses'])
  // The destination is registered at a sandbox that allows loopback. The delivery is sent by a sandbox that does not.
  await using shop = await receiver()
  const world = await sandboxWith()
  await register(world, shop.url)
  const strict = await createSandbox({
    store: world.store,
    clock: world.clock,
    random: () => 0.5,
    baseUrl: 'http://127.0.0.1:1',
    controlToken: 'c',
  })
  await world.call('bnpl', 'POST', '/partner/pre-loan-request/bnpl', {
    idNumber: '11222333-9',
    amount: '10000',
    entityId: world.entityId,
    externalTrxId: 'T1',
  })
  await strict.transport({
    method: 'POST',
    url: `http://127.0.0.1:1${CONTROL_PREFIX}/pay`,
    headers: { [CONTROL_TOKEN_HEADER]: 'c' },
    body: Buffer.from('{"externalTrxId":"T1"}'),
    timeoutMs: 1,
    maxBytes: 1,
  })
  await settled(strict)
  expect(shop.got).toHaveLength(0)
})

test('a destination that hangs does not delay the deliveries to other destinations [row 77]', async () => {
  await using dead = await receiver(() => 'hang')
  await using alive = await receiver()
  const world = await sandboxWith()
  await register(world, dead.url)
  await register(world, alive.url)
  for (let i = 0; i < 10; i++) await payOnce(world, `T${i}`)
  await expect.poll(() => alive.got).toHaveLength(10)
  const order = alive.got.map(({ body }) => JSON.parse(body).data.externalTrxId)
  expect(order).toEqual([...order].sort())
  expect(dead.got.length).toBeLessThan(alive.got.length)
})

test('when a process dies, its claimed new_lead is lost, and the next process sends its other claimed events [row 76]', async () => {
  await using shop = await receiver()
  await using agency = await receiver()
  const world = await sandboxWith()
  await register(world, shop.url)
  await subscribe(world, agency.url)
  const { db } = world.store
  await world.call('bnpl', 'POST', '/partner/pre-loan-request/bnpl', {
    idNumber: '11222333-9',
    amount: '10000',
    entityId: world.entityId,
    externalTrxId: 'T1',
  })
  // Simulate a process that claimed every delivery and was killed.
  const claim = () =>
    db.run(`update deliveries set state = 'sending', claimedBy = 'dead', claimedUntil = '2020-01-01T00:00:00.000Z'`)
  const kick = vi.spyOn(world.sandbox.deliverer, 'kick').mockImplementation(() => {})
  await world.control('pay', { externalTrxId: 'T1' })
  await world.control('lead', {})
  claim()
  kick.mockRestore()
  world.sandbox.deliverer.kick()
  await settled(world.sandbox)
  const states = Object.fromEntries((await world.control('deliveries')).map((row: any) => [row.type, row.state]))
  expect(states).toEqual({ loan_approved: 'delivered', new_lead: 'lost' })
  expect([shop.got.length, agency.got.length]).toEqual([1, 0])
})

test('a new_lead that no process had claimed is still sent at the next check [row 76]', async () => {
  await using agency = await receiver()
  const world = await sandboxWith()
  await subscribe(world, agency.url)
  const kick = vi.spyOn(world.sandbox.deliverer, 'kick').mockImplementation(() => {})
  await world.control('lead', {})
  kick.mockRestore()
  world.sandbox.deliverer.kick()
  await settled(world.sandbox)
  expect(await world.control('deliveries')).toMatchObject([{ type: 'new_lead', state: 'delivered' }])
})

test('a new_lead is sent at once, even while its destination is slow to answer other deliveries [specification F8]', async () => {
  await using agency = await receiver(() => 'hang')
  const world = await sandboxWith()
  await subscribe(world, agency.url, BOTH)
  for (let i = 0; i < 3; i++) await world.control('lead', { evaluateInMs: 0 })
  await world.control('lead', { evaluateInMs: 60_000 })
  // All four arrived although none of them was answered, so they were sent at the same time.
  await expect.poll(() => agency.got.length).toBe(4)
  const kinds = agency.got.map(({ body }) => Object.keys(JSON.parse(body).data).length)
  expect(kinds).toEqual([11, 11, 11, 11])
  expect((await world.control('deliveries')).filter(({ type }: any) => type === 'pre_approve')).toMatchObject([
    { state: 'pending', attempts: [] },
    { state: 'pending', attempts: [] },
    { state: 'pending', attempts: [] },
  ])
})

test('a pre_approve is sent after the new_lead of its lead, and pre_approve events keep the order of their leads [specification F8]', async () => {
  await using agency = await receiver(() => 'slow')
  const world = await sandboxWith()
  await subscribe(world, agency.url, BOTH)
  await world.control('lead', { now: true })
  await world.control('lead', { now: true })
  await settled(world.sandbox)
  const got = agency.got.map(({ body }) => JSON.parse(body).data)
  const created = (await world.control('deliveries')).filter(({ type }: any) => type === 'new_lead').toReversed()
  const leads = created.map(({ subject }: any) => subject)
  const isEvaluated = (data: object): boolean => 'idPreAprobacion' in data
  // On a busy machine, the first lead may be evaluated before the second one exists. So the order is compared lead by lead.
  for (const lead of leads) expect(got.filter(({ leadId }) => leadId === lead).map(isEvaluated)).toEqual([false, true])
  expect(got.filter(isEvaluated).map(({ leadId }) => leadId)).toEqual(leads)
})

test('an attempt is kept with the time at which it began [specification F23]', async () => {
  const world = await sandboxWith()
  await using shop = await receiver(() => {
    world.clock.advance(4_000)
    return 200
  })
  await register(world, shop.url)
  const began = new Date(world.clock.now()).toISOString()
  await payOnce(world)
  await settled(world.sandbox)
  expect(await world.control('deliveries')).toMatchObject([{ createdAt: began, attempts: [{ at: began }] }])
  const again = new Date(world.clock.now()).toISOString()
  await world.control('deliver', {})
  expect((await world.control('deliveries'))[0].attempts.map(({ at }: any) => at)).toEqual([began, again])
})

test('two sandboxes on one store send each delivery once, in the order of the payments', async () => {
  await using shop = await receiver()
  const world = await sandboxWith()
  await register(world, shop.url)
  const second = await createSandbox({
    store: world.store,
    clock: world.clock,
    random: () => 0.5,
    baseUrl: 'http://127.0.0.1:1',
    controlToken: 'c',
    allowHttp: true,
  })
  for (let i = 0; i < 20; i++) {
    await payOnce(world, `T${i}`)
    second.deliverer.kick()
  }
  await settled(world.sandbox)
  await settled(second)
  expect(shop.got.map(({ body }) => JSON.parse(body).data.externalTrxId)).toEqual(
    Array.from({ length: 20 }, (_, i) => `T${i}`),
  )
})

test('a process that was stopped until its claim expired does not send what another process has already sent [row 76]', async () => {
  await using shop = await receiver()
  const world = await sandboxWith()
  await register(world, shop.url)
  const another = { clock: world.clock, random: () => 0.5, baseUrl: 'http://127.0.0.1:1', controlToken: 'c' }
  const second = await createSandbox({ ...another, store: world.store, allowHttp: true })
  // After its first claim, the slow process is stopped for longer than the claim is valid.
  let isStopped = false
  const transaction: Store['transaction'] = (work) => {
    const claimed = world.store.transaction(work)
    if (isStopped) return claimed
    isStopped = true
    world.clock.advance(20_000)
    second.deliverer.kick()
    return claimed
  }
  const slow = await createSandbox({ ...another, store: { ...world.store, transaction }, allowHttp: true })
  vi.spyOn(world.sandbox.deliverer, 'kick').mockImplementation(() => {})
  await payOnce(world)
  slow.deliverer.kick()
  await settled(second)
  await settled(slow)
  expect(shop.got).toHaveLength(1)
  expect(await world.control('deliveries')).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }])
})

test('an answer that arrived while this process was blocked counts, even when the timeout has passed', async () => {
  await using shop = await receiver()
  const { monotonic } = realClock
  const posted = post({
    url: shop.url,
    headers: {},
    body: Buffer.from('{}'),
    timeoutMs: 300,
    allowLoopback: true,
    monotonic,
  })
  const until = monotonic() + 700
  while (monotonic() < until);
  expect(await posted).toMatchObject({ status: 200, error: null })
})

/** Starts an attempt of 5 s to a receiver that never answers. After 5 s, `heldUpMs` have passed in addition. */
async function attemptHeldUp(heldUpMs: number, longestMs: number) {
  const shop = await receiver(() => 'hang')
  onTestFinished(() => shop[Symbol.asyncDispose]())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let now = 0
  const attempt = { isOver: false }
  const posted = post({
    url: shop.url,
    headers: {},
    body: Buffer.from('{}'),
    timeoutMs: 5000,
    longestMs,
    allowLoopback: true,
    monotonic: () => now,
  }).then((result) => {
    attempt.isOver = true
    expect(result).toMatchObject({ status: null, error: 'no answer within 5000 ms' })
  })
  const pass = async (ms: number) => {
    now += ms
    vi.advanceTimersByTime(ms)
    await new Promise(setImmediate)
    return attempt.isOver
  }
  now = heldUpMs
  expect(await pass(5000)).toBe(false)
  return { pass, posted }
}

test('the timeout of an attempt is extended by the time the process was blocked, but not beyond the claim', async () => {
  const short = await attemptHeldUp(1000, 8000)
  expect([await short.pass(999), await short.pass(1)]).toEqual([false, true])
  await short.posted
  const long = await attemptHeldUp(2500, 8000)
  expect([await long.pass(499), await long.pass(1)]).toEqual([false, true])
  await long.posted
  const over = await attemptHeldUp(60_000, 8000)
  expect([await over.pass(99), await over.pass(1)]).toEqual([false, true])
  await over.posted
})

test('deliver sends past events again, duplicated or with a wrong signature, and refuses a deleted destination', async () => {
  await using shop = await receiver()
  const world = await sandboxWith()
  const secret = await register(world, shop.url)
  for (const trx of ['T1', 'T2', 'T3']) {
    await payOnce(world, trx)
    await settled(world.sandbox)
  }
  shop.got.splice(0)
  await world.control('deliver', { last: 3, reorder: true, duplicate: true })
  expect(shop.got.map(({ body }) => JSON.parse(body).data.externalTrxId)).toHaveLength(6)
  expect(shop.got[0]?.body).toBe(shop.got[1]?.body)
  shop.got.splice(0)
  await world.control('deliver', { corruptSignature: true })
  const [bad] = shop.got
  expect(
    verifySignature(bad?.headers['service-signature'] as string, Buffer.from(bad?.body ?? ''), [secret], {
      algorithm: 'sha256',
      encoding: 'hex',
    }),
  ).toBe(false)
  const [destination] = (await world.call('bnpl', 'GET', '/partner/webhook', {})).json.data
  await world.call('bnpl', 'DELETE', `/partner/webhook/${destination.id}`, {})
  // The action is refused, because the destination was deleted.
  expect(await world.control('deliver', { last: 3 })).toBeUndefined()
})

test('deliver sends an event only to the destination that has not accepted it; all and to name others', async () => {
  await using healthy = await receiver()
  let answer = 500
  await using broken = await receiver(() => answer)
  const world = await sandboxWith()
  await register(world, healthy.url)
  await register(world, broken.url)
  await payOnce(world)
  await settled(world.sandbox)
  const [{ eventId }] = await world.control('deliveries')
  const got = async (input: object) => {
    healthy.got.splice(0)
    broken.got.splice(0)
    await world.control('deliver', { eventId, ...input })
    return [healthy.got.length, broken.got.length]
  }
  answer = 200
  expect(await got({ duplicate: true })).toEqual([0, 2])
  expect(await got({})).toEqual([1, 1])
  expect(await got({ to: healthy.url })).toEqual([1, 0])
  expect(await got({ all: true })).toEqual([1, 1])
  expect(await world.control('deliver', { eventId, to: 'http://127.0.0.1:9/other' })).toBeUndefined()
})

test('a wait with Retry-After is between one and two steps; without Retry-After, jitter is at most 20 % [row 78]', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.option(fc.integer({ min: 0, max: 1e9 }), { freq: 2 }), (thousandths, asked) => {
      const random = thousandths / 1000
      const wait = nextWait('loan_approved', 1, [5000, 30_000], () => random, asked) ?? 0
      if (asked === null) expect(wait >= 4000 && wait <= 6000).toBe(true)
      else expect(wait >= 5000 && wait <= 10_000).toBe(true)
    }),
  )
  expect(nextWait('loan_approved', 3, [5000, 30_000], () => 0, null)).toBeUndefined()
  expect(nextWait('new_lead', 1, [5000], () => 0, 1000)).toBeUndefined()
})

test('with the same clock and seed two runs make the same attempts, in the same order and at the same times [row 78]', async () => {
  const attempts = async (seed: number) => {
    await using shop = await receiver((n) => (n % 3 === 2 ? 200 : 503))
    let state = seed
    const world = await sandboxWith(() => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    })
    await register(world, shop.url)
    for (const trx of ['T1', 'T2', 'T3', 'T4']) {
      await payOnce(world, trx)
      await settled(world.sandbox)
    }
    for (let i = 0; i < 40; i++) {
      await world.control('clock', { advanceMs: 7_000 })
      await settled(world.sandbox)
    }
    const rows: any[] = await world.control('deliveries')
    return rows.flatMap(({ subject, attempts }) =>
      attempts.map(({ number, at, status }: any) => [subject, number, at, status]),
    )
  }
  const [one, again, other] = [await attempts(4711), await attempts(4711), await attempts(815)]
  expect(one.length).toBeGreaterThan(8)
  expect(again).toEqual(one)
  expect(other).not.toEqual(one)
})

test('an attempt to a private address ends with an error that says so, and does not throw [row 75]', async () => {
  const to = (url: string) =>
    post({ url, headers: {}, body: Buffer.from('{}'), timeoutMs: 1000, allowLoopback: false, monotonic: () => 0 })
  expect(await to('http://10.0.0.1/hook')).toMatchObject({ status: null, error: '10.0.0.1 is a private address' })
  expect(await to('http://127.0.0.1:9/')).toMatchObject({ error: '127.0.0.1 is a private address' })
  expect(await to('http://localhost:9/')).toMatchObject({
    status: null,
    error: 'localhost leads only to private addresses',
  })
})
