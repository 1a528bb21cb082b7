import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../test/harness.ts'

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
