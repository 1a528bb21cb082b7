import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EXIT_CODES } from '../../src/errors.ts'
import { http, loanAnswer, type TcpServer, tcpServer } from '../faults/tcp.ts'
import { LAUNCHER, launch, temporaryFolder } from '../kit/built-program.ts'
import { machine } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'

/** The program can end with each documented exit code. */

const envOf = (url: string) => ({ BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: url, BNPL_ENTITY_ID: 'E1' })
const EVALUATE = ['evaluate', '--rut', '11222333-9', '--amount', '1000', '--trx', 'T1']

interface Case {
  kind: keyof typeof EXIT_CODES | 'done'
  args: string[]
  /** The answer of the service. Without one, the connection is cut. */
  answer?: string
}

const CASES: Case[] = [
  { kind: 'done', args: ['verify', 'T1'], answer: loanAnswer() },
  { kind: 'usage', args: ['evaluate', '--rut', '1-9', '--amount', '1e3'] },
  { kind: 'config', args: ['verify', 'T1', '-p', 'nobody'] },
  { kind: 'auth', args: ['verify', 'T1'], answer: http(401, '{}') },
  { kind: 'refused', args: EVALUATE, answer: http(422, '{"error":{"code":"ERR_NO","message":"no"}}') },
  { kind: 'not-found', args: ['verify', 'T1'], answer: http(404, '{}') },
  { kind: 'rate-limited', args: ['verify', 'T1'], answer: http(429, '{}', { 'retry-after': '100000' }) },
  { kind: 'service', args: ['verify', 'T1'], answer: http(200, '<html>') },
  { kind: 'network', args: ['verify', 'T1', '--timeout', '1s'] },
  { kind: 'check-failed', args: ['verify', 'T1', '--expect-state', 'PAID'], answer: loanAnswer() },
  { kind: 'partial', args: ['verify', 'T1', 'T2'], answer: http(404, '{}') },
  { kind: 'outcome-unknown', args: EVALUATE },
]

async function serviceFor({ answer }: Case): Promise<TcpServer> {
  return tcpServer((socket) => {
    if (answer === undefined) socket.destroy()
    else socket.end(answer)
  })
}

/** The kinds that are also tested with the built program: a success, an error that no option says more about, and the highest code. */
const BUILT = ['done', 'refused', 'outcome-unknown']

test.each(CASES)('$kind has its exit code and its kind: $args', async (each) => {
  await using server = await serviceFor(each)
  using m = machine()
  const { code, stdout, stderr } = await m.run([...each.args, '--json'], { env: envOf(server.url) })
  expect([code, stderr.match(/\n\s+at /)]).toEqual([each.kind === 'done' ? 0 : EXIT_CODES[each.kind], null])
  if (each.kind === 'done') expect(JSON.parse(stdout)).toMatchObject({ externalTrxId: 'T1' })
  else expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.kind).toBe(each.kind)
  if (!BUILT.includes(each.kind)) return
  const ran = await launch({ args: [...each.args, '--json'], env: envOf(server.url) })
  expect([ran.code, ran.stderr.match(/\n\s+at /)]).toEqual([code, null])
})

describe('the built program ends with', () => {
  test('13 when the result cannot be written', async () => {
    await using server = await serviceFor({ kind: 'done', args: [], answer: loanAnswer() })
    const full = openSync('/dev/full', 'w')
    try {
      const ran = await launch({ args: ['verify', 'T1'], env: envOf(server.url), stdout: full })
      expect(ran.code).toBe(EXIT_CODES.output)
      expect(ran.stderr).toContain('could not be written')
    } finally {
      closeSync(full)
    }
  })

  test('141 when the reader of the result has closed the pipe', async () => {
    await using server = await serviceFor({ kind: 'done', args: [], answer: loanAnswer() })
    using home = temporaryFolder()
    const command = `set -o pipefail; "${process.execPath}" "${LAUNCHER}" verify T1 --json | true; echo "\${PIPESTATUS[0]}"`
    needsProgram('bash')
    const child = spawn('bash', ['-c', command], {
      env: { PATH: process.env.PATH, HOME: home.path, ...envOf(server.url) },
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    await new Promise((closed) => child.once('close', closed))
    expect(text.trim()).toBe('141')
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s while it waits for an answer: %i', async (signal, code) => {
    let asked = () => {}
    const request = new Promise<void>((resolve) => {
      asked = resolve
    })
    await using server = await tcpServer(() => asked())
    using home = temporaryFolder()
    const child = spawn(process.execPath, [LAUNCHER, 'verify', 'T1'], {
      env: { PATH: process.env.PATH, HOME: home.path, ...envOf(server.url) },
      stdio: 'ignore',
    })
    await request
    child.kill(signal)
    expect(await new Promise((ended) => child.once('close', (exit) => ended(exit)))).toBe(code)
  })
})

test('every exit code of the table is tested', () => {
  const reached = new Set(CASES.map(({ kind }) => kind))
  expect(Object.keys(EXIT_CODES).filter((kind) => !reached.has(kind as Case['kind']))).toEqual(['bug', 'output'])
})
