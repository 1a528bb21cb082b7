import {
  chmodSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { type FileHandle, link, lstat, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { timesOpen } from '../../test/kit/open-files.ts'
import {
  checkTarget,
  FileWriter,
  openTarget,
  stampOf,
  sweepStale,
  type TargetOptions,
  writeWholeFile,
} from './target-file.ts'

// These functions are replaced to simulate disks that are full, slow or fail, file systems without hard links, and folders without permission.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    openSync: vi.fn(fs.openSync),
    writeSync: vi.fn(fs.writeSync),
    statfsSync: vi.fn(fs.statfsSync),
    ftruncateSync: vi.fn(fs.ftruncateSync),
    fdatasync: vi.fn(fs.fdatasync),
    fsync: vi.fn(fs.fsync),
    fsyncSync: vi.fn(fs.fsyncSync),
    promises: { ...fs.promises, rename: vi.fn(fs.promises.rename) },
  }
})
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>()
  return { ...fs, link: vi.fn(fs.link), lstat: vi.fn(fs.lstat), open: vi.fn(fs.open) }
})

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-target-'))
})
afterEach(() => {
  vi.resetAllMocks()
  rmSync(dir, { recursive: true, force: true })
})

const at = (name: string) => join(dir, name)
const text = (name: string) => readFileSync(at(name), 'utf8')
const failure = (code: string) => Object.assign(new Error(code), { code })
const refuse = (code: string) => () => {
  throw failure(code)
}
const refusal = (what: object) => expect.objectContaining({ name: 'BnplError', ...what })
const PID = 4_711
const start = (name = 'out.csv', options: Partial<TargetOptions> = {}) =>
  openTarget(at(name), { force: false, pid: PID, otherPlace: '--dir or --out', ...options })
const exists = (name: string) =>
  refusal({
    kind: 'usage',
    code: 'TARGET_EXISTS',
    message: `${at(name)} already exists`,
    hint: 'Add --force to replace it, or choose another place.',
  })

test('a file appears only when it is complete, and no other file remains', async () => {
  const target = start()
  target.take(Buffer.from('a first try'))
  target.restart()
  target.take(Buffer.from('one,'))
  target.take(Buffer.from('two'))
  const [name = ''] = readdirSync(dir)
  expect(readdirSync(dir)).toHaveLength(1)
  expect(name).toMatch(/^\.bnpl-[0-9a-f]{8}-4711-[0-9a-f]{24}\.part$/)
  expect(target.path).toBe(at('out.csv'))
  await target.commit()
  expect(readdirSync(dir)).toEqual(['out.csv'])
  expect(text('out.csv')).toBe('one,two')
  await target.discard()
  expect(readdirSync(dir)).toEqual(['out.csv'])
})

test('discarding a file leaves no file in the folder', async () => {
  const target = start()
  target.take(Buffer.from('x'))
  await target.discard()
  await target.discard()
  expect(readdirSync(dir)).toEqual([])
})

test('two files for one place have temporary names of their own', async () => {
  const [one, other] = [start(), start()]
  expect(readdirSync(dir)).toHaveLength(2)
  await Promise.all([one.discard(), other.discard()])
})

test('by default a file can be read only by its owner, and a file that replaces another one has the mode of that one', async () => {
  const written = async (name: string, options: Partial<TargetOptions> = {}) => {
    const target = start(name, options)
    await target.commit()
    return statSync(at(name)).mode & 0o777
  }
  expect(await written('report.pdf')).toBe(0o600)
  chmodSync(at('report.pdf'), 0o640)
  expect(await written('report.pdf', { force: true })).toBe(0o640)
  expect(await written('report.pdf', { force: true, mode: 0o600 })).toBe(0o600)
})

test('a file has the requested mode', async () => {
  const target = start('out.csv', { mode: 0o600 })
  await target.commit()
  expect(statSync(at('out.csv')).mode & 0o777).toBe(0o600)
})

