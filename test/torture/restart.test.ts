import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Machine, machine } from '../harness.ts'

/** A shop whose only page asks the service for its destinations. It notes each start in a file. */
const SERVER = `
const { createServer } = require('node:http')
const { appendFileSync, writeFileSync } = require('node:fs')
const { BNPL_BASE_URL: base, BNPL_API_KEY: key, BNPL_RUN_PORT: port, BNPL_RUN_DIR: folder } = process.env
appendFileSync('starts', JSON.stringify({ pid: process.pid, port, folder }) + '\\n')
if (process.argv[2] === 'marks') writeFileSync(folder + '/runs', '', { flag: 'wx' })
createServer(async (request, response) => {
  const { status } = await fetch(base + '/partner/webhook', { headers: { authorization: 'Bearer ' + key } })
  response.end(String(status))
}).listen(port, '127.0.0.1')`

/** Asks the shop until it answers. */
const COMMAND = `
const ask = () => fetch('http://127.0.0.1:' + process.env.BNPL_RUN_PORT)
  .then((answer) => answer.text())
  .catch(() => new Promise((resolve) => setTimeout(resolve, 20)).then(ask))
ask().then((status) => { process.exitCode = status === '200' ? 0 : 1 })`

/** Tortures this shop in one run. */
function tortured(m: Machine, server: string, words: readonly string[] = []) {
  writeFileSync(join(m.dir, 'server.cjs'), SERVER)
  const restart = ['--restart', server.replace('node', `exec ${process.execPath}`)]
  return m.run(['sandbox', 'torture', ...restart, ...words, '--', process.execPath, '-e', COMMAND])
}

const startsOf = (m: Machine): { pid: number; port: string; folder: string }[] =>
  readFileSync(join(m.dir, 'starts'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('with --restart the shop is killed when its call is done, and started again in the same run; none is left', async () => {
  using m = machine()
  const { code, stderr, json } = await tortured(m, 'node server.cjs', ['--run', 'killed@listWebhooks.1', '--json'])
  expect([code, json()], stderr).toEqual([0, { runs: 2, faults: expect.any(Number), findings: [] }])
  const [whole, killed, again, ...more] = startsOf(m)
  expect(more).toEqual([])
  expect([again?.port, again?.folder]).toEqual([killed?.port, killed?.folder])
  expect([whole?.port, whole?.folder]).not.toEqual([killed?.port, killed?.folder])
  expect(new Set([whole?.pid, killed?.pid, again?.pid]).size).toBe(3)
  for (const pid of [whole?.pid, killed?.pid, again?.pid]) expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH')
})

test('a shop that does not start again is a finding, and the line that repeats it has --restart', async () => {
  using m = machine()
  const words = ['--run', 'killed@listWebhooks.1', '--json']
  const { code, json } = await tortured(m, 'node server.cjs marks', words)
  // The command, which would ask the shop for ever, is ended.
  expect([code, json().findings]).toEqual([
    10,
    [
      {
        id: 'killed@listWebhooks.1',
        fault: 'killed',
        at: 'listWebhooks.1',
        invariant: 'not-started',
        expected: 'the shop of --restart starts again after it was killed',
        seen: 'it ended with 1 before it listened',
        reproduce: expect.stringContaining("--run killed@listWebhooks.1 --restart 'exec "),
      },
    ],
  ])
})

test.each([
  ['node -e "throw Error(String(7 * 6))"', 'it ended with 1 before it listened', 'Error: 42'],
  ['node -e "setInterval(() => {}, 1000)"', 'it did not listen within 1 s', ''],
])('a shop that never starts is a mistake of the call: %s', async (server, reason, words) => {
  using m = machine()
  const { code, stdout, stderr } = await tortured(m, server, ['--time-limit', '1s'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`the shop of --restart did not start: ${reason}`)
  expect(stderr).toContain(words)
})

test('a run that kills the shop needs --restart, and without it nothing is run', async () => {
  using m = machine()
  const { code, stderr } = await m.run('sandbox torture --run killed@page.1 -- no-such-program')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--run “killed@page.1” needs --restart')])
})
