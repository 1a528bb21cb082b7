import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { WireFailure } from '../../src/contract/wire.ts'
import { sign } from '../../src/domain/signature.ts'
import { Interrupted } from '../../src/errors.ts'
import type { Entry, RecordedDelivery, RecordedExchange } from '../../src/recording/lines.ts'
import { http, tcpServer } from '../faults/tcp.ts'
import { fold, readings } from '../fuzz/canaries.ts'
import { compiledCode, LAUNCHER } from '../kit/built-program.ts'
import { outputOf } from '../kit/child-output.ts'
import { beginDay, env } from '../kit/day.ts'
import { fakeClock, type Machine, machine } from '../kit/harness.ts'
import { WAIT_MS } from '../kit/limits.ts'
import { type Program, program, until } from '../kit/program.ts'

/** `--record`, from the command line to the lines of the file. */

const entriesOf = (m: Machine, name = 'rec.ndjson'): Entry[] =>
  readFileSync(join(m.dir, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const exchangesOf = (m: Machine, name?: string) =>
  entriesOf(m, name).filter((entry): entry is RecordedExchange => entry.kind === 'exchange')

/** Runs the built program with a limit of one block (1 KiB) on the size of files. */
async function limited(p: Program, line: string, more: Record<string, string>) {
  const child = spawn('bash', ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, LAUNCHER, ...line.split(' ')], {
    cwd: p.dir,
    env: { PATH: process.env.PATH, HOME: p.dir, ...compiledCode(), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return outputOf(child).ended
}

const EVALUATE = 'evaluate -p sandbox --rut 12345678-5 --amount 50000 --trx T1'

test('a call is recorded with its request and answer, and only the owner can read the recording', async () => {
  using m = machine()
  const ran = await m.run(`${EVALUATE} --record rec.ndjson`)
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('1 exchange was recorded in rec.ndjson.')])
  expect(statSync(join(m.dir, 'rec.ndjson')).mode & 0o777).toBe(0o600)
  const [session, exchange, ...more] = entriesOf(m)
  expect(more).toEqual([])
  expect(session).toMatchObject({ kind: 'session', command: 'evaluate', environment: 'sandbox' })
  expect(exchange).toMatchObject({
    kind: 'exchange',
    endpoint: 'evaluate',
    request: {
      method: 'POST',
      path: '/partner/pre-loan-request/bnpl',
      headers: expect.arrayContaining([['authorization', 'Bearer (secret)']]),
      body: {
        form: [
          ['idNumber', expect.stringMatching(/^\d{8}-[\dK]$/)],
          ['amount', '50000'],
          expect.anything(),
          ['externalTrxId', 'T1'],
        ],
      },
    },
    response: { status: 200, body: { json: { data: { installmentOptions: expect.any(Array) } } } },
  })
  expect(JSON.stringify(exchange)).not.toContain('12345678')
})

test('each attempt is recorded as an exchange, and an attempt without an answer says how the attempt ended', async () => {
  using m = machine()
  let calls = 0
  const transport = async () => {
    calls++
    if (calls === 1) throw new WireFailure('reset', true, 'cut')
    const body = calls === 2 ? '' : JSON.stringify({ data: [] })
    return { status: calls === 2 ? 503 : 200, headers: {}, body: Buffer.from(body) }
  }
  const env = { BNPL_BASE_URL: 'https://api.example.com', BNPL_API_KEY: 'sk-1234567890' }
  await m.run('webhooks list --record rec.ndjson', { transport, env, clock: fakeClock() })
  const seen = exchangesOf(m)
  expect(seen.map(({ ended, response }) => ended ?? response?.status)).toEqual(['reset', 503, 200])
  expect(seen[0]).not.toHaveProperty('response')
})

test('without a call no recording is made, and the command says so; a dry run records nothing', async () => {
  using m = machine()
  const { stderr } = await m.run('profiles list --record rec.ndjson')
  expect(stderr).toContain('Nothing was recorded in rec.ndjson, because this command made no call to the service.')
  expect((await m.run(`${EVALUATE} --dry-run --record rec.ndjson`)).code).toBe(0)
  expect(existsSync(join(m.dir, 'rec.ndjson'))).toBe(false)
})

test.each([
  ['a folder that does not exist', 'no/rec.ndjson', 3],
  ['a file that is not a recording', 'other.csv', 3],
  ['no name', '', 2],
])('a recording that cannot be written ends the command before anything is sent: %s', async (_, file, code) => {
  using m = machine()
  writeFileSync(join(m.dir, 'other.csv'), 'a,b\n')
  const transport = vi.fn()
  const env = { BNPL_BASE_URL: 'https://api.example.com', BNPL_API_KEY: 'sk-1234567890' }
  const ran = await m.run(['webhooks', 'list', '--record', file], { transport, env })
  expect([ran.code, ran.stdout]).toEqual([code, ''])
  expect(transport).not.toHaveBeenCalled()
  expect(readFileSync(join(m.dir, 'other.csv'), 'utf8')).toBe('a,b\n')
})

test('--record-keep without --record is refused with an error that names --record-keep', async () => {
  using m = machine()
  const { code, stderr } = await m.run('webhooks list -p sandbox --record-keep profesion')
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --record-keep cannot be used without --record/)])
  expect((await m.run(['webhooks', 'list', '--record='])).stderr).toMatch(/^error: --record needs a file/)
})

