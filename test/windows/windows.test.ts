import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { LAUNCHER } from '../kit/built-program.ts'
import type { Ended } from '../kit/child-output.ts'
import { customers } from '../kit/customer-rows.ts'
import { type Program, program, type Started, until } from '../kit/program.ts'
import { ROOT } from '../kit/source-graph.ts'
import { startHandler } from '../receiver/handler.ts'
import { COMMAND, SERVER } from '../torture/killed-shop.ts'

/** The built program under the rules of Windows, as `rules.ts` describes them. No test here ran on a machine with Windows. */

const RULES = pathToFileURL(join(import.meta.dirname, 'rules.ts')).href

/** Calls that fail on Windows, and whose failure changes nothing. */
const ALLOWED = [
  {
    where: /^\S+ EPERM fsync \S+ at syncFolder /,
    why: 'Windows writes the names of a folder to the disk without being asked',
  },
]

/** A file that prints its arguments as JSON, in the place of npm. */
const PRINTS = 'console.log(JSON.stringify(process.argv.slice(2)))'

interface Windows extends Omit<Program, 'start' | 'run' | 'sandbox'> {
  start(words: readonly string[], more?: Record<string, string>): Started
  run(...words: string[]): Promise<Ended>
  write(name: string, text: string): string
  read(name: string): string
  /** Returns the calls of the program that broke a rule. */
  broken(): string[]
}

