import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { http } from '../faults/tcp.ts'
import { fakeClock, type Machine, machine } from '../kit/harness.ts'
import { PDF, SIGNATURE, type Stub, sendCut, sendPdf, storageStub } from './storage-stub.ts'

const NAME = 'PreAprobacion_P1.pdf'
const OLD = 'the report of last week'

/** Returns a machine with an old report in its folder. */
function withOldReport(): Machine {
  const m = machine()
  writeFileSync(join(m.dir, NAME), OLD)
  return m
}

/** Returns what is in the folder: the report's text, and the names of the other files. */
function left(m: Machine) {
  const others = readdirSync(m.dir).filter((name) => ![NAME, 'state', 'config'].includes(name))
  return { report: readFileSync(join(m.dir, NAME), 'utf8'), others }
}

const download = (m: Machine, { env }: Stub, line = 'informe download P1 --force --json') =>
  m.run(line, { env, clock: fakeClock() })

test.each(['length', 'chunked', 'close'] as const)(
  'a download that is cut is tried three times from the start, and the old file stays: %s [row 34]',
  async (framing) => {
    using m = withOldReport()
    await using stub = await storageStub((socket) => sendCut(socket, framing, PDF.length / 2))
    const ran = await download(m, stub)
    expect(ran).toMatchObject({ code: 9, stdout: '' })
    expect(ran.error()).toMatchObject({ kind: 'network', attempts: 3 })
    expect(stub.files).toHaveLength(3)
    expect(stub.files.join('')).not.toMatch(/^range:/im)
    expect(left(m)).toEqual({ report: OLD, others: [] })
  },
)

test('a PDF cut after the end mark of an earlier revision is detected, even without a length [row 35]', async () => {
  using m = withOldReport()
  // A PDF that was changed later has an end mark for each revision. This one is cut in its second revision.
  const cut = Buffer.concat([PDF, Buffer.from('9 0 obj <</Type /Annot>>\nendobj\nxref\n')])
  await using stub = await storageStub((socket) => sendCut(socket, 'close', cut.length, cut))
  expect(await download(m, stub)).toMatchObject({ code: 9, stdout: '' })
  expect(left(m)).toEqual({ report: OLD, others: [] })
})

test('a download that is cut once succeeds at the second try [row 38]', async () => {
  using m = withOldReport()
  await using stub = await storageStub((socket, n) => (n === 0 ? sendCut(socket, 'length', 9999) : sendPdf(socket)))
  expect(await download(m, stub)).toMatchObject({ code: 0 })
  expect(left(m)).toEqual({ report: PDF.toString(), others: [] })
})