test('an incomplete last line left by a crash is removed, and the next session is appended', async () => {
  using m = machine()
  await m.run(`${EVALUATE} --record rec.ndjson`)
  const whole = readFileSync(join(m.dir, 'rec.ndjson'), 'utf8')
  writeFileSync(join(m.dir, 'rec.ndjson'), `${whole}{"kind":"excha`)
  await m.run('verify -p sandbox T1 --record rec.ndjson')
  const text = readFileSync(join(m.dir, 'rec.ndjson'), 'utf8')
  expect(text.startsWith(whole)).toBe(true)
  const sessions = entriesOf(m).map(({ kind, session }) => `${kind} ${session}`)
  expect(new Set(entriesOf(m).map(({ session }) => session)).size).toBe(2)
  expect(sessions.slice(2).map((each) => each.split(' ')[0])).toEqual(['session', 'exchange', 'left-out'])
})

test('if the disk fills up during a command, the result and the recorded lines are complete, with exit code 13', async () => {
  const destinations = Array.from({ length: 30 }, (_, i) => ({ id: `d${i}`, url: 'https://shop.example/hook' }))
  const answer = JSON.stringify({ data: destinations })
  await using p = program()
  await using service = await tcpServer((socket) => socket.write(http(200, answer)))
  const env = { BNPL_BASE_URL: service.url, BNPL_API_KEY: 'sk-1234567890' }
  // The first line fits into the one block that a file may have; the second does not.
  const line = `webhooks list --json --record ${join(p.dir, 'rec.ndjson')}`
  const { code, stdout, stderr } = await limited(p, line, env)
  expect([code, stderr, JSON.parse(stdout)]).toEqual([13, expect.anything(), destinations])
  expect(stderr).toContain('nothing more is recorded, but the command continues')
  expect(readFileSync(join(p.dir, 'rec.ndjson'), 'utf8')).toMatch(/^\{"kind":"session".*\}\n$/)
})

test('a run over a file records every call, and all calls have the same stand-in for the same person', async () => {
  using m = machine()
  const rows = Array.from({ length: 6 }, (_, i) => `12345678-5,50000,B${i}\n`).join('')
  writeFileSync(join(m.dir, 'rows.csv'), `rut,amount,externalTrxId\n${rows}`)
  expect((await m.run('evaluate -p sandbox --from rows.csv --out out.csv --record rec.ndjson')).code).toBe(0)
  const bodies = exchangesOf(m).map(({ request: { body } }) => (body !== undefined && 'form' in body ? body.form : []))
  expect(bodies).toHaveLength(6)
  expect(new Set(bodies.map((form) => Object.fromEntries(form).idNumber)).size).toBe(1)
})

test('a download is recorded with the type and size of its body, and without the signature of the link', async () => {
  using m = machine()
  const { preApproveId } = (await m.run('sandbox lead --now --rut 12345678-5 --json')).json()
  const { stderr } = await m.run(`informe download ${preApproveId} -p sandbox:real-estate --record rec.ndjson`)
  expect(stderr).toContain(' response-content-type in the query of an address')
  const read = await m.run('evaluations get --rut 12345678-5 -p sandbox:real-estate --record read.ndjson')
  expect(read.stderr).toContain(' data.nacionalidad (evaluationByRut), ')
  const [link, file] = exchangesOf(m)
  expect(link).toMatchObject({ endpoint: 'getInforme', response: { status: 200 } })
  expect(file?.response?.body).toMatchObject({ omitted: 'pdf', bytes: expect.any(Number) })
  expect(file?.request.path).toMatch(/X-Amz-Signature=\(secret\)/)
  expect(file?.request.path).toContain(preApproveId)
})

const WAIT = { timeout: WAIT_MS }

const SECRET = 'whsec-of-the-listener-4711'
const BODY = '{"eventId":"e1","data":{"externalTrxId":"T1","rut":"12.345.678-5","state":"ACTIVE"}}'

/** Receives deliveries with the given headers and bodies. @returns the recorded lines */
async function received(deliveries: readonly { headers: Record<string, string>; body?: string }[]) {
  using m = machine()
  const stop = new AbortController()
  const running = m.run('webhooks listen --port 0 --no-print --ready-file ready.json --record rec.ndjson', {
    signal: stop.signal,
    env: { BNPL_WEBHOOK_SECRET: SECRET },
  })
  await vi.waitUntil(() => existsSync(join(m.dir, 'ready.json')), WAIT)
  const { url } = JSON.parse(readFileSync(join(m.dir, 'ready.json'), 'utf8'))
  for (const { headers, body = BODY } of deliveries) await fetch(url, { method: 'POST', headers, body })
  const recorded = () => entriesOf(m).filter(({ kind }) => kind === 'delivery').length
  await vi.waitUntil(() => recorded() === deliveries.length, WAIT)
  stop.abort(new Interrupted(143))
  const { stderr } = await running
  return { text: readFileSync(join(m.dir, 'rec.ndjson'), 'utf8'), entries: entriesOf(m), stderr }
}

