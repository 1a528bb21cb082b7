import { spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { ClosedPipe } from '../../src/errors.ts'
import { outputFailed } from '../../src/terminal/output.ts'
import { LAUNCHER, launch } from '../kit/built-program.ts'
import { everyCommand, FILES, SETUP } from '../kit/every-command.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'
import { type Program, program } from '../kit/program.ts'

/** Runs the built program beside a served sandbox, which has a payment, and a lead with its report. */
let served: Program
let here: Machine
let env: Record<string, string>
let entity = ''
let lead: { leadId: string; preApproveId: string }

const bnpl = (line: string, stdout?: number) =>
  launch({
    args: line.split(' '),
    // A second sandbox needs a state of its own.
    env: line.startsWith('sandbox start') ? { ...env, BNPL_STATE_DIR: join(served.dir, 'own') } : env,
    cwd: served.dir,
    ...(stdout === undefined ? {} : { stdout }),
  })

/** Runs a line in this process with the same sandbox. @param failure the error that ends the writing of its result */
async function inProcess(line: string, failure?: Error) {
  const { world, stdout, stderr } = here.world({ env })
  const stateDir = line.startsWith('sandbox start') ? join(served.dir, 'own') : served.stateDir
  Object.assign(world, { cwd: served.dir, configDir: env.BNPL_CONFIG_DIR, stateDir })
  if (failure)
    world.io.out = async (data) => {
      if (data.length > 0) throw failure
    }
  return { code: await runCli(wordsOf(line), world), stdout: stdout(), stderr: stderr() }
}

beforeAll(async () => {
  here = machine()
  served = program()
  await served.sandbox('--allow-http')
  env = {
    BNPL_STATE_DIR: served.stateDir,
    BNPL_CONFIG_DIR: join(served.dir, 'config'),
    BROWSER: '/bin/true',
    BNPL_WEBHOOK_SECRET: 'whsec-1234567890',
  }
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(served.dir, name), content)
  for (const line of SETUP) {
    const { code, stderr } = await inProcess(line)
    expect([line, code, stderr]).toEqual([line, 0, stderr])
  }
  entity = JSON.parse((await inProcess('entities list -p sandbox --json')).stdout)[1].id
  lead = JSON.parse((await inProcess('sandbox lead --now --rut 11222333-9 --json')).stdout)
})
afterAll(async () => {
  await served?.[Symbol.asyncDispose]()
  here?.[Symbol.dispose]()
})

/**
 * Returns a line for each command, with the options under which its result can be lost. Commands that report a change on stderr lose
 * nothing. Commands that need a receiver are in `matrix.test.ts`.
 */
const rows = () => everyCommand({ lead, entity, receiver: '' }).filter(({ receiver }) => !receiver)
const lines = () => [
  'sandbox start --port 0 --ephemeral --json',
  ...rows().flatMap(({ line, form }) => [
    form === undefined ? line : `${line} ${form}`,
    ...(line.startsWith('informe download') ? [`${line} --out -`] : []),
  ]),
]
const isSilent = (line: string) => rows().some((row) => row.silent === true && row.line === line)

const wordsOf = (line: string) => line.split(' ')

/** The lines that may be run twice. */
const TWICE =
  /^(evaluate .*--json|verify|leads list|widget-token|informe .* --out -|sandbox requests|profiles list|smoke|api|doctor|completion)/

/** A line for each way in which bytes reach stdout: a server's line, a document, lines, bytes, and a text that the launcher prints itself. */
const FORMS = /^(sandbox start|evaluate .*--json|leads list|informe .* --out -|completion)/

/** Runs a line after the reader of its stdout has left. */
async function unread(line: string) {
  const fifo = join(served.dir, 'pipe')
  needsProgram('mkfifo')
  if (!existsSync(fifo)) expect(spawnSync('mkfifo', [fifo]).status).toBe(0)
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(fifo, constants.O_WRONLY)
  closeSync(reader)
  const ran = await bnpl(line, writer)
  closeSync(writer)
  return ran
}

test('every output format exits with 13 on a full disk, and with 141 when the reader has closed the pipe [row 80, row 81]', async () => {
  const found = lines().filter((line) => FORMS.test(line))
  expect(found.length).toBeGreaterThan(4)
  for (const line of found) {
    const full = openSync('/dev/full', 'w')
    const { code, stderr } = await bnpl(line, full)
    closeSync(full)
    expect([line, code, stderr]).toEqual([line, 13, stderr])
    expect(stderr).not.toMatch(/\n\s+at |\u001b/)
    if (!TWICE.test(line)) continue
    const left = await unread(line)
    expect([line, left.code, left.stderr]).toEqual([line, 141, left.stderr])
    expect(left.stderr).not.toMatch(/\n\s+at |EPIPE|error:/)
  }
})

test('where a file reaches the limit of its size (ulimit -f), the command reports it and ends with 13, and not by the signal', () => {
  const out = openSync(join(served.dir, 'limited'), 'w')
  for (const [line, message] of [
    ['contract openapi', 'error: the result could not be written to stdout (EFBIG)'],
    ['evaluate -p sandbox --rut 11222333-9 --amount 90000', 'Raise the limit for the size of a file (ulimit -f)'],
  ] as const) {
    const args = ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, LAUNCHER, ...line.split(' ')]
    const { status, signal, stderr } = spawnSync('bash', args, {
      env: {
        ...process.env,
        ...env,
        BNPL_STATE_DIR: join(served.dir, 'limited-state'),
      },
      stdio: ['ignore', out, 'pipe'],
      encoding: 'utf8',
    })
    expect([line, status, signal, stderr]).toEqual([line, 13, null, expect.stringContaining(message)])
  }
  closeSync(out)
})

