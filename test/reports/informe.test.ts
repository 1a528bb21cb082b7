import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import type { Transport, WireRequest } from '../../src/contract/wire.ts'
import { BnplError, ClosedPipe, Interrupted } from '../../src/errors.ts'
import { fakeClock, machine } from '../kit/harness.ts'

const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com' }
const LINK = 'https://storage.example.com/r/1.pdf?X-Amz-Signature=c0ffee&X-Amz-Expires=1800'
const PDF = '%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n'

/** Returns a service that sends the link, with a storage that sends the PDF. Every request is recorded. */
function service(pdf = PDF): { transport: Transport; seen: WireRequest[]; pdf: (text: string) => void } {
  const seen: WireRequest[] = []
  let body = pdf
  return {
    seen,
    pdf: (text) => {
      body = text
    },
    transport: async (request) => {
      seen.push(request)
      const answer = request.url.startsWith(env.BNPL_BASE_URL) ? JSON.stringify({ data: { url: LINK } }) : body
      return { status: 200, headers: { 'content-length': String(answer.length) }, body: Buffer.from(answer) }
    },
  }
}

test('download saves the PDF under its specified name and reports its size and hash', async () => {
  using m = machine()
  const { transport, seen } = service()
  const ran = await m.run('informe download P1 P2 --json', { env, transport })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.json()).toEqual(
    ['P1', 'P2'].map((preApproveId) => ({
      preApproveId,
      path: join(m.dir, `PreAprobacion_${preApproveId}.pdf`),
      bytes: PDF.length,
      sha256: '7633e7023501948a7b1492399a74c88b3d48f5e04fd85a6cd7254dede69d9b5f',
      status: 'new',
    })),
  )
  expect(readFileSync(join(m.dir, 'PreAprobacion_P1.pdf'), 'utf8')).toBe(PDF)
  expect(readdirSync(m.dir).filter((name) => name.startsWith('.'))).toEqual([])
  expect(seen.map(({ url }) => url)).toEqual([
    'https://api.example.com/partner/pre-approve/P1/informe',
    LINK,
    'https://api.example.com/partner/pre-approve/P2/informe',
    LINK,
  ])
  for (const name of ['authorization', 'cookie', 'referer']) expect(seen[1]?.headers).not.toHaveProperty(name)
})

test('a later download says whether the report was rendered again', async () => {
  using m = machine()
  const { transport, pdf } = service()
  const states: string[] = []
  for (const text of [PDF, PDF, PDF.replace('1.7', '1.4'), PDF.replace('1.7', '1.4')]) {
    pdf(text)
    states.push((await m.run('informe download P1 --force --json', { env, transport })).json()[0].status)
  }
  expect(states).toEqual(['new', 'unchanged', 'rendered', 'unchanged'])
})

test('a report saved again with the same content is reported as such, and the help lists every status', async () => {
  using m = machine()
  const { transport } = service()
  const first = await m.run('informe download P1', { env, transport })
  expect(first.stdout).toMatch(/PreAprobacion_P1\.pdf .* saved\n/)
  const elsewhere = await m.run('informe download P1 --dir other', { env, transport })
  expect(elsewhere.stdout).toMatch(/saved, same content as before\n/)
  const { stdout } = await m.run('informe download --help')
  for (const status of ['new', 'unchanged', 'rendered', 'failed', 'exists'])
    expect(stdout).toMatch(new RegExp(`^  ${status} `, 'm'))
})

test('an existing file is not replaced without --force: exit 2, and nothing is sent [row 42]', async () => {
  using m = machine()
  const { transport, seen } = service()
  const path = join(m.dir, 'PreAprobacion_P1.pdf')
  writeFileSync(path, 'mine')
  expect(await m.run('informe download P1', { env, transport })).toMatchObject({ code: 2, stdout: '' })
  writeFileSync(join(m.dir, 'victim'), 'mine')
  symlinkSync('victim', join(m.dir, 'PreAprobacion_P2.pdf'))
  expect(await m.run('informe download P2 --force', { env, transport })).toMatchObject({ code: 2 })
  for (const id of ['../P3', 'a/b', 'a\\b', 'a:b', 'a\u202eb', 'a*', 'x'.repeat(250)])
    expect([id, (await m.run(['informe', 'download', id], { env, transport })).code]).toEqual([id, 2])
  expect(await m.run(['informe', 'download', 'P1', '--out', m.dir, '--force'], { env, transport })).toMatchObject({
    code: 2,
  })
  expect(seen).toEqual([])
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect(readFileSync(join(m.dir, 'victim'), 'utf8')).toBe('mine')
  expect(await m.run('informe download P1 --force', { env, transport })).toMatchObject({ code: 0 })
  expect(readFileSync(path, 'utf8')).toBe(PDF)
})

