import { spawn as spawnChild } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import spawn from 'cross-spawn'
import { ROOT, VERSION } from './bundle.ts'

/**
 * Tries the packed program on this system as a user does: `npm run smoke-platform`. Installs it into a folder whose name has accents, spaces
 * and `&`, and types the same lines into every shell of the system. Prints a line for each check, and ends with 1 if one fails.
 * `npm run smoke-platform -- FOLDER` keeps all files of the program in FOLDER, to try another disk.
 */

interface Shell {
  program: string
  /** The arguments that make it run a line. */
  args(line: string): string[]
  isVerbatim?: boolean
}

const powerShell = (program: string): Shell => ({
  program,
  args: (line) => ['-NoProfile', '-ExecutionPolicy', 'RemoteSigned', '-Command', `${line}; exit $LASTEXITCODE`],
})
const posix = (program: string): Shell => ({ program, args: (line) => ['-c', line] })
const SHELLS: readonly Shell[] =
  process.platform === 'win32'
    ? [
        { program: 'cmd.exe', args: (line) => ['/d', '/s', '/c', `"${line}"`], isVerbatim: true },
        powerShell('powershell.exe'),
        powerShell('pwsh.exe'),
        posix(join(process.env.ProgramFiles ?? 'C:\\Program Files', 'Git', 'bin', 'bash.exe')),
      ]
    : ['sh', 'bash', ...(process.platform === 'darwin' ? ['zsh'] : [])].map(posix)

/** The first payment of the README, line by line. */
const PAYMENT =
  /^```sh readme=pay\n([\s\S]*?)\n```$/m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1]?.split('\n') ?? []

const NAME = 'José Ñuñez & Co'
const work = mkdtempSync(join(tmpdir(), 'bnpl-platform-'))
const program = join(work, NAME, 'programs')
const place = mkdtempSync(join(process.argv[2] ?? work, 'bnpl-files-'))
const folder = join(place, NAME)
const bin = process.platform === 'win32' ? program : join(program, 'bin')
const env: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(path|bnpl_.*|node_options|npm_.*)$/i.test(name)),
)
env.PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
env.LOCALAPPDATA = folder
env.HOME = folder
env.XDG_CONFIG_HOME = join(folder, 'config')
env.XDG_STATE_HOME = join(folder, 'state')

let failed = 0
async function check(name: string, isTrue: () => unknown): Promise<void> {
  try {
    await isTrue()
    console.log(`ok      ${name}`)
  } catch (error) {
    failed++
    console.log(
      `FAILED  ${name}\n        ${String(error instanceof Error ? error.message : error).replaceAll('\n', '\n        ')}`,
    )
  }
}

interface Expected {
  code?: number
  output?: RegExp
}

function type(
  { program, args, isVerbatim = false }: Shell,
  line: string,
  { code = 0, output = /^/ }: Expected = {},
): string {
  const ran = spawn.sync(program, args(line), {
    cwd: folder,
    env,
    encoding: 'utf8',
    input: '',
    timeout: 120_000,
    windowsVerbatimArguments: isVerbatim,
  })
  const text = `${ran.stdout}${ran.stderr}`
  if (ran.error || ran.status !== code || !output.test(text))
    throw new Error(
      `${line}\nexpected ${code} and ${output}; it ended with ${ran.status}: ${ran.error?.message ?? text}`,
    )
  return ran.stdout
}

