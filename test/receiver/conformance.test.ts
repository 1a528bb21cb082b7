import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Transport } from '../../src/contract/wire.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { network, patient } from '../kit/patient.ts'

const SECRET = 'secret-of-the-receiver'
const env = { BNPL_WEBHOOK_SECRET: SECRET }

interface Delivery {
  headers: IncomingHttpHeaders
  raw: Buffer
  /** How many deliveries came before this one. */
  before: number
}

/** A correct receiver. Each wrong one replaces some of these functions. */
interface Receiver {
  verify(delivery: Delivery): boolean
  /** Returns the status for a verified delivery; undefined if there is no answer. */
  take(delivery: Delivery): number | undefined | Promise<number | undefined>
  refuse: number
  limit: number
}

const hmac = (raw: Buffer | string) => createHmac('sha256', SECRET).update(raw).digest('hex')
const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
const signatureOf = ({ headers }: Delivery) => String(headers['service-signature'] ?? '')

const GOOD: Receiver = {
  verify: (delivery) => {
    const given = Buffer.from(signatureOf(delivery))
    const right = Buffer.from(hmac(delivery.raw))
    return given.length === right.length && timingSafeEqual(given, right)
  },
  take: ({ raw }) => (typeof JSON.parse(raw.toString()).eventId === 'string' ? 200 : 400),
  refuse: 401,
  limit: 1024 * 1024,
}

