import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../test/harness.ts'

test.each([
  ['webhooks verify-signature --body-file body --signature 00 --secret-file secret', 10],
  ['profiles add acme --base-url https://api.example.com --api-key-file secret', 0],
])('a secret file that every user can read is reported, and the secret is used: %s [attack 17]', async (line, code) => {
  using m = machine()
  const path = join(m.dir, 'secret')
  writeFileSync(join(m.dir, 'body'), '{}')
  writeFileSync(path, 'canary-of-enough-characters', { mode: 0o644 })
  const open = await m.run(line)
  expect([open.code, open.stderr]).toEqual([code, expect.stringContaining(`in ${path}. Run: chmod 600`)])
  expect(open.stderr).not.toContain('canary')
  chmodSync(path, 0o600)
  expect((await m.run(line)).stderr).not.toContain('every user')
})

test('webhooks listen warns at the start about a short secret, without printing the secret [attack 17]', async () => {
  using m = machine()
  const start = (secret: string) =>
    // A port that cannot be had: it ends by itself, after the secrets were read.
    m.run('webhooks listen --port 0 --host 192.0.2.1', { env: { BNPL_WEBHOOK_SECRET: secret } })
  expect((await start('qzj')).stderr).toMatch(/the webhook secret has fewer than 16 characters and can be guessed/)
  expect((await start('qzj')).stderr).not.toContain('qzj')
  expect((await start('a-secret-of-usual-length')).stderr).not.toContain('guessed')
  expect((await start('a-secret-of-usual-length\nshort')).stderr).toContain('can be guessed')
})
