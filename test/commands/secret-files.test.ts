import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../kit/harness.ts'
import { WAIT_MS } from '../kit/limits.ts'

/** Every command that reads a secret from a file or stdin. */
const READERS = [
  'webhooks trigger loan_approved --to http://127.0.0.1:9/hook --secret-file secret',
  'webhooks trigger loan_approved --to http://127.0.0.1:9/hook --secret-stdin',
  'webhooks test http://127.0.0.1:9/hook --secret-file secret',
  'webhooks verify-signature --body-file body --signature 00 --secret-file secret',
  'webhooks listen --port 0 --secret-file secret',
  'webhooks listen --port 0 --secret-stdin',
  'webhooks events --database postgres://u@127.0.0.1:9/x --database-password-file secret',
  'profiles add acme --base-url https://api.example.com --api-key-file secret',
  'profiles add acme --base-url https://api.example.com --api-key-stdin',
]

async function read(line: string, secret: Uint8Array) {
  using m = machine()
  writeFileSync(join(m.dir, 'secret'), secret, { mode: 0o600 })
  writeFileSync(join(m.dir, 'body'), '{}')
  const env = { BNPL_BASE_URL: 'http://127.0.0.1:9', BNPL_API_KEY: 'bnpl_test_0123456789abcdef' }
  const { code, stderr, error } = await m.run(`${line} --json`, {
    env,
    stdin: secret,
    signal: AbortSignal.timeout(WAIT_MS),
  })
  return [code, error().code, stderr]
}

test.each(READERS)('a secret file that is too large or endless is refused: %s', async (line) => {
  const large = Buffer.alloc(65_537, 'whsec-0123456789\n')
  const refused = [3, 'SECRET_TOO_LARGE', expect.stringContaining('is larger than 65536 bytes')]
  expect(await read(line, large)).toEqual(refused)
  expect(await read(line.replace('-file secret', '-file /dev/zero'), large)).toEqual(refused)
})

const SECRET = 'whsec-0123456789-0123456789'
/** As PowerShell's `>` writes a text, with and without the mark at the beginning; and a byte that is no UTF-8. */
const OTHER_ENCODINGS: [name: string, bytes: Buffer][] = [
  ['UTF-16 with a mark', Buffer.from(`\ufeff${SECRET}`, 'utf16le')],
  ['UTF-16', Buffer.from(SECRET, 'utf16le')],
  ['Latin-1', Buffer.from(`${SECRET}ñ`, 'latin1')],
]

test.each(READERS)('a secret that is not UTF-8 is refused: %s', async (line) => {
  const refused = [3, 'SECRET_ENCODING', expect.stringMatching(/is not UTF-8 text\n {2}Save the secret again as UTF-8/)]
  for (const [name, bytes] of OTHER_ENCODINGS) expect([name, ...(await read(line, bytes))]).toEqual([name, ...refused])
})

test('a secret in the environment that is not UTF-8 is refused', async () => {
  using m = machine()
  const env = { BNPL_WEBHOOK_SECRET: Buffer.from(`${SECRET}ñ`, 'latin1').toString() }
  const { code, error } = await m.run('webhooks trigger loan_approved --to http://127.0.0.1:9/ --json', { env })
  expect([code, error().message]).toEqual([3, 'the webhook secret from BNPL_WEBHOOK_SECRET is not UTF-8 text'])
})

test.each([
  'webhooks trigger new_lead --to http://127.0.0.1:9/hook --secret-file secret',
  'webhooks test http://127.0.0.1:9/hook --scheme token --secret-file secret',
  'webhooks listen --port 0 --scheme token --secret-file secret',
])('a token that no header can contain is refused: %s', async (line) => {
  expect(await read(line, Buffer.from(`${SECRET}ñ`))).toEqual([3, 'BAD_TOKEN', expect.anything()])
})
