import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventType } from '../../src/contract/integrations.ts'
import { type Transport, WireFailure, type WireRequest } from '../../src/contract/wire.ts'
import { Interrupted } from '../../src/errors.ts'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import type { Arrival, ForwardResult } from '../../src/receiver/inbox.ts'
import { openPostgresInbox } from '../../src/receiver/postgres/inbox.ts'
import { fakeClock, type Machine, machine, type RunOptions } from '../kit/harness.ts'
import { createDatabase, type TestDatabase } from '../kit/postgres.ts'
import { planOf } from '../kit/postgres-plan.ts'
import { startClosingHandler } from './handler.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3_600_000
const PERSON = {
  rut: '12345678-5',
  nombres: 'Canaria',
  email: 'canaria@example.com',
  urlInforme: 'https://x/y?sig=canary',
}

let m: Machine
/** The database of the inbox; undefined for an inbox in a file. */
let database: TestDatabase | undefined
let sent: WireRequest[]
let status: number | undefined = 200
const transport: Transport = async (request) => {
  sent.push(request)
  if (status === undefined) throw new WireFailure('refused', false, 'ECONNREFUSED')
  return { status, headers: {}, body: new Uint8Array() }
}
beforeEach(() => {
  m = machine()
  sent = []
  status = 200
})
afterEach(() => m[Symbol.dispose]())

const run = (line: string, more: RunOptions = {}) =>
  m.run(`webhooks events ${line}`, {
    transport,
    clock: fakeClock(NOW),
    env: { TZ: 'UTC', ...(database && { BNPL_DATABASE: database.url }) },
    ...more,
  })

const arrival = (eventId: string, more: Partial<Arrival> & { data?: unknown } = {}): Arrival => {
  const { data = { loanAmount: 1000, externalTrxId: 't1', ...PERSON }, ...rest } = more
  return {
    destination: '/webhooks',
    scheme: 'hmac',
    eventId,
    event: 'loan_approved' as EventType,
    odd: null,
    body: Buffer.from(JSON.stringify({ eventId, data })),
    contentType: 'application/json',
    signature: 'a1b2',
    receivedAt: NOW - HOUR,
    forward: true,
    ...rest,
  }
}

/** Fills the inbox as a listener does. */
async function receive(arrivals: Arrival[], forwards: Partial<ForwardResult>[] = []): Promise<void> {
  const inbox = database ? await openPostgresInbox(planOf(database.url), () => {}) : await openInbox(m.stateDir)
  await inbox.claim({ pid: 1, address: '' })
  const results = forwards.map((each) => ({
    seq: 1,
    receivedAt: arrivals[(each.seq ?? 1) - 1]?.receivedAt ?? NOW - HOUR,
    state: 'delivered' as const,
    attempts: 1,
    status: 200,
    error: null,
    ms: 12,
    at: NOW,
    ...each,
  }))
  await inbox.commit({ arrivals, forwards: [], emittedUpTo: undefined })
  await inbox.commit({ arrivals: [], forwards: results, emittedUpTo: arrivals.length })
  await inbox.close()
}

test('without received events the list is empty, and no file is created', async () => {
  expect((await run('list --json')).json()).toEqual([])
  expect((await run('')).stderr).toContain('webhooks listen')
  expect((await run('show e1')).code).toBe(6)
  expect((await run('prune --json')).json()).toEqual({ pruned: 0 })
  expect(existsSync(join(m.stateDir, 'inbox.db'))).toBe(false)
})

