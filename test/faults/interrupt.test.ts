import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Interrupted } from '../../src/errors.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'
import { program, until } from '../kit/program.ts'
import { ROOT } from '../kit/source-graph.ts'
import { http, tcpServer } from './tcp.ts'

const KEY = 'sk-canary-1234567890'

test('Ctrl-C during a wait between two attempts exits with 130 at once [row 99]', async () => {
  await using p = program()
  await using busy = await tcpServer((socket) => socket.end(http(503, '{}', { 'retry-after': '50' })))
  const started = p.start('verify T1 --timeout 1m', { BNPL_API_KEY: KEY, BNPL_BASE_URL: busy.url })
  await until(() => started.stderr().includes('trying again'), started)
  const began = performance.now()
  started.child.kill('SIGINT')
  expect(await started.ended).toMatchObject({ code: 130, stdout: '' })
  expect(busy.requests).toHaveLength(1)
  // The run ends without waiting for the 50 s that the service asked for, even on a busy machine.
  expect(performance.now() - began).toBeLessThan(30_000)
})

/** Starts a server that accepts connections and never sends a byte: no TLS, no answer of a proxy. */
async function silence() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('data', () => {}).on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe.each([
  ['a secure connection', (port: number) => ({ BNPL_BASE_URL: `https://localhost:${port}` })],
  [
    'a connection through a proxy',
    (port: number) => ({ BNPL_BASE_URL: 'https://partner.example', HTTPS_PROXY: `http://127.0.0.1:${port}` }),
  ],
])('while %s is made [row 99]', (_, address) => {
  test('Ctrl-C exits with 130, without a warning that the call may have been carried out', async () => {
    using silent = await silence()
    await using p = program()
    const env = { BNPL_API_KEY: KEY, BNPL_ENTITY_ID: 'E', ...address(silent.port) }
    const started = p.start('evaluate --rut 11222333-9 --amount 1000 --trx T1 --json', env)
    await until(() => silent.sockets.size === 1, started)
    started.child.kill('SIGINT')
    const ended = await started.ended
    expect(ended).toMatchObject({ code: 130, stdout: '' })
    expect(ended.stderr).not.toContain('may have been carried out')
  })

  test('--timeout ends the attempt to connect, and the command exits with 9', async () => {
    using silent = await silence()
    await using p = program()
    const env = { BNPL_API_KEY: KEY, ...address(silent.port) }
    expect(await p.run('verify T1 --timeout 100ms', env)).toMatchObject({ code: 9, stdout: '' })
  })
})

test.each([
  ['stdin', 'verify --from -'],
  ['a pipe', 'verify --from pipe'],
])('Ctrl-C ends the wait for rows from %s [row 99]', async (_, line) => {
  needsProgram('mkfifo')
  await using p = program()
  execFileSync('mkfifo', [join(p.dir, 'pipe')])
  // The pipe is open for reading and writing, so it has a writer, who never writes.
  const pipe = openSync(join(p.dir, 'pipe'), 'r+')
  const started = p.start(line, { BNPL_API_KEY: KEY, BNPL_BASE_URL: 'https://api.example.com' }, pipe)
  await until(() => existsSync(join(p.stateDir, 'bulk')), started)
  started.child.kill('SIGINT')
  const { code, signal } = await started.ended
  closeSync(pipe)
  // A command that waits for the system itself is ended by the signal. A shell treats both alike.
  expect(code ?? signal).toBeOneOf([130, 'SIGINT'])
})

test('Ctrl-C after a payment call was sent exits with 130, and warns that the call may have been carried out [row 99]', async () => {
  await using p = program()
  await using silent = await tcpServer(() => {})
  const env = { BNPL_API_KEY: KEY, BNPL_BASE_URL: silent.url, BNPL_ENTITY_ID: 'E' }
  const started = p.start('evaluate --rut 11222333-9 --amount 1000 --trx T1', env)
  await until(() => silent.requests.length === 1, started)
  started.child.kill('SIGINT')
  const ended = await started.ended
  expect(ended).toMatchObject({ code: 130, stdout: '' })
  expect(ended.stderr).toMatch(/may have been carried out|outcome/i)
})

test.each(['webhooks trigger loan_approved --to URL', 'webhooks test URL', 'doctor', 'smoke'])(
  'Ctrl-C while %s is unanswered exits with 130 [row 99]',
  async (line) => {
    using m = machine()
    const stop = new AbortController()
    await using silent = await tcpServer(() => stop.abort(new Interrupted()))
    const env = { BNPL_API_KEY: KEY, BNPL_BASE_URL: silent.url, BNPL_WEBHOOK_SECRET: 'whsec-1234567890' }
    const ran = await m.run(line.replace('URL', silent.url), { env, signal: stop.signal })
    expect(ran).toMatchObject({ code: 130, stdout: '' })
    expect(silent.requests).toHaveLength(1)
  },
)

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a program whose stdout is not read still reacts to signals: a repeated %s ends the program [row 99]',
  async (signal) => {
    await using p = program()
    const answer = http(200, `{"data":"${'x'.repeat(900_000)}"}`)
    await using service = await tcpServer((socket) => socket.end(answer))
    const { child } = p.start('api GET /partner/webhook', { BNPL_API_KEY: KEY, BNPL_BASE_URL: service.url })
    const exited = once(child, 'exit')
    child.stdout?.pause()
    const received = () => {
      child.stdout?.read(0)
      return child.stdout?.readableLength
    }
    await expect.poll(received).toBeGreaterThan(0)
    const again = setInterval(() => child.kill(signal), 50)
    const ended = await exited
    clearInterval(again)
    child.stdout?.resume()
    expect(ended).toEqual([null, signal])
  },
)

