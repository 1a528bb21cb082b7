import { spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProgram, loadAll } from '../../src/cli.ts'
import { LAUNCHER, launch } from '../built-program.ts'
import { machine } from '../harness.ts'
import { type Program, program } from '../program.ts'

/** The built program beside a served sandbox in which a payment was made and a lead has its report. */
let served: Program
let env: Record<string, string>
let lead: { leadId: string; preApproveId: string }

const bnpl = (line: string, stdout?: number) =>
  launch({
    args: line.split(' '),
    // One more sandbox needs a state of its own.
    env: line.startsWith('sandbox start') ? { ...env, BNPL_STATE_DIR: join(served.dir, 'own') } : env,
    cwd: served.dir,
    ...(stdout === undefined ? {} : { stdout }),
  })

beforeAll(async () => {
  served = program()
  await served.sandbox('--allow-http')
  env = {
    BNPL_STATE_DIR: served.stateDir,
    BNPL_CONFIG_DIR: join(served.dir, 'config'),
    BROWSER: '/bin/true',
    BNPL_WEBHOOK_SECRET: 'whsec-1234567890',
  }
  writeFileSync(join(served.dir, 'key'), 'sk-1234567890')
  writeFileSync(join(served.dir, 'other'), 'sk-0987654321')
  writeFileSync(join(served.dir, 'rows.csv'), 'rut,amount,externalTrxId\n11111111-1,50000,B1\n')
  for (const line of [
    'evaluate -p sandbox --rut 11111111-1 --amount 250000 --trx T1',
    'select -p sandbox --installments 6',
    'sandbox pay T1',
    'evaluate -p sandbox --rut 11111111-1 --amount 250000 --trx T3',
    'profiles add acme --base-url https://api.example.com --api-key-file key',
    'profiles add old --base-url https://api.example.com --api-key-file key',
    'profiles add-secret acme --secret-file key',
    'sandbox snapshot save before',
  ]) {
    const { code, stderr } = await bnpl(line)
    expect([line, code, stderr]).toEqual([line, 0, stderr])
  }
  lead = JSON.parse((await bnpl('sandbox lead --now --rut 11111111-1 --json')).stdout)
}, 60_000)
afterAll(() => served?.[Symbol.asyncDispose]())

const PAGE = '--success-url https://shop.example/ok --error-url https://shop.example/no'

/** A line of each command that has a result, in the order of a day; what cannot be undone comes last. */
const lines = (): string[] => [
  'walkthrough -p sandbox',
  'evaluate -p sandbox --rut 11111111-1 --amount 250000 --trx T2 --json',
  'evaluate -p sandbox --from rows.csv',
  'select -p sandbox --installments 6 --trx T3',
  'widget-token -p sandbox --trx T3 --email ana@example.com --raw',
  `pay-url -p sandbox --trx T3 --email ana@example.com ${PAGE}`,
  'verify -p sandbox T1 --output csv',
  'leads list -p sandbox:real-estate --output ndjson',
  `leads get ${lead.leadId} -p sandbox:real-estate`,
  'evaluations get --rut 11111111-1 -p sandbox:real-estate',
  `informe get ${lead.preApproveId} -p sandbox:real-estate`,
  `informe download ${lead.preApproveId} -p sandbox:real-estate --json`,
  `informe download ${lead.preApproveId} -p sandbox:real-estate --out -`,
  `informe open ${lead.preApproveId} -p sandbox:real-estate --json`,
  'webhooks add http://127.0.0.1:1/hook -p sandbox',
  'webhooks list -p sandbox',
  'webhooks subscribe http://127.0.0.1:1/lead --event new_lead -p sandbox:real-estate',
  'webhooks rm --url http://127.0.0.1:1/hook -p sandbox -y',
  'webhooks verify-signature --body-file rows.csv --signature 00',
  'sandbox start --port 0 --ephemeral --json',
  'sandbox status',
  'sandbox pay T2',
  'sandbox lead --now --rut 11111111-1',
  'sandbox customers',
  'sandbox fault add any --status 503 --nth 100000',
  'sandbox fault list',
  'sandbox fault endpoints',
  'sandbox fault clear --json',
  'sandbox requests',
  'sandbox deliveries',
  'sandbox deliver --json',
  'sandbox snapshot save again --json',
  'sandbox snapshot list',
  'sandbox snapshot load before -y --json',
  'sandbox clock advance 1s',
  'profiles list',
  'profiles show',
  'profiles add other --base-url https://api.example.com --api-key-file key --json',
  'profiles rm old -y --json',
  'history list',
  'history show T1',
  'history rm T2 -y --json',
  'smoke -p sandbox',
  'api GET /partner/webhook -p sandbox',
  'explain ERR_CUSTOMER_NOT_APPROVED',
  'contract gaps',
  'contract openapi',
  'doctor -p sandbox',
  'completion bash',
  'sandbox reset -y --json',
]