let m: Machine
const servers: Server[] = []
beforeEach(() => {
  m = machine()
})
afterEach(() => {
  m[Symbol.dispose]()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(wrong: Partial<Receiver> = {}): Promise<string> {
  const receiver = { ...GOOD, ...wrong }
  let before = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const raw = Buffer.concat(chunks)
      const delivery = { headers: request.headers, raw, before: before++ }
      const answer = (status: number | undefined) => {
        if (status === undefined) return
        if (status >= 300 && status < 400) response.setHeader('location', '/elsewhere')
        response.writeHead(status).end()
      }
      try {
        if (raw.length > receiver.limit) return answer(413)
        answer(receiver.verify(delivery) ? await receiver.take(delivery) : receiver.refuse)
      } catch {
        answer(500)
      }
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** Tests a receiver, and returns the names of the checks that did not pass, by their status. */
async function findings(url: string, more = '', transport = patient) {
  const ran = await m.run(`webhooks test ${url} --json ${more}`, { env, transport })
  const checks = ran.json() as { name: string; status: string; detail: string; hint?: string }[]
  const named = (status: string) => checks.filter((check) => check.status === status).map(({ name }) => name)
  return { code: ran.code, failed: named('fail'), warned: named('warn'), skipped: named('skipped'), checks, ran }
}

test('a correct receiver passes, with a warning about its http address', async () => {
  const { code, failed, warned, skipped } = await findings(await serve())
  expect({ code, failed }).toEqual({ code: 0, failed: [] })
  expect(warned).toEqual(['the service can deliver to the address'])
  expect(skipped).toEqual(['an event of the destination’s second event type is accepted'])
})

const refused = (what: string) => `a delivery ${what} is refused`

test.each<[string, Partial<Receiver>, string[]]>([
  [
    'checks nothing',
    { verify: () => true },
    [
      'a body that was tampered with is refused',
      refused('without a signature'),
      refused('with an empty signature'),
      refused('with a wrong signature'),
      refused('with only the beginning of the right signature'),
      'a malformed signature is refused',
      refused('with the header of the other scheme'),
    ],
  ],
  [
    'only looks whether there is a signature',
    { verify: ({ headers }) => Boolean(headers['service-signature']) },
    [
      'a body that was tampered with is refused',
      refused('with a wrong signature'),
      refused('with only the beginning of the right signature'),
      'a malformed signature is refused',
    ],
  ],
  [
    'takes a delivery without a signature',
    { verify: (delivery) => delivery.headers['service-signature'] === undefined || GOOD.verify(delivery) },
    [refused('without a signature'), refused('with the header of the other scheme')],
  ],
  [
    'takes an empty signature',
    { verify: (delivery) => hmac(delivery.raw).startsWith(signatureOf(delivery)) },
    [
      refused('without a signature'),
      refused('with an empty signature'),
      refused('with only the beginning of the right signature'),
      refused('with the header of the other scheme'),
    ],
  ],
  [
    'trips over a signature of another length',
    {
      verify: (delivery) =>
        timingSafeEqual(Buffer.from(signatureOf(delivery), 'hex'), Buffer.from(hmac(delivery.raw), 'hex')),
    },
    [
      refused('without a signature'),
      refused('with an empty signature'),
      refused('with only the beginning of the right signature'),
      'a malformed signature is refused',
      refused('with the header of the other scheme'),
    ],
  ],
  [
    'accepts the other scheme too',
    {
      verify: (delivery) => GOOD.verify(delivery) || delivery.headers['service-webhook-secret'] === SECRET,
    },
    [refused('with the header of the other scheme')],
  ],
  [
    'verifies what it has parsed and written again',
    {
      verify: (delivery) => same(signatureOf(delivery), hmac(JSON.stringify(JSON.parse(delivery.raw.toString())))),
    },
    ['a body with unusual spacing is accepted, because its raw bytes are verified'],
  ],
  [
    'signs the data alone',
    {
      verify: (delivery) => same(signatureOf(delivery), hmac(JSON.stringify(JSON.parse(delivery.raw.toString()).data))),
    },
    [
      'a delivery is accepted with 2xx within 3 s',
      'a repeated delivery is accepted',
      'a body with unusual spacing is accepted, because its raw bytes are verified',
      'a large body is accepted',
      'any text in a field is accepted',
      'unknown fields are accepted',
      '20 deliveries at once are accepted within 3 s each',
    ],
  ],
  [
    'refuses a duplicate',
    {
      take: (() => {
        const seen = new Set<string>()
        return ({ raw }: Delivery) => {
          const { eventId } = JSON.parse(raw.toString())
          if (seen.has(eventId)) return 409
          seen.add(eventId)
          return 200
        }
      })(),
    },
    ['a repeated delivery is accepted'],
  ],
  ['has a small limit for bodies', { limit: 100 * 1024 }, ['a large body is accepted']],
  [
    'cannot read any text',
    { take: ({ raw }) => (/[^\x20-\x7e\s\u00c0-\u00ff]|\\u/.test(raw.toString()) ? 500 : 200) },
    ['any text in a field is accepted', 'half of an emoji, as an escape such as \\ud83d, is accepted'],
  ],
  [
    'knows its fields and no others',
    {
      take: ({ raw }) => (Object.keys(JSON.parse(raw.toString())).length === 2 ? 200 : 422),
    },
    ['unknown fields are accepted'],
  ],
  [
    'refuses by failing',
    { refuse: 500 },
    [
      'a body that was tampered with is refused',
      refused('without a signature'),
      refused('with an empty signature'),
      refused('with a wrong signature'),
      refused('with only the beginning of the right signature'),
      'a malformed signature is refused',
      refused('with the header of the other scheme'),
    ],
  ],
  [
    'refuses by sending elsewhere',
    { refuse: 302 },
    [
      'a body that was tampered with is refused',
      refused('without a signature'),
      refused('with an empty signature'),
      refused('with a wrong signature'),
      refused('with only the beginning of the right signature'),
      'a malformed signature is refused',
      refused('with the header of the other scheme'),
    ],
  ],
  [
    'takes one at a time',
    {
      take: (() => {
        let busy = false
        return async () => {
          if (busy) return 429
          busy = true
          await new Promise((resolve) => setTimeout(resolve, 20))
          busy = false
          return 200
        }
      })(),
    },
    ['20 deliveries at once are accepted within 3 s each'],
  ],
])('a receiver that %s fails exactly the checks for this fault', async (_, wrong, expected) => {
  const { code, failed, ran } = await findings(await serve(wrong))
  expect(failed.sort()).toEqual(expected.sort())
  expect(code).toBe(10)
  expect(ran.error()).toMatchObject({ kind: 'check-failed' })
})

test('a receiver that answers after more than 3 s fails the check of this limit', async () => {
  const limits: number[] = []
  // The first delivery gets no answer, and the wait for it is shortened.
  const transport: Transport = (request) => {
    const isFirst = limits.push(request.timeoutMs) === 1
    return isFirst ? network.transport({ ...request, timeoutMs: 100 }) : patient(request)
  }
  const take = ({ before }: Delivery) => (before > 0 ? 200 : undefined)
  const { failed, checks } = await findings(await serve({ take }), '', transport)
  expect(limits[0]).toBe(3000)
  expect(failed).toEqual(['a delivery is accepted with 2xx within 3 s'])
  expect(checks.find(({ status }) => status === 'fail')?.detail).toBe('no answer within 3000 ms')
})

test('a receiver that redirects causes a warning, and a redirect does not count as accepted', async () => {
  const { failed, warned, code } = await findings(await serve({ take: () => 308 }))
  expect(warned).toContain('the answer is not a redirect')
  expect(failed).toContain('a delivery is accepted with 2xx within 3 s')
  expect(code).toBe(10)
})

test('an unreachable receiver causes one failure, and the checks that depend on an answer are skipped', async () => {
  const { failed, skipped, code } = await findings(`http://127.0.0.1:${await lastingPort()}/hook`)
  expect(failed).toEqual(['a delivery is accepted with 2xx within 3 s'])
  expect(skipped.length).toBeGreaterThan(10)
  expect(code).toBe(10)
})

test('with the token scheme both events are sent, and tampering is not checked', async () => {
  const verify = ({ headers }: Delivery) => headers['service-webhook-secret'] === SECRET
  const events = new Set<boolean>()
  const take = ({ raw }: Delivery) => {
    events.add('idPreAprobacion' in JSON.parse(raw.toString()).data)
    return 200
  }
  const { code, failed, skipped } = await findings(await serve({ verify, take }), '--scheme token')
  expect({ code, failed }).toEqual({ code: 0, failed: [] })
  expect(skipped).toEqual(['a body that was tampered with is refused'])
  expect(events).toEqual(new Set([true, false]))
})

test('for a receiver that cannot be reached the hint says to start it, not to answer faster', async () => {
  const { code, checks } = await findings(`http://127.0.0.1:${await lastingPort()}/hook`)
  expect(code).toBe(10)
  expect(checks.filter(({ status }) => status === 'fail').map(({ hint }) => hint)).toEqual([
    'Start the receiver, or check the address.',
  ])
})

test('webhooks test prints a table at a terminal, writes a JUnit report for CI, and shows the secret in neither', async () => {
  const url = await serve({ limit: 100 * 1024 })
  const ran = await m.run(`webhooks test ${url} --junit report.xml`, { env, stdoutIsTty: true, transport: patient })
  expect(ran.code).toBe(10)
  expect(ran.stdout).toContain('✗')
  expect(ran.stdout).toContain('Accept bodies of up to 1 MiB')
  const report = readFileSync(join(m.dir, 'report.xml'), 'utf8')
  expect(report).toContain('failures="1"')
  expect(report + ran.stdout + ran.stderr).not.toContain(SECRET)
  for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

test.each([
  ['http://shop.example/hook', {}, 2],
  ['nonsense', {}, 2],
  ['http://127.0.0.1:1/x', { BNPL_WEBHOOK_SECRET: '' }, 3],
])('webhooks test refuses to test %s', async (url, more, code) => {
  expect((await m.run(`webhooks test ${url}`, { env: { ...env, ...more } })).code).toBe(code)
})