test('a delivery is recorded with its detected signature scheme; the listener’s own test delivery is not recorded', async () => {
  const sha512 = sign(Buffer.from(BODY), SECRET, { algorithm: 'sha512', encoding: 'base64' })
  const sha256 = sign(Buffer.from(BODY), SECRET, { algorithm: 'sha256', encoding: 'hex' })
  const { text, entries, stderr } = await received([
    { headers: { 'service-signature': sha256 } },
    { headers: { 'service-signature': sha512 } },
    { headers: { 'x-partner-digest': `sha256=${sha256}` } },
    { headers: {} },
    { headers: { 'service-signature': 'c0ffee' } },
  ])
  const deliveries = entries.filter((entry): entry is RecordedDelivery => entry.kind === 'delivery')
  expect(deliveries.map(({ response }) => response.status)).toEqual([200, 401, 401, 401, 401])
  expect(deliveries.map(({ signature }) => signature)).toMatchObject([
    {
      scheme: 'hmac',
      valid: true,
      header: 'service-signature',
      algorithm: 'sha256',
      encoding: 'hex',
      bodyForm: 'as given',
    },
    { valid: false, header: 'service-signature', algorithm: 'sha512', encoding: 'base64', bodyForm: 'as given' },
    { valid: false, header: 'x-partner-digest', algorithm: 'sha256', encoding: 'hex' },
    { valid: false },
    { valid: false, header: 'service-signature' },
  ])
  for (const known of [SECRET, sha256, sha512, '12.345.678']) expect(text).not.toContain(known)
  expect(deliveries[0]?.request.body).toMatchObject({
    json: { eventId: 'e1', data: { externalTrxId: 'T1', state: 'ACTIVE' } },
  })
  expect(stderr).toContain('5 deliveries were recorded in rec.ndjson')
})

test('kill -9 during a run leaves a recording with only complete lines', async () => {
  await using p = program()
  await using service = await tcpServer((socket) =>
    socket.write(http(200, '{"data":{"installmentOptions":[],"preApproveId":"p1"}}')),
  )
  const rows = Array.from({ length: 5_000 }, (_, i) => `12345678-5,50000,B${i}\n`).join('')
  writeFileSync(join(p.dir, 'rows.csv'), `rut,amount,externalTrxId\n${rows}`)
  const env = { BNPL_BASE_URL: service.url, BNPL_API_KEY: 'sk-1234567890', BNPL_ENTITY_ID: 'E1' }
  const running = p.start('evaluate --from rows.csv --out out.csv --record rec.ndjson', env)
  await until(() => service.requests.length > 40, running)
  running.child.kill('SIGKILL')
  await running.ended
  const text = readFileSync(join(p.dir, 'rec.ndjson'), 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  const entries: Entry[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.filter(({ kind }) => kind === 'exchange').length).toBeGreaterThan(20)
  expect(text).not.toMatch(/12345678|sk-1234/)
})

/** Returns the texts of a result that name a person or are a secret, by the sandbox's field names. */
function namedIn(stdout: string): string[] {
  const fields =
    /"(?:rut|idNumber|email|telefono|direccion|nombres|apellidoPaterno|apellidoMaterno|widgetToken|apiKey|publicKey|secret)":\s*"([^"]+)"/g
  return [...stdout.matchAll(fields)].map(([, value = '']) => value)
}

test('a recording of all commands over a day contains no key, no secret and no personal data', async () => {
  const { m, rows, run, end } = await beginDay('--json')
  const named = new Set(['11222333-9', '11.222.333-9', env.BNPL_WEBHOOK_SECRET])
  const learn = ({ stdout }: { stdout: string }) => {
    for (const value of namedIn(stdout)) named.add(value)
  }
  learn(await run('sandbox status --json'))
  learn(await run('leads list -p sandbox:real-estate --json'))
  for (const { line } of rows) {
    const isOfOthers = / -- |^__complete|^completion/.test(line)
    learn(await run(isOfOthers ? line : `${line} --record day.ndjson --json`))
    for (const [email] of line.matchAll(/[\w.]+@[\w.]+/g)) named.add(email)
  }
  const text = readFileSync(join(m.dir, 'day.ndjson'), 'utf8')
  await end()
  const kinds = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).endpoint)
  // A stand-in may by chance equal a short name made of syllables, so such names are left out.
  const telling = [...named].filter((value) => !/^([bdfgklmnprstvz][aeiou]){1,3}$/i.test(value) && value.length > 3)
  expect(telling.length).toBeGreaterThan(12)
  expect(new Set(kinds).size).toBeGreaterThan(10)
  const kept = readings(text)
  expect(telling.filter((value) => kept.includes(fold(value)))).toEqual([])
  // A stand-in may by chance contain the first letters of a token.
  expect(kept).not.toMatch(/eyj[\w-]+\.eyj/)
})
