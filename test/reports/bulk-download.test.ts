import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Transport } from '../../src/contract/wire.ts'
import { type Machine, machine } from '../kit/harness.ts'

const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com' }
const PDF = '%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n'

/** Returns a service with a link and a PDF for each pre-approval except `P-none`. */
function service(): { transport: Transport; asked: string[]; keys: (string | undefined)[] } {
  const asked: string[] = []
  const keys: (string | undefined)[] = []
  const answer = (status: number, body: string) => ({ status, headers: {}, body: Buffer.from(body) })
  return {
    asked,
    keys,
    async transport({ url, headers }) {
      if (url.startsWith('https://storage')) {
        keys.push(headers.authorization)
        return { ...answer(200, PDF), headers: { 'content-length': String(PDF.length) } }
      }
      const id = url.split('/').at(-2) ?? ''
      asked.push(id)
      if (id === 'P-none') return answer(404, '{}')
      return answer(
        200,
        JSON.stringify({ data: { url: `https://storage.example.com/${id}.pdf?X-Amz-Signature=c0ffee` } }),
      )
    },
  }
}

const rows = (m: Machine, ids: string[]) =>
  writeFileSync(join(m.dir, 'ids.csv'), `idPreAprobacion\n${ids.join('\n')}\n`)

test('the report of every row is downloaded from the storage without a key, and each result is reported', async () => {
  using m = machine()
  rows(m, ['P-1', 'P-none', 'P-2'])
  const { transport, keys } = service()
  const ran = await m.run('informe download --from ids.csv --dir reports -o ndjson', { env, transport })
  expect(ran.code).toBe(11)
  const result = ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(result).toMatchObject([
    {
      line: 2,
      preApproveId: 'P-1',
      outcome: 'ok',
      path: 'reports/PreAprobacion_P-1.pdf',
      bytes: PDF.length,
      status: 'new',
    },
    { line: 3, preApproveId: 'P-none', outcome: 'failed', error: { kind: 'not-found' } },
    { line: 4, preApproveId: 'P-2', outcome: 'ok' },
  ])
  expect(readdirSync(join(m.dir, 'reports')).sort()).toEqual(['PreAprobacion_P-1.pdf', 'PreAprobacion_P-2.pdf'])
  expect(readFileSync(join(m.dir, 'reports/PreAprobacion_P-2.pdf'), 'utf8')).toBe(PDF)
  expect(keys).toEqual([undefined, undefined])
  expect(ran.stdout + ran.stderr).not.toContain('c0ffee')
})

test('an existing file that is not a PDF, and an id that cannot be a file name, are reported before the first call', async () => {
  using m = machine()
  rows(m, ['P-1', 'P-2', 'a/b'])
  writeFileSync(join(m.dir, 'PreAprobacion_P-2.pdf'), 'mine')
  const { transport, asked } = service()
  const ran = await m.run('informe download --from ids.csv', { env, transport })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('line 3: ')
  expect(ran.stderr).toContain('PreAprobacion_P-2.pdf already exists and is not a PDF')
  expect(ran.stderr).toContain('line 4: ')
  expect(asked).toEqual([])
  expect(existsSync(join(m.dir, 'PreAprobacion_P-1.pdf'))).toBe(false)
  rows(m, ['P-1', 'P-2'])
  const forced = await m.run('informe download --from ids.csv --force --out results.csv --json', { env, transport })
  expect(forced.code).toBe(0)
  expect(forced.json()).toMatchObject({ rows: 2, ok: 2 })
  expect(readFileSync(join(m.dir, 'PreAprobacion_P-2.pdf'), 'utf8')).toBe(PDF)
})

test('a folder at the path of a report is reported before the first call, also with --force', async () => {
  using m = machine()
  rows(m, ['P-1', 'P-2'])
  mkdirSync(join(m.dir, 'PreAprobacion_P-2.pdf'))
  const { transport, asked } = service()
  for (const more of ['', ' --force']) {
    const ran = await m.run(`informe download --from ids.csv${more}`, { env, transport })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('PreAprobacion_P-2.pdf is a folder')
    expect(ran.stderr).not.toContain('--force replaces it')
  }
  expect(asked).toEqual([])
})

test('a second run downloads only the missing reports and keeps the existing reports unchanged', async () => {
  using m = machine()
  const { transport, asked } = service()
  const run = async (ids: string[]) => {
    rows(m, ids)
    const ran = await m.run('informe download --from ids.csv --dir reports -o ndjson', { env, transport })
    return {
      ...ran,
      rows: ran.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    }
  }
  const [first] = (await run(['P-1'])).rows
  const before = asked.length
  const second = await run(['P-1'])
  expect(second).toMatchObject({ code: 0, rows: [{ ...first, status: 'exists' }] })
  expect(asked).toHaveLength(before)
  const third = await run(['P-1', 'P-2'])
  expect(third).toMatchObject({ code: 0, rows: [{ status: 'exists' }, { preApproveId: 'P-2', status: 'new' }] })
})
