import { afterAll, expect, test } from 'vitest'
import { machine } from '../test/kit/harness.ts'
import { runCli } from './cli.ts'
import type { Transport } from './contract/wire.ts'
import { BnplError, ClosedPipe } from './errors.ts'

const m = machine()
afterAll(() => m[Symbol.dispose]())

const CANARY = 'sk_canary_0123456789'
const env = { BNPL_API_KEY: CANARY, BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }

test.each([
  ['evaluat', 'Did you mean evaluate?'],
  ['webhooks lits', 'Did you mean list?'],
  ['webhook list', 'Did you mean webhooks?'],
  ['help evaluat', 'Did you mean evaluate?'],
  ['webhooks lits --help', 'Did you mean list?'],
  ['verify T1 --tiemout 3s', 'Did you mean --timeout?'],
])('“bnpl %s” is answered with: %s', async (line, words) => {
  const ran = await m.run(line)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(words)
})

test.each([
  ['history help order-1', 'bnpl history [options]'],
  ['help history order-1', 'bnpl history [options]'],
  ['history order-1 --help', 'bnpl history [options]'],
  ['history -h order-1', 'bnpl history [options]'],
  ['history help files', 'bnpl history [options]'],
  ['history help show', 'bnpl history show|get [options]'],
  ['history show order-1 --help', 'bnpl history show|get [options]'],
  ['help history order-1 more', 'bnpl history [options]'],
])('“bnpl %s” shows the help “%s”, although the id could be an argument', async (line, use) => {
  const ran = await m.run(line)
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, expect.stringContaining(`Usage: ${use}`), ''])
})

test('a word after a topic changes nothing, as a word after a command', async () => {
  for (const topic of ['environment', 'exit-codes', 'settings', 'manual'])
    expect(await m.run(`help ${topic} more`)).toEqual({
      ...(await m.run(`help ${topic}`)),
      json: expect.anything(),
      error: expect.anything(),
    })
})

test.each([
  ['verify T1 -p sanbox', 3, '(named by --profile). Did you mean sandbox?'],
  ['profiles show sandbox:inactiv', 3, 'Did you mean sandbox:inactive?'],
  ['profiles set entitiId 7', 2, '“entitiId” is not a setting of a profile. Did you mean entityId?'],
  ['explain ERR_LOAN_NOT_FOUN', 6, '“ERR_LOAN_NOT_FOUN” is not a known code. Did you mean ERR_LOAN_NOT_FOUND?'],
  ['explain outcome-unkown', 6, 'Did you mean outcome-unknown?'],
  ['explain MISSING_COLUM', 6, 'Did you mean MISSING_COLUMN?'],
  ['explain banana', 6, '“banana” is not a known code\n'],
])('“bnpl %s” ends with %i and says: %s', async (line, code, words) => {
  const ran = await m.run(line)
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) })
})

test.each([
  ['version', "unknown command 'version'", 'Use: bnpl --version'],
  ['verify T1 --format json', "unknown option '--format'", 'Use: --output FORMAT'],
])('“bnpl %s” gets a hint with the right word, and no similar word is suggested', async (line, said, use) => {
  expect(await m.run(line)).toMatchObject({ code: 2, stdout: '', stderr: `error: ${said}\n  ${use}\n` })
})

test('the hint for removing an unknown profile names the profiles of this machine, and not how to add one', async () => {
  const none = await m.run('profiles rm nope')
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('\n  See the profiles: bnpl profiles list\n') })
  const added = 'profiles add acme --base-url https://api.example.com --api-key-stdin'
  expect((await m.run(added, { stdin: CANARY })).code).toBe(0)
  const other = await m.run('profiles rm acm')
  expect(other).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/Did you mean acme\?\n {2}Use one of: acme\.\n$/),
  })
  expect((await m.run('profiles rm acme -y')).code).toBe(0)
})

test.each([
  ['profiles', 'add', 'acme', `--api-key=${CANARY}`],
  ['profiles', 'add', 'acme', '--api-key', CANARY],
  ['profiles', 'add', 'acme', `-k${CANARY}`],
  ['profiles', 'add', 'acme', `—api-key=${CANARY}`],
  ['profiles', 'use', 'acme', CANARY],
  ['webhooks', CANARY],
  [CANARY],
  ['verify', 'T1', '--timeout', 'never', `--apikey=${CANARY}`],
])('a secret among the arguments %j does not appear in the error', async (...words) => {
  const ran = await m.run([...words, '--json'])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.error()).toMatchObject({ kind: 'usage', hint: expect.any(String) })
  expect(ran.stderr).not.toContain('canary')
})

test('a dry run ends with the requests as its result, and sends nothing', async () => {
  const transport: Transport = async () => {
    throw new Error('sent')
  }
  const one = await m.run('verify T1 --dry-run', { env, transport })
  expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^curl -sS -X POST .*\/T1\/loan\n$/)])
  const several = await m.run('verify T1 T2 --dry-run --json', { env, transport })
  expect(several.json()).toEqual([{ curl: expect.stringContaining('/T1/') }, { curl: expect.stringContaining('/T2/') }])
  expect(one.stdout + several.stdout).not.toContain(CANARY)
})

test('an error while help is written sets the usual exit code', async () => {
  const { world } = m.world()
  const closed = { ...world.io, out: () => Promise.reject(new ClosedPipe()) }
  expect(await runCli(['--help'], { ...world, io: closed })).toBe(141)
  const full = { ...world.io, out: () => Promise.reject(new BnplError('output', 'no room')) }
  expect(await runCli(['verify', '--help'], { ...world, io: full })).toBe(13)
})

test.each([
  ['never', 2],
  ['0s', 2],
  ['-1s', 2],
])('--timeout %s is refused because it is not a duration above zero', async (timeout, code) => {
  const ran = await m.run(['verify', 'T1', `--timeout=${timeout}`, '--json'])
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.error().message).toBe(`--timeout ${timeout} is not a duration above zero`)
})

test('--json sets the output to JSON in any position, and --no-color turns colours off', async () => {
  for (const line of ['profiles list --json -o csv', 'profiles list -o csv --json'])
    expect((await m.run(line)).json()).toEqual(expect.any(Array))
  const colours = async (option: string) =>
    (await m.run(`history list ${option}`, { color: true })).stderr.includes('\u001b[')
  expect([await colours(''), await colours('--no-color')]).toEqual([true, false])
})

test('where a secret was given as an option, the hint names the options of that command', async () => {
  const hint = async (line: string) => (await m.run(`${line} --json`)).error().hint
  expect(await hint('profiles add-secret acme --webhook-secret-stdin')).toContain('--secret-stdin, --secret-file')
  expect(await hint('profiles set-key acme --key x')).toContain('--api-key-stdin, --api-key-file')
})