test('only informe get shows the link, with its expiry [row 39]', async () => {
  using m = machine()
  const { transport } = service()
  const got = await m.run('informe get P1 --json', { env, transport, clock: fakeClock() })
  expect(got.json()).toEqual({ preApproveId: 'P1', url: LINK, expiresAt: '2026-03-01T12:30:00.000Z' })
  expect((await m.run('informe get P1 --quiet', { env, transport })).stdout).toBe(`${LINK}\n`)
  const ran = await m.run('informe download P1 --verbose --json', { env, transport })
  expect(ran.code).toBe(0)
  expect(ran.stdout + ran.stderr).not.toMatch(/c0ffee|X-Amz/)
  const kept = readdirSync(m.stateDir).map((name) => readFileSync(join(m.stateDir, name), 'latin1'))
  expect(kept.join('')).not.toMatch(/c0ffee|X-Amz|storage\.example/)
})

test('a link to an address that is not allowed is refused, and the error does not contain the link [row 87]', async () => {
  using m = machine()
  for (const url of [
    'http://storage.example.com/a?sig=c0ffee',
    'http://127.0.0.1:9/a?sig=c0ffee',
    'file:///etc/passwd',
    'https://u:c0ffee@h/',
  ]) {
    const sent: string[] = []
    const transport: Transport = async (request) => {
      sent.push(request.url)
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data: { url } })) }
    }
    for (const command of ['get', 'download', 'open']) {
      const ran = await m.run(`informe ${command} P1`, {
        env,
        transport,
        open: () => Promise.reject(new Error('opened')),
      })
      expect(ran).toMatchObject({ code: 8, stdout: '' })
      expect(ran.stderr).not.toContain('c0ffee')
    }
    expect(sent.filter((each) => !each.startsWith(env.BNPL_BASE_URL))).toEqual([])
  }
})

test('--out - writes the checked bytes to a pipe, and refuses a terminal [row 45]', async () => {
  using m = machine()
  const { transport, pdf } = service()
  const ran = await m.run('informe download P1 --out -', { env, transport })
  expect(ran).toMatchObject({ code: 0, stdout: PDF })
  expect(await m.run('informe download P1 --out - --json', { env, transport })).toMatchObject({ code: 2 })
  expect(await m.run('informe download P1 P2 --out -', { env, transport })).toMatchObject({ code: 2 })
  expect(await m.run('informe download P1 --out -', { env, transport, stdoutIsTty: true })).toMatchObject({ code: 2 })
  pdf('<html>no</html>')
  expect(await m.run('informe download P1 --out -', { env, transport })).toMatchObject({ code: 8, stdout: '' })
})

test('when one of several downloads fails, the others are saved, and the exit code is 11', async () => {
  using m = machine()
  const good = service().transport
  const transport: Transport = async (request) =>
    request.url.includes('/P5/')
      ? { status: 503, headers: {}, body: Buffer.from('') }
      : /\/P[24]\//.test(request.url)
        ? { status: 404, headers: {}, body: Buffer.from('{"error":{"code":"ERR_X","message":"gone"}}') }
        : good(request)
  const ran = await m.run('informe download P1 P2 P3 --json', { env, transport })
  expect(ran.code).toBe(11)
  expect(ran.json().map((row: any) => [row.preApproveId, row.status, row.error?.kind])).toEqual([
    ['P1', 'new', undefined],
    ['P2', 'failed', 'not-found'],
    ['P3', 'new', undefined],
  ])
  expect(ran.error()).toMatchObject({ kind: 'partial' })
  expect(existsSync(join(m.dir, 'PreAprobacion_P2.pdf'))).toBe(false)
  const hint = async (ids: string) =>
    (await m.run(`informe download ${ids} --force --json`, { env, transport, clock: fakeClock() })).error().hint
  const correct = 'Correct the ids that failed.'
  expect(ran.error().hint).toBe(`${correct} 2 reports are saved.`)
  expect(await hint('P1 P2')).toBe(`${correct} One report is saved.`)
  expect(await hint('P2 P4')).toBe(`${correct} No report was saved.`)
  expect(await hint('P1 P2 P5')).toBe('Run the command again with the ids that failed. One report is saved.')
  const none = await m.run('informe download P2 P4 --json', { env, transport })
  expect([none.code, none.json().map((row: any) => row.status)]).toEqual([11, ['failed', 'failed']])
})