test('the request to the storage carries no key and no cookie, also on the same origin [row 33, row 36]', async () => {
  using m = withOldReport()
  await using stub = await storageStub((socket) => sendPdf(socket))
  expect(await download(m, stub)).toMatchObject({ code: 0 })
  const names = stub.files[0]
    ?.split('\r\n')
    .slice(1, -2)
    .map((line) => line.split(':')[0]?.toLowerCase())
  expect(names?.sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  expect(stub.files[0]).toMatch(/accept-encoding: identity\r\n/i)
})

test.each([
  ['a page', { 'content-type': 'text/html' }, PDF],
  ['two types', { 'content-type': 'application/pdf, text/html' }, PDF],
  ['no PDF', {}, Buffer.from('<?xml version="1.0"?><Error/>')],
  ['nothing', {}, Buffer.alloc(0)],
  ['four bytes', {}, Buffer.from('%PDF')],
  ['a page with the end mark', {}, Buffer.from('<html>%PDF- %%EOF\n')],
  ['no end mark', {}, PDF.subarray(0, -8)],
  ['an encoding', { 'content-encoding': 'br' }, PDF],
  ['more than any report', { 'content-length': '2000000000' }, PDF],
] as const)('an answer that is not the report is not saved: %s [row 36, row 37]', async (_, headers, body) => {
  using m = withOldReport()
  await using stub = await storageStub((socket) => sendPdf(socket, headers, Buffer.from(body)))
  const ran = await download(m, stub)
  expect(ran).toMatchObject({ code: 8, stdout: '' })
  expect(stub.files).toHaveLength(1)
  expect(left(m)).toEqual({ report: OLD, others: [] })
})

test.each(['206 Partial Content', '304 Not Modified', '301 Moved', '302 Found', '307 Temporary', '999 What'])(
  'an answer with a status other than 200 is not joined, followed or saved: %s [row 38]',
  async (line) => {
    using m = withOldReport()
    await using stub = await storageStub((socket) =>
      socket.end(
        Buffer.concat([
          Buffer.from(
            `HTTP/1.1 ${line}\r\nlocation: /file?again\r\ncontent-range: bytes 0-9/${PDF.length}\r\netag: "x"\r\nconnection: close\r\n\r\n`,
          ),
          PDF,
        ]),
      ),
    )
    expect(await download(m, stub)).toMatchObject({ code: 8 })
    expect(stub.files).toHaveLength(1)
    expect(left(m)).toEqual({ report: OLD, others: [] })
  },
)

test.each([400, 403])('after a %i for an expired link, a new link is requested once [row 37]', async (status) => {
  using m = withOldReport()
  const refused = http(status, '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>')
  await using stub = await storageStub((socket, n) => (n === 0 ? socket.end(refused) : sendPdf(socket)))
  expect(await download(m, stub)).toMatchObject({ code: 0 })
  expect(stub.requests).toHaveLength(4)
  await using dead = await storageStub((socket) => socket.end(refused))
  const ran = await download(m, dead)
  expect(ran).toMatchObject({ code: 5 })
  expect(ran.error().message).toContain('AccessDenied')
  expect(ran.stderr).not.toContain(SIGNATURE)
  expect(dead.files).toHaveLength(2)
})

test('if the link expires during the download, a new link is requested and the download restarts [row 38]', async () => {
  using m = withOldReport()
  const fresh = Buffer.concat([PDF, Buffer.from('drawn anew\n%%EOF\n')])
  await using stub = await storageStub((socket, n) =>
    n === 0
      ? sendCut(socket, 'length', PDF.length / 2)
      : n === 1
        ? socket.end(http(403, '<Error><Code>AccessDenied</Code></Error>'))
        : sendPdf(socket, { etag: '"another"' }, fresh),
  )
  expect(await download(m, stub)).toMatchObject({ code: 0 })
  expect(left(m)).toEqual({ report: fresh.toString(), others: [] })
  expect(stub.files).toHaveLength(3)
  expect(stub.files.join('')).not.toMatch(/^(range|if-range):/im)
})

test('after a 503 or 429 of the storage, the download is repeated after the time in Retry-After', async () => {
  using m = withOldReport()
  const clock = fakeClock()
  await using stub = await storageStub((socket, n) =>
    n === 0
      ? socket.end(http(503, '<Error><Code>SlowDown</Code></Error>', { 'retry-after': '7' }))
      : n === 1
        ? socket.end(http(429, '', { 'retry-after': '3' }))
        : sendPdf(socket),
  )
  expect(await m.run('informe download P1 --force', { env: stub.env, clock })).toMatchObject({ code: 0 })
  expect(clock.slept).toEqual([7000, 3000])
  await using long = await storageStub((socket) => socket.end(http(429, '', { 'retry-after': '3600' })))
  expect(await download(m, long)).toMatchObject({ code: 7 })
  expect(long.files).toHaveLength(1)
})

test('a download that stalls or drips ends with exit code 9 when the timeout is over [row 18]', async () => {
  using m = withOldReport()
  const timers = new Set<NodeJS.Timeout>()
  for (const drips of [false, true]) {
    await using stub = await storageStub((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${PDF.length}\r\n\r\n%PDF-`)
      if (drips) timers.add(setInterval(() => socket.write('x'), 10))
    })
    expect(await download(m, stub, 'informe download P1 --force --timeout 60ms --json')).toMatchObject({ code: 9 })
    for (const timer of timers) clearInterval(timer)
  }
  expect(left(m)).toEqual({ report: OLD, others: [] })
})

test.each([
  'attachment; filename="../../x.pdf"',
  'attachment; filename=..',
  "attachment; filename*=UTF-8''%2e%2e%2fx",
  'attachment; filename="a\u202efdp.exe"',
  `attachment; filename="${'x'.repeat(300)}"`,
  'attachment; filename="/etc/passwd"',
])('the file has its specified name, whatever name Content-Disposition contains: %s [row 43]', async (disposition) => {
  using m = machine()
  await using stub = await storageStub((socket) => sendPdf(socket, { 'content-disposition': disposition }))
  const dir = join(m.dir, 'a', 'b')
  expect(await download(m, stub, `informe download P1 --dir ${dir} --json`)).toMatchObject({ code: 0 })
  expect(readdirSync(dir)).toEqual([NAME])
  expect(readdirSync(m.dir).sort()).toEqual(['a', 'state'])
  expect(await download(m, stub, 'informe download P1 --out a/..named..pdf --json')).toMatchObject({ code: 0 })
  expect(readdirSync(join(m.dir, 'a')).sort()).toEqual(['..named..pdf', 'b'])
})

test('a pipe, a device or a folder at the path of the report is not replaced, even with --force [row 42]', async () => {
  using m = machine()
  await using stub = await storageStub((socket) => sendPdf(socket))
  expect(spawnSync('mkfifo', [join(m.dir, NAME)]).status).toBe(0)
  mkdirSync(join(m.dir, 'PreAprobacion_P2.pdf'))
  for (const line of ['P1', 'P2', 'P1 --out /dev/null', 'P1 --out PreAprobacion_P1.pdf/x'])
    expect(await download(m, stub, `informe download ${line} --force --json`)).toMatchObject({ code: 2, stdout: '' })
  expect(stub.requests).toEqual([])
})

test('sixteen downloads of one report at the same time all end and leave one whole file [row 45]', async () => {
  using m = withOldReport()
  await using stub = await storageStub((socket) => sendPdf(socket))
  const all = await Promise.all(Array.from({ length: 16 }, () => download(m, stub)))
  expect(all.map(({ code }) => code)).toEqual(Array(16).fill(0))
  expect(left(m)).toEqual({ report: PDF.toString(), others: [] })
  const fresh = await Promise.all(
    Array.from({ length: 16 }, () => download(m, stub, 'informe download P1 --dir fresh --json')),
  )
  expect(fresh.map(({ code }) => code).sort()).toEqual([0, ...Array(15).fill(2)])
  expect(readFileSync(join(m.dir, 'fresh', NAME))).toEqual(PDF)
  expect(readdirSync(join(m.dir, 'fresh'))).toEqual([NAME])
})
