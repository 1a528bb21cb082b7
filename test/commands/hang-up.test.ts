import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compiledCode, LAUNCHER, temporaryFolder } from '../kit/built-program.ts'
import { outputOf } from '../kit/child-output.ts'
import { countingService } from '../kit/counting-service.ts'
import { needsProgram } from '../kit/needs.ts'
import { until } from '../receiver/listener.ts'

const service = await countingService(20)
afterAll(() => service.close())

const LISTEN = ['webhooks', 'listen', '--port', '0', '--ready-file', 'ready']
const SANDBOX = ['sandbox', 'start', '--ephemeral', '--port', '0', '--ready-file', 'ready']
const PROXY = ['proxy', '--port', '0', '--ready-file', 'ready']
const RUN = ['verify', '--from', 'orders.csv', '--out', 'results.csv', '--concurrency', '1']

/** Starts a long command in bash, and resolves when it works. @param how the shell command, which writes the pid of the program */
async function started(how: string, words: readonly string[], dir: string) {
  needsProgram('bash')
  const ids = Array.from({ length: 100 }, (_, i) => `T${i}`)
  writeFileSync(join(dir, 'orders.csv'), ['externalTrxId', ...ids, ''].join('\n'))
  const before = service.total()
  const child = spawn('bash', ['-c', how, 'bash', process.execPath, LAUNCHER, ...words], {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      ...compiledCode(),
      BNPL_STATE_DIR: join(dir, 'state'),
      BNPL_WEBHOOK_SECRET: 'canary-hmac-secret',
      BNPL_BASE_URL: service.baseUrl,
      BNPL_API_KEY: 'sk_canary_0123456789',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { ended, stderr } = outputOf(child)
  await until(() => existsSync(join(dir, 'ready')) || service.total() > before || child.exitCode !== null)
  return { pid: Number(readFileSync(join(dir, 'pid'), 'utf8')), ended, stderr }
}

const NOHUP = 'nohup "$@" & echo $! >pid; wait $!'

test.each([
  ['a listener under nohup', NOHUP, LISTEN, 143],
  ['a sandbox under nohup', NOHUP, SANDBOX, 143],
  ['a proxy under nohup', NOHUP, PROXY, 143],
  ['a run over a file under nohup', NOHUP, RUN, 0],
  ['a listener of a script that ignores SIGHUP', `trap "" HUP; "$@" & echo $! >pid; wait $!`, LISTEN, 143],
  ['a listener under nohup, in Spanish', `export BNPL_LANG=es; ${NOHUP}`, LISTEN, 143],
  // On a terminal, nohup replaces stdin by a file that cannot be read. Not every shell names nohup in its environment.
  ['a listener with the stdin of nohup', 'unset _; echo $$ >pid; exec "$@" 0>/dev/null', LISTEN, 143],
])('%s goes on after a hang-up', async (_, how, words, code) => {
  using folder = temporaryFolder()
  const { pid, ended, stderr } = await started(how, words, folder.path)
  for (let i = 0; i < 2; i++) process.kill(pid, 'SIGHUP')
  const says = how.includes('BNPL_LANG=es') ? 'bnpl continúa, porque se inició con nohup.' : 'bnpl continues'
  await until(() => stderr().includes(says))
  if (code !== 0) process.kill(pid, 'SIGTERM')
  expect((await ended).code).toBe(code)
  expect(stderr().split(says)).toHaveLength(2)
  if (code === 0) expect(readFileSync(join(folder.path, 'results.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(101)
})

test.each([
  ['a listener', LISTEN, 'bnpl was ended, because its terminal or session has ended (SIGHUP)'],
  ['a sandbox', SANDBOX, 'bnpl was ended, because its terminal or session has ended (SIGHUP)'],
  ['a proxy', PROXY, 'bnpl was ended, because its terminal or session has ended (SIGHUP)'],
  ['a run over a file', RUN, 'Interrupted, because the terminal or session has ended (SIGHUP): '],
])('%s without nohup ends with 129 after a hang-up, and says why', async (_, words, why) => {
  using folder = temporaryFolder()
  const { pid, ended } = await started('echo $$ >pid; exec "$@"', words, folder.path)
  process.kill(pid, 'SIGHUP')
  const { code, stderr } = await ended
  expect(code).toBe(129)
  expect(stderr).toContain(why)
})
