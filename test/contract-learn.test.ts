import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INTEGRATIONS } from '../src/contract/integrations.ts'
import type { Entry, RecordedDelivery, RecordedExchange } from '../src/recording/entries.ts'
import { DELIVERED } from '../src/recording/learning/specimens.ts'
import { lineOf } from '../src/recording/lines.ts'
import { sampleEvent } from '../src/sandbox/records/sample-events.ts'
import { type Machine, machine } from './harness.ts'
import { random } from './seed.ts'

/** `contract learn` from the command line. The tests in src/recording/learning are about the learner itself. */

const common = { v: 1 as const, session: 's', at: '2026-03-01T12:00:00.000Z' }
const SESSION: Entry = { kind: 'session', ...common, program: 'bnpl 1', command: 'evaluate', environment: 'beta' }
const evaluation = (data: unknown): RecordedExchange => ({
  kind: 'exchange',
  ...common,
  by: 'client',
  endpoint: 'evaluate',
  ms: 5,
  request: {
    method: 'POST',
    path: '/partner/pre-loan-request/bnpl',
    headers: [['authorization', 'Bearer (secret)']],
    body: {
      form: [
        ['idNumber', '42500048-9'],
        ['amount', '250000'],
        ['entityId', 'E'],
        ['externalTrxId', 'T1'],
      ],
    },
  },
  response: { status: 200, headers: [['content-type', 'application/json']], body: { json: { data } } },
})
const FOLIO = evaluation({ folio: '01a20295-9788-7000-b3ca-c4f42eb6e470', installmentOptions: [] as unknown[] })
const OPTIONS = [{ installments: 3, amount: 86_503, total: 259_509 }]
const OTHER_NAME = evaluation({ folio: '01a20295-9788-7000-b3ca-c4f42eb6e470', installmentOptions: OPTIONS })
const SIGNED: RecordedDelivery = {
  kind: 'delivery',
  ...common,
  ms: 1,
  request: {
    method: 'POST',
    path: '/hook',
    headers: [['service-signature', '(secret)']],
    body: { json: { eventId: 'e1', data: DELIVERED.loan_approved.data } },
  },
  response: { status: 200 },
  signature: {
    scheme: 'hmac',
    header: 'service-signature',
    valid: false,
    algorithm: 'sha256',
    encoding: 'base64',
    bodyForm: 'as given',
  },
}

const recording = (m: Machine, name: string, entries: readonly Entry[]) =>
  writeFileSync(join(m.dir, name), [SESSION, ...entries].map(lineOf).join(''))

const ADD =
  'profiles add acme --base-url https://api.example.com --payment-url https://pay.example.com --environment beta'

async function withProfile(m: Machine): Promise<void> {
  writeFileSync(join(m.dir, 'key.txt'), 'ak_test_1234567890abcdef')
  expect((await m.run(`${ADD} --api-key-file key.txt`)).code).toBe(0)
}

const profileIn = (m: Machine) => JSON.parse(readFileSync(join(m.configDir, 'profiles.json'), 'utf8')).profiles.acme

test('each gap that recordings answer is printed with its question, answer, lines and setting', async () => {
  using m = machine()
  recording(m, 'a.ndjson', [OTHER_NAME, SIGNED])
  const { code, json, stderr } = await m.run('contract learn a.ndjson --json')
  expect(code).toBe(0)
  expect(json().find(({ gap }: { gap: number }) => gap === 1)).toEqual({
    gap: 1,
    question: 'Which field of an evaluation contains the pre-approval id?',
    answer: 'data.folio',
    evidence: [{ file: 'a.ndjson', line: 2 }],
    setting: { name: 'preApproveIdField', value: 'folio', before: null },
  })
  expect(json().find(({ setting }: any) => setting?.name === 'hmacEncoding')).toMatchObject({
    gap: 7,
    evidence: [{ line: 3 }],
  })
  expect(stderr).toMatch(
    /^The recordings do not answer these gaps in the specification: 2, .*\nTo store 2 settings in the profile, add: --write\n$/,
  )
})