/** A machine with Node and npm, in a folder as users have them. */
function windows(): Windows {
  const p = program()
  const bin = join(p.dir, 'Program Files & more')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node.exe'))
  writeFileSync(join(bin, 'npm-cli.js'), PRINTS)
  writeFileSync(join(bin, 'npm.cmd'), '@ECHO OFF\r\n@node "%~dp0\\npm-cli.js" %*\r\n')
  const log = join(p.dir, 'broken-rules')
  const env = {
    PATH: ['C:/Windows/System32', bin].join(';'),
    NODE_OPTIONS: `--import ${RULES}`,
    NODE_NO_WARNINGS: '1',
    // Every process loads the rules. Without compiled code, this takes half as long as the command.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    WINDOWS_RULES_LOG: log,
  }
  const path = (name: string) => join(p.dir, name)
  return {
    ...p,
    start: (words, more) => p.start(words, { ...env, ...more }),
    run: (...words) => p.start(words, env).ended,
    write: (name, text) => {
      writeFileSync(path(name), text)
      return path(name)
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    broken: () => {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
      return lines.filter((line) => !ALLOWED.some(({ where }) => where.test(line)))
    },
    [Symbol.asyncDispose]: () => p[Symbol.asyncDispose](),
  }
}

/** Whether a process runs. One that was killed may remain, without a parent that asks how it ended. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

test('the walkthrough pays an order, a profile is stored, and doctor says who can read a folder that the user has chosen', async () => {
  await using w = windows()
  expect(await w.run('walkthrough', '-p', 'sandbox', '--no-input')).toMatchObject({ code: 0 })
  const key = w.write('key.txt', 'sk-of-this-test-123456\r\n')
  const addresses = ['--base-url', 'https://api.example.com', '--payment-url', 'https://pay.example.com']
  const added = await w.run('profiles', 'add', 'acme', '--api-key-file', key, ...addresses, '--no-check')
  expect([added.code, added.stderr]).toEqual([0, expect.not.stringMatching(/chmod|every user|only by you/)])
  // The folder is not in %LOCALAPPDATA%, so other users may be able to read it.
  expect(added.stderr).toContain('To see who can read it: icacls')
  const { stdout } = await w.run('doctor', '-p', 'sandbox')
  expect(stdout).not.toContain('chmod')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('files have no modes on Windows; to see who can read it: icacls')
  expect(w.broken()).toEqual([])
})

test.each([
  [{}, /^\$env:BNPL_API_KEY = 'sk_sandbox_\S+'$/m],
  [{ MSYSTEM: 'MINGW64' }, /^export BNPL_API_KEY=sk_sandbox_\S+$/m],
])('sandbox start prints its variables for the shell of %j', async (more, line) => {
  await using w = windows()
  const ready = join(w.dir, 'ready.json')
  const sandbox = w.start(['sandbox', 'start', '--port', '0', '--ephemeral', '--ready-file', ready], more)
  await until(() => existsSync(ready), sandbox)
  sandbox.child.kill('SIGINT')
  expect(await sandbox.ended).toMatchObject({ code: 130, stdout: expect.stringMatching(line) })
})

test('a listener receives, stores, acknowledges and forwards an event', async () => {
  await using w = windows()
  const handler = await startHandler()
  const ready = join(w.dir, 'ready.json')
  const words = ['--port', '0', '--forward-to', handler.url, '--ready-file', ready]
  const listener = w.start(['webhooks', 'listen', '-p', 'sandbox', ...words])
  await until(() => existsSync(ready), listener)
  await w.run('evaluate', '-p', 'sandbox', '--rut', '11222333-9', '--amount', '250000', '--trx', 'order-1')
  expect(await w.run('sandbox', 'pay', 'order-1')).toMatchObject({ code: 0 })
  await until(() => handler.handled.length === 1, listener)
  const shown = async () => JSON.parse((await w.run('webhooks', 'events', 'show', '1', '--json')).stdout)
  await expect.poll(shown).toMatchObject({ status: 200, state: 'delivered' })
  listener.child.kill('SIGINT')
  expect(await listener.ended).toMatchObject({ code: 130 })
  await handler.stop()
  expect(w.broken()).toEqual([])
})

test('a file is processed, resumed, and never replaced by its own results', async () => {
  await using w = windows()
  w.write('orders.csv', customers(3))
  const evaluate = ['evaluate', '-p', 'sandbox', '--from', 'orders.csv']
  expect(await w.run(...evaluate, '--out', 'results.csv')).toMatchObject({ code: 0 })
  const results = w.read('results.csv')
  expect(await w.run(...evaluate, '--out', 'results.csv', '--resume', '--force')).toMatchObject({ code: 0 })
  expect(w.read('results.csv')).toBe(results)
  for (const names of [
    ['--out', 'Orders.csv'],
    ['--out', 'new.csv', '--failed', 'New.CSV'],
  ]) {
    const refused = await w.run(...evaluate, ...names, '--restart', '--force')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('the same file')])
  }
  expect(w.read('orders.csv')).toBe(customers(3))
  expect(w.broken()).toEqual([])
})

test('results that another program has open are refused before anything is sent', async () => {
  await using w = windows()
  w.write('orders.csv', customers(2))
  const held = w.write('results.csv', 'open in Excel')
  const words = ['evaluate', '-p', 'sandbox', '--from', 'orders.csv']
  const { code, stderr } = await w.start([...words, '--out', 'results.csv', '--force'], { WINDOWS_RULES_HELD: held })
    .ended
  expect([code, stderr]).toEqual([13, expect.stringContaining('another program has it open, such as Excel (EBUSY)')])
  expect(w.read('results.csv')).toBe('open in Excel')
  // An earlier run that had sent a row would need --resume or --restart.
  expect(await w.run(...words, '--out', 'other.csv')).toMatchObject({ code: 0 })
})

test('Ctrl-Break ends a sandbox in order', async () => {
  await using w = windows()
  const ready = join(w.dir, 'ready.json')
  const sandbox = w.start(['sandbox', 'start', '--port', '0', '--ready-file', ready])
  await until(() => existsSync(ready), sandbox)
  sandbox.child.kill('SIGUSR2')
  expect(await sandbox.ended).toMatchObject({ code: 143 })
  expect(existsSync(ready)).toBe(false)
})

test('a variable of the environment is found by its name in any case', async () => {
  await using w = windows()
  w.write('shown.mjs', 'console.log(Object.values(process.env).join())')
  const words = ['evaluate', '--rut', '11222333-9', '--amount', '250000', '--json']
  expect(await w.start(words, { Bnpl_Profile: 'sandbox' }).ended).toMatchObject({ code: 0 })
  const shown = await w.start(['sandbox', 'run', '--', 'node', 'shown.mjs'], { bnpl_api_key: 'sk-of-a-real-account' })
    .ended
  expect(shown.stdout).not.toContain('sk-of-a-real-account')
})

test('results are not written to a file that Windows does not store under its name', async () => {
  await using w = windows()
  w.write('orders.csv', customers(1))
  const words = ['evaluate', '-p', 'sandbox', '--from', 'orders.csv', '-o', 'csv', '--out', 'con.csv']
  const { code, stderr } = await w.run(...words)
  expect([code, stderr]).toEqual([2, expect.stringContaining('con.csv cannot be the name of a file on Windows')])
})

test('the check of a path refuses each name that Windows does not store, and no other', async () => {
  const [refused, accepted] = [
    ['con.csv', 'AUX.csv', 'lpt1.csv', 'results.csv:x.csv', 'what?.csv', 'a<b>.csv', 'results.csv.'],
    ['console.csv', 'lpt.csv', 'results of today.csv'],
  ]
  const target = pathToFileURL(join(ROOT, 'src', 'disk', 'target-file.ts')).href
  const script = `const { checkTarget } = await import('${target}')
    const outcome = (name) => checkTarget(name, false).then(() => 'ok', (error) => error.message)
    console.log(JSON.stringify(await Promise.all(process.argv.slice(1).map(outcome))))`
  const node = ['--import', RULES, '--input-type=module', '--eval', script, '--', ...refused, ...accepted]
  const { stdout } = await promisify(execFile)(process.execPath, node)
  expect(JSON.parse(stdout)).toEqual([
    ...refused.map((name) => `${name} cannot be the name of a file on Windows`),
    ...accepted.map(() => 'ok'),
  ])
})

test('on a disk without hard links, results are written, and only one sandbox uses a state folder', async () => {
  await using w = windows()
  const exFat = { WINDOWS_RULES_LINKS: 'EISDIR' }
  w.write('orders.csv', customers(1))
  const words = ['evaluate', '-p', 'sandbox', '--from', 'orders.csv', '--out', 'results.csv']
  expect(await w.start(words, exFat).ended).toMatchObject({ code: 0 })
  const ready = join(w.dir, 'ready.json')
  const start = (...more: string[]) => w.start(['sandbox', 'start', '--port', '0', ...more], exFat)
  const first = start('--ready-file', ready)
  await until(() => existsSync(ready), first)
  expect(await start().ended).toMatchObject({ code: 3, stderr: expect.stringContaining('already runs') })
  first.child.kill('SIGINT')
  expect(await first.ended).toMatchObject({ code: 130 })
})

test('the console shows every character of a help text, in every code page', async () => {
  const env = { ...process.env, NODE_OPTIONS: `--import ${RULES}` }
  const line = `'${process.execPath}' '${LAUNCHER}' sandbox torture --help`
  const child = spawn('script', ['-qec', line, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const shown = await text(child.stdout)
  expect(shown).toContain('shop’s own')
  expect(shown).not.toMatch(/\?\?/)
})

test('--dry-run says for which shell its command is, and only in PowerShell', async () => {
  await using w = windows()
  const words = ['evaluate', '-p', 'sandbox', '--rut', '11222333-9', '--amount', '250000', '--dry-run']
  const noted = expect.stringContaining('The command is for Git Bash')
  expect(await w.run(...words)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^curl /), stderr: noted })
  expect(await w.start(words, { MSYSTEM: 'MINGW64' }).ended).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('Git Bash'),
  })
})

test('the hint about -- writes it as PowerShell passes it on', async () => {
  await using w = windows()
  expect(await w.run('verify', '-abc')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('write "--" before it'),
  })
})

test.each([
  ['sandbox start', ['sandbox', 'start', '--port', '0']],
  ['webhooks listen', ['webhooks', 'listen', '-p', 'sandbox', '--port', '0']],
])('a second %s names a command that ends the first one, in PowerShell, cmd.exe and Git Bash', async (_, words) => {
  await using w = windows()
  const ready = join(w.dir, 'ready.json')
  const first = w.start([...words, '--ready-file', ready])
  await until(() => existsSync(ready), first)
  const { code, stderr } = await w.run(...words)
  expect([code, stderr]).toEqual([3, expect.stringMatching(new RegExp(`taskkill -F -PID ${first.child.pid}\\b`))])
})

test('each unit test that fails under the rules has a reason, and its file exists', () => {
  const listed: Record<string, Record<string, string[]>> = JSON.parse(
    readFileSync(join(import.meta.dirname, 'exceptions.json'), 'utf8'),
  )
  const files = Object.values(listed).flatMap((each) => Object.keys(each))
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  expect(Object.keys(listed)).not.toContain('no reason yet')
})

test('a pipe is recognised, although Node does not recognise it', async () => {
  const output = pathToFileURL(join(ROOT, 'src', 'terminal', 'output.ts')).href
  const script = `console.log(String([(await import('${output}')).isPipe(1), (await import('node:fs')).fstatSync(1).isFIFO()]))`
  const node = ['--import', RULES, '--input-type=module', '--eval', script]
  const piped = spawn('sh', ['-c', '"$@" | cat', 'sh', process.execPath, ...node], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(await text(piped.stdout)).toBe('true,false\n')
})

test('a snapshot is saved and loaded, and a report is downloaded', async () => {
  await using w = windows()
  const evaluate = ['evaluate', '--rut', '11222333-9', '--amount', '250000']
  await w.run(...evaluate, '-p', 'sandbox', '--trx', 't1')
  expect(await w.run('sandbox', 'snapshot', 'save', 'before')).toMatchObject({ code: 0 })
  await w.run('sandbox', 'pay', 't1')
  expect(await w.run('sandbox', 'snapshot', 'load', 'before', '--yes')).toMatchObject({ code: 0 })
  expect(await w.run('verify', 't1', '-p', 'sandbox')).toMatchObject({ code: 6 })
  const { preApproveId } = JSON.parse((await w.run('sandbox', 'lead', '--now', '--json')).stdout)
  const report = ['informe', 'download', preApproveId, '-p', 'sandbox:real-estate', '--out', 'report.pdf']
  expect(await w.run(...report)).toMatchObject({ code: 0 })
  expect(w.read('report.pdf')).toMatch(/^%PDF/)
  expect(w.broken()).toEqual([])
})

test('sandbox run finds programs as cmd.exe does, and passes every argument on unchanged', async () => {
  await using w = windows()
  const words = ['run', 'a b', 'x&y|z', '100%', '^caret', 'quo"te', 'C:\\folder\\', '', '--json']
  expect(await w.run('sandbox', 'run', '--', 'npm', ...words)).toMatchObject({
    code: 0,
    stdout: `${JSON.stringify(words)}\n`,
  })
  // The script of npm for PowerShell removes the first --.
  expect(await w.run('sandbox', 'run', 'npm', 'run', 'a')).toMatchObject({ code: 0, stdout: '["run","a"]\n' })
  w.write('script.mjs', 'console.log(process.env.BNPL_BASE_URL); process.exitCode = 42')
  expect(await w.run('sandbox', 'run', '--', 'node', 'script.mjs')).toMatchObject({
    code: 42,
    stdout: expect.stringMatching(/^http:/),
  })
  w.write('script.cmd', '@node "%~dp0\\script.mjs" %*\r\n')
  expect(await w.run('sandbox', 'run', '--', '.\\script.cmd'.replace('\\', '/'))).toMatchObject({ code: 42 })
  expect(await w.run('sandbox', 'run', '--', 'no-such-program')).toMatchObject({
    code: 127,
    stderr: expect.stringContaining('“no-such-program” was not found'),
  })
  expect(w.broken()).toEqual([])
})

/** A shop that starts another process with the same output, and writes its id to a file. */
const leaves = (dir: string, end: string) => `
  import { execFile, spawn } from 'node:child_process'
  import { writeFileSync } from 'node:fs'
  const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
  writeFileSync(${JSON.stringify(join(dir, 'pid'))}, String(pid))
  ${end}`

test('torture ends a program that hangs, with the processes that it started', async () => {
  await using w = windows()
  w.write('shop.mjs', leaves(w.dir, ''))
  const torture = w.start(['sandbox', 'torture', '--run', 'none', '--', 'node', 'shop.mjs'])
  await until(() => existsSync(join(w.dir, 'pid')) && w.read('pid') !== '', torture)
  torture.child.kill('SIGINT')
  expect(await torture.ended).toMatchObject({ code: 130 })
  expect(isAlive(Number(w.read('pid')))).toBe(false)
  expect(w.broken()).toEqual([])
})

test('torture does not wait for a process that a program left running', async () => {
  await using w = windows()
  w.write('shop.mjs', leaves(w.dir, 'process.exit(0)'))
  const ran = w.run('sandbox', 'torture', '--run', 'none', '--time-limit', '30s', '--', 'node', 'shop.mjs')
  await ran
  // No rule of Windows connects the two processes any more.
  const left = Number(w.read('pid'))
  expect(isAlive(left)).toBe(true)
  process.kill(left, 'SIGKILL')
  expect(w.broken()).toEqual([])
})

test('torture kills the server of --restart, which cmd.exe has started, and starts it again', async () => {
  await using w = windows()
  w.write('server.cjs', SERVER)
  w.write('shop.cjs', COMMAND)
  const words = ['--customer', '--restart', 'node server.cjs', '--run', 'killed@page.1', '--json']
  const ran = await w.run('sandbox', 'torture', ...words, '--', 'node', 'shop.cjs')
  expect([ran.code, JSON.parse(ran.stdout)], ran.stderr).toMatchObject([0, { runs: 2, findings: [] }])
  const notes = w
    .read('notes')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const started = notes.filter(({ what }) => what === 'start').map(({ pid }) => Number(pid))
  expect(started.map(isAlive)).toEqual([false, false, false])
  expect(w.broken()).toEqual([])
})
