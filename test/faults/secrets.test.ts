import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram, loadAll } from '../../src/cli.ts'
import type { Transport } from '../../src/contract/wire.ts'
import { WireFailure } from '../../src/contract/wire.ts'
import { machine, realClock } from '../kit/harness.ts'
import { program, until } from '../kit/program.ts'
import { tcpServer } from './tcp.ts'

const CANARY = 'sk-canary-1234567890'
const env = { BNPL_API_KEY: CANARY, BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
const EVALUATE = 'evaluate --rut 11222333-9 --amount 1000 --trx T1 --json'

const under = (command: Command, words: string[] = []): string[][] =>
  command.commands.length === 0 ? [words] : command.commands.flatMap((each) => under(each, [...words, each.name()]))

test('every command refuses a secret as an option, and does not print the secret [row 1]', async () => {
  using m = machine()
  const { world } = m.world()
  const tree = createProgram(world, () => {})
  await loadAll(tree, world)
  const commands = under(tree).filter(([name]) => name !== '__complete' && name !== 'help')
  expect(commands.length).toBeGreaterThan(40)
  const forms = [
    [`--api-key=${CANARY}`],
    ['--api-key', CANARY],
    ['--key', CANARY],
    ['--secret', CANARY],
    [`--api-key-stdin=${CANARY}`],
    [`-k${CANARY}`],
  ]
  for (const [i, words] of commands.entries()) {
    // Each command with every second form, and each form with every second command.
    for (const typed of forms.filter((_, form) => (i + form) % 2 === 0)) {
      const ran = await m.run([...words, ...typed])
      expect([words, typed, ran.code, ran.stdout]).toEqual([words, typed, 2, ''])
      expect(ran.stderr).not.toContain('canary')
    }
  }
})

test('the key of a profile is not in the command line or the environment of a running command [row 1]', async () => {
  await using p = program()
  await using silent = await tcpServer(() => {})
  const keyFile = join(p.dir, 'key')
  writeFileSync(keyFile, CANARY)
  await p.run(`profiles add acme --base-url ${silent.url} --api-key-file ${keyFile}`)
  const started = p.start('verify T1 --timeout 1m')
  await until(() => silent.requests.length === 1, started)
  expect(silent.requests[0]).toContain(CANARY)
  const command = readFileSync(`/proc/${started.child.pid}/cmdline`, 'utf8')
  expect(command).toContain('verify')
  expect(command + readFileSync(`/proc/${started.child.pid}/environ`, 'utf8')).not.toContain('canary')
  started.child.kill('SIGINT')
  expect((await started.ended).code).toBe(130)
})

test.each([
  'two words',
  'a\nb',
  'a\r\nb',
  'a\u00a0b',
  'it’s',
  '\u2028x',
  'ñandú',
  'a\tb',
  'a\0b',
  '😀',
  'a\u200bb',
  '“quoted”',
  'a\u001b[0mb',
  'a\u0085b',
  'a\u202eb',
  'x\ud800',
  'ключ',
  'a\vb',
  'a\fb',
  'a\u007fb',
])('a key that contains %j is refused, and is not printed, even with --verbose [row 2]', async (bad) => {
  using m = machine()
  const key = `canary${bad}canary`
  const sent: Transport = async () => expect.fail('something was sent')
  for (const ran of [
    await m.run(`${EVALUATE} --verbose`, { env: { ...env, BNPL_API_KEY: key }, transport: sent }),
    await m.run('profiles add acme --base-url https://api.example.com --api-key-stdin --verbose', { stdin: key }),
  ]) {
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).not.toContain('canary')
  }
})

test('a command that bnpl runs for the user gets no secret of a real account [row 10]', async () => {
  await using p = program()
  const real = { BNPL_API_KEY: CANARY, BNPL_WEBHOOK_SECRET: 'whsec-canary-12345' }
  const ran = await p.run(['sandbox', 'run', '--', 'env'], real)
  expect(ran.code).toBe(0)
  expect(ran.stdout).toContain('BNPL_API_KEY=')
  expect(ran.stdout + ran.stderr).not.toContain('canary')
})

test('sandbox run removes PGPASSWORD only if it is the password of the database of bnpl [attack 29]', async () => {
  await using p = program()
  const seen = async (env: Record<string, string>) =>
    (await p.run(['sandbox', 'run', '-q', '--', 'sh', '-c', 'echo "$PGPASSWORD"'], { PGPASSWORD: CANARY, ...env }))
      .stdout
  const BNPL_DATABASE = 'postgres://bnpl@db.example.com/bnpl'
  expect(await seen({ BNPL_DATABASE })).toBe('\n')
  expect(await seen({})).toBe(`${CANARY}\n`)
  expect(await seen({ BNPL_DATABASE, BNPL_DATABASE_PASSWORD: 'another' })).toBe(`${CANARY}\n`)
})

test('a browser gets the address as one argument, and no secret in its environment [row 10, row 87]', async () => {
  await using p = program()
  const noted = join(p.dir, 'noted')
  const browser = join(p.dir, 'browser')
  writeFileSync(
    browser,
    `#!/bin/sh\n{ echo "$# arguments"; printf '%s\\n' "$@"; env; } > ${noted}.part; mv ${noted}.part ${noted}\n`,
  )
  chmodSync(browser, 0o755)
  const url = 'https://storage.example.com/a?x=$(touch%20pwned)&X-Amz-Signature=0;touch+pwned'
  await using service = await tcpServer((socket) => {
    const body = JSON.stringify({ data: { url } })
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  })
  const ran = await p.run('informe open P1', {
    BNPL_API_KEY: CANARY,
    BNPL_WEBHOOK_SECRET: 'whsec-canary-12345',
    PGPASSWORD: CANARY,
    BNPL_BASE_URL: service.url,
    BROWSER: browser,
  })
  expect(ran).toMatchObject({ code: 0, stdout: '' })
  await expect.poll(() => existsSync(noted)).toBe(true)
  const text = readFileSync(noted, 'utf8')
  expect(text).toMatch(/^1 arguments\nhttps:\/\/storage\.example\.com\/a\?/)
  expect(text).not.toContain('canary')
  expect(existsSync(join(p.dir, 'pwned'))).toBe(false)
})