test('a missing folder is created, unless it must exist', async () => {
  await start('a/b/out.csv').commit()
  expect(text('a/b/out.csv')).toBe('')
  expect(() => start('c/out.csv', { makeFolder: false })).toThrowError(
    refusal({
      kind: 'output',
      code: 'ENOENT',
      message: `${at('c/out.csv')} could not be written: its folder is missing (ENOENT). No partial file is left behind`,
      hint: 'Choose another place with --dir or --out. If the file existed before, it was not changed.',
    }),
  )
  expect(existsSync(at('c'))).toBe(false)
  await start('a/more.csv', { makeFolder: false }).discard()
})

test.each(['ENOTDIR', 'EEXIST'])(
  'a path with a file where a folder must be is refused as NOT_A_DIRECTORY (%s)',
  async (code) => {
    writeFileSync(at('file'), '')
    if (code === 'EEXIST') vi.mocked(openSync).mockImplementationOnce(refuse(code))
    const cause = expect.objectContaining({ code })
    const wrong = refusal({
      kind: 'usage',
      code: 'NOT_A_DIRECTORY',
      message: `out.csv cannot be created, because a part of ${at('file')} is not a directory`,
      hint: 'Choose another place with --dir or --out.',
      cause,
    })
    expect(() => start('file/out.csv', { makeFolder: false })).toThrowError(wrong)
    if (code === 'ENOTDIR')
      await expect(checkTarget(at('file/out.csv'), false, '--dir or --out')).rejects.toThrowError(wrong)
  },
)

test('the check accepts a free path, accepts an existing file only with force, and changes no file', async () => {
  await checkTarget(at('out.csv'), false)
  writeFileSync(at('out.csv'), 'precious')
  await expect(checkTarget(at('out.csv'), false)).rejects.toThrowError(exists('out.csv'))
  await checkTarget(at('out.csv'), true)
  expect(text('out.csv')).toBe('precious')
})

test.each([false, true])('a link, a directory and a device are refused as a target file (force: %s)', async (force) => {
  symlinkSync(at('nowhere'), at('link'))
  await expect(checkTarget(at('link'), force, '--failed')).rejects.toThrowError(
    refusal({
      kind: 'usage',
      code: 'TARGET_IS_LINK',
      message: `${at('link')} is a symbolic link, and bnpl does not write through links`,
      hint: 'Remove the link, or name another file with --failed.',
    }),
  )
  await expect(checkTarget(dir, force, '--failed')).rejects.toThrowError(
    refusal({
      kind: 'usage',
      code: 'TARGET_IS_DIRECTORY',
      message: `${dir} is a directory`,
      hint: 'Name a file with --failed.',
    }),
  )
  await expect(checkTarget('/dev/null', force)).rejects.toThrowError(
    refusal({
      kind: 'usage',
      code: 'TARGET_IS_SPECIAL',
      message: '/dev/null is not a regular file',
      hint: 'Name another file.',
    }),
  )
})

test('a path that cannot be read is reported with the reason', async () => {
  const name = 'x'.repeat(1_000)
  await expect(checkTarget(at(name), true)).rejects.toThrowError(
    refusal({
      kind: 'output',
      code: 'ENAMETOOLONG',
      message: `${at(name)} could not be written: its name is too long (ENAMETOOLONG). No partial file is left behind`,
    }),
  )
})

test('a file that another program created meanwhile is kept, and the commit fails', async () => {
  const target = start()
  target.take(Buffer.from('new'))
  writeFileSync(at('out.csv'), 'of another')
  await expect(target.commit()).rejects.toThrowError(exists('out.csv'))
  await target.discard()
  expect(text('out.csv')).toBe('of another')
  expect(readdirSync(dir)).toEqual(['out.csv'])
})