/** Commands whose result is a change of the settings: they say it on stderr, and stdout has nothing to lose. */
const SILENT = [
  'profiles use acme',
  'profiles set entityId 7 -p acme',
  'profiles unset entityId -p acme',
  'profiles set-key acme --api-key-file other',
  'profiles add-secret acme --secret-file other',
  'profiles rm-secret acme -y',
]
/** Their stdout is another program's, the shell's while it completes, or a line for each event that comes (see the receiver's tests). */
const OTHERS = ['sandbox run', '__complete', 'webhooks listen', 'help']

const wordsOf = (line: string) => line.split(' ')
const isOf = (name: string) => (line: string) => `${line} `.startsWith(`${name} `)

/** Of those that may be run twice one of each form: a document, a table, CSV, lines, a bare text, bytes, a text of ours. */
const TWICE =
  /^(evaluate .*--json|verify|leads list|widget-token|informe .* --out -|sandbox requests|profiles list|smoke|api|doctor|completion)/

/** Runs a line whose reader has left already. */
async function unread(line: string) {
  const fifo = join(served.dir, 'pipe')
  if (!existsSync(fifo)) expect(spawnSync('mkfifo', [fifo]).status).toBe(0)
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(fifo, constants.O_WRONLY)
  closeSync(reader)
  const ran = await bnpl(line, writer)
  closeSync(writer)
  return ran
}

test('rows 80 and 81: every command ends with 13 when its result cannot be written, and with 141 when nobody reads it', {
  timeout: 180_000,
}, async () => {
  for (const line of [...lines(), ...SILENT]) {
    const full = openSync('/dev/full', 'w')
    const { code, stderr } = await bnpl(line, full)
    closeSync(full)
    expect([line, code, stderr]).toEqual([line, SILENT.includes(line) ? 0 : 13, stderr])
    expect(stderr).not.toMatch(/\n\s+at /)
    if (!TWICE.test(line)) continue
    const left = await unread(line)
    expect([line, left.code, left.stderr]).toEqual([line, 141, left.stderr])
    expect(left.stderr).not.toMatch(/\n\s+at |EPIPE|error:/)
  }
})

test('row 80: of commands that are not listed here none ends well with its result lost', {
  timeout: 60_000,
}, async () => {
  using m = machine()
  const { world } = m.world()
  const tree = createProgram(world, () => {})
  await loadAll(tree, world)
  const leaves = (command: Command, words: string[] = []): string[] =>
    command.commands.length === 0
      ? [words.join(' ')]
      : command.commands.flatMap((each) => leaves(each, [...words, each.name()]))
  const listed = [...lines(), ...SILENT, ...OTHERS]
  for (const name of leaves(tree).filter((each) => !listed.some(isOf(each)))) {
    const full = openSync('/dev/full', 'w')
    const { code } = await bnpl(`${name} -p sandbox --json`, full)
    closeSync(full)
    expect([name, code]).not.toEqual([name, 0])
    expect([name, code]).not.toEqual([name, 1])
  }
})

test('row 81: a reader that leaves is 141 in silence, and a payment call that was made is remembered', async () => {
  for (const line of [
    'evaluate -p sandbox --rut 11111111-1 --amount 90000 --trx GONE -q',
    'contract openapi',
    'history -q',
  ]) {
    const { code, stderr } = await unread(line)
    expect([line, code, stderr]).toEqual([line, 141, ''])
  }
  const { stdout } = await bnpl('history show GONE --json')
  expect(JSON.parse(stdout)).toMatchObject({ externalTrxId: 'GONE', amount: 90000 })
})

test('row 81: a reader that leaves in the middle of a run over a file ends it with 141; rows that were sent are remembered', async () => {
  const rows = Array.from({ length: 330 }, (_, n) => `11111111-1,50000,MID${n}`)
  writeFileSync(join(served.dir, 'many.csv'), `rut,amount,externalTrxId\n${rows.join('\n')}\n`)
  const words = [LAUNCHER, ...wordsOf('evaluate -p sandbox --from many.csv -o ndjson -q')]
  // The results are more than a pipe holds. head takes the first line and goes; PIPESTATUS has the code of what it left behind.
  const script = '"$0" "$@" | head -n 1 > first.ndjson; echo "$PIPESTATUS"'
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
  // Each row was sent once over both runs: the sandbox has no second request of any.
  const requests = JSON.parse((await bnpl('sandbox requests --limit 2000 --json')).stdout) as { body?: string }[]
  const sent = requests.map((each) => /MID\d+/.exec(JSON.stringify(each))?.[0]).filter((id) => id !== undefined)
  expect(new Set(sent).size).toBe(sent.length)
  expect(stdout.length).toBeGreaterThan(0)
})

test('row 86: without anybody to ask, what would be asked is exit 2 at once, with nothing changed', async () => {
  using m = machine()
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
    'evaluate --rut 11111111-1 --amount 1000 --entity-id E --trx T',
    'webhooks add https://shop.example/hook',
    'webhooks rm W1',
    'api DELETE /partner/webhook/W1',
    'history rm --all',
    'sandbox reset',
  ]) {
    const ran = await m.run(wordsOf(line), { transport })
    expect([line, ran.code, ran.stdout]).toEqual([line, 2, ''])
    expect(ran.stderr).toMatch(/^(PRODUCTION .*\n)?error: /)
  }
  expect((await m.run('profiles list --json')).stdout).toContain('"acme"')
})
