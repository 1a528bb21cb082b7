import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Machine, machine } from '../../../test/kit/harness.ts'
import { sign } from '../../domain/signature.ts'

const body = '{"eventId":"e1","data":{}}'
const signature = sign(Buffer.from(body), 'canary-secret', { algorithm: 'sha256', encoding: 'hex' })
const env = { BNPL_WEBHOOK_SECRET: 'canary-secret' }

let m: Machine
beforeEach(() => {
  m = machine()
  writeFileSync(join(m.dir, 'body.json'), body)
})
afterEach(() => m[Symbol.dispose]())

test('a valid signature exits with 0, whether the secret is from the environment, a file or stdin', async () => {
  const line = `webhooks verify-signature --body-file body.json --signature ${signature} --json`
  const ran = await m.run(line, { env })
  expect(ran.code).toBe(0)
  expect(ran.json()).toMatchObject({ valid: true, algorithm: 'sha256', encoding: 'hex', wouldMatch: [] })
  expect((await m.run(`${line} --secret-stdin`, { stdin: 'canary-secret\r\n' })).code).toBe(0)
  writeFileSync(join(m.dir, 'secret'), 'new\ncanary-secret\n')
  expect((await m.run(`${line} --secret-file secret`)).code).toBe(0)
  const fromStdin = line.replace('body.json', '-')
  expect((await m.run(fromStdin, { env, stdin: body })).code).toBe(0)
})

test('a signature that does not match exits with 10, and the output says what would match', async () => {
  const ran = await m.run(`webhooks verify-signature --body-file - --signature sha256=${signature}`, {
    env,
    stdin: `${body}\n`,
  })
  expect(ran.code).toBe(10)
  expect(`${ran.stdout}${ran.stderr}`.match(/not valid/g)).toHaveLength(1)
  expect(ran.stdout).toContain('without the line break at its end')
  expect(ran.stderr).toContain('Verify the raw bytes')
  expect(ran.stderr).toContain('without its prefix sha256=')
  expect(ran.stdout + ran.stderr).not.toContain('canary-secret')
  const url = Buffer.from(signature, 'hex').toString('base64url')
  const other = await m.run(`webhooks verify-signature --body-file body.json --signature ${url}`, { env })
  expect(other.stderr).toContain('The signature is in base64url')
  const json = await m.run('webhooks verify-signature --body-file body.json --signature 00 --json', { env })
  expect(json.code).toBe(10)
  expect(json.json()).toMatchObject({ valid: false, wouldMatch: [] })
  expect(json.error()).toMatchObject({ kind: 'check-failed', code: 'SIGNATURE_INVALID' })
})

test.each([
  ['no profile', '', ['add the option: --hmac-algorithm sha512', 'add the option: --hmac-encoding base64']],
  ['the sandbox', '-p sandbox', ['add the option: --hmac-algorithm sha512', 'add the option: --hmac-encoding base64']],
  [
    'a stored profile',
    '-p acme',
    ['run: bnpl profiles set hmacAlgorithm sha512 -p acme', 'run: bnpl profiles set hmacEncoding base64 -p acme'],
  ],
])('with %s, the advice for another algorithm and encoding can be followed', async (_, profile, advice) => {
  if (profile === '-p acme')
    await m.run('profiles add acme --base-url https://api.example.com --api-key-stdin', { stdin: 'test-key-123456' })
  const other = sign(Buffer.from(body), 'canary-secret', { algorithm: 'sha512', encoding: 'base64' })
  const line = `webhooks verify-signature --body-file body.json --signature ${other} ${profile}`
  const ran = await m.run(line, { env })
  expect(ran.code).toBe(10)
  for (const each of advice) expect(ran.stderr).toContain(`, so ${each}\n`)
  if (advice.some((each) => each.startsWith('add')))
    expect((await m.run(`${line} --hmac-algorithm sha512 --hmac-encoding base64`, { env })).code).toBe(0)
  else expect((await m.run(String(advice[0]).replace('run: bnpl ', ''))).code).toBe(0)
})

test.each([
  ['no secret', '', {}, 3],
  ['an empty secret', '', { BNPL_WEBHOOK_SECRET: '' }, 3],
  ['a secret of white space', '', { BNPL_WEBHOOK_SECRET: ' \n ' }, 3],
  ['an unreadable secret file', '--secret-file nope', {}, 3],
  ['an unknown algorithm', '--hmac-algorithm none', env, 2],
  ['an unknown encoding', '--hmac-encoding utf8', env, 2],
  ['two sources', '--secret-stdin --secret-file x', env, 2],
])('%s is refused', async (_, options, environment, code) => {
  const line = `webhooks verify-signature --body-file body.json --signature 00 ${options}`
  expect((await m.run(line, { env: environment as Record<string, string> })).code).toBe(code)
})

test('a missing body file exits with 2', async () => {
  expect((await m.run('webhooks verify-signature --body-file nope --signature 00', { env })).code).toBe(2)
})

test('without a secret, the error of each command says why the command needs a secret', async () => {
  writeFileSync(join(m.dir, 'body.json'), '{}')
  const env = { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com' }
  for (const [line, why] of [
    ['webhooks test http://127.0.0.1:1/', 'without a secret your receiver cannot verify the deliveries'],
    [
      'webhooks trigger loan_approved --to http://127.0.0.1:1/',
      'without a secret the receiver cannot verify the event',
    ],
    [
      'webhooks verify-signature --body-file body.json --signature a1',
      'without a secret the signature cannot be checked',
    ],
    ['webhooks listen --port 0', 'without a secret anybody could send events'],
  ] as const) {
    const ran = await m.run(line, { env })
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(`no webhook secret is set, and ${why}`) })
  }
})