test('with force a file is replaced, but a symbolic link is refused and kept', async () => {
  writeFileSync(at('out.csv'), 'old')
  const target = start('out.csv', { force: true })
  target.take(Buffer.from('new'))
  await target.commit()
  expect(text('out.csv')).toBe('new')
  writeFileSync(at('victim'), 'precious')
  symlinkSync(at('victim'), at('link'))
  const second = start('link', { force: true })
  await expect(second.commit()).rejects.toThrowError(refusal({ code: 'TARGET_IS_LINK' }))
  await second.discard()
  expect(text('victim')).toBe('precious')
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
})

test('a file with the expected stamp is replaced without force, but a file that changed since then is kept', async () => {
  writeFileSync(at('out.csv'), 'known')
  const replaces = await stampOf(at('out.csv'))
  const known = start('out.csv', { replaces })
  await known.commit()
  expect(text('out.csv')).toBe('')
  const changed = start('out.csv', { replaces })
  await expect(changed.commit()).rejects.toThrowError(exists('out.csv'))
  await changed.discard()
  const missing = start('missing.csv', { replaces: await stampOf(at('missing.csv')) })
  await missing.commit()
  expect(readdirSync(dir).sort()).toEqual(['missing.csv', 'out.csv'])
})

test('the stamp of a file consists of device, inode, size and modification time; a missing file has no stamp', async () => {
  expect(await stampOf(at('missing'))).toBeUndefined()
  writeFileSync(at('a'), 'abc')
  utimesSync(at('a'), 1_000, 1_000)
  const { dev, ino } = lstatSync(at('a'), { bigint: true })
  expect(await stampOf(at('a'))).toBe(`${dev}/${ino}/3/1000000000000`)
})

test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
  'on a file system without hard links (%s), the commit renames the file, but replaces no existing file',
  async (code) => {
    vi.mocked(link).mockRejectedValueOnce(failure(code))
    const target = start()
    target.take(Buffer.from('new'))
    await target.commit()
    expect([readdirSync(dir), text('out.csv')]).toEqual([['out.csv'], 'new'])
    vi.mocked(link).mockRejectedValueOnce(failure(code))
    const second = start()
    await expect(second.commit()).rejects.toThrowError(exists('out.csv'))
    await second.discard()
    expect(text('out.csv')).toBe('new')
  },
)

test('any other failure of the link is reported, and no file is left', async () => {
  vi.mocked(link).mockRejectedValueOnce(failure('EIO'))
  const target = start()
  await expect(target.commit()).rejects.toThrowError(
    refusal({
      kind: 'output',
      code: 'EIO',
      message: `${at('out.csv')} could not be written: the disk failed (EIO). No partial file is left behind`,
    }),
  )
  await target.discard()
  expect(promises.rename).not.toHaveBeenCalled()
  expect(readdirSync(dir)).toEqual([])
})