test.each([
  [
    'informe download P2 P1 BAD P3',
    4,
    [
      ['P2', 'failed'],
      ['P1', 'new'],
    ],
  ],
  ['informe download P2 BAD', 4, [['P2', 'failed']]],
  ['informe download P1 STOP P3', 130, [['P1', 'new']]],
  ['informe download BAD P1', 4, undefined],
  ['informe get P1 BAD', 4, [['P1', undefined]]],
  ['informe get P1 P2', 6, [['P1', undefined]]],
  ['informe get P1 STOP', 130, [['P1', undefined]]],
  ['informe get BAD P1', 4, undefined],
] as const)('%s ends with %i, after it printed what was finished', async (line, code, rows) => {
  using m = machine()
  const good = service().transport
  const transport: Transport = async (request) => {
    if (request.url.includes('/STOP/')) throw new Interrupted(130)
    if (request.url.includes('/BAD/')) return { status: 400, headers: {}, body: Buffer.from('{}') }
    if (request.url.includes('/P2/'))
      return { status: 404, headers: {}, body: Buffer.from('{"error":{"code":"ERR_X"}}') }
    return good(request)
  }
  const ran = await m.run(`${line} --json`, { env, transport })
  expect(ran.code).toBe(code)
  if (rows === undefined) expect(ran.stdout).toBe('')
  else expect(ran.json().map((row: any) => [row.preApproveId, row.status])).toEqual(rows)
})

test.each([
  [new ClosedPipe(), []],
  [new BnplError('output', 'no space left', {}), ['after that, this failed too: no space left']],
])('if what was finished cannot be printed either (%s), the first error is still reported', async (lost, more) => {
  using m = machine()
  const good = service().transport
  const transport: Transport = async (request) =>
    request.url.includes('/BAD/') ? { status: 400, headers: {}, body: Buffer.from('{}') } : good(request)
  const { world, stderr } = m.world({ env, transport })
  Object.assign(world.io, { out: () => Promise.reject(lost) })
  expect(await runCli(['informe', 'get', 'P1', 'BAD'], world)).toBe(4)
  for (const words of ['400', ...more]) expect(stderr()).toContain(words)
})

test('the dry run of informe get shows the request for each id', async () => {
  using m = machine()
  const { transport, seen } = service()
  const ran = await m.run('informe get P1 P2 --dry-run', { env, transport })
  expect([ran.code, ran.stdout.match(/P\d/g), seen]).toEqual([0, ['P1', 'P2'], []])
})

test('when one of several files already exists, the others are saved; when all exist, the exit code is 2', async () => {
  using m = machine()
  const { transport } = service()
  const there = join(m.dir, 'PreAprobacion_P1.pdf')
  writeFileSync(there, 'mine')
  const ran = await m.run('informe download P1 P2 --json', { env, transport })
  expect(ran.code).toBe(11)
  expect(ran.json().map((row: any) => [row.preApproveId, row.status, row.error?.code])).toEqual([
    ['P1', 'failed', 'TARGET_EXISTS'],
    ['P2', 'new', undefined],
  ])
  expect(ran.stderr).toContain('--force')
  expect(readFileSync(there, 'utf8')).toBe('mine')
  expect(await m.run('informe download P1 P2', { env, transport })).toMatchObject({ code: 2, stdout: '' })
  expect(await m.run('informe download P1 P2 --force', { env, transport })).toMatchObject({ code: 0 })
})

test('a report that is shorter than its announced length is refused, and no file is left [row 34]', async () => {
  using m = machine()
  const transport: Transport = async (request) => ({
    status: 200,
    headers: request.url === LINK ? { 'content-length': '9999' } : {},
    body: Buffer.from(request.url === LINK ? PDF : JSON.stringify({ data: { url: LINK } })),
  })
  expect(await m.run('informe download P1', { env, transport, clock: fakeClock() })).toMatchObject({ code: 9 })
  expect(readdirSync(m.dir)).toEqual([])
})