test('a diagnostic report of Node, which lists the environment, holds no secret [row 11]', async () => {
  await using p = program()
  await using silent = await tcpServer(() => {})
  const started = p.start('verify T1 --timeout 1m', {
    BNPL_API_KEY: CANARY,
    BNPL_WEBHOOK_SECRET: 'whsec-canary-12345',
    BNPL_BASE_URL: silent.url,
    NODE_OPTIONS: '--report-on-signal',
  })
  await until(() => silent.requests.length === 1, started)
  started.child.kill('SIGUSR2')
  const reports = () => globSync('report*.json', { cwd: p.dir }).map((name) => readFileSync(join(p.dir, name), 'utf8'))
  await until(() => reports().some((text) => text.trimEnd().endsWith('}')), started)
  expect(reports().join('')).toContain('BNPL_BASE_URL')
  expect(reports().join('')).not.toContain('canary')
  started.child.kill('SIGINT')
  await started.ended
})

test.each([
  [
    'an error with fields',
    Object.assign(new TypeError(`Invalid URL ${CANARY}`), { code: 'ERR_INVALID_URL', input: CANARY }),
  ],
  ['an error with a cause', new Error('fetch failed', { cause: new Error(`https://user:${CANARY}@h`) })],
  ['a string', CANARY],
  ['an object', { headers: { authorization: CANARY } }],
  [
    'an error whose name lies',
    Object.assign(new Error(CANARY), { name: `X ${CANARY}`, stack: `${CANARY}\n    at ${CANARY}` }),
  ],
  ['an aggregate', new AggregateError([new Error(CANARY)], CANARY)],
  ['nothing', undefined],
])('an unforeseen error is reported as a fault in bnpl, without its message: %s [row 12]', async (_, thrown) => {
  using m = machine()
  const transport: Transport = () => Promise.reject(thrown)
  const ran = await m.run(`${EVALUATE} --verbose`, { env, transport })
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toContain('a fault in bnpl')
  expect(ran.error()).toMatchObject({ kind: 'bug', code: 'BUG' })
  expect(ran.stderr).not.toContain('canary')
  expect(ran.stderr).not.toMatch(/\n\s+at /)
})

test('the message of a network fault is not printed [row 12]', async () => {
  using m = machine()
  for (const kind of ['refused', 'dns', 'tls', 'proxy', 'reset', 'timeout', 'too-large', 'garbled'] as const) {
    const transport: Transport = () => Promise.reject(new WireFailure(kind, true, `Bearer ${CANARY}`))
    const ran = await m.run(`${EVALUATE} --verbose`, { env, transport })
    expect(ran.code).toBe(12)
    expect(ran.stderr).not.toContain('canary')
  }
})

test('a fault in the history is reported as a fault in bnpl, and the command still succeeds [row 12]', async () => {
  using m = machine()
  let looks = 0
  // The second reading of the clock is made by the history, after the answer.
  const now = () => (looks++ > 0 ? fault() : Date.now())
  const fault = (): never => {
    throw Object.assign(new TypeError(`history ${CANARY}`), { key: CANARY })
  }
  const body = Buffer.from('{"data":{"preApproveId":"P1","installmentOptions":[]}}')
  const transport: Transport = async () => ({ status: 200, headers: {}, body })
  const ran = await m.run(EVALUATE, { env, transport, clock: { ...realClock, now } })
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('the local history could not be written (a fault in bnpl itself, TypeError ')
  expect(ran.stderr).not.toContain('canary')
})

test('a customer’s data in a message of the service is masked [row 84]', async () => {
  using m = machine()
  const message = 'customer 11.222.333-9 (11222333-9, maria.perez@example.com) is unknown, see trx-1234567-8'
  const transport: Transport = async () => ({
    status: 422,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message })),
  })
  const ran = await m.run(EVALUATE, { env, transport })
  expect(ran.code).toBe(5)
  expect(ran.stderr).toContain('customer ••.•••.••3-9 (•••••••3-9, m•••@example.com) is unknown, see trx-1234567-8')
  expect(ran.stderr).not.toMatch(/11\.?111\.?111|maria/)
})

test.each([
  [`—api-key=${CANARY}`],
  ['evaluate', '—api-key', CANARY],
  ['evaluate', `-§${CANARY}`],
  ['evaluate', '--amount', '5', CANARY],
  ['api', 'GET', '/x', '-f', CANARY],
  ['webhooks', 'add', `https://u:${CANARY}@shop.example/x`, '-p', 'sandbox'],
  ['webhooks', 'trigger', 'loan_approved', '--to', `http://u:${CANARY}@127.0.0.1:1/x`],
  ['webhooks', 'test', `http://u:${CANARY}@127.0.0.1:1/x`],
  ['webhooks', 'listen', '--forward-to', `http://u:${CANARY}@127.0.0.1:1/x`],
  ['pay-url', '--token', 'x', '--success-url', `https://u:${CANARY}@a/`, '--error-url', 'https://b/', '-p', 'sandbox'],
])('a value that was typed in the wrong place is not printed: %s %s %s [row 1]', async (...argv) => {
  using m = machine()
  const ran = await m.run(argv)
  expect(ran.code).toBe(2)
  expect(ran.stderr + ran.stdout).not.toContain('canary')
})
