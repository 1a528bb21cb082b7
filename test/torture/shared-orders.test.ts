import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../src/torture/findings.ts'
import { type Machine, machine, type Ran } from '../kit/harness.ts'

/** The beginning of a test of a shop that has only one file of orders for all runs. `nth` is the number of the run. */
const COMMAND = `
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const { setTimeout: pause } = require('node:timers/promises')
const env = process.env
const headers = { authorization: 'Bearer ' + env.BNPL_API_KEY }
const call = async (path, fields) => {
  const body = fields && new URLSearchParams(fields)
  const answer = await fetch(env.BNPL_BASE_URL + path, { method: body ? 'POST' : 'GET', headers, body })
  return (await answer.json()).data
}
appendFileSync('runs', 'x')
const nth = readFileSync('runs', 'utf8').length
const empty = () => writeFileSync('orders', '')
const externalTrxId = 'order-' + nth
const order = { externalTrxId, amount: '250000', entityId: env.BNPL_ENTITY_ID }
const buy = async (fulfilled = 1) => {
  await call('/partner/pre-loan-request/bnpl', { ...order, idNumber: '11222333-9' })
  const { widgetToken } = await call('/partner/widget/start', { ...order, email: 'ana@example.com' })
  const to = { successReturnUrl: 'https://shop.example/', errorReturnUrl: 'https://shop.example/' }
  const query = new URLSearchParams({ widgetToken, publicKey: env.BNPL_PUBLIC_KEY, ...to })
  await fetch(env.BNPL_PAYMENT_URL + '/?' + query, { redirect: 'manual' })
  await call('/partner/pre-approve/' + externalTrxId + '/loan', {})
  appendFileSync('orders', JSON.stringify({ externalTrxId, paid: true, fulfilled }) + '\\n')
}
`

/** Listens on the port of the run, until the file `broken` exists. */
const SERVER = `
if (require('node:fs').existsSync('broken')) process.exit(1)
require('node:http').createServer((_, response) => response.end()).listen(process.env.BNPL_RUN_PORT, '127.0.0.1')`

/** Runs `sandbox torture` with a test that consists of these statements. */
function tortured(m: Machine, words: readonly string[], statements: string, orders = 'cat orders') {
  writeFileSync(join(m.dir, 'orders'), '')
  writeFileSync(join(m.dir, 'server.cjs'), SERVER)
  writeFileSync(join(m.dir, 'test.cjs'), `${COMMAND}(async () => { ${statements} })()`)
  const options = [...(orders === '' ? [] : ['--orders', orders]), '--customer', '--json', ...words]
  const { PATH = '' } = process.env
  return m.run(['sandbox', 'torture', ...options, '--', process.execPath, 'test.cjs'], { env: { PATH } })
}

const RESTART = ['--restart', `exec ${process.execPath} server.cjs`]
const REFUSED = /^error: the shop lists a paid order of an earlier run/m

const invariantsOf = ({ json }: Ran): string[] =>
  json().findings.map(({ id, invariant }: Finding) => `${id} ${invariant}`)

test.each([
  [
    'its server did not start',
    [...RESTART, '--run', 'killed@evaluate.1'],
    'empty(); await buy(); writeFileSync("broken", "")',
    ['killed@evaluate.1 not-running'],
  ],
  [
    'it was killed',
    ['--run', 'server-error@verifyLoan.1'],
    'if (nth === 2) process.kill(process.pid, "SIGKILL"); empty(); await buy()',
    ['server-error@verifyLoan.1 ends-otherwise'],
  ],
  [
    'the server did not start after two complete runs',
    [...RESTART, '--only', 'clock', '--limit', '2'],
    'empty(); await buy(); if (nth === 2) writeFileSync("broken", "")',
    [expect.stringContaining(' not-running')],
  ],
])(
  'a test that left its orders because %s is not refused for orders of an earlier run',
  async (_, words, statements, found) => {
    using m = machine()
    const ran = await tortured(m, [...words, '--jobs', '1'], statements)
    expect([ran.code, ran.stderr]).toEqual([10, expect.not.stringMatching(REFUSED)])
    expect(invariantsOf(ran)).toEqual(found)
    expect(readFileSync(join(m.dir, 'orders'), 'utf8')).not.toBe('')
  },
)

test.each([
  ['without --orders', '', []],
  ['with orders in the folder of the run', 'cat "$BNPL_RUN_DIR/orders"', [1]],
  ['with orders in the same file', 'cat orders', [1, 2]],
])(
  'orders of earlier runs are listed in an empty folder, and only for the runs that need this check: %s',
  async (_, orders, runs) => {
    using m = machine()
    const notes = `
    const { readdirSync } = require('node:fs')
    const isListed = readdirSync(env.BNPL_RUN_DIR + '/..').some((name) => name.startsWith('empty-'))
    if (isListed) appendFileSync('listed', nth + '\\n')
    empty()
    await buy()
    writeFileSync(env.BNPL_RUN_DIR + '/orders', readFileSync('orders'))`
    const words = ['--run', 'reordered-fields@evaluate.1', '--jobs', '1']
    const { code, stderr } = await tortured(m, words, notes, orders)
    expect(code, stderr).toBe(0)
    const listed = readFileSync(join(m.dir, 'listed'), { encoding: 'utf8', flag: 'a+' })
    expect(listed).toBe(runs.map((nth) => `${nth}\n`).join(''))
  },
)

test('the refusal of orders of an earlier run keeps the findings that were made before', async () => {
  using m = machine()
  const ran = await tortured(m, ['--run', 'server-error@verifyLoan.1', '--jobs', '1'], 'await buy(2)')
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(REFUSED)])
  expect(invariantsOf(ran)).toEqual(['none fulfilled-twice'])
})

test('the refusal of orders of an earlier run is the only output if nothing was found before', async () => {
  using m = machine()
  const words = ['--run', 'server-error@verifyLoan.1', '--jobs', '1']
  const { code, stdout, stderr } = await tortured(m, words, 'await buy()')
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(REFUSED)])
})

test('after a refusal no further run is begun, and a run that was already made at the same time is reported', async () => {
  using m = machine()
  // One of the two simultaneous runs leaves the orders. The other run fails when the folders of the first one are gone.
  const statements = `
    if (nth === 1) return buy(2)
    try {
      writeFileSync('leaves', require('node:path').dirname(env.BNPL_RUN_DIR), { flag: 'wx' })
      while (!existsSync('waits')) await pause(10)
    } catch {
      writeFileSync('waits', '')
      const root = () => readFileSync('leaves', 'utf8')
      while (root() === '' || existsSync(root())) await pause(10)
      process.exit(3)
    }`
  const ran = await tortured(m, ['--only', 'calls', '--limit', '6', '--jobs', '2'], statements)
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(REFUSED)])
  expect([ran.json().runs, readFileSync(join(m.dir, 'runs'), 'utf8')]).toEqual([2, 'xxx'])
})
