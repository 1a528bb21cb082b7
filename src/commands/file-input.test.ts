import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../test/kit/harness.ts'

const KEY = 'sk_test_canary_0123456789abcd'
const ADD = 'profiles add acme --base-url https://api.example.com --payment-url https://pay.example.com'

test.each(['--api-key=', '--api-key ', '--key=', '--api-key-stdin='])(
  'a key given as a value is refused and not printed: %s',
  async (flag) => {
    using m = machine()
    for (const key of [KEY, `${KEY}'x`, `${KEY}\nx`]) {
      const line = `${ADD} ${flag}`.trimEnd().split(' ')
      const argv = flag.endsWith(' ') ? [...line, key] : [...line.slice(0, -1), `${line.at(-1)}${key}`]
      const ran = await m.run([...argv, '--json'], { stdin: KEY })
      expect(ran.code).toBe(2)
      expect(ran.stdout + ran.stderr).not.toContain('canary')
    }
  },
)

const MISCOPIED: [text: string, reason: string][] = [
  [`"${KEY}"`, 'has quotes around it'],
  [`'${KEY}`, 'begins or ends with a quote'],
  [`“${KEY}”`, 'has quotes around it'],
  [`BNPL_API_KEY=${KEY}`, 'begins with the name of a variable'],
  [`export BNPL_WEBHOOK_SECRET="${KEY}"`, 'begins with the name of a variable'],
  [`api_key: ${KEY}`, 'begins with a name'],
  [`"apiKey": "${KEY}"`, 'has quotes around it'],
  [`secret=${KEY}`, 'begins with a name'],
  [`Authorization: Bearer ${KEY}`, 'begins with “Bearer”'],
  [`Bearer ${KEY}`, 'begins with “Bearer”'],
  [`Basic ${KEY}`, 'begins with a word of a header'],
]

test.each([
  ...MISCOPIED,
  [`${KEY} ${KEY}`, 'contains a space'],
  [`${KEY}\n${KEY}`, 'contains a space, a line break'],
  ['\n', 'is empty'],
])(
  'a key or secret that was copied with something else is refused with the reason, wherever it comes from: %s',
  async (text, reason) => {
    using m = machine()
    await m.run(`${ADD} --api-key-stdin`, { stdin: 'sk-0123456789' })
    writeFileSync(join(m.dir, 'key'), text)
    const env = { BNPL_BASE_URL: 'https://api.example.com' }
    const runs = [
      await m.run(`${ADD.replace('acme', 'beta')} --api-key-stdin --json`, { stdin: text }),
      await m.run(`${ADD.replace('acme', 'beta')} --api-key-file key --json`),
      await m.run('profiles set-key acme --api-key-stdin --json', { stdin: text }),
      await m.run('profiles set baseUrl https://other.example.com --api-key-file key --json'),
      await m.run('profiles add-secret acme --secret-stdin --json', { stdin: text }),
      ...(text.trim() === '' ? [] : [await m.run('webhooks list --json', { env: { ...env, BNPL_API_KEY: text } })]),
    ]
    for (const ran of runs) {
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(ran.error()).toMatchObject({ kind: 'config', code: 'BAD_KEY', message: expect.stringContaining(reason) })
      expect(ran.stderr).not.toContain('canary')
    }
    expect(readFileSync(join(m.configDir, 'profiles.json'), 'utf8')).not.toContain('canary')
  },
)

test.each(MISCOPIED)('a webhook secret that was copied with something else is refused: %s', async (text, reason) => {
  using m = machine()
  writeFileSync(join(m.dir, 'secret'), `the-right-secret\n${text}`)
  writeFileSync(join(m.dir, 'body'), '{}')
  const line = 'webhooks verify-signature --body-file body --signature 00 --json'
  for (const ran of [
    await m.run(line, { env: { BNPL_WEBHOOK_SECRET: text } }),
    await m.run(`${line} --secret-file secret`),
    await m.run(`${line} --secret-stdin`, { stdin: text }),
  ]) {
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.error()).toMatchObject({ code: 'BAD_SECRET', message: expect.stringContaining(reason) })
    expect(ran.stderr).not.toContain('canary')
  }
})

test.each([
  ['UTF-16 with its mark', Buffer.from(`\ufeff${KEY}\r\n`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(KEY, 'utf16le')],
  ['UTF-16 in big endian', Buffer.from(`\ufeff${KEY}`, 'utf16le').swap16()],
  ['Latin-1', Buffer.from(`${KEY}\u00e9`, 'latin1')],
  ['UTF-32', Buffer.from([...KEY].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]))],
])('a key or secret in a file of another encoding is refused, and the error names UTF-8: %s', async (_, bytes) => {
  using m = machine()
  await m.run(`${ADD} --api-key-stdin`, { stdin: 'sk-0123456789' })
  for (const [name, content] of [
    ['secret', bytes],
    ['body', '{}'],
  ] as const)
    writeFileSync(join(m.dir, name), content)
  const signature = 'webhooks verify-signature --body-file body --signature 00 --json'
  for (const ran of [
    await m.run('profiles set-key acme --no-check --api-key-file secret --json'),
    await m.run('profiles set-key acme --no-check --api-key-stdin --json', { stdin: bytes }),
    await m.run('profiles add-secret acme --secret-file secret --json'),
    await m.run('profiles add-secret acme --secret-stdin --json', { stdin: bytes }),
    await m.run(`${signature} --secret-file secret`),
    await m.run(`${signature} --secret-stdin`, { stdin: bytes }),
    await m.run('webhooks listen --port 0 --secret-file secret --json'),
    await m.run('webhooks trigger loan_approved --to http://127.0.0.1:1 --secret-file secret --json'),
  ]) {
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.error()).toMatchObject({
      code: 'SECRET_ENCODING',
      message: expect.stringContaining('is not UTF-8 text'),
    })
    expect(ran.stderr).not.toMatch(/c.?a.?n.?a.?r.?y/)
  }
})

test('a key given as the name of the key file is refused and not printed [row 1]', async () => {
  using m = machine()
  const ran = await m.run(`${ADD} --api-key-file ${KEY}`)
  expect(ran.code).toBe(2)
  expect(ran.stderr).not.toContain('canary')
})

test.each([
  ['a line break', `${KEY}\n${KEY}`],
  ['a carriage return', `sk\r${KEY}`],
  ['a no-break space', `${KEY}\u00a0x`],
  ['a typographic quote', `${KEY}’s`],
  ['quotes around blanks', `" ${KEY} "`],
  ['a NUL', `${KEY}\0x`],
  ['nothing', ' \n'],
  ['a whole file', KEY.repeat(5000)],
])('a key with %s is refused and not printed [row 2]', async (_, key) => {
  using m = machine()
  const file = join(m.dir, 'key')
  writeFileSync(file, key)
  for (const ran of [
    await m.run(`${ADD} --api-key-stdin --json`, { stdin: key }),
    await m.run([...ADD.split(' '), '--api-key-file', file, '--json']),
  ]) {
    expect(ran.code).toBe(3)
    expect(ran.stdout + ran.stderr).not.toContain('canary')
  }
  expect((await m.run('profiles show acme')).code).toBe(3)
})

test('characters that editors and shells add around a key are removed', async () => {
  using m = machine()
  const file = join(m.dir, 'key')
  writeFileSync(file, `\ufeff${KEY}\r\n`)
  expect(await m.run([...ADD.split(' '), '--api-key-file', file])).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(join(m.configDir, 'profiles.json'), 'utf8')).profiles.acme.apiKey).toBe(KEY)
})

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
