import { createHash } from 'node:crypto'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rutCheckCharacter } from '../../src/domain/identifiers.ts'
import { readRecording } from '../../src/recording/lines.ts'
import { openRecorder, type Recorder } from '../../src/recording/recorder.ts'
import { createSanitiser } from '../../src/recording/sanitiser.ts'
import { random } from '../kit/seed.ts'
import { budget, TIMEOUT } from './budget.ts'
import { type Canary, found, plantedExchange } from './canaries.ts'

const get = (path: string) => ({ method: 'GET', path, headers: [] })

const NOW = Date.parse('2026-03-01T12:00:00Z')

const sanitiserFor = (canaries: readonly Canary[], key = createHash('sha256').update(String(random())).digest()) =>
  createSanitiser({
    key,
    secrets: canaries.filter(({ known }) => known).map(({ text }) => text),
    keep: [],
    now: () => NOW,
    hosts: new Set(['api.example.com']),
    words: new Set(),
    paths: {},
  })

test('a recorded exchange contains no secret and no personal data, in any field and any notation', {
  timeout: TIMEOUT,
}, () => {
  fc.assert(
    fc.property(plantedExchange, ({ canaries, request, response }) => {
      const kept = JSON.stringify(sanitiserFor(canaries).exchange(request, response))
      expect(found(kept, canaries)).toEqual([])
    }),
    budget('recordings', 200, 100_000),
  )
})

test('a RUT has the same stand-in in each notation of a session, and a different stand-in in another session', () => {
  const id = fc.integer({ min: 1_000_000, max: 29_999_999 }).map(String)
  fc.assert(
    fc.property(id, fc.nat(3), fc.nat(3), (digits, one, other) => {
      const check = rutCheckCharacter(digits)
      const dots = digits.replace(/\B(?=(\d{3})+$)/g, '.')
      const written = [`${digits}-${check}`, `${dots}-${check}`, `${digits}${check}`, `${dots}-${check.toLowerCase()}`]
      const sanitiser = sanitiserFor([])
      const standInOf = (text: string, s = sanitiser) => {
        const { path } = s.exchange(get(`/partner/pre-approve/rut/${text}`), undefined).request
        return (path.split('/').at(-1) ?? '').replaceAll('.', '').replace('-', '').toUpperCase()
      }
      const standIn = standInOf(written[one]!)
      expect(standInOf(written[other]!)).toBe(standIn)
      expect(standIn).not.toBe(digits + check)
      expect(rutCheckCharacter(standIn.slice(0, -1))).toBe(standIn.slice(-1))
      expect(standIn).toHaveLength(digits.length + 1)
      expect(standInOf(written[0]!, sanitiserFor([]))).not.toBe(standIn)
    }),
    budget('stand-ins', 50, 20_000),
  )
})

type Seen = Parameters<Recorder['exchange']>[0]

/** Records the exchanges, and each request as a delivery too. Returns what `readRecording` finds in the file. */
async function readAgain(seen: readonly Seen[]) {
  using dir = mkdtempDisposableSync(join(tmpdir(), 'bnpl-recorder-'))
  const path = join(dir.path, 'day.ndjson')
  const recorder = openRecorder({
    path,
    clock: { now: () => NOW, monotonic: () => 0, sleep: async () => {} },
    program: 'bnpl 0',
    command: 'proxy',
    environment: 'beta',
    baseUrl: 'https://api.example.com/base',
    addresses: [],
    secrets: [],
    keep: [],
    paths: {},
    warn: (text) => expect.fail(text),
  })
  for (const each of seen) {
    recorder.exchange(each)
    recorder.delivery({ ...each, status: each.response?.status ?? 200, cutMs: each.ms })
  }
  recorder.close()
  const kinds: string[] = []
  for await (const { entry } of readRecording(path)) kinds.push(entry.kind)
  return kinds.filter((kind) => kind !== 'session' && kind !== 'left-out')
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text)
const nested = (depth: number) => bytesOf('['.repeat(depth) + ']'.repeat(depth))
const JSON_TYPE: [string, string] = ['content-type', 'application/json']
const FORM: [string, string] = ['content-type', 'application/x-www-form-urlencoded']
const plain: Seen = { by: 'proxy', at: NOW, ms: 1, request: { method: 'GET', path: '/partner/webhook', headers: [] } }
const withBody = (body: Uint8Array, header = JSON_TYPE): Seen => ({
  ...plain,
  request: { ...plain.request, headers: [header], body },
  response: { status: 200, headers: [header], body },
})

test('every exchange and delivery that the recorder writes can be read', { timeout: TIMEOUT }, async () => {
  const headers = fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 6 })
  const body = fc.option(
    fc.oneof(
      fc.json({ maxDepth: 4 }).map(bytesOf),
      fc.string().map(bytesOf),
      fc.uint8Array(),
      fc.integer({ min: 50, max: 70 }).map(nested),
      fc.record({ bytes: fc.nat() }),
    ),
    { nil: undefined },
  )
  const seen = fc.record<Seen>({
    by: fc.constantFrom('client', 'proxy'),
    at: fc.oneof(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.constant(NOW)),
    ms: fc.double({ min: -1e12, max: 1e12, noNaN: true }),
    request: fc.record({ method: fc.string(), path: fc.oneof(fc.string(), fc.webPath()), headers, body }),
    response: fc.option(fc.record({ status: fc.integer({ min: 100, max: 999 }), headers, body }), { nil: undefined }),
    ended: fc.option(fc.constantFrom('timeout', 'stopped'), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(seen, { minLength: 1, maxLength: 5 }), async (all) => {
      expect(await readAgain(all)).toEqual(all.flatMap(() => ['exchange', 'delivery']))
    }),
    budget('recorder', 30, 20_000),
  )
})

test.each([
  ['a body nested as deep as bnpl reads', withBody(nested(64))],
  ['a form of very many fields', withBody(Buffer.alloc(250_000, '&'), FORM)],
  ['a list of very many values', withBody(bytesOf(`[${'0,'.repeat(249_999)}0]`))],
  ['very many headers', { ...plain, request: { ...plain.request, headers: Array(130_000).fill(['a', '']) } }],
])('an exchange that is too large for a reader is recorded in a form that can be read: %s', async (_, seen) => {
  expect(await readAgain([seen])).toEqual(['exchange', 'delivery'])
})
