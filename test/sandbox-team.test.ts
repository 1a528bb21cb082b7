import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from '../src/sandbox/service/control-access.ts'
import { createDatabase } from './postgres.ts'
import { startPostgres } from './postgres-server.ts'
import { type Program, program, type Started } from './program.ts'

// The test uses real processes and a real server, because the promise is about their effects on each other.

interface Member extends Started {
  p: Program
  partners: { apiKey: string; entityId: string }[]
  call(method: string, path: string, form?: Record<string, string>, partner?: 0 | 1): Promise<Answer>
  control(action: string, input?: object): Promise<Answer>
}

interface Answer {
  status: number
  headers: Headers
  body: any
}

/** Starts one of several `sandbox start` on a database, on a machine of its own. */
async function member(database: string): Promise<Member> {
  const p = program()
  onTestFinished(() => p[Symbol.asyncDispose]())
  const started = await p.sandbox(`--database ${database} --allow-http`)
  const { baseUrl, partners } = started.ready
  const { controlToken } = JSON.parse(readFileSync(join(p.stateDir, 'sandbox-running.json'), 'utf8'))
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const { status, headers, ...answer } = await fetch(`${baseUrl}${path}`, init).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }))
    return { status, headers, body: answer.text === '' ? undefined : JSON.parse(answer.text) }
  }
  return {
    ...started,
    p,
    partners,
    call: (method, path, form, partner = 0) =>
      ask(path, {
        method,
        headers: { authorization: `Bearer ${partners[partner].apiKey}` },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      }),
    control: (action, input = {}) =>
      ask(`${CONTROL_PREFIX}/${action}`, {
        method: 'POST',
        headers: { [CONTROL_TOKEN_HEADER]: controlToken },
        body: JSON.stringify(input),
      }),
  }
}

async function evaluate({ call, partners }: Member, externalTrxId: string): Promise<number> {
  const { entityId = '' } = partners[0] ?? {}
  const form = { idNumber: '11111111-1', amount: '250000', entityId, externalTrxId }
  return (await call('POST', '/partner/pre-loan-request/bnpl', form)).status
}

/** Starts a merchant's receiver that does not answer its first delivery. */
async function receiver() {
  const got: { data: any; sender: ServerResponse; isGone: boolean }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const delivery = { data: JSON.parse(text).data, sender: response, isGone: false }
      response.on('close', () => {
        delivery.isGone = true
      })
      if (got.push(delivery) > 1) response.end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got }
}

test('three sandboxes on one database share their state, and the others resume the deliveries of a killed sandbox', {
  timeout: 120_000,
}, async () => {
  await using database = await createDatabase()
  const members = await Promise.all([1, 2, 3].map(() => member(database.url)))
  const [one, two, three] = members as [Member, Member, Member]
  expect(new Set(members.map(({ partners }) => JSON.stringify(partners))).size).toBe(1)

  const [shop, agency] = [await receiver(), await receiver()]
  expect((await two.call('POST', '/partner/webhook', { url: shop.url })).status).toBe(201)
  const events = { url: agency.url, 'eventTypes[]': 'new_lead' }
  expect((await three.call('POST', '/partner/webhook/subscription', events, 1)).status).toBe(201)
  expect(await evaluate(one, 'T1')).toBe(200)
  expect((await one.control('pay', { externalTrxId: 'T1' })).status).toBe(200)
  expect((await one.control('lead')).status).toBe(200)
  await expect.poll(() => [shop.got.length, agency.got.length]).toEqual([1, 1])

  // This kills the sandbox that sends the deliveries. Usually it is the one at which the payment was made, because that one sends at once.
  const alive = [...members]
  while (!(shop.got[0]?.isGone && agency.got[0]?.isGone)) {
    const victim = alive.shift() as Member
    victim.child.kill('SIGKILL')
    await victim.ended
    await expect
      .poll(() => shop.got[0]?.isGone && agency.got[0]?.isGone, { timeout: 1_000 })
      .toBe(true)
      .catch(() => {})
  }
  alive.push(await member(database.url))
  const [a, b] = [alive[0] as Member, alive.at(-1) as Member]

  // Only the later deliveries to the same destination wait for the first one.
  for (const [i, trx] of ['T2', 'T3', 'T4'].entries()) {
    const at = alive[i % alive.length] as Member
    expect(await evaluate(at, trx)).toBe(200)
    expect((await at.control('pay', { externalTrxId: trx })).status).toBe(200)
  }
  await holdTogether(a, b)

  const order = () => shop.got.map(({ data }) => data.externalTrxId)
  await expect.poll(order).toEqual(['T1', 'T1', 'T2', 'T3', 'T4', 'once'])
  expect((await b.control('lead')).status).toBe(200)
  await expect.poll(() => agency.got.length).toBe(2)
  expect(agency.got[0]?.data.leadId).not.toBe(agency.got[1]?.data.leadId)
  const states = async () => (await a.control('deliveries')).body.data.map((row: any) => [row.type, row.state])
  const paid = Array(4).fill(['loan_approved', 'delivered'])
  await expect
    .poll(states)
    .toEqual([['new_lead', 'delivered'], ...paid, ['new_lead', 'lost'], ['loan_approved', 'delivered']])
})

test('a sandbox whose database is unreachable reports this, and continues by itself when the database is back', async () => {
  const server = await startPostgres()
  onTestFinished(server.end)
  const { call, control, stderr, p } = await member(server.url(await server.createDatabase()))
  const list = () => call('GET', '/partner/webhook')
  expect((await list()).status).toBe(200)

  await server.stop('fast')
  for (const ask of [list, () => control('status'), () => control('lead')]) {
    const { status, headers, body } = await ask()
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '1', 'ERR_SANDBOX_DATABASE'])
  }
  await expect.poll(stderr).toContain('answers 503 until the database answers again')
  // Not on a state of its own, as if no sandbox ran here.
  const meanwhile = await p.run('evaluate -p sandbox --rut 11111111-1 --amount 250000')
  expect(meanwhile).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining('its database') })

  await server.start()
  await expect.poll(async () => (await list()).status).toBe(200)
  await expect.poll(stderr).toContain('the database answers again, so')
  expect((await control('lead')).status).toBe(200)
  // The message is printed once, although many requests failed meanwhile.
  expect(stderr().match(/answers 503/g)).toHaveLength(1)
})

/** Checks that limits and counts apply to all sandboxes together. */
async function holdTogether(a: Member, b: Member): Promise<void> {
  const each = <T>(count: number, work: (member: Member, i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, i) => work(i % 2 ? a : b, i)))

  // One destination exists already, so nine of the ten are left.
  const made = await each(30, ({ call }, i) => call('POST', '/partner/webhook', { url: `https://a.example/${i}` }))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(9)
  const { data } = (await a.call('GET', '/partner/webhook')).body
  expect(data).toHaveLength(10)
  await each(10, ({ call }, i) =>
    data[i].url.startsWith('https:') ? call('DELETE', `/partner/webhook/${data[i].id}`) : Promise.resolve(undefined),
  )

  expect(await evaluate(a, 'once')).toBe(200)
  const paid = await each(12, ({ control }) => control('pay', { externalTrxId: 'once', reject: false }))
  expect(paid.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)])

  const fault = { endpoint: 'listWebhooks', skip: 3, times: 5, status: 503 }
  expect((await a.control('faultAdd', fault)).status).toBe(200)
  const listed = await each(20, ({ call }) => call('GET', '/partner/webhook'))
  expect(listed.filter(({ status }) => status === 503)).toHaveLength(5)
}
