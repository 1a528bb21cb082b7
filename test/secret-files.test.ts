import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from './harness.ts'

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
    signal: AbortSignal.timeout(10_000),
  })
  return [code, error().code, stderr]
}

test.each(READERS)('a file without an end is not read as a secret: %s', async (line) => {
  const large = Buffer.alloc(65_537, 'whsec-0123456789\n')
  const refused = [3, 'SECRET_TOO_LARGE', expect.stringContaining('is larger than 65536 bytes')]
  expect(await read(line, large)).toEqual(refused)
  expect(await read(line.replace('-file secret', '-file /dev/zero'), large)).toEqual(refused)
})
