import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sign } from '../../src/domain/signature.ts'
import {
  cleanUp,
  type Delivery,
  deliver,
  deliverAll,
  folder,
  type Listener,
  SECRET,
  SIGNATURE,
  startHere,
  startListener,
  until,
} from './listener.ts'

let listener: Listener
beforeAll(async () => {
  listener = await startHere()
})
afterAll(cleanUp)

const stored = () => listener.events().map(({ eventId }) => eventId)
const body = JSON.stringify({ eventId: 'never', data: {} })
const right = sign(Buffer.from(body), SECRET, SIGNATURE)

/** Sends raw bytes over one connection. @returns the whole answer */
function raw(to: Listener, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(to.port, '127.0.0.1', () => socket.end(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', () => resolve(answer))
  })
}

test('an invalid signature is answered 401, never 500, and nothing is stored [row 46]', async () => {
  const wrong: Delivery[] = [
    null,
    ' ',
    right.slice(2),
    `${right}00`,
    right.slice(1),
    'zz'.repeat(32),
    `v1=${right}`,
    `sha256=${right}`,
    '\u00e9'.repeat(64),
    'x'.repeat(8000),
  ].map((signature) => ({ body, signature }))
  expect(new Set(await deliverAll(listener, wrong))).toEqual(new Set([401]))
  expect((await deliver(listener, { body, headers: { 'service-signature': '' } })).status).toBe(401)
})

test('a signature that is sent twice is 401, even if both are valid [row 47]', async () => {
  const head = (signatures: string) =>
    `POST /webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${signatures}Connection: close\r\n\r\n${body}`
  expect(await raw(listener, head(`Service-Signature: ${right}\r\nService-Signature: ${right}\r\n`))).toMatch(
    /^HTTP\/1.1 401/,
  )
  expect(await raw(listener, head(`Service-Signature: ${right}, ${right}\r\n`))).toMatch(/^HTTP\/1.1 401/)
})

test.each([
  ['a byte order mark', Buffer.from('\ufeff{"eventId":"raw-1","data":{}}')],
  ['CRLF and white space', Buffer.from('{\r\n  "eventId" : "raw-2",\r\n  "data": { }\r\n}\r\n')],
  ['another order of keys', Buffer.from('{"data":{"b":1,"a":2},"eventId":"raw-3"}')],
  ['\\u escapes', Buffer.from('{"eventId":"raw-\\u0034","data":"\\ud83d\\ude00"}')],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
])('%s: the signature is verified on the raw bytes, and the bytes are stored unchanged [row 48]', async (_, bytes) => {
  expect(await deliver(listener, { body: bytes })).toMatchObject({ status: 200 })
  // A signature of the parsed and rewritten body is refused.
  const again = Buffer.from(JSON.stringify({ ...JSON.parse('{"eventId":"x","data":1}') }))
  expect((await deliver(listener, { body: bytes, signature: sign(again, SECRET, SIGNATURE) })).status).toBe(401)
  const { DatabaseSync } = await import('node:sqlite')
  using db = new DatabaseSync(join(listener.dir, 'state/inbox.db'), { readOnly: true })
  const bodies = db.prepare('SELECT body FROM events ORDER BY seq DESC LIMIT 1').get()
  expect(Buffer.from(bodies?.body as Uint8Array)).toEqual(bytes)
})