test('Ctrl-C at a hidden question exits with 130, and the terminal echoes again [row 99]', async () => {
  await using p = program()
  const line = `${process.execPath} ${join(ROOT, 'src/main.ts')} profiles add acme --base-url https://api.example.com`
  needsProgram('script')
  const child = spawn('script', ['-qefc', `${line}; echo "code=$?"; stty -a`, '/dev/null'], {
    cwd: p.dir,
    env: { PATH: process.env.PATH, HOME: p.dir, TERM: 'xterm', BNPL_CONFIG_DIR: join(p.dir, 'config') },
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const ended = once(child, 'close')
  const screen = () => stripVTControlCharacters(text)
  await expect.poll(screen).toContain('not shown')
  child.stdin.write('canary-typed')
  await expect.poll(screen).toContain('••••')
  child.stdin.write('\u0003')
  await ended
  expect(screen()).toContain('code=130')
  expect(screen()).toMatch(/[; ]echo[ ;]/)
  expect(screen()).toMatch(/[; ]icanon[ ;]/)
  expect(screen()).not.toContain('canary')
  expect(existsSync(join(p.dir, 'config', 'profiles.json'))).toBe(false)
})

/** The environment of an account with everything that a payment page needs. */
const ACCOUNT = {
  BNPL_API_KEY: KEY,
  BNPL_BASE_URL: 'https://api.example.com',
  BNPL_PAYMENT_URL: 'https://pay.example.com',
  BNPL_PUBLIC_KEY: 'pk',
  BNPL_ENTITY_ID: 'E',
}
const RETURNS = '--success-url https://s.example --error-url https://e.example'

test('a wait uses the monotonic clock, whatever the wall clock does [row 32]', async () => {
  using m = machine()
  const steady = fakeClock()
  let jumps = 0
  // Each call of `now` jumps by two hours, forward or back.
  const clock = { ...steady, now: () => steady.now() + (jumps++ % 2 === 0 ? 3_600_000 : -3_600_000) }
  const transport = async () => ({ status: 404, headers: {}, body: Buffer.from('{}') })
  expect((await m.run('verify T1 --wait 1m', { env: ACCOUNT, clock, transport })).code).toBe(6)
  expect(steady.monotonic()).toBe(60_000)
})

test('a widget token whose ten minutes are over is refused before use [row 32]', async () => {
  using m = machine()
  const clock = fakeClock()
  const exp = Math.floor(clock.now() / 1000) + 600
  const token = ['{"alg":"HS256"}', JSON.stringify({ exp }), 'x'].map((part) => Buffer.from(part).toString('base64url'))
  const line = `pay-url --token ${token.join('.')} ${RETURNS} --json`
  expect((await m.run(line, { env: ACCOUNT, clock })).code).toBe(0)
  clock.advance(599_999)
  expect((await m.run(line, { env: ACCOUNT, clock })).code).toBe(0)
  clock.advance(1)
  const dead = await m.run(line, { env: ACCOUNT, clock })
  expect(dead).toMatchObject({ code: 2, stdout: '' })
  expect(dead.error().code).toBe('TOKEN_EXPIRED')
})

test('a token expires after ten minutes of the monotonic clock, even if the wall clock jumps by an hour [row 32]', async () => {
  using m = machine()
  const ask = '--trx T1 --amount 1000 --email ana@example.com --json'
  const lines = [`widget-token ${ask}`, `pay-url ${ask} ${RETURNS}`]
  for (const line of lines) {
    for (const [wallMs, passedMs, code] of [
      [3_600_000, 1000, 0],
      [-3_600_000, 1000, 0],
      [0, 599_999, 0],
      [0, 600_000, 5],
      [-3_600_000, 600_000, 5],
    ] as const) {
      const steady = fakeClock()
      let jump = 0
      const clock = { ...steady, now: () => steady.now() + jump }
      const transport = async () => {
        // The answer takes this long, and meanwhile somebody changes the clock.
        steady.advance(passedMs)
        jump = wallMs
        return { status: 201, headers: {}, body: Buffer.from('{"data":{"accepted":true,"widgetToken":"a.b.c"}}') }
      }
      const ran = await m.run(line, { env: ACCOUNT, clock, transport })
      expect([line, wallMs, passedMs, ran.code]).toEqual([line, wallMs, passedMs, code])
      if (code !== 0) expect(ran.error().code).toBe('TOKEN_EXPIRED')
    }
  }
})
