import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { http, tcpServer } from '../faults/tcp.ts'
import { fakeClock, type Machine, machine } from '../kit/harness.ts'
import { PDF, SIGNATURE, sendPdf, storageStub } from './storage-stub.ts'

const follow = (m: Machine, link: string, more = 'P1') =>
  m.run(['informe', 'download', ...more.split(' '), '--from-link', link, '--json'], { clock: fakeClock() })

test('a urlInforme is downloaded without a profile, and no key is sent', async () => {
  using m = machine()
  await using stub = await storageStub((socket) => sendPdf(socket))
  const ran = await m.run(['informe', 'download', 'P1', '--from-link', stub.urlInforme, '--verbose'], {
    env: { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com' },
  })
  expect(ran).toMatchObject({ code: 0 })
  expect(readFileSync(join(m.dir, 'PreAprobacion_P1.pdf'))).toEqual(PDF)
  expect(stub.requests.join('')).not.toMatch(/authorization|cookie|referer|test-key/i)
  expect(stub.requests).toHaveLength(2)
  expect(ran.stdout + ran.stderr).not.toContain(SIGNATURE)
  expect(
    readdirSync(m.stateDir)
      .map((name) => readFileSync(join(m.stateDir, name), 'latin1'))
      .join(''),
  ).not.toContain(SIGNATURE)
})

test('the link can be read from stdin, and the PDF can be written to a pipe', async () => {
  using m = machine()
  await using stub = await storageStub((socket) => sendPdf(socket))
  const ran = await m.run('informe download --from-link - --out -', { stdin: `${stub.urlInforme}\n` })
  expect(ran.code).toBe(0)
  expect(ran.stdout).toBe(PDF.toString('latin1'))
  expect(await follow(m, stub.urlInforme, '--out named.pdf')).toMatchObject({ code: 0 })
  expect((await follow(m, stub.urlInforme, '--out other.pdf')).json()).toMatchObject([
    { preApproveId: null, status: 'new' },
  ])
})

test('a link whose redirect target expired is opened once more', async () => {
  using m = machine()
  await using stub = await storageStub((socket, n) => (n === 0 ? socket.end(http(403, '<Error/>')) : sendPdf(socket)))
  expect(await follow(m, stub.urlInforme)).toMatchObject({ code: 0 })
  expect(stub.requests).toHaveLength(4)
})

test('exactly one redirect is followed, and only to an allowed address [row 44]', async () => {
  await using other = await tcpServer((socket) => sendPdf(socket))
  const redirect = (location: string, status = 302) => http(status, '', { location, connection: 'close' })
  const first: [name: string, answer: (own: string) => string, requests: number][] = [
    ['no redirect at all', () => http(200, PDF.toString('latin1'), { 'content-type': 'application/pdf' }), 1],
    ['no location', () => http(302, ''), 1],
    ['another redirect than the specified one', () => redirect('/file?x', 301), 1],
    ['a file', () => redirect('file:///etc/passwd'), 1],
    ['plain http elsewhere', () => redirect('http://storage.example.com/file'), 1],
    ['a name and a password', () => redirect(`http://u:p@127.0.0.1:${other.port}/file`), 1],
    ['no address', () => redirect('http://[::'), 1],
    ['script', () => redirect('javascript:alert(1)'), 1],
    ['itself', (own) => redirect(own), 2],
  ]
  for (const [name, answer, requests] of first) {
    using m = machine()
    await using server = await tcpServer((socket) => socket.end(answer(`${server.url}/partner/informe/x`)))
    const ran = await follow(m, `${server.url}/partner/informe/x`)
    expect([name, ran.code, server.requests.length]).toEqual([name, 8, requests])
    expect(readdirSync(m.dir).filter((each) => each.endsWith('.pdf'))).toEqual([])
  }
  using m = machine()
  await using second = await storageStub((socket) => socket.end(redirect(other.url)))
  expect(await follow(m, second.urlInforme)).toMatchObject({ code: 8 })
  expect(other.requests).toEqual([])
})

test('a refused link gives the exit code of its status, and a malformed link gives exit code 2', async () => {
  using m = machine()
  for (const [status, code] of [
    [401, 5],
    [403, 5],
    [404, 6],
    [410, 5],
    [429, 7],
    [500, 8],
  ] as const) {
    await using server = await tcpServer((socket) => socket.end(http(status, '{}')))
    const ran = await follow(m, `${server.url}/partner/informe/${SIGNATURE}`)
    expect([status, ran.code]).toEqual([status, code])
    expect(ran.stderr).not.toMatch(/API key|c0ffee/)
  }
  for (const link of ['', 'nonsense', 'http://api.example.com/x', 'ftp://x/y', `https://u:${SIGNATURE}@h/x`]) {
    const ran = await follow(m, link)
    expect([link, ran.code]).toEqual([link, 2])
    expect(ran.stderr).not.toContain('c0ffee')
  }
  expect(await follow(m, 'https://api.example.com/x', 'P1 P2')).toMatchObject({ code: 2 })
  const unnamed = await m.run('informe download --from-link https://api.example.com/x')
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('--out') })
})

test('--dry-run shows the request and fetches nothing', async () => {
  using m = machine()
  const ran = await m.run('informe download P1 --dry-run --from-link https://api.example.com/partner/informe/x')
  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^curl -sS -L --max-redirs 1 -o '.*PreAprobacion_P1.pdf' 'https:/),
  })
  const byId = await m.run('informe download P1 --dir nowhere --dry-run', {
    env: { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com' },
  })
  expect(byId).toMatchObject({ code: 0, stdout: expect.stringContaining('$BNPL_API_KEY') })
  expect(readdirSync(m.dir)).toEqual([])
})

test('a refusal with a long body takes one request and prints one line of --verbose', async () => {
  using m = machine()
  await using server = await tcpServer((socket) => socket.end(http(404, 'x'.repeat(100_000))))
  const ran = await m.run(`informe download --from-link ${server.url}/x --out a.pdf --verbose`)
  expect(ran.code).toBe(6)
  expect(ran.stderr.match(/^GET .* → 404 /gm)).toHaveLength(1)
  expect(server.requests).toHaveLength(1)
})
