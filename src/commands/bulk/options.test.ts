import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../../test/kit/harness.ts'

/** What a run over an existing file says about its options, before anything is opened. */
async function said(options: string, prepare: (dir: string) => void = () => {}) {
  using m = machine()
  writeFileSync(join(m.dir, 'in.csv'), 'trx\nT1\n')
  prepare(m.dir)
  const ran = await m.run(`verify --from in.csv ${options} --dry-run`, {
    env: { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com' },
  })
  return { code: ran.code, words: ran.stderr.split('\n')[0] }
}

test.each([
  ['--concurrency 0', '--concurrency “0” is not valid: it must be a whole number from 1 to 256, digits only'],
  ['--concurrency 257', '--concurrency “257” is not valid: it must be a whole number from 1 to 256, digits only'],
  ['--concurrency 1e2', '--concurrency “1e2” is not valid: it must be a whole number from 1 to 256, digits only'],
  ['--rate 0', '--rate “0” is not a rate'],
  ['--rate fast', '--rate “fast” is not a rate'],
  ['--rate 10/h', '--rate “10/h” is not a rate'],
  [
    '--resume --restart',
    '--resume and --restart cannot be used together: --resume continues an earlier run, --restart ignores it',
  ],
  ['-o table', '-o table cannot show the rows of a file'],
  ['--output=table --out -', '-o table cannot show the rows of a file'],
  ['--out result.txt', 'does not end in a known format'],
  ['--from in.csv', '--from names two files, and a run reads only one'],
  ['--out in.csv', '--from and --out are the same file'],
  ['--out a.csv --failed ./a.csv', '--out and --failed are the same file'],
  ['--out a.csv --junit a.csv', '--out and --junit are the same file'],
])('%s is refused', async (options, words) => {
  expect(await said(options)).toEqual({ code: 2, words: expect.stringContaining(words) })
})

test('--out is refused if the file is a link to the input', async () => {
  const link = (dir: string) => symlinkSync(join(dir, 'in.csv'), join(dir, 'link.csv'))
  expect(await said('--out link.csv --force', link)).toEqual({
    code: 2,
    words: expect.stringContaining('--from and --out are the same file'),
  })
})

test.each([
  '--concurrency 256',
  '--rate 0.5/s',
  '--rate 300/min',
  '--out a.jsonl',
  '--out result.txt -o csv',
  '--out a.csv -o table',
  '-o table --json',
  '-o csv',
])('%s is accepted', async (options) => {
  expect((await said(options)).code).toBe(0)
})

test.each(['evaluate', 'verify', 'informe download'])(
  '-o table is refused before the file of rows is read: %s',
  async (command) => {
    using m = machine()
    const ran = await m.run(`${command} --from missing.csv -o table`, { env: { BNPL_API_KEY: 'k' } })
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('-o table cannot show the rows') })
  },
)
