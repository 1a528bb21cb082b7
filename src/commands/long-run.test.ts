import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { machine } from '../../test/kit/harness.ts'
import { prepareReadyFile } from './long-run.ts'

let dir: string
let path: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-ready-'))
  path = join(dir, 'ready.json')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const ALIVE = 7
const prepare = () => prepareReadyFile(dir, 'ready.json', (pid) => pid === ALIVE)
const listener = (pid: number) => JSON.stringify({ url: 'http://127.0.0.1:1/webhooks', scheme: 'hmac', pid })

test('only the owner can read a ready file, and it is removed at the end unless another file replaced it', async () => {
  const ready = await prepare()
  await ready.write('{}\n')
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['{}\n', 0o600])
  await ready.remove()
  expect(existsSync(path)).toBe(false)
  await ready.write('{}\n')
  rmSync(path)
  writeFileSync(path, 'notes')
  await ready.remove()
  expect(readFileSync(path, 'utf8')).toBe('notes')
  rmSync(path)
  mkdirSync(path)
  await ready.remove()
  expect(statSync(path).isDirectory()).toBe(true)
})

test.each([
  ['notes', () => writeFileSync(path, 'notes')],
  ['JSON of another program', () => writeFileSync(path, '{"pid":12,"name":"x"}')],
  ['null', () => writeFileSync(path, 'null')],
  ['a large file', () => writeFileSync(path, `${listener(1)}${' '.repeat(100_000)}`)],
  ['a folder', () => mkdirSync(path)],
  [
    'a link',
    () => {
      writeFileSync(join(dir, 'mine'), listener(1))
      symlinkSync(join(dir, 'mine'), path)
    },
  ],
])('%s at the path of the ready file is refused and kept, at the start and later [attack 9]', async (_, make) => {
  const early = await prepare()
  make()
  const before = statSync(path)
  await expect(prepare()).rejects.toMatchObject({ kind: 'config', code: 'READY_FILE_FOREIGN' })
  await expect(early.write('{}')).rejects.toMatchObject({ kind: 'config', code: 'READY_FILE_FOREIGN' })
  await early.remove()
  expect(statSync(path)).toMatchObject({ ino: before.ino, size: before.size })
})

test('the ready file of an ended process is removed at the start, and of a running process only by clear', async () => {
  for (const left of ['', listener(ALIVE + 1), '{"baseUrl":"http://127.0.0.1:1","partners":[]}']) {
    writeFileSync(path, left)
    await prepare()
    expect([left, existsSync(path)]).toEqual([left, false])
  }
  writeFileSync(path, listener(ALIVE))
  const ready = await prepare()
  expect(existsSync(path)).toBe(true)
  await ready.clear()
  expect(existsSync(path)).toBe(false)
})

test.each(['webhooks listen --secret-file /none', 'sandbox start --data /proc/x'])(
  '%s: a start that fails keeps a file that is not a ready file [attack 9]',
  async (line) => {
    using m = machine()
    writeFileSync(join(m.dir, 'notes.txt'), 'notes')
    const ran = await m.run(`${line} --port 0 --ready-file notes.txt --json`)
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.error().code).toBe('READY_FILE_FOREIGN')
    expect(readFileSync(join(m.dir, 'notes.txt'), 'utf8')).toBe('notes')
  },
)