describe.each(['a file', 'PostgreSQL'])('from %s', (place) => {
  beforeEach(async () => {
    database = place === 'PostgreSQL' ? await createDatabase() : undefined
  })
  afterEach(async () => {
    await database?.[Symbol.asyncDispose]()
    database = undefined
  })

  test('the list is newest first, without personal data unless --reveal is given', async () => {
    await receive([arrival('e1'), arrival('e2', { scheme: 'token', event: 'new_lead' })], [{}])
    const listed = await run('list --json')
    expect(listed.json()).toMatchObject([
      { seq: 2, eventId: 'e2', event: 'new_lead', confirmed: false, state: 'waiting' },
      {
        seq: 1,
        eventId: 'e1',
        event: 'loan_approved',
        confirmed: true,
        receivedAt: '2026-03-01T11:00:00.000Z',
        state: 'delivered',
        status: 200,
        data: { loanAmount: 1000, externalTrxId: 't1', rut: '••••', nombres: '••••', urlInforme: '••••' },
      },
    ])
    const table = await run('')
    expect(table.stdout).toContain('200 in 12 ms')
    expect(table.stdout + listed.stdout).not.toMatch(/canar|12345678/i)
    for (const line of table.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect((await run('list --json --reveal')).json()[1].data).toMatchObject(PERSON)
  })

  test('the table distinguishes ids with the same start, and fits 80 columns', async () => {
    const id = (end: string) => `0190a5b2-7c3e-7d60-8000-6a1f0c2b9d${end}`
    await receive(
      [arrival(id('01')), arrival(id('02')), arrival(id('03'), { event: 'pre_approve', receivedAt: NOW - 48 * HOUR })],
      [{ seq: 1, state: 'dead', attempts: 8, status: 500, error: 'answered 500' }],
    )
    const { stdout } = await run('', { stdoutIsTty: true, columns: 80 })
    const lines = stdout.split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines[1]).toMatch(/^3 {2}2026-02-27 12:00 {2}pre_approve {4}0190a5…c2b9d03 {2}waiting$/)
    expect(lines[3]).toMatch(/^1 .* 0190a5…c2b9d01 {2}set-aside {2}answered 500 ×8$/)
    // Without a terminal no value is cut.
    expect((await run('')).stdout).toContain(id('01'))
    // All these events are of today, so the table shows only the time.
    expect((await run('--since 2h', { stdoutIsTty: true, columns: 80 })).stdout.split('\n')[1]).toMatch(
      /^2 {2}11:00:00 {2}/,
    )
  })

  test('--since, --limit and --state select the listed events', async () => {
    const old = arrival('old', { receivedAt: NOW - 48 * HOUR })
    await receive(
      [old, arrival('e2'), arrival('e3')],
      [{ seq: 1 }, { seq: 2, state: 'dead', status: 500, error: 'answered 500' }],
    )
    const ids = async (line: string) => (await run(`list --json ${line}`)).json().map(({ eventId }: any) => eventId)
    expect(await ids('--since 2h')).toEqual(['e3', 'e2'])
    expect(await ids('--since 2026-02-28')).toEqual(['e3', 'e2'])
    expect(await ids('--limit 1')).toEqual(['e3'])
    expect(await ids('--state set-aside')).toEqual(['e2'])
    expect(await ids('--state waiting')).toEqual(['e3'])
    expect(await ids('--state delivered')).toEqual(['old'])
    await receive([arrival('e4', { forward: false })])
    expect(await ids('--state stored')).toEqual(['e4'])
    expect((await run('list --json --state stored')).json()).toMatchObject([{ state: 'stored' }])
    for (const line of ['--since soon', '--limit 0', '--state dead']) expect((await run(`list ${line}`)).code).toBe(2)
  })

  test('show finds an event by id or number, with its variants', async () => {
    await receive([arrival('e1'), arrival('e2'), arrival('e1', { data: { loanAmount: 2 } })])
    const shown = (await run('show e1 --json')).json()
    expect(shown).toMatchObject({ seq: 1, variants: [{ seq: 3, state: 'variant', data: { loanAmount: 2 } }] })
    expect(JSON.stringify(shown)).not.toMatch(/canar/i)
    expect((await run('show #3 --json')).json()).toMatchObject({ seq: 3, variants: [] })
    for (const number of ['1', '#1']) expect((await run(`show ${number} --json`)).json()).toEqual(shown)
    expect((await run('show 1')).stdout).toContain('Other bodies')
    const people = await run('show e1')
    expect(people.stdout).toContain('Other bodies')
    expect(people.stdout).not.toMatch(/canar/i)
    const revealed = (await run('show e1 --json --reveal')).json()
    expect(revealed).toMatchObject({ data: PERSON, signature: 'a1b2' })
    expect((await run('show e9')).code).toBe(6)
  })

  test('show prints the answer of the handler, and masks ids of people unless --reveal is given', async () => {
    const answer = 'no stock for 11.222.333-9\nsee the log'
    await receive([arrival('e1'), arrival('e2')], [{ state: 'dead', status: 500, error: 'answered 500', answer }])
    const shown = await run('show e1')
    expect(shown.stdout).toMatch(/Handler’s answer {2}no stock for ••/)
    expect(shown.stdout).not.toContain('11.222.333')
    expect((await run('show e1 --json')).json().answer).not.toContain('11.222.333')
    expect((await run('show e1 --json --reveal')).json()).toMatchObject({ status: 500, answer })
    expect((await run('show e2 --json')).json()).toMatchObject({ answer: null })
    await receive([], [{ answer: 'a\0b' }])
    expect((await run('show e1 --json')).json().answer).toMatch(/^a.b$/s)
  })

  test('show finds an event by its number, by a unique prefix of its id, and by the shortened id in the list', async () => {
    const id = (end: string) => `0190a5b2-7c3e-7d60-8000-6a1f0c2b9d${end}`
    await receive([arrival(id('01')), arrival(id('02')), arrival('x%_1'), arrival('3')])
    const seqOf = async (name: string) => (await run(`show ${name} --json`)).json().seq
    expect(await seqOf('2')).toBe(2)
    expect(await seqOf('#2')).toBe(2)
    expect(await seqOf('0190a5…c2b9d02')).toBe(2)
    expect(await seqOf('x%')).toBe(3)
    // A text that is both an id and a number means the id. With #, it always means the number.
    expect([await seqOf('3'), await seqOf('#3')]).toEqual([4, 3])
    const several = await run('show 0190a5b2')
    expect(several.code).toBe(2)
    expect(several.stderr).toContain(
      "several events have an id that matches 0190a5b2\n  Name one event by its number: '#2', '#1'",
    )
    for (const name of ['x%_2', '%', '0190a5…c2b9d03', '…9d01', '9', '#9'])
      expect([name, (await run(`show ${name}`)).code]).toEqual([name, 6])
    const replayed = await run('replay x% --forward-to http://127.0.0.1:9/hook --json')
    expect(replayed.json()).toMatchObject([{ seq: 3 }])
  })

  test('an id of two events from two destinations is refused as ambiguous, and the number of each event works', async () => {
    await receive([arrival('e1'), arrival('e1', { destination: '/other', data: { loanAmount: 2 } })])
    for (const line of ['show e1', 'replay e1 --forward-to http://127.0.0.1:3000/hook', 'confirm e1']) {
      const ran = await run(line)
      expect(ran.code).toBe(2)
      expect(ran.stderr).toContain(
        "several events have the id e1, received at /webhooks and /other\n  Name one event by its number: '#1', '#2'",
      )
    }
    expect(sent).toEqual([])
    expect((await run('show #2 --json')).json()).toMatchObject({ seq: 2, destination: '/other' })
    await receive([arrival('e1', { data: { loanAmount: 3 } })])
    expect((await run('show #1 --json')).json().variants).toMatchObject([{ data: { loanAmount: 3 } }])
    expect((await run('show #2 --json')).json().variants).toEqual([])
  })

  test('show finds an event with 101 variants; after this event is pruned, replay sends no variant instead', async () => {
    const variants = Array.from({ length: 101 }, (_, i) => arrival('e1', { data: { loanAmount: i }, receivedAt: NOW }))
    await receive([arrival('e1', { forward: false }), ...variants])
    expect((await run('show e1 --json')).json()).toMatchObject({ seq: 1, state: 'stored' })
    const people = (await run('show e1')).stdout.replace(/\s+/g, ' ')
    expect(people).toMatch(/Other bodies (#\d+, ){9}#\d+ and \d+ more \(--json shows all\)/)
    expect((await run('prune --older-than 30m --json')).json()).toEqual({ pruned: 1 })
    const ran = await run('replay e1 --forward-to http://127.0.0.1:3000/hook')
    expect(ran.code).toBe(6)
    expect(ran.stderr).toContain(
      "the event e1 is no longer in the inbox; the inbox contains only later deliveries with the same id but another body\n  Name one event by its number: '#3'",
    )
    expect(ran.stderr.replace(/\s+/g, ' ')).toMatch(
      /('#\d+', ){9}'#\d+' and \d+ more\. See their numbers: bnpl webhooks events/,
    )
    expect(sent).toEqual([])
  })

  test('replay delivers events to a handler that closes each connection without notice', async () => {
    const ids = ['e1', 'e2', 'e3', 'e4', 'e5']
    await receive(ids.map((id) => arrival(id)))
    const handler = await startClosingHandler()
    const ran = await run(`replay 1 2 3 4 5 --forward-to ${handler.url} --json`, { transport: undefined })
    await handler.stop()
    expect(ran.code).toBe(0)
    expect(ran.json().map(({ status }: any) => status)).toEqual(ids.map(() => 200))
    expect(handler.handled.map(({ eventId }) => eventId)).toEqual(ids)
  })

  test('show --raw gives the bytes that were signed', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x0a])
    await receive([
      arrival('', { eventId: null, event: null, odd: 'it is not UTF-8 text', body: bytes, forward: false }),
    ])
    expect(Buffer.from((await run('show #1 --raw')).stdout, 'latin1')).toEqual(bytes)
    expect((await run('show #1 --json --reveal')).json()).toMatchObject({
      state: 'quarantined',
      error: 'it is not UTF-8 text',
      bodyBase64: bytes.toString('base64'),
    })
  })

  test('replay sends an event with its signature to a handler, and stores that the event was delivered', async () => {
    await receive([arrival('e1')], [{ state: 'dead', attempts: 8, status: 500, error: 'answered 500' }])
    const ran = await run('replay e1 --forward-to http://127.0.0.1:9/hook --json')
    expect(ran.json()).toEqual([{ eventId: 'e1', seq: 1, status: 200, error: null, ms: expect.any(Number) }])
    expect(sent[0]).toMatchObject({
      url: 'http://127.0.0.1:9/hook',
      headers: { 'bnpl-event-id': 'e1', 'bnpl-attempt': '9', 'service-signature': 'a1b2' },
    })
    expect(JSON.parse(new TextDecoder().decode(sent[0]?.body))).toMatchObject({ eventId: 'e1' })
    expect((await run('list --json')).json()).toMatchObject([{ state: 'delivered', attempts: 9 }])
  })

  test('replay --set-aside sends the events that were set aside, oldest first', async () => {
    const dead = { state: 'dead', status: 500, error: 'answered 500' } as const
    await receive([arrival('e1'), arrival('e2'), arrival('e3')], [{ seq: 1, ...dead }, { seq: 2 }, { seq: 3, ...dead }])
    await run('replay --set-aside --forward-to http://127.0.0.1:9/hook')
    expect(sent.map(({ headers }) => headers['bnpl-event-id'])).toEqual(['e1', 'e3'])
    const rest = await run('list --state set-aside --json')
    expect([rest.json(), rest.stderr]).toEqual([[], 'No event in the inbox matches the given options.\n'])
    const again = await run('replay --set-aside --forward-to http://127.0.0.1:9/hook')
    expect(again).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'There are no set-aside events, so nothing was replayed.\n',
    })
    expect(sent).toHaveLength(2)
  })

  test('replay --set-aside sends all events that were set aside, however many they are, in their order', async () => {
    const ids = Array.from({ length: 45 }, (_, i) => `e${i + 1}`)
    const dead = { state: 'dead', status: 500, error: 'answered 500' } as const
    await receive(
      ids.map((id) => arrival(id)),
      ids.map((_, i) => ({ seq: i + 1, ...dead })),
    )
    expect((await run('replay --set-aside --forward-to http://127.0.0.1:9/hook --json')).json()).toHaveLength(45)
    expect(sent.map(({ headers }) => headers['bnpl-event-id'])).toEqual(ids)
  })

  test('a failed replay counts the events that were not accepted; a second replay sends only the remaining events', async () => {
    const dead = { state: 'dead', status: 500, error: 'answered 500' } as const
    await receive(
      [arrival('e1'), arrival('e2')],
      [
        { seq: 1, ...dead },
        { seq: 2, ...dead },
      ],
    )
    const replay = 'replay --set-aside --forward-to http://127.0.0.1:9/hook'
    status = 503
    expect(await run(replay)).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('the handler did not accept any of the 2 events: '),
    })
    expect((await run(`${replay} --json`)).error()).toMatchObject({ status: 503, sent: true, outcome: 'rejected' })
    status = undefined
    expect(await run(replay)).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('the handler did not get the 2 events: '),
    })
    const taking: Transport = async (request) => ({
      ...(await transport(request)),
      status: sent.length % 2 ? 200 : 500,
    })
    status = 200
    sent = []
    expect(await run(replay, { transport: taking })).toMatchObject({
      code: 11,
      stderr: expect.stringContaining('Run the command again. It replays only the events that are still set aside.'),
    })
    expect((await run(`${replay} --json`)).json()).toMatchObject([{ eventId: 'e2' }])
  })

  test('a failed replay leaves the event unchanged, and ends with 9 or 10', async () => {
    await receive([arrival('e1')], [{ state: 'dead', error: 'answered 500' }])
    const replay = 'replay e1 --forward-to http://127.0.0.1:9/hook'
    status = 503
    expect((await run(replay)).code).toBe(10)
    status = undefined
    const unreached = await run(replay)
    expect(unreached).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('  Start the handler, or check the address'),
    })
    expect((await run('list --json')).json()).toMatchObject([{ state: 'set-aside', attempts: 1 }])
    for (const line of ['replay e1', 'replay --forward-to http://127.0.0.1:9', 'replay e1 --forward-to nowhere'])
      expect((await run(line)).code).toBe(2)
    expect((await run('replay e9 --forward-to http://127.0.0.1:9')).code).toBe(6)
    // The hint names a command that works.
    expect((await run('replay e1 #3')).stderr).toContain(
      "  Add the address: bnpl webhooks events replay e1 '#3' --forward-to http://127.0.0.1:3000/hook",
    )
    expect((await run('replay --forward-to http://127.0.0.1:9')).stderr).toContain(
      'bnpl webhooks events replay --set-aside --forward-to http://127.0.0.1:9',
    )
  })

  test('confirm asks the service about an event, and stores the answer [row 57]', async () => {
    const clock = fakeClock(NOW)
    const ask = (line: string) => m.run(`${line} -p sandbox:real-estate`, { clock, env: { TZ: 'UTC' } })
    const at = database ? `--database ${database.url}` : ''
    const { leadId } = (await m.run('sandbox lead --now --json', { clock })).json()
    const lead = (await ask(`leads get ${leadId} --json`)).json()
    const evaluation = (await ask(`evaluations get --lead-id ${leadId} --json`)).json()
    const token = { scheme: 'token', event: 'new_lead' } as const
    await receive([
      arrival('true', { ...token, data: lead }),
      arrival('altered', { ...token, data: { ...lead, email: 'mallory@example.com' } }),
      arrival('forged', { ...token, data: { ...lead, leadId: 'L9' } }),
      arrival('silent', { ...token, data: { nombres: 'nobody' } }),
      arrival('full', { ...token, event: 'pre_approve', data: { ...evaluation, urlInforme: 'https://another' } }),
      arrival('signed'),
    ])
    const ran = await ask(`webhooks events confirm --json ${at}`)
    expect(ran.json()).toMatchObject([
      { eventId: 'true', confirmed: true, result: 'agrees', differences: [] },
      { eventId: 'altered', confirmed: false, result: 'differs', differences: ['email'] },
      { eventId: 'forged', confirmed: false, result: 'unknown' },
      { eventId: 'silent', confirmed: false, result: 'not-asked' },
      { eventId: 'full', confirmed: true, result: 'agrees' },
    ])
    expect(ran.code).toBe(10)
    expect(ran.stdout + ran.stderr).not.toMatch(/mallory|@/)
    const listed = (await run('list --json')).json()
    expect(listed.map(({ eventId, confirmed }: any) => [eventId, confirmed])).toEqual([
      ['signed', true],
      ['full', true],
      ['silent', false],
      ['forged', false],
      ['altered', false],
      ['true', true],
    ])
    expect((await run('show true')).stdout).toMatch(/Confirmed +yes, the service confirmed it at 2026-03-01 12:00:/)
    expect((await run('show altered')).stdout).toMatch(
      /Confirmed +no, at .* the service’s values differed from the event: email/,
    )
    expect((await run('show silent')).stdout).toContain("bnpl webhooks events confirm '#4'")
    // An event that was already confirmed is asked about again only if its number is given.
    expect((await ask(`webhooks events confirm --json ${at}`)).json()).toHaveLength(3)
    expect((await ask(`webhooks events confirm #1 ${at}`)).code).toBe(0)
  })

  test('confirm prints what it confirmed before a refused key, and --dry-run shows the request of each event', async () => {
    const token = { scheme: 'token', event: 'loan_approved' } as const
    await receive(
      ['T1', 'T2', 'T3'].map((externalTrxId) => arrival(externalTrxId, { ...token, data: { externalTrxId } })),
    )
    const service = { BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: 'https://api.example.com' }
    const env = { ...service, ...(database && { BNPL_DATABASE: database.url }) }
    const asking: Transport = async (request) => {
      sent.push(request)
      return { status: sent.length === 1 ? 404 : 401, headers: {}, body: Buffer.from('{}') }
    }
    const dry = await run('confirm --dry-run --json', { env, transport: asking })
    expect([dry.json().length, sent.length]).toEqual([3, 0])
    const ran = await run('confirm --json', { env, transport: asking })
    expect([ran.code, sent.length]).toEqual([4, 2])
    expect(ran.json()).toMatchObject([{ eventId: 'T1', result: 'unknown' }])
    expect(await run('confirm --json', { env, transport: asking })).toMatchObject({ code: 4, stdout: '' })
  })

  test.each([
    ['an answer', ['e1', 'e2']],
    ['no answer', ['e1']],
  ])('replay prints what it sent before an interruption, of a last event with %s', async (last, done) => {
    await receive([arrival('e1'), arrival('e2')], [{ state: 'dead', error: 'answered 500' }])
    const stop = new AbortController()
    const interrupting: Transport = async (request) => {
      sent.push(request)
      if (sent.length === 2) stop.abort(new Interrupted(130))
      if (sent.length === 2 && last === 'no answer') throw new WireFailure('aborted', true, 'stopped')
      return { status: 200, headers: {}, body: new Uint8Array() }
    }
    const line = 'replay e1 e2 --forward-to http://127.0.0.1:9/hook --json'
    const ran = await run(line, { transport: interrupting, signal: stop.signal })
    expect([ran.code, ran.json().map(({ eventId }: any) => eventId)]).toEqual([130, done])
  })

  test('confirm asks about all unconfirmed events, the oldest first, and --since about the newer ones', async () => {
    const token = { scheme: 'token', event: 'new_lead', data: { nombres: 'nobody' } } as const
    const old = { ...token, receivedAt: NOW - 40 * 24 * HOUR }
    const ids = Array.from({ length: 45 }, (_, i) => `e${i + 1}`)
    await receive(ids.map((id, i) => arrival(id, i < 22 ? old : token)))
    const asked = async (more: string) =>
      (await run(`confirm ${more} --json -p sandbox:real-estate`)).json().map(({ eventId }: any) => eventId)
    expect(await asked('')).toEqual(ids)
    expect(await asked('--since 2d')).toEqual(ids.slice(22))
  })

  test('prune deletes old events that are finished, and keeps all other events', async () => {
    const old = { receivedAt: NOW - 40 * 24 * HOUR }
    await receive(
      [arrival('e1', old), arrival('e2', old), arrival('e3')],
      [{ seq: 1 }, { seq: 2, state: 'dead', error: 'answered 500' }],
    )
    expect(await run('prune --dry-run')).toMatchObject({ code: 2, stdout: '' })
    const ran = await run('prune --json')
    expect(ran.json()).toEqual({ pruned: 1 })
    expect((await run('list --json')).json().map(({ eventId }: any) => eventId)).toEqual(['e3', 'e2'])
  })

  test('prune also deletes the newest event, and a later event does not get its number', async () => {
    await receive([arrival('e1'), arrival('e2', { scheme: 'token', event: 'pre_approve' })], [{ seq: 1 }, { seq: 2 }])
    expect((await run('prune --older-than 0s --json')).json()).toEqual({ pruned: 2 })
    expect((await run('list --json')).json()).toEqual([])
    expect((await run('show e2')).code).toBe(6)
    await receive([arrival('e3')])
    expect((await run('list --json')).json()).toMatchObject([{ seq: 3, eventId: 'e3', state: 'waiting' }])
    expect((await run('show 2')).code).toBe(6)
  })
})