test.each([
  ['gzip', { headers: { 'content-encoding': 'gzip' } }, 415],
  ['a form', { eventId: 'form', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 200],
  ['text', { eventId: 'text', headers: { 'content-type': 'text/plain' } }, 200],
  ['bytes', { eventId: 'bytes', headers: { 'content-type': 'application/octet-stream' } }, 200],
  ['an empty type', { eventId: 'empty', headers: { 'content-type': '' } }, 200],
  ['text with a wrong signature', { signature: 'x', headers: { 'content-type': 'text/plain' } }, 401],
  ['GET', { method: 'GET' }, 405],
  ['PUT', { method: 'PUT' }, 405],
  ['another path', { path: '/other' }, 404],
  ['a longer path', { path: '/webhooks/more' }, 404],
  ['another host', { headers: { host: 'evil.example' } }, 421],
  ['a look-alike', { headers: { host: '127.0.0.1.evil.example' } }, 421],
  ['no type', { eventId: 'untyped', headers: { 'content-type': undefined } }, 200],
  ['JSON with a charset', { eventId: 'typed', headers: { 'content-type': 'application/json; charset=utf-8' } }, 200],
  ['a query', { eventId: 'query', path: '/webhooks?a=b' }, 200],
] satisfies [string, Delivery, number][])(
  '%s: the answer has the right status and repeats nothing from the request [row 49, row 69]',
  async (_, delivery, status) => {
    const answer = await deliver(listener, delivery)
    expect(answer.status).toBe(status)
    expect(answer.text).not.toMatch(/evil|other|gzip|PUT/)
  },
)

test.each(['md5', 'sha1', 'sha512'] as const)('a valid signature in %s is 401 [row 50]', async (algorithm) => {
  const signature = sign(Buffer.from(body), SECRET, { algorithm, encoding: 'hex' })
  for (const given of [signature, `${algorithm}=${signature}`, 'none', ''])
    expect((await deliver(listener, { body, headers: { 'service-signature': given } })).status).toBe(401)
})

test('a delivery with the header of the other scheme is answered 401, even if it has the right header too [row 57, row 58]', async () => {
  const both = { body, headers: { 'service-webhook-secret': SECRET } }
  expect((await deliver(listener, both)).status).toBe(401)
  expect((await deliver(listener, { ...both, signature: null })).status).toBe(401)
  await expect.poll(() => listener.stderr()).toContain('--scheme token')
  const other = await startHere({ args: ['--scheme', 'token'] })
  expect((await deliver(other, { ...both, signature: null })).status).toBe(200)
  expect((await deliver(other, both)).status).toBe(401)
  expect((await deliver(other, { body })).status).toBe(401)
  // The event is not confirmed, because anybody who knows the token may have sent it.
  await until(() => other.events().length === 1)
  expect(other.events()[0]).toMatchObject({ eventId: 'never', event: 'new_lead', confirmed: false })
})

test('no refused delivery was stored, and no message contains a secret', async () => {
  await until(() => stored().includes('query'))
  expect(stored()).not.toContain('never')
  // Deliveries with another method, path, type, encoding or header name are not stored either, even with the right signature.
  expect(stored()).not.toContain('e1')
  expect(stored()).toEqual(
    expect.arrayContaining(['raw-1', 'raw-2', 'raw-3', 'raw-4', 'form', 'text', 'bytes', 'empty']),
  )
  expect(listener.events()[0]).toMatchObject({ event: 'loan_approved', confirmed: true })
  expect(listener.stdout() + listener.stderr()).not.toContain(SECRET)
})

// These tests mostly wait, so they run at the same time.

test.concurrent.each([
  ['empty', { BNPL_WEBHOOK_SECRET: '' }],
  ['white space', { BNPL_WEBHOOK_SECRET: ' \n' }],
  ['not set', {}],
])('webhooks listen does not start with a secret that is %s [row 51]', async (how, env) => {
  const before = how === 'not set' ? { before: 'unset BNPL_WEBHOOK_SECRET' } : {}
  const refused = await startListener({ env, unready: true, ...before })
  expect(await refused.ended).toBe(3)
  await until(() => refused.stderr().includes('no webhook secret'))
})

test.concurrent('secrets rotate without a restart: the receiver accepts both secrets, then only the new secret [row 53]', async () => {
  const dir = folder()
  mkdirSync(join(dir, 'config'), { mode: 0o700 })
  const keep = (webhookSecrets: string[]) =>
    writeFileSync(
      join(dir, 'config/profiles.json'),
      JSON.stringify({
        version: 1,
        profiles: { acme: { environment: 'beta', baseUrl: 'https://api.example.com', webhookSecrets } },
      }),
      { mode: 0o600 },
    )
  keep(['old'])
  const rotating = await startHere({ dir, args: ['-p', 'acme'], env: { BNPL_WEBHOOK_SECRET: '' } })
  const status = async (secret: string) => (await deliver(rotating, { eventId: secret, secret })).status
  expect(await status('old')).toBe(200)
  expect(await status('new')).toBe(401)
  keep(['new', 'old'])
  await until(async () => (await status('new')) === 200)
  expect(await status('old')).toBe(200)
  keep(['new'])
  await until(async () => (await status('old')) === 401)
  expect(await status('new')).toBe(200)
})

test.concurrent('a secret file that is removed, emptied or half-written is reported once, and the last good secret stays valid [attack 16]', async () => {
  const dir = folder()
  const file = join(dir, 'secret')
  writeFileSync(file, `${SECRET}\n`)
  const listener = await startHere({ dir, args: ['--secret-file', file], env: { BNPL_WEBHOOK_SECRET: '' } })
  const said = (words: string) => listener.stderr().split(words).length - 1
  const accepts = async (secret: string) => (await deliver(listener, { eventId: secret, secret })).status
  rmSync(file)
  await until(() => said('cannot be read: it does not exist') === 1)
  expect(await accepts(SECRET)).toBe(200)
  writeFileSync(file, ' \n\n')
  await until(() => said('contains no secret') === 1)
  writeFileSync(file, 'new-sec')
  await until(() => said('too short for a secret') === 1)
  expect(await accepts(SECRET)).toBe(200)
  expect(await accepts('new-sec')).toBe(401)
  writeFileSync(`${file}.new`, 'new-secret-of-the-test\n')
  renameSync(`${file}.new`, file)
  await until(() => said('can be read again') === 1)
  expect(await accepts('new-secret-of-the-test')).toBe(200)
  expect(await accepts(SECRET)).toBe(401)
  expect(said('stay valid')).toBe(3)
})

test.concurrent.each<[scheme: 'hmac' | 'token', bytes: Buffer, why: string]>([
  ['hmac', Buffer.from('\ufeffnew-secret-of-the-test\n', 'utf16le'), 'is not UTF-8 text'],
  ['token', Buffer.from('new-secret-of-the-tést\n'), 'contains a character that is not allowed in a header'],
])(
  'an unusable new secret is reported, and the last good secret stays valid: scheme %s',
  async (scheme, bytes, why) => {
    const dir = folder()
    const file = join(dir, 'secret')
    writeFileSync(file, `${SECRET}\n`)
    const args = ['--scheme', scheme, '--secret-file', file]
    const listener = await startHere({ dir, args, env: { BNPL_WEBHOOK_SECRET: '' } })
    writeFileSync(`${file}.new`, bytes)
    renameSync(`${file}.new`, file)
    await until(() => /stay valid|have changed/.test(listener.stderr()))
    expect(listener.stderr()).toContain(`${why}; until this is corrected, the secrets that were read last stay valid`)
    const proof = scheme === 'token' ? { signature: null, headers: { 'service-webhook-secret': SECRET } } : {}
    expect((await deliver(listener, { eventId: 'e1', ...proof })).status).toBe(200)
  },
)

test.concurrent('a secret file replaced by a pipe is reported once, and the last good secret stays valid [attack 16]', async () => {
  const dir = folder()
  const file = join(dir, 'secret')
  writeFileSync(file, `${SECRET}\n`)
  const listener = await startListener({
    dir,
    args: ['--secret-file', file],
    env: { BNPL_WEBHOOK_SECRET: '', UV_THREADPOOL_SIZE: '1' },
  })
  // In one step, because a missing file would be reported too.
  execFileSync('mkfifo', [`${file}.pipe`])
  renameSync(`${file}.pipe`, file)
  await until(() => listener.stderr().includes('is not a regular file'))
  expect((await deliver(listener, { eventId: 'e1' })).status).toBe(200)
  expect(listener.stderr().split('stay valid')).toHaveLength(2)
})