test.each([
  ['EROFS', 'it is on a read-only file system'],
  ['EACCES', 'you have no permission to write there'],
  ['EPERM', 'you have no permission to write there'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ENOENT', 'its folder is missing'],
  ['EIO', 'the disk failed'],
  ['EMFILE', 'the system reported an error'],
])('a file that cannot be opened is reported with the reason: %s', (code, why) => {
  vi.mocked(openSync).mockImplementationOnce(refuse(code))
  expect(() => start()).toThrowError(
    refusal({
      kind: 'output',
      code,
      message: `${at('out.csv')} could not be written: ${why} (${code}). No partial file is left behind`,
      hint: 'Choose another place with --dir or --out. If the file existed before, it was not changed.',
      cause: expect.objectContaining({ code }),
    }),
  )
})

test('a failure without a code counts as a disk failure', () => {
  vi.mocked(openSync).mockImplementationOnce(() => {
    throw new Error('unknown')
  })
  expect(() => start()).toThrowError(refusal({ kind: 'output', code: 'EIO' }))
})

const OTHER = 'choose another place with --dir or --out.'
test.each([
  ['ENOSPC', 'the disk is full', `Make room for more than 2.0 MB (14.3 MB are free there), or ${OTHER}`],
  ['EDQUOT', 'the disk quota is used up', `Make room for more than 2.0 MB (14.3 MB are free there), or ${OTHER}`],
  ['EFBIG', 'a file of this size is not allowed here', `Raise the limit (ulimit -f) to more than 2.0 MB, or ${OTHER}`],
])(
  'the error of a write without room names the needed space, including the bytes written so far: %s',
  async (code, why, hint) => {
    const target = start()
    target.take(Buffer.alloc(2_000_000))
    vi.mocked(writeSync).mockImplementationOnce(refuse(code))
    const room = vi.mocked(statfsSync) as unknown as ReturnType<typeof vi.fn>
    room.mockReturnValueOnce({ bavail: 3_000, bsize: 4_096 })
    const message = `${at('out.csv')} could not be written: ${why} (${code}). No partial file is left behind`
    expect(() => target.take(Buffer.from('x'))).toThrowError(
      refusal({ kind: 'output', code, message, hint: `${hint} If the file existed before, it was not changed.` }),
    )
    if (code !== 'EFBIG') expect(room).toHaveBeenCalledWith(dir)
    await target.discard()
    expect(readdirSync(dir)).toEqual([])
  },
)

test('after a failed write the commit fails and the existing file is kept, until the file is restarted', async () => {
  writeFileSync(at('out.csv'), 'an earlier file')
  const target = openTarget(at('out.csv'), { force: true, pid: 1 })
  target.take(Buffer.from('a row\nhalf a r'))
  vi.mocked(writeSync).mockImplementationOnce(refuse('ENOSPC'))
  expect(() => target.take(Buffer.from('ow\n'))).toThrowError(refusal({ kind: 'output', code: 'ENOSPC' }))
  target.take(Buffer.from('another row\n'))
  await expect(target.commit()).rejects.toMatchObject({ kind: 'output', code: 'ENOSPC' })
  expect(readFileSync(at('out.csv'), 'utf8')).toBe('an earlier file')
  target.restart()
  target.take(Buffer.from('whole\n'))
  await target.commit()
  expect(readFileSync(at('out.csv'), 'utf8')).toBe('whole\n')
})

test('if the system does not report free space, only the needed space is reported', async () => {
  const target = start()
  vi.mocked(writeSync).mockImplementationOnce(refuse('ENOSPC'))
  vi.mocked(statfsSync).mockImplementationOnce(refuse('ENOSYS'))
  expect(() => target.take(Buffer.from('x'))).toThrowError(
    refusal({ hint: `Make room for more than 0.0 MB, or ${OTHER} If the file existed before, it was not changed.` }),
  )
  await target.discard()
})

test('the folder is synced after the file is in its place, and closed', async () => {
  const real = vi.mocked(open).getMockImplementation() as typeof open
  const calls: string[] = []
  let folder: FileHandle | undefined
  vi.mocked(open).mockImplementationOnce(async (path, flags) => {
    folder = await real(path, flags)
    const handle = folder
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      calls.push(`${path} ${flags}: ${readdirSync(dir).join()}`)
      await sync()
    }
    return handle
  })
  await start().commit()
  expect(calls).toEqual([`${dir} r: out.csv`])
  expect(folder?.fd).toBe(-1)
})

test('a failure to open or sync the folder does not fail the commit', async () => {
  vi.mocked(open).mockRejectedValueOnce(failure('EACCES'))
  await start('a.csv').commit()
  const close = vi.fn(async () => {})
  const sync = () => Promise.reject(failure('EINVAL'))
  vi.mocked(open).mockResolvedValueOnce({ sync, close } as unknown as FileHandle)
  await start('b.csv').commit()
  expect(close).toHaveBeenCalledTimes(1)
  expect(readdirSync(dir)).toEqual(['a.csv', 'b.csv'])
})

test('a restart that the system refuses is reported as a failed write', async () => {
  const target = start()
  target.take(Buffer.from('x'))
  vi.mocked(ftruncateSync).mockImplementationOnce(refuse('EIO'))
  expect(() => target.restart()).toThrowError(refusal({ kind: 'output', code: 'EIO' }))
  await target.discard()
})

