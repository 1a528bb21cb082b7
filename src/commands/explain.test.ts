import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fakeClock, machine } from '../../test/kit/harness.ts'
import { ENDPOINTS, type EndpointName, endpointOf } from '../contract/endpoints.ts'
import { WireFailure } from '../contract/wire.ts'
import { EXIT_CODES } from '../errors.ts'

test('every code of the contract is explained, with its endpoint and its exit code', async () => {
  using m = machine()
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const { method, path, statuses } = endpointOf(name)
    for (const [status, { codes, outcome }] of Object.entries(statuses)) {
      for (const [code, meaning] of Object.entries(codes ?? {})) {
        expect((await m.run(`explain ${code} --json`)).json()).toContainEqual(
          expect.objectContaining({
            code,
            meaning,
            endpoint: `${method} ${path} (${status})`,
            exit: EXIT_CODES[outcome],
          }),
        )
      }
      expect((await m.run(`explain ${status} --json`)).json()).toContainEqual(
        expect.objectContaining({ about: 'status', endpoint: `${method} ${path}`, exit: EXIT_CODES[outcome] }),
      )
    }
  }
})

test('explain 401 shows the meaning for the report endpoint beside the general meaning', async () => {
  using m = machine()
  const { stdout } = await m.run('explain 401')
  expect(stdout).toContain('GET /partner/pre-approve/{preApproveId}/informe')
  expect(stdout).toContain('the pre-approval belongs to another partner')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'on every other endpoint: the service did not accept the API key (the specification does not list this status there)',
  )
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test.each([
  ['explain 12', 'outcome-unknown'],
  ['explain outcome-unknown', 'exit 12'],
  ['explain HTTP_429', 'rate limit exceeded'],
  ['explain 0', 'completely written'],
  ['explain 130', 'Ctrl-C'],
  ['explain 126', 'could not run the command after --'],
  ['explain 127', 'did not find the command after --'],
  ['explain outcome_unknown', 'exit 12'],
  ['explain SIGTERM', 'exit 143'],
  ['explain MISSING_COLUMN', '2 (usage)'],
  ['explain input_changed', '3 (config)'],
  ['explain 201', 'POST /partner/webhook'],
  ['explain 404', 'no loan for this transaction'],
  ['explain 418', 'on every endpoint: the service refused the request'],
  ['explain err_loan_not_found', 'no loan for this transaction'],
])('%s', async (line, words) => {
  using m = machine()
  const ran = await m.run(line)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain(words)
})

test('a code of the sandbox for several gaps is explained once, with each gap', async () => {
  using m = machine()
  const explained = (await m.run('explain ERR_LOAN_NOT_FOUND --json')).json()
  expect(explained).toEqual([expect.objectContaining({ note: expect.stringMatching(/gap 21: .*; gap 50: /) })])
})

test.each([
  [
    'the code of an error about the connection is not mistaken for a kind of error',
    'REFUSED',
    'nothing answers at this address',
    9,
  ],
  ['the code of the system in such a message is explained too', 'ECONNREFUSED', 'nothing answers at this address', 9],
  ['the code of a certificate', 'CERT_HAS_EXPIRED', 'the secure connection failed', 9],
  ['the code of an answer that is too large', 'TOO_LARGE', 'the answer is too large', 8],
  ['the code of the sandbox’s faults', 'ERR_SANDBOX_FAULT', 'a fault that was added to the sandbox', null],
  ['a kind of error with the same letters', 'refused', 'the service understood the request', 5],
])('%s: explain %s', async (_, code, meaning, exit) => {
  using m = machine()
  const found = (await m.run(`explain ${code} --json`)).json()
  expect(found).toEqual([expect.objectContaining({ meaning: expect.stringContaining(meaning), exit })])
})

test('the code that an unreachable service gives in JSON can be explained', async () => {
  using m = machine()
  const env = { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'http://127.0.0.1:9' }
  const transport = async () => {
    throw new WireFailure('refused', false, 'ECONNREFUSED')
  }
  const failed = await m.run('verify order-1 --json', { env, transport, clock: fakeClock() })
  const explained = (await m.run(['explain', failed.error().code, '--json'])).json()
  expect(explained).toEqual([expect.objectContaining({ kind: failed.error().kind, exit: failed.code })])
})

test('a code that can also mean a problem with a file is not explained as a connection error', async () => {
  using m = machine()
  expect((await m.run('explain EACCES')).code).toBe(6)
})

test.each(['129', '130', '143'])('explain %s says that the last call may have been carried out', async (code) => {
  using m = machine()
  const [{ meaning, hint }] = (await m.run(`explain ${code} --json`)).json()
  expect(meaning).toContain('may have been carried out')
  expect(hint).toMatch(
    /^Read the error\. If it says that the call may have been carried out, do not run the command again/,
  )
})

test('every kind of error and every exit code is listed, in numerical order', async () => {
  using m = machine()
  const { stdout, stderr } = await m.run('explain')
  const listed = [...stdout.matchAll(/^exit (\d+) (\S+)/gm)].map(([, code, kind]) => [Number(code), kind])
  const others = [0, 126, 127, 129, 130, 141, 143].map((code) => [code, expect.any(String)])
  const kinds = Object.entries(EXIT_CODES).map(([kind, code]) => [code, kind])
  expect(listed).toEqual([...others.slice(0, 1), ...kinds, ...others.slice(1)])
  expect(stderr).toContain('also knows the codes of bnpl’s own errors')
})

test('a code of bnpl’s own errors is explained with the kind and the exit code of the error', async () => {
  using m = machine()
  const failed = await m.run('evaluate --rut 1-1 --amount 1 -p sandbox --json')
  const explained = (await m.run(['explain', failed.error().code, '--json'])).json()
  expect(explained).toEqual([
    expect.objectContaining({ about: 'error', code: 'INVALID_RUT', kind: failed.error().kind, exit: failed.code }),
  ])
})

test('an unknown code exits with 6, and the hint says what to do', async () => {
  using m = machine()
  for (const code of ['ERR_NOBODY_KNOWS', 'INVALID_NOTHING', '99', 'x']) {
    const ran = await m.run(['explain', code, '--json'])
    expect(ran).toMatchObject({ code: 6, stdout: '' })
    expect(ran.error().kind).toBe('not-found')
    const own = code === 'INVALID_NOTHING' ? 'If an error has this code' : 'See all of them: bnpl explain'
    expect(ran.error().hint).toContain(code.startsWith('ERR_') ? 'the service may have others' : own)
  }
})

test('explain without a code also lists the codes of the sandbox, each code once', async () => {
  using m = machine()
  const { stdout } = await m.run('explain')
  const listed = stdout.match(/^ERR_\S+/gm) ?? []
  expect(new Set(listed).size).toBe(listed.length)
  expect(listed).toEqual(
    expect.arrayContaining(['ERR_LOAN_NOT_FOUND', 'ERR_WEBHOOK_LIMIT_REACHED', 'ERR_SANDBOX_FAULT']),
  )
  for (const code of listed) expect((await m.run(`explain ${code}`)).code).toBe(0)
})

test('every code that the sandbox or the proxy can send has an explanation', async () => {
  using m = machine()
  const sources = globSync('src/{sandbox,proxy,contract}/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  const sent = new Set(sources.flatMap((path) => readFileSync(path, 'utf8').match(/\bERR_[A-Z0-9_]+\b/g) ?? []))
  // The field of an example in a help text, and the code of a Node error.
  for (const code of ['ERR_SOMETHING', 'ERR_RENDER']) sent.delete(code)
  expect(sent.size).toBeGreaterThan(50)
  for (const code of sent) {
    const ran = await m.run(`explain ${code} --json`)
    expect(ran.code, `${code} has no explanation`).toBe(0)
    for (const { meaning } of ran.json()) expect(meaning, code).not.toMatch(/undefined/)
  }
  const { stdout } = await m.run('explain ERR_AMOUNT_MISMATCH')
  expect(stdout).toContain('the amount is not the amount for which the transaction was evaluated')
  expect(stdout).toContain('gap 34')
  const [{ meaning, hint, note }] = (await m.run('explain ERR_LOAN_NOT_FOUND --json')).json()
  expect(note).toContain('gap 21')
  // What it means and what to do come first, in words that need no knowledge of the sandbox.
  expect(meaning + hint).not.toMatch(/gap|specification/)
})