test('without --json a table says how similar the sandbox is to the service, and what to record for the other gaps', async () => {
  using m = machine()
  recording(m, 'a.ndjson', [OTHER_NAME])
  const { stdout } = await m.run('contract learn a.ndjson', { columns: 200 })
  expect(stdout).toMatch(
    /1 +Which field of an evaluation contains the pre-approval id\? +data\.folio +2 +preApproveIdField folio/,
  )
  expect(stdout).toMatch(/evaluate +\d+ of \d+ +(\d+) of \1\n/)
  expect(stdout).toMatch(/21 .*has no loan yet\? +bnpl verify TRX --record FILE/)
  expect(stdout).toMatch(/28 .* +no recording can answer this question: a 429 does not show/)
})

test('--write stores settings in the profile and prints their old values; a second time there is nothing to store', async () => {
  using m = machine()
  await withProfile(m)
  recording(m, 'a.ndjson', [OTHER_NAME, SIGNED])
  await m.run('profiles set hmacEncoding hex')
  const asked = await m.run('contract learn a.ndjson', { columns: 200 })
  expect(asked.stdout).toContain('hmacEncoding hex → base64')
  expect(profileIn(m).hmacEncoding).toBe('hex')
  const { code, stderr, json } = await m.run('contract learn a.ndjson --write --json')
  expect([code, json().length > 5]).toEqual([0, true])
  expect(stderr).toContain('preApproveIdField of acme is now folio. It was not set before.')
  expect(stderr).toContain('hmacEncoding of acme is now base64. It was hex before.')
  expect(profileIn(m)).toMatchObject({ preApproveIdField: 'folio', hmacEncoding: 'base64' })
  const again = await m.run('contract learn a.ndjson --write')
  expect(again.stderr).toContain('The profile was not changed, because no setting differs from what was learnt.')
})

test('--write refuses a built-in or missing profile before the recording is read, and --write refuses --dry-run', async () => {
  using m = machine()
  recording(m, 'a.ndjson', [OTHER_NAME])
  const built = await m.run('contract learn none.ndjson --write -p sandbox --json')
  expect([built.code, built.error().code]).toEqual([2, 'SANDBOX_BUILT_IN'])
  const none = await m.run('contract learn a.ndjson --write --json')
  expect([none.code, none.error().code]).toEqual([3, 'NO_PROFILE'])
  await withProfile(m)
  expect((await m.run('contract learn a.ndjson --write --dry-run --json')).code).toBe(2)
  expect(profileIn(m).preApproveIdField).toBeUndefined()
})

test('a recording without an exchange answers no gap; a file that is not a recording is reported with its line', async () => {
  using m = machine()
  recording(m, 'empty.ndjson', [])
  const nothing = await m.run('contract learn empty.ndjson --json')
  expect([nothing.code, nothing.stdout, nothing.error().message]).toEqual([
    10,
    '',
    'the recordings contain no call or delivery to learn from',
  ])
  writeFileSync(join(m.dir, 'other.txt'), `${lineOf(SESSION)}{"kind":\n`)
  const other = await m.run('contract learn other.txt --json')
  expect([other.code, other.error()]).toEqual([
    2,
    expect.objectContaining({ code: 'NOT_A_RECORDING', message: expect.stringContaining('line 2') }),
  ])
  expect((await m.run('contract learn none.ndjson --json')).error().code).toBe('FILE_UNREADABLE')
})

test('a value that no profile accepts is not offered as a setting', async () => {
  using m = machine()
  const strange = {
    ...SIGNED,
    signature: { ...SIGNED.signature, scheme: 'hmac' as const, valid: false, encoding: 'rot13' },
  }
  recording(m, 'a.ndjson', [strange, FOLIO])
  const { json } = await m.run('contract learn a.ndjson --json')
  expect(
    json()
      .filter(({ gap }: { gap: number }) => gap === 7)
      .map(({ setting }: any) => setting),
  ).toEqual([null, null])
})

test.each(Object.values(INTEGRATIONS).flatMap(({ events }) => events))(
  'the learner’s example of a delivery has the fields and types that the sandbox sends: %s',
  (event) => {
    const sent = sampleEvent(event, Date.parse('2026-03-01T12:00:00Z'), random)
    expect(Object.keys(DELIVERED[event].data)).toEqual(Object.keys(sent))
    for (const [name, value] of Object.entries(sent))
      if (value !== null) expect([name, typeof Reflect.get(DELIVERED[event].data, name)]).toEqual([name, typeof value])
  },
)