test('the sweep removes only temporary files of dead processes of this host', async () => {
  const [dead, alive] = [start('a', { pid: 12 }), start('a', { pid: 345 })]
  const [ofDead = '', ofAlive = ''] = readdirSync(dir).sort((one, other) => one.length - other.length)
  const foreign = ofDead.replace(/^\.bnpl-[0-9a-f]{8}/, '.bnpl-00000000')
  const others = [foreign, `${ofDead}.csv`, `x${ofDead}`, ofDead.replace('-12-', '-x-'), '.bnpl-12.part', 'rows.csv']
  for (const name of others) writeFileSync(at(name), '')
  const asked: number[] = []
  await sweepStale(dir, (pid) => {
    asked.push(pid)
    return pid === 345
  })
  expect(asked.sort((one, other) => one - other)).toEqual([12, 345])
  expect(readdirSync(dir).sort()).toEqual([ofAlive, ...others].sort())
  await Promise.all([dead.discard(), alive.discard()])
})

test('the sweep ignores a missing folder and a file that another sweep removed', async () => {
  await sweepStale(at('missing'), () => false)
  const target = start()
  const [name = ''] = readdirSync(dir)
  await sweepStale(dir, () => {
    rmSync(at(name))
    return false
  })
  await target.discard()
  expect(readdirSync(dir)).toEqual([])
})

test('if a path cannot be checked, a file at that path is not replaced', async () => {
  writeFileSync(at('out.csv'), 'precious')
  vi.mocked(lstat).mockRejectedValueOnce(failure('EIO'))
  expect(await stampOf(at('out.csv'))).toBeUndefined()
  mkdirSync(at('sub'))
  const target = start('out.csv', { replaces: undefined })
  vi.mocked(lstat).mockRejectedValueOnce(failure('EIO'))
  await expect(target.commit()).rejects.toThrowError(exists('out.csv'))
  await target.discard()
  expect(text('out.csv')).toBe('precious')
})

