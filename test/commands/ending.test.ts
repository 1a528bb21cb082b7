import { chmodSync, chownSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { BnplError, Failures, failureOf, Interrupted, Unsettled } from '../../src/errors.ts'
import { say } from '../../src/terminal/say.ts'
import { COMMON_USER, launch, temporaryFolder } from '../kit/built-program.ts'
import { machine, realClock } from '../kit/harness.ts'
import { program } from '../kit/program.ts'
import { raw, request, statusOf } from '../kit/raw-http.ts'
import { cleanUp, deliver, startListener } from '../receiver/listener.ts'

const ADD = 'profiles add acme --environment beta --base-url https://api.example.com --api-key-stdin --json'

test('a command whose promise never settles exits with 1, and the error names the command and its last step [row 111]', async () => {
  using folder = temporaryFolder()
  // This stdin delivers nothing, never ends and does not keep the process alive. A command that waits for it leaves the event loop empty.
  const preload = join(folder.path, 'silent-stdin.cjs')
  writeFileSync(
    preload,
    "Object.defineProperty(process, 'stdin', { value: new (require('node:stream').Readable)({ read() {} }) })",
  )
  const { code, stdout, stderr } = await launch({ node: ['--require', preload], args: ADD.split(' ') })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  const [first, hint, json] = stderr.split('\n')
  expect(first).toMatch(
    /^error: a fault in bnpl \S+ itself: `bnpl profiles add` ended without a result \(last step: reading stdin\)$/,
  )
  expect(hint).toMatch(/^ {2}Before you run the command again, check what it has done/)
  expect(JSON.parse(json ?? '')).toMatchObject({ error: { kind: 'bug' } })
})

test('answers of the launcher, and commands with an exit code, exit with their own code [row 111]', async () => {
  for (const [line, code] of [
    ['--version', 0],
    ['evaluate --help', 0],
    ['__complete -- bnpl prof', 0],
    ['explain 12', 0],
    ['verify', 2],
  ] as const)
    expect([line, (await launch({ args: line.split(' ') })).code]).toEqual([line, code])
})

test('the error of an unfinished command names the last step without the values of the command line [row 111]', async () => {
  using m = machine()
  const { world, stderr } = m.world({
    env: { BNPL_BASE_URL: 'https://api.example.com', BNPL_API_KEY: 'sk-canary-1234567890' },
    transport: () => new Promise(() => {}),
  })
  void runCli(['verify', 'order-canary'], world)
  while (world.whereabouts.step === '') await realClock.sleep(1)
  expect(world.whereabouts.command).toBe('verify')
  expect(say(new Unsettled(world.whereabouts), ['verify'], world)).toBe(1)
  expect(stderr()).toMatch(/`bnpl verify` ended without a result \(last step: \w[\w ]+\)\n/)
  expect(stderr()).not.toMatch(/canary/)
})

test('a failed cleanup keeps the exit code of a failed command, and is reported after the error [row 113]', async () => {
  using folder = temporaryFolder()
  chownSync(folder.path, COMMON_USER.uid, COMMON_USER.gid)
  // When the folder of this sandbox cannot be read, only root can remove it at the end.
  const endWith = (script: string) =>
    launch({
      args: ['sandbox', 'run', '-q', '--', 'sh', '-c', `chmod 000 "$BNPL_STATE_DIR"; ${script}`],
      env: { TMPDIR: folder.path },
      user: COMMON_USER,
    })
  const also = /^error: after that, this failed too: .*EACCES.*\n$/
  expect(await endWith('exit 7')).toEqual({ code: 7, stdout: '', stderr: expect.stringMatching(also) })
  // If nothing else failed, the failed removal decides the exit code.
  expect(await endWith('exit 0')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: .*EACCES/) })
  for (const name of readdirSync(folder.path)) chmodSync(join(folder.path, name), 0o700)
})

test('the first of several failures decides the exit code and the JSON error, and the others are error lines [row 113]', () => {
  let text = ''
  const io = { err: (line: string) => (text += line), stderrIsTty: false, columns: 80, errColor: false }
  const listener = { io, version: '1.2.3' }
  const unknown = new BnplError('outcome-unknown', 'it may have been done', { code: 'CUT', hint: 'Look first.' })
  const disk = new BnplError('output', 'the file could not be written', { code: 'ENOSPC' })
  const failure = failureOf([unknown, disk, new TypeError('sk-canary')])
  expect(failure).toBeInstanceOf(Failures)
  expect(say(failure, ['evaluate', '--json'], listener)).toBe(12)
  const lines = text.trimEnd().split('\n')
  expect(lines.slice(0, 3)).toEqual([
    'error: it may have been done',
    '  Look first.',
    'error: after that, this failed too: the file could not be written',
  ])
  expect(lines[3]).toMatch(/^error: after that, this failed too: a fault in bnpl itself, TypeError /)
  expect(JSON.parse(lines[4] ?? '').error).toMatchObject({ kind: 'outcome-unknown', code: 'CUT' })
  expect(text).not.toContain('canary')
  expect(failureOf([disk])).toBe(disk)
  expect(say(failureOf([new Interrupted(143), disk]), [], listener)).toBe(143)
})

test('no signal opens a debugger: SIGUSR1 does nothing to a receiver, nor to a sandbox [attack 4]', async () => {
  try {
    const listener = await startListener()
    listener.child.kill('SIGUSR1')
    for (let i = 0; i < 3; i++) expect((await deliver(listener, { eventId: `e${i}` })).status).toBe(200)
    expect(await listener.end('SIGTERM')).toBe(143)
    expect(listener.events()).toHaveLength(3)
    expect(listener.stderr()).not.toMatch(/debugger|inspector/i)

    await using home = program()
    const { child, ended, ready } = await home.sandbox()
    const { port } = new URL(ready.baseUrl)
    child.kill('SIGUSR1')
    for (let i = 0; i < 3; i++)
      expect(statusOf(await raw(Number(port), request(Number(port), 'GET / HTTP/1.1')))).toBeGreaterThan(0)
    child.kill('SIGTERM')
    const end = await ended
    expect(end.code).toBe(143)
    expect(end.stderr).not.toMatch(/debugger|inspector/i)
  } finally {
    await cleanUp()
  }
})