const must = (name: string, args: readonly string[]) => {
  const { status, stdout, stderr, error } = spawn.sync(name, [...args], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${error?.message ?? stderr}`)
  return stdout
}

async function inShell(shell: Shell, number: number): Promise<void> {
  const order = `order-${number + 1}`
  const try_ = (line: string, expected?: Expected) =>
    check(`${shell.program}: ${line}`, () => type(shell, line, expected))
  await try_('bnpl --version', { output: new RegExp(`^${VERSION.replaceAll('.', '\\.')}\\r?\\n$`) })
  for (const line of PAYMENT) await try_(line.replaceAll('order-1', order))
  await try_('bnpl evaluate --rut 11.222.333-9 --amount 250.000 -p sandbox --json', { output: /"amount": 250000\b/ })
  await try_('bnpl sandbox run "--" npm --version', { output: /^\d+\.\d+/ })
  await try_('bnpl sandbox run "--" no-such-program', { code: 127 })
  await try_(`bnpl verify --from orders.csv --out results-${number}.csv -p sandbox`)
  if (existsSync(join(folder, 'ORDERS.csv')))
    await try_('bnpl verify --from orders.csv --out Orders.csv --force -p sandbox', { code: 2, output: /same file/ })
  if (!/powershell|pwsh/.test(shell.program)) return
  await try_(
    "bnpl completion powershell | Out-String | Invoke-Expression; (TabExpansion2 'bnpl contr' 10).CompletionMatches.CompletionText",
    { output: /^contract\s/ },
  )
}

/** A program of a user that starts another one, which does not end by itself. */
const HANGS = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
writeFileSync('pid', String(pid))
`

/** Whether a process runs. One that was killed may remain on Linux, until its parent asks how it ended. */
function isAlive(pid: number): boolean {
  try {
    if (process.platform === 'linux') return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Starts the program, resolves when it has written its ready file, and returns how it ended. */
async function listening(url: string): Promise<{ ended: Promise<unknown[]> }> {
  const launcher = join(
    bin,
    ...(process.platform === 'win32' ? [] : ['..', 'lib']),
    'node_modules',
    'bnpl',
    'bin',
    'bnpl.js',
  )
  const words = ['webhooks', 'listen', '-p', 'sandbox', '--port', '0', '--until', '1', '--ready-file', 'ready.json']
  const watcher = watch(folder)
  const child = spawnChild(process.execPath, [launcher, ...words, '--forward-to', url], { cwd: folder, env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const ended = once(child, 'close').then(([code]) => [code, text])
  while (!existsSync(join(folder, 'ready.json')))
    await Promise.race([
      once(watcher, 'change'),
      ended.then(() => {
        throw new Error(text)
      }),
    ])
  watcher.close()
  return { ended }
}

try {
  for (const each of [program, folder]) mkdirSync(each, { recursive: true })
  const tarball = must('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', work]).trim()
  must('npm', ['install', '--global', '--prefix', program, '--ignore-scripts', '--offline', join(work, tarball)])
  writeFileSync(join(folder, 'orders.csv'), 'externalTrxId\norder-1\n')
  writeFileSync(join(folder, 'hangs.mjs'), HANGS)
  const [first] = SHELLS
  if (!first) throw new Error('no shell')
  await check('the walkthrough', () => type(first, 'bnpl walkthrough -p sandbox --no-input', { output: /ACTIVE/ }))
  for (const [number, shell] of SHELLS.entries()) await inShell(shell, number)
  await check('a listener receives an event, and forwards it', async () => {
    const handler = createServer((request, response) => void request.resume().on('end', () => response.end())).listen(
      0,
      '127.0.0.1',
    )
    await once(handler, 'listening')
    const { ended } = await listening(`http://127.0.0.1:${(handler.address() as AddressInfo).port}/hook`)
    type(first, 'bnpl evaluate --trx heard --rut 11222333-9 --amount 250000 -p sandbox')
    type(first, 'bnpl sandbox pay heard')
    const [code, text] = await ended
    handler.close()
    if (code !== 0) throw new Error(`the listener ended with ${code}: ${text}`)
  })
  await check('torture ends a program that hangs, with what it started', () => {
    type(first, 'bnpl sandbox torture --run none --time-limit 5s "--" node hangs.mjs', {
      code: 2,
      output: /time limit/,
    })
    if (isAlive(Number(readFileSync(join(folder, 'pid'), 'utf8')))) throw new Error('a process is still running')
  })
} finally {
  for (const each of [place, work]) rmSync(each, { recursive: true, force: true, maxRetries: 10 })
}
if (failed > 0) process.exitCode = 1
