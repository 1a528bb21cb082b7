import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { tryClaim } from '../../disk/claim.ts'
import { birthOf as birthOn, claimInbox } from './inbox-claim.ts'

let dir: string
let lock: string
let ownerFile: string
const notices: string[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-claim-'))
  lock = join(dir, 'inbox.lock')
  ownerFile = join(dir, 'inbox.owner')
  notices.length = 0
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const claim = async (pid = process.pid, address = '127.0.0.1:4556', writtenMs?: number) => {
  const claimed = await claimInbox(dir, { pid, address }, (text) => notices.push(text), writtenMs)
  onTestFinished(() => claimed.release())
  return claimed
}
const written = () => readFileSync(ownerFile, 'utf8')
/** How the owner file names itself. */
const itself = () => {
  const { dev, ino } = statSync(ownerFile, { bigint: true })
  return `${dev}:${ino}`
}
/** The time when a process began, from the kernel (proc_pid_stat(5), field 22). */
const birthOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]

/** Takes the lock, as another process would do. */
function holdLock() {
  const held = tryClaim(lock)
  if (held === undefined) throw new Error('the lock is held')
  onTestFinished(() => held.release())
  return held
}

/**
 * Starts another process, which runs until the test is over. Its name contains the characters that separate the fields of its stat file.
 */
function otherProcess(): number {
  const program = join(dir, 'a) S (b')
  symlinkSync('/bin/sleep', program)
  const child = spawn(program, ['60'])
  onTestFinished(() => void child.kill())
  return child.pid ?? 0
}

test('the owner file contains the pid, the address and the start time of the receiver, and its own identity', async () => {
  const claimed = await claim()
  expect(written()).toBe(`${process.pid} 127.0.0.1:4556 ${birthOf(process.pid)} ${itself()}\n`)
  claimed.release()
  expect(existsSync(ownerFile)).toBe(false)
  await claim(process.pid, '')
  expect(written()).toBe(`${process.pid} - ${birthOf(process.pid)} ${itself()}\n`)
})

test('macOS tells by ps when a process began, and nothing of a process that has ended', async () => {
  const child = spawn('sleep', ['60'])
  const pid = child.pid ?? 0
  await expect.poll(() => birthOn(pid, 'darwin')).toMatch(/^\d{10}$/)
  const began = Number(birthOn(pid, 'darwin'))
  expect(Math.abs(began - Date.now() / 1000)).toBeLessThan(600)
  expect(birthOn(process.pid, 'darwin')).not.toBe('')
  child.kill()
  await once(child, 'close')
  expect(birthOn(pid, 'darwin')).toBe('')
})

test('a copied owner file counts as the owner’s, where no process has a start time, as on Windows', async () => {
  // No process has this number, so that the system knows no start time of it.
  const [first, second] = [2 ** 22 + 1, 2 ** 22 + 2]
  await claim(first, '')
  expect(written()).toBe(`${first} -  ${itself()}\n`)
  const copy = `${dir}-copy`
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(dir, copy, { recursive: true })
  const ofCopy = await claimInbox(copy, { pid: second, address: '' }, () => {})
  onTestFinished(() => ofCopy.release())
  expect(ofCopy.isCopy).toBe(true)
})

test('a second receiver is refused with the number and the address of the first', async () => {
  await claim()
  await expect(claim(4712, '')).rejects.toMatchObject({
    kind: 'config',
    code: 'LISTENER_RUNNING',
    message: `another listener already receives into this inbox: pid ${process.pid}, 127.0.0.1:4556`,
    hint: `Stop that listener (kill ${process.pid}), or set another BNPL_STATE_DIR for this listener.`,
  })
  // After the refusal, the owner file still names the first process.
  expect(written()).toContain(`${process.pid} `)
})

test('if the first receiver has no address, the error names only the pid', async () => {
  await claim(process.pid, '')
  await expect(claim(4712, '')).rejects.toMatchObject({
    message: `another listener already receives into this inbox: pid ${process.pid}`,
  })
})

test('a running receiver is found by its owner file, even if the lock file of the receiver was removed', async () => {
  const pid = otherProcess()
  await expect.poll(() => birthOf(pid)).toMatch(/^\d+$/)
  writeFileSync(ownerFile, `${pid} 127.0.0.1:1 ${birthOf(pid)}\n`)
  await expect(claim()).rejects.toMatchObject({ message: expect.stringContaining(`pid ${pid}, 127.0.0.1:1`) })
  // The refused claim released the lock.
  holdLock()
})

