import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { env, service, write } from './kit/bulk-kit.ts'
import { customers } from './kit/customer-rows.ts'
import { machine } from './kit/harness.ts'

/** Two options of one command that name one file: it would be lost, so nothing is done. */

const SECRET = { ...env, BNPL_WEBHOOK_SECRET: 'a-secret-of-the-test-1' }

test.each([
  ['evaluate --from in.csv --out x.ndjson --record x.ndjson', '--out and --record'],
  ['evaluate --from in.csv --out o.csv --record folder/link/x --failed x', '--failed and --record'],
  ['evaluate --from in.csv --record in.csv', '--from and --record'],
  ['verify --from in.csv --junit x --record ./x', '--junit and --record'],
  ['smoke --junit x --record x', '--junit and --record'],
  ['webhooks test http://127.0.0.1:9/ --junit x --record x', '--junit and --record'],
  ['webhooks test http://127.0.0.1:9/ --secret-file in.csv --junit in.csv', '--junit and --secret-file'],
  ['webhooks listen --port 0 --ready-file x --record x', '--ready-file and --record'],
  ['webhooks listen --port 0 --secret-file in.csv --ready-file in.csv', '--ready-file and --secret-file'],
  ['sandbox start --port 0 --data x --ready-file x', '--data and --ready-file'],
  ['informe download P1 --out x.pdf --record x.pdf', '--out and --record'],
  ['contract export in.csv --har in.csv --force', '--har and FILE'],
])('%s names one file twice, and is refused before anything is written or sent', async (line, words) => {
  using m = machine()
  write(m, 'in.csv', customers(2))
  mkdirSync(join(m.dir, 'folder'))
  symlinkSync(m.dir, join(m.dir, 'folder', 'link'))
  const { transport, asked } = service(() => undefined)
  const ran = await m.run(line, { env: SECRET, transport })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(`${words} are the same file: `)
  expect(asked).toEqual([])
  expect(readFileSync(join(m.dir, 'in.csv'), 'utf8')).toBe(customers(2))
  for (const name of ['x', 'x.ndjson', 'x.pdf']) expect(existsSync(join(m.dir, name))).toBe(false)
})

test.each([
  ['verify --from link.csv --out o.csv --force', 'the input'],
  ['verify --from in.csv --out o.csv --junit o.failed.csv --force', 'the file of --junit'],
  ['verify --from in.csv --out o.csv --record o.failed.csv', 'the file of --record'],
])('the default file of failed rows does not overwrite another file of the run: %s', async (line, what) => {
  using m = machine()
  write(m, 'in.csv', 'trx\nt-1\n')
  write(m, line.includes('link') ? 'o.failed.csv' : 'other.csv', 'trx\nt-1\n')
  symlinkSync(join(m.dir, 'o.failed.csv'), join(m.dir, 'link.csv'))
  const { transport, asked } = service(() => undefined)
  const ran = await m.run(line, { env, transport })
  expect([ran.code, ran.stderr, asked]).toEqual([
    2,
    expect.stringContaining(`the failed rows would overwrite ${what} (`),
    [],
  ])
})

test.each([
  'verify --from in.csv --out /dev/null --failed /dev/null -o csv',
  'verify --from in.csv --failed /dev/null --junit /dev/null',
])('a device is refused as a file for results, not as a file that two options share: %s', async (line) => {
  using m = machine()
  write(m, 'in.csv', 'trx\nt-1\n')
  const { transport, asked } = service(() => undefined)
  const ran = await m.run(line, { env, transport })
  expect([ran.code, ran.stdout, asked]).toEqual([2, '', []])
  expect(ran.stderr).toMatch(
    /^(Columns read: .*\n)?error: (--junit )?\/dev\/null is not a regular file\n {2}Name another file with --(out|failed|junit)\.\n$/,
  )
})

test('one file may be read by two options', async () => {
  using m = machine()
  const path = write(m, 'secret.txt', 'a-secret-of-the-test-1\n')
  const ran = await m.run(`webhooks verify-signature --secret-file ${path} --body-file ${path} --signature 00`)
  expect(ran.code).toBe(10)
})
