import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Interrupted } from '../../src/errors.ts'
import { LAUNCHER, temporaryFolder } from '../kit/built-program.ts'
import { outputOf } from '../kit/child-output.ts'
import { machine } from '../kit/harness.ts'
import { PDF, sendPdf, storageStub } from './storage-stub.ts'

const NAME = 'PreAprobacion_P1.pdf'
const OLD = 'the report of last week'
const TEMPORARY = /^\.bnpl-.*\.part$/

/** Runs the built program in a shell that first sets a limit. */
function limited(dir: string, env: Record<string, string>, limit: string) {
  const child = spawn(
    'sh',
    ['-c', `${limit}; exec "$0" "$@"`, process.execPath, LAUNCHER, 'informe', 'download', 'P1', '--force', '--json'],
    {
      cwd: dir,
      env: {
        PATH: process.env.PATH,
        HOME: dir,
        BNPL_STATE_DIR: join(dir, 'state'),
        BNPL_CONFIG_DIR: join(dir, 'config'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return { child, ended: outputOf(child).ended }
}

test('when the disk fills up, the old report stays whole and nothing else is left [row 40]', async () => {
  const body = Buffer.concat([PDF, Buffer.alloc(400_000, ' '), Buffer.from('%%EOF\n')])
  await using stub = await storageStub((socket) => sendPdf(socket, {}, body))
  for (const limit of [0, 7, 333, Math.floor(body.length / 512)]) {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, NAME), OLD)
    const { code, stderr } = await limited(folder.path, stub.env, `ulimit -f ${limit}`).ended
    expect([limit, code]).toEqual([limit, 13])
    expect(stderr).toContain('EFBIG')
    expect(stderr).toMatch(/Raise the limit \(ulimit -f\) to more than 0\.[0-4] MB/)
    expect(readFileSync(join(folder.path, NAME), 'utf8')).toBe(OLD)
    expect(readdirSync(folder.path).filter((name) => /pdf|part/.test(name))).toEqual([NAME])
  }
  using folder = temporaryFolder()
  expect((await limited(folder.path, stub.env, 'ulimit -f unlimited').ended).code).toBe(0)
  expect(statSync(join(folder.path, NAME)).size).toBe(body.length)
})

test('a run that is killed leaves the old report or none, and the next run removes its temporary file [row 41]', async () => {
  for (const [i, before] of [OLD, undefined].entries()) {
    using folder = temporaryFolder()
    const target = join(folder.path, NAME)
    if (before !== undefined) writeFileSync(target, before)
    let sent: () => void = () => {}
    const begun = new Promise<void>((resolve) => {
      sent = resolve
    })
    await using stub = await storageStub((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\ncontent-length: ${PDF.length}\r\n\r\n`)
      socket.write(PDF.subarray(0, 1 + i * 9000), () => sent())
    })
    const { child, ended } = limited(folder.path, stub.env, ':')
    await begun
    while (!readdirSync(folder.path).some((name) => TEMPORARY.test(name)))
      await new Promise((next) => setTimeout(next, 2))
    child.kill('SIGKILL')
    await ended
    const left = () => readdirSync(folder.path).filter((name) => /pdf|part/.test(name))
    expect(left()).toEqual([expect.stringMatching(TEMPORARY), ...(before === undefined ? [] : [NAME])])
    if (before !== undefined) expect(readFileSync(target, 'utf8')).toBe(before)
    await using whole = await storageStub((socket) => sendPdf(socket))
    expect((await limited(folder.path, whole.env, ':').ended).code).toBe(0)
    expect(left()).toEqual([NAME])
    expect(readFileSync(target)).toEqual(PDF)
  }
})

test('temporary files that another run or another host is writing are not removed [row 41]', async () => {
  using m = machine()
  await using stub = await storageStub((socket) => sendPdf(socket))
  const others = [`.bnpl-00000000-1-${'0'.repeat(24)}.part`, '.bnpl-notes.part', `.bnpl-zz-1-${'0'.repeat(24)}.part`]
  for (const name of others) writeFileSync(join(m.dir, name), 'x')
  expect(await m.run('informe download P1', { env: stub.env })).toMatchObject({ code: 0 })
  expect(
    readdirSync(m.dir)
      .filter((name) => name.startsWith('.'))
      .sort(),
  ).toEqual([...others].sort())
})

test('a folder that cannot be written is reported before anything is requested from the storage', async () => {
  using m = machine()
  await using stub = await storageStub((socket) => sendPdf(socket))
  writeFileSync(join(m.dir, 'file'), '')
  for (const place of ['--dir file', '--dir file/deeper', '--out file/x.pdf']) {
    const ran = await m.run(`informe download P1 ${place} --json`, { env: stub.env })
    expect([place, ran.code]).toEqual([place, 2])
  }
  const long = await m.run(['informe', 'download', 'P1', '--out', 'x'.repeat(300)], { env: stub.env })
  expect(long).toMatchObject({ code: 13, stdout: '' })
  expect(stub.files).toEqual([])
})

test('Ctrl-C ends a download at once, with exit code 130, and leaves no file', async () => {
  using m = machine()
  const interrupt = new AbortController()
  await using stub = await storageStub((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n%PDF-', () => interrupt.abort(new Interrupted()))
  })
  const ran = await m.run('informe download P1', { env: stub.env, signal: interrupt.signal })
  expect(ran).toMatchObject({ code: 130, stdout: '' })
  expect(readdirSync(m.dir).filter((name) => /pdf|part/.test(name))).toEqual([])
})

test('twelve consecutive downloads all end with exit code 0', async () => {
  using folder = temporaryFolder()
  await using stub = await storageStub((socket) => sendPdf(socket))
  for (let i = 0; i < 12; i++) expect((await limited(folder.path, stub.env, ':').ended).code).toBe(0)
})