test('a copy of a state folder can be used while the receiver of the original runs', async () => {
  const pid = otherProcess()
  await expect.poll(() => birthOf(pid)).toMatch(/^\d+$/)
  await claim(pid)
  const copy = mkdtempSync(join(tmpdir(), 'bnpl-claim-copy-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(dir, copy, { recursive: true, preserveTimestamps: true })
  const ofCopy = await claimInbox(copy, { pid: process.pid, address: '' }, () => {})
  ofCopy.release()
  // The receiver of the original still has its inbox, even without its lock file, and also in a folder that was moved.
  rmSync(lock)
  await expect(claim()).rejects.toMatchObject({ message: expect.stringContaining(`pid ${pid}, 127.0.0.1:4556`) })
  const moved = join(copy, 'moved')
  renameSync(dir, moved)
  const inMoved = claimInbox(moved, { pid: process.pid, address: '' }, () => {})
  await expect(inMoved).rejects.toMatchObject({ code: 'LISTENER_RUNNING' })
})

test.each([
  ['has ended', () => `${spawnSync('true').pid} 127.0.0.1:1 5\n`],
  ['has the number of another process now', () => `${otherProcess()} 127.0.0.1:1 1\n`],
  ['said no time of its beginning', () => `${otherProcess()} 127.0.0.1:1\n`],
  ['is this very process', () => `${process.pid} 127.0.0.1:1 ${birthOf(process.pid)}\n`],
  ['is not written down', () => ''],
])('an owner that %s does not block an inbox whose lock is free', async (_, owner) => {
  writeFileSync(ownerFile, owner(), { mode: 0o600 })
  await claim()
  expect(written()).toBe(`${process.pid} 127.0.0.1:4556 ${birthOf(process.pid)} ${itself()}\n`)
})

test('a zombie process does not count as a running receiver', async () => {
  // The shell is replaced with a program that never waits for its child, and the child ends after that. A shell would wait for the child.
  const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec 3<&-; exec sleep 60'])
  onTestFinished(() => void parent.kill())
  const pid = Number(
    await new Promise<string>((resolve) => parent.stdout.once('data', (data) => resolve(String(data)))),
  )
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
  parent.stdin.end()
  const state = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0]
  await expect.poll(state).toBe('Z')
  writeFileSync(ownerFile, `${pid} - ${birthOf(pid)}\n`, { mode: 0o600 })
  await claim()
})

test.each(['what is this', '12x 127.0.0.1:1 5', '12 127.0.0.1:1 5 6', '12 127.0.0.1:1 5x'])(
  'an owner file with other data (%s) is refused and not changed',
  async (text) => {
    writeFileSync(ownerFile, text, { mode: 0o600 })
    await expect(claim()).rejects.toMatchObject({
      kind: 'config',
      code: 'OWNER_UNUSABLE',
      message: `${ownerFile} should contain the process id of a listener, but it contains other data`,
      hint: `Move that file away: mv ${ownerFile} ${ownerFile}.old`,
    })
    expect(written()).toBe(text)
  },
)

test('a lock holder has some seconds to write the owner file, and is then named in the error', async () => {
  holdLock()
  const refused = claim(4712).catch((error: unknown) => error)
  writeFileSync(join(dir, 'name'), `${process.pid} 127.0.0.1:9 ${birthOf(process.pid)}\n`, { mode: 0o600 })
  renameSync(join(dir, 'name'), ownerFile)
  expect(await refused).toMatchObject({ message: expect.stringContaining(`pid ${process.pid}, 127.0.0.1:9`) })
})

const NAMELESS = {
  message: 'another listener already receives into this inbox',
  hint: 'Stop that listener, or set another BNPL_STATE_DIR for this listener.',
}

/** Claims the inbox in vain, and returns the error and the ms that passed until then. */
async function refusal(writtenMs: number) {
  const started = performance.now()
  const error = await claim(process.pid, '', writtenMs).catch((error: unknown) => error)
  return { error, ms: performance.now() - started }
}

test('if the lock holder does not write the owner file in time, the error names no pid', async () => {
  holdLock()
  const { error, ms } = await refusal(200)
  expect(error).toMatchObject(NAMELESS)
  expect(ms).toBeGreaterThan(180)
})

test('the error does not name a dead owner of this release, but names an owner of an older release at once', async () => {
  holdLock()
  const gone = spawnSync('true').pid
  writeFileSync(ownerFile, `${gone} 127.0.0.1:1 5\n`, { mode: 0o600 })
  // The pid of the killed owner may belong to another program now, so nobody is told to kill it.
  const { error, ms } = await refusal(200)
  expect(error).toMatchObject(NAMELESS)
  expect(ms).toBeGreaterThan(180)
  writeFileSync(ownerFile, `${gone} 127.0.0.1:1\n`, { mode: 0o600 })
  // A wait for the file would take an hour.
  const old = await refusal(3_600_000)
  expect(old.error).toMatchObject({ message: expect.stringContaining(`pid ${gone}, 127.0.0.1:1`) })
})

test('a removed lock file is created again, with one notice', async () => {
  const claimed = await claim()
  await claimed.keep()
  expect(notices).toEqual([])
  rmSync(lock)
  await claimed.keep()
  expect(existsSync(lock)).toBe(true)
  expect(notices).toEqual([`${lock} was removed or renamed while this receiver ran; it was created again`])
  expect(tryClaim(lock)).toBeUndefined()
  await claimed.keep()
  expect(notices).toHaveLength(1)
})

test('a lock that another receiver took is not taken back, and the owner file still names the other receiver', async () => {
  const claimed = await claim()
  rmSync(lock)
  const other = holdLock()
  const pid = otherProcess()
  await expect.poll(() => birthOf(pid)).toMatch(/^\d+$/)
  writeFileSync(ownerFile, `${pid} 127.0.0.1:1 ${birthOf(pid)}\n`)
  await expect(claimed.keep()).rejects.toMatchObject({ code: 'LISTENER_RUNNING' })
  claimed.release()
  expect(written()).toContain(`${pid} `)
  other.release()
})

test('if the owner file cannot be written, the lock is released', async () => {
  mkdirSync(`${ownerFile}.d`)
  symlinkSync(join(dir, 'elsewhere'), ownerFile)
  await expect(claim()).rejects.toMatchObject({ kind: 'config' })
  holdLock()
})