test('a whole file is readable only by its owner, replaces an existing file, and leaves no other file [row 4]', () => {
  const path = at('ready.json')
  writeFileSync(path, 'old and longer than the new text', { mode: 0o644 })
  writeWholeFile(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(lstatSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['ready.json'])
})

test('a symbolic link at the path is replaced, and the target of the link is unchanged [attack 5]', () => {
  const [path, victim] = [at('ready.json'), at('victim')]
  writeFileSync(victim, 'precious')
  symlinkSync(victim, path)
  writeWholeFile(path, 'new')
  expect(lstatSync(path).isFile()).toBe(true)
  expect(readFileSync(victim, 'utf8')).toBe('precious')
})

test('the error names the file that cannot be written, and no temporary file is left', () => {
  const path = at('taken')
  mkdirSync(path)
  expect(() => writeWholeFile(path, 'new')).toThrowError(
    expect.objectContaining({
      kind: 'config',
      code: 'DISK',
      message: expect.stringMatching(/\/taken could not be written \(EISDIR\)$/),
    }),
  )
  expect(readdirSync(dir)).toEqual(['taken'])
  const nowhere = join(dir, 'nowhere', 'ready.json')
  expect(() => writeWholeFile(nowhere, 'new')).toThrowError(
    expect.objectContaining({ code: 'DISK', message: `${nowhere} could not be written (ENOENT)` }),
  )
})

test('no file stays open, whether it was written or not', () => {
  mkdirSync(at('taken'))
  writeWholeFile(at('ready.json'), 'new')
  expect(() => writeWholeFile(at('taken'), 'new')).toThrow()
  expect(timesOpen(dir)).toBe(0)
})

test('the bytes are synced to the disk before the file gets its name', () => {
  const path = at('ready.json')
  vi.mocked(fsyncSync).mockImplementationOnce(() => {
    expect(readdirSync(dir)).toHaveLength(1)
    expect(readdirSync(dir)).not.toContain('ready.json')
    throw Object.assign(new Error(), { code: 'EIO' })
  })
  expect(() => writeWholeFile(path, 'new')).toThrowError(
    expect.objectContaining({ message: `${path} could not be written (EIO)` }),
  )
  expect(readdirSync(dir)).toEqual([])
  expect(timesOpen(dir)).toBe(0)
})

type Played = ReturnType<typeof vi.fn>
const write = vi.mocked(writeSync) as unknown as Played
const flush = vi.mocked(fdatasync) as unknown as Played
const wholeSync = vi.mocked(fsync) as unknown as Played

test('pieces are written one after another, even if the disk takes only a part of each', async () => {
  const fd = openSync(at('file'), 'w')
  const writer = new FileWriter(fd)
  const whole = write.getMockImplementation() as typeof writeSync
  write.mockImplementation((file: number, bytes: Uint8Array, from: number, count: number, position: number) =>
    whole(file, bytes, from, Math.min(count, 2), position),
  )
  for (const piece of ['hello', '', ' ', 'world!']) writer.take(Buffer.from(piece))
  expect(writer.bytes).toBe(12)
  await writer.sync()
  await writer.close()
  expect(text('file')).toBe('hello world!')
})

test('a restart removes every byte, and does not truncate a file without bytes', async () => {
  const fd = openSync(at('file'), 'w')
  const writer = new FileWriter(fd)
  writer.restart()
  expect(ftruncateSync).not.toHaveBeenCalled()
  writer.take(Buffer.from('the first try was longer'))
  writer.restart()
  expect([writer.bytes, fstatSync(fd).size]).toEqual([0, 0])
  writer.take(Buffer.from('second'))
  expect(writer.bytes).toBe(6)
  await writer.close()
  expect(text('file')).toBe('second')
})

test('a file is closed once, even if close is called twice', async () => {
  const writer = new FileWriter(openSync(at('file'), 'w'))
  await writer.close()
  expect(timesOpen(at('file'))).toBe(0)
  await writer.close()
})

test('sync calls fsync, and fails with the error of the disk', async () => {
  const fd = openSync(at('file'), 'w')
  const writer = new FileWriter(fd)
  await writer.sync()
  expect(wholeSync).toHaveBeenCalledTimes(1)
  expect(wholeSync.mock.calls[0]?.[0]).toBe(fd)
  wholeSync.mockImplementationOnce((_fd: number, done: (error: Error) => void) => done(new Error('EIO')))
  await expect(writer.sync()).rejects.toThrow('EIO')
  await writer.close()
})

test('after every 32 MB since the last flush or restart, the bytes are flushed in the background; sync and close wait for that', async () => {
  const flushed = 32 * 1024 * 1024
  const writer = new FileWriter(openSync(at('file'), 'w'))
  // Simulates a disk that accepts everything and stores nothing.
  write.mockImplementation((_fd: number, _bytes: Uint8Array, _from: number, count: number) => count)
  const waiting: ((error?: Error) => void)[] = []
  flush.mockImplementation((_fd: number, done: () => void) => waiting.push(done))
  const flushes = async () => {
    await new Promise(setImmediate)
    return flush.mock.calls.length
  }
  writer.take(Buffer.alloc(flushed - 1))
  expect(await flushes()).toBe(0)
  writer.restart()
  writer.take(Buffer.alloc(flushed))
  writer.take(Buffer.alloc(flushed))
  // Only one flush runs at a time.
  expect(await flushes()).toBe(1)
  const synced = writer.sync()
  waiting.shift()?.()
  expect(await flushes()).toBe(2)
  expect(wholeSync).not.toHaveBeenCalled()
  waiting.shift()?.()
  await synced
  expect(wholeSync).toHaveBeenCalledTimes(1)
  writer.take(Buffer.alloc(flushed))
  expect(await flushes()).toBe(3)
  waiting.shift()?.(new Error('EIO'))
  // The disk reports an error only once, so a later fsync would succeed.
  await expect(writer.sync()).rejects.toThrow('EIO')
  await writer.close()
})