test('every command ends with 13 when its result cannot be written, and with 141 when its reader has closed the pipe [row 80, row 81]', async () => {
  const full = outputFailed({ code: 'ENOSPC' })
  for (const line of lines()) {
    const { code, stderr } = await inProcess(line, full)
    expect([line, code, stderr]).toEqual([line, isSilent(line) ? 0 : 13, stderr])
    if (!isSilent(line)) expect([line, stderr]).toEqual([line, expect.stringContaining(full.message)])
    expect(stderr).not.toMatch(/\n\s+at |\u001b/)
    if (!TWICE.test(line)) continue
    const left = await inProcess(line, new ClosedPipe())
    expect([line, left.code, left.stderr]).toEqual([line, 141, left.stderr])
    expect(left.stderr).not.toMatch(/\n\s+at |EPIPE|error:/)
  }
})

test('a closed pipe exits with 141 without a message, and the history contains the payment call that was made [row 81]', async () => {
  for (const line of [
    'evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx GONE -q',
    'contract openapi',
    'history -q',
  ]) {
    const { code, stderr } = await unread(line)
    expect([line, code, stderr]).toEqual([line, 141, ''])
  }
  const { stdout } = await bnpl('history show GONE --json')
  expect(JSON.parse(stdout)).toMatchObject({ externalTrxId: 'GONE', amount: 90000 })
})

test('a pipe that closes during a run over a file ends the run with 141, and --resume sends no row twice [row 81]', async () => {
  const rows = Array.from({ length: 230 }, (_, n) => `11222333-9,50000,MID${n}`)
  writeFileSync(join(served.dir, 'many.csv'), `rut,amount,externalTrxId\n${rows.join('\n')}\n`)
  const words = [LAUNCHER, ...wordsOf('evaluate -p sandbox --from many.csv -o ndjson -q')]
  // The results are longer than a pipe can store. `head` reads the first line and ends; PIPESTATUS has the exit code of the command before
  // it.
  const script = '"$0" "$@" | head -n 1 > first.ndjson; echo "$PIPESTATUS"'
  needsProgram('bash')
  const child = spawn('bash', ['-c', script, process.execPath, ...words], {
    cwd: served.dir,
    env: { PATH: process.env.PATH, HOME: served.dir, ...env },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  await new Promise((resolve) => child.once('close', resolve))
  expect(text).toBe('141\n')
  const first = JSON.parse(readFileSync(join(served.dir, 'first.ndjson'), 'utf8'))
  expect(first.externalTrxId).toBe('MID0')
  const { code, stdout } = await bnpl('evaluate -p sandbox --from many.csv -o ndjson --resume -q')
  expect(code).toBe(0)
  // Both runs together sent each row once: the sandbox received no second request for a row.
  const requests = JSON.parse((await bnpl('sandbox requests --limit 2000 --json')).stdout) as { body?: string }[]
  const sent = requests.map((each) => /MID\d+/.exec(JSON.stringify(each))?.[0]).filter((id) => id !== undefined)
  expect(new Set(sent).size).toBe(sent.length)
  expect(stdout.length).toBeGreaterThan(0)
})

test('without a terminal, a command that must ask ends with exit 2 at once, with nothing changed [row 86]', async () => {
  using m = machine()
  await m.run('sandbox snapshot save before')
  await m.run('profiles add acme --base-url https://api.example.com --environment production --api-key-stdin', {
    stdin: 'sk-1234567890',
  })
  const transport = async () => expect.fail('something was sent')
  for (const line of [
    'profiles add',
    'profiles add new --base-url https://api.example.com',
    'profiles rm acme',
    'profiles set-key acme',
    'profiles add-secret acme',
    'evaluate --rut 11222333-9 --amount 1000 --entity-id E --trx T',
    'webhooks add https://shop.example/hook',
    'webhooks rm W1',
    'api DELETE /partner/webhook/W1',
    'history rm --all',
    'sandbox reset',
    'sandbox snapshot load before',
    'walkthrough --entity-id E',
    'select --installments 3 --trx T --pre-approve-id P --amount 5',
    'widget-token --trx T --amount 5 --email ana@example.com --entity-id E',
  ]) {
    const ran = await m.run(wordsOf(line), { transport })
    expect([line, ran.code, ran.stdout]).toEqual([line, 2, ''])
    // The message names the option that must be given.
    expect(ran.stderr).toMatch(/^(PRODUCTION .*\n)?error: .*\n .*--(?!help)[a-z]/)
  }
  expect((await m.run('profiles list --json')).stdout).toContain('"acme"')
})

test('with a closed or endless stdin a question ends with exit 2 without waiting [row 86]', async () => {
  for (const [stdin, lines] of [
    ['ignore', ['profiles add new']],
    ['pipe', ['profiles rm acme', 'sandbox reset']],
  ] as const) {
    for (const line of lines) {
      const child = spawn(process.execPath, [LAUNCHER, ...wordsOf(line)], {
        cwd: served.dir,
        env: { PATH: process.env.PATH, HOME: served.dir, ...env },
        stdio: [stdin, 'ignore', 'pipe'],
      })
      let stderr = ''
      child.stderr?.on('data', (chunk) => {
        stderr += chunk
      })
      const code = await new Promise((resolve) => child.once('close', resolve))
      expect([stdin, line, code], stderr).toEqual([stdin, line, 2])
    }
  }
})
