import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { DEFAULT_PORT } from '../../src/sandbox/conventions.ts'
import { TEST_CUSTOMERS } from '../../src/sandbox/records/customers.ts'
import { fakeClock, type Machine, machine } from '../kit/harness.ts'
import { whileServed } from '../kit/served.ts'

const evaluate = (m: Machine, trx: string, rut = '11222333-9') =>
  m.run(`evaluate -p sandbox --rut ${rut} --amount 250000 --trx ${trx} --json`)

test('status shows where the sandbox runs and how much it contains, served or not', async () => {
  using m = machine()
  await evaluate(m, 't1')
  const dataFile = join(m.stateDir, 'sandbox.db')
  const embedded = (await m.run('sandbox status --json')).json()
  expect(embedded).toMatchObject({ served: false, pid: null, dataFile, preApprovals: 1, loans: 0 })
  const shown = await m.run('sandbox status')
  expect(shown.stdout).toMatch(/^Served +no/)
  expect(shown.stderr).toContain('bnpl sandbox start')
  await whileServed(m, async ({ port }) => {
    const baseUrl = `http://127.0.0.1:${port}`
    const served = (await m.run('sandbox status --json')).json()
    expect(served).toMatchObject({ served: true, pid: process.pid, dataFile, baseUrl, preApprovals: 1 })
    expect(Object.keys(served)).toEqual(Object.keys(embedded))
    expect((await m.run('sandbox status')).stdout).toMatch(new RegExp(`^Served +at ${baseUrl} by pid ${process.pid},`))
  })
})

test.each([
  ['', '1000 calls at once, then 250 a second, for each account and endpoint'],
  ['banca.me', '100 calls at once, then 100 a minute, for each key'],
])('status says the rate limit of the service “%s” in whole numbers', async (service, says) => {
  using m = machine()
  await whileServed(
    m,
    async () => {
      const { stdout } = await m.run('sandbox status')
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`Rate limit ${says}( Service|;| Profiles)`))
    },
    service === '' ? '' : `--service ${service}`,
  )
})

test('sandbox pay pays a transaction once, with the selected number of installments', async () => {
  using m = machine()
  await evaluate(m, 't1')
  expect(await m.run('select -p sandbox --trx t1 --installments 12 --json')).toMatchObject({ code: 0 })
  const paid = await m.run('sandbox pay t1 --json')
  expect(paid.json()).toMatchObject({ externalTrxId: 't1', outcome: 'paid', installments: 12 })
  expect((await m.run('verify t1 -p sandbox --json')).json()).toMatchObject({ periods: 12, state: 'ACTIVE' })
  const again = await m.run('sandbox pay t1 --json')
  expect(again).toMatchObject({ code: 5, stdout: '' })
  expect(again.error()).toMatchObject({ code: 'ERR_TRANSACTION_ALREADY_PAID' })
})

test('pay --reject ends the payment without a loan; pay fails for a customer whose payments are rejected', async () => {
  using m = machine()
  await evaluate(m, 't1')
  const rejected = await m.run('sandbox pay t1 --reject')
  expect(rejected).toMatchObject({ code: 0, stdout: '✗ the payment of t1 was rejected\n' })
  expect(await m.run('verify t1 -p sandbox')).toMatchObject({ code: 6 })
  await evaluate(m, 't2', '77777777-7')
  const never = await m.run('sandbox pay t2 --json')
  expect(never).toMatchObject({ code: 5, stdout: '' })
  expect(never.error()).toMatchObject({ code: 'PAYMENT_NOT_AS_WANTED' })
})

test.each([
  ['pay unknown', 6, 'ERR_TRANSACTION_NOT_FOUND'],
  ['pay t1 --installments 7', 5, 'ERR_INSTALLMENT_OPTION_NOT_OFFERED'],
  ['pay t1 --installments x', 2, 'INVALID_INSTALLMENTS'],
  ['pay t1 --dry-run', 2, 'NO_DRY_RUN'],
  ['pay t1 --rut 12345678-0', 2, 'INVALID_RUT'],
  ['installment t1 1 --paid', 6, 'ERR_LOAN_NOT_FOUND'],
  ['installment t1 0 --paid', 2, 'INVALID_COUNT'],
  ['installment t1 1', 2, 'USAGE'],
  ['lead --rut 12345678-0', 2, 'INVALID_RUT'],
  ['lead --evaluate-in soon', 2, 'INVALID_DURATION'],
  ['lead --evaluate-in 1m --now', 2, 'USAGE'],
  ['lead --partner Nobody', 6, 'ERR_PARTNER_NOT_FOUND'],
  ['clock advance soon', 2, 'INVALID_DURATION'],
  ['clock advance 0s', 2, 'INVALID_DURATION'],
  ['clock advance 9999d', 2, 'INVALID_DURATION'],
  ['lead --evaluate-in 9999999h', 2, 'INVALID_DURATION'],
  ['deliver --delay 11m', 2, 'INVALID_DURATION'],
  ['pay t1 --partner Nobody', 6, 'ERR_PARTNER_NOT_FOUND'],
  ['requests --limit 0', 2, 'INVALID_COUNT'],
  ['reset', 2, 'NEEDS_YES'],
])('sandbox %s exits with %i and code %s, and changes nothing', async (line, code, word) => {
  using m = machine()
  await evaluate(m, 't1')
  const ran = await m.run(`sandbox ${line} --json`)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.error()).toMatchObject({ code: word })
  expect((await m.run('sandbox status --json')).json()).toMatchObject({ preApprovals: 1, loans: 0, leads: 0 })
})

test.each([
  [['lead', '--evaluate-in', '9999999h'], '--evaluate-in “9999999h” is more than ten years'],
  [['lead', '--project', ''], '--project is not valid: it is empty'],
  [['lead', '--partner', ''], '--partner is not valid: it is empty'],
  [['pay', 't1', '--partner', ''], '--partner is not valid: it is empty'],
  [['deliver', '--delay', '11m'], '--delay “11m” is more than ten minutes'],
  [['deliver', ''], 'EVENTID is not valid: it is empty'],
  [['deliveries', '--event', ''], '--event is not valid: it is empty'],
  [['clock', 'advance', '9999d'], 'DURATION “9999d” is more than ten years'],
  [['fault', 'clear', ''], 'ID is not valid: it is empty'],
])('sandbox %j: the error names what was typed, and nothing is sent', async (words, message) => {
  using m = machine()
  const ran = await m.run(['sandbox', ...words, '--json'])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.error()).toMatchObject({ kind: 'usage', code: expect.stringMatching(/^INVALID_/), message })
  expect(existsSync(join(m.stateDir, 'sandbox.db'))).toBe(false)
})

test('a value of --set that the sandbox refuses is a usage error about --set', async () => {
  using m = machine()
  const rut = '12345678-5'
  const { preApproveId } = (await m.run(`sandbox lead --rut ${rut} --now --json`)).json()
  const shown = 'evaluations get --rut RUT -p sandbox:real-estate'
  for (const [value, message] of [
    ['score=1', /^--set is not valid: there is no parameter score; the parameters are: /],
    ['puntajeRiesgo=x', '--set is not valid: puntajeRiesgo must be a number'],
    ['partner=', /^--set is not valid: partner must be a name of 1 to 100 /],
  ] as const) {
    const ran = await m.run(['sandbox', 'revise', preApproveId, '--set', value, '--json'])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    const said = typeof message === 'string' ? message : expect.stringMatching(message)
    const hint = `Correct --set, or see all fields of an evaluation: bnpl ${shown}`
    expect(ran.error()).toMatchObject({ kind: 'usage', code: 'INVALID_SET', message: said, hint })
  }
  const noPair = await m.run(['sandbox', 'revise', preApproveId, '--set', 'puntajeRiesgo', '--json'])
  expect(noPair.error()).toMatchObject({ hint: expect.stringMatching(new RegExp(`To see the fields: bnpl ${shown}$`)) })
  expect((await m.run(`${shown.replace('RUT', rut)} --json`)).json()).toHaveProperty('puntajeRiesgo')
})

test('the customer pays installments, one by one or when they are due, and a cancellation gives their sum back', async () => {
  using m = machine()
  const clock = fakeClock()
  const run = (line: string) => m.run(line, { clock })
  const states = async (trx: string) => {
    const { state, installments } = (await run(`verify ${trx} -p sandbox --json`)).json()
    return [state, ...installments.map((each: { state: string }) => each.state)]
  }
  for (const trx of ['t1', 't2', 't3']) {
    await run(`evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx ${trx}`)
    await run(`sandbox pay ${trx} --installments 3`)
  }
  expect((await run('sandbox installment t1 2 --paid')).stdout).toBe('✓ 2 of 3 installments of t1 are paid: 173.006\n')
  // Paid installments stay paid.
  expect((await run('sandbox installment t1 1 --paid --json')).json()).toEqual({
    externalTrxId: 't1',
    state: 'ACTIVE',
    periods: 3,
    paidInstallments: 2,
    paidAmount: 173_006,
  })
  expect(await states('t1')).toEqual(['ACTIVE', 'PAID', 'PAID', 'ACTIVE'])
  expect((await run('sandbox installment t1 4 --paid --json')).error()).toMatchObject({
    code: 'ERR_INSTALLMENT_NOT_FOUND',
  })
  expect((await run('cancel t1 -p sandbox --yes --json')).json()).toMatchObject({ refundAmount: 173_006 })
  expect(await states('t1')).toEqual(['CANCELLED', 'PAID', 'PAID', 'CANCELLED'])
  expect((await run('sandbox installment t1 3 --paid --json')).error()).toMatchObject({
    code: 'ERR_LOAN_ALREADY_CANCELLED',
  })
  // The first installment is due on the same day of the next month. A cancelled loan is not paid.
  await run('sandbox clock advance 30d --pay-due')
  expect(await states('t2')).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE'])
  await run('sandbox clock advance 1d')
  expect(await states('t2')).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE'])
  await run('sandbox clock advance 1s --pay-due')
  expect(await states('t2')).toEqual(['ACTIVE', 'PAID', 'ACTIVE', 'ACTIVE'])
  await run('sandbox clock advance 90d --pay-due')
  expect(await states('t3')).toEqual(['PAID', 'PAID', 'PAID', 'PAID'])
  expect(await states('t1')).toEqual(['CANCELLED', 'PAID', 'PAID', 'CANCELLED'])
})

test('a lead is evaluated when it is due, or at once', async () => {
  using m = machine()
  const clock = fakeClock()
  const lead = (await m.run('sandbox lead --outcome rejected --rut 12.345.678-5 --json', { clock })).json()
  expect(lead).toMatchObject({ outcome: 'rejected', preApproveId: null })
  expect(await m.run('sandbox clock advance 5m', { clock })).toMatchObject({ code: 0 })
  expect((await m.run('sandbox status --json', { clock })).json()).toMatchObject({ leads: 1, preApprovals: 1 })
  const atOnce = (await m.run('sandbox lead --now --json', { clock })).json()
  expect(atOnce).toMatchObject({ outcome: 'approved', preApproveId: expect.any(String) })
})

test('clock advance moves the clock of the sandbox for all later commands, and reset moves the clock back', async () => {
  using m = machine()
  const clock = fakeClock()
  const now = (await m.run('sandbox clock --json', { clock })).json()
  expect(now).toEqual({ now: '2026-03-01T12:00:00.000Z', aheadMs: 0 })
  await m.run('sandbox clock advance 11m', { clock })
  expect((await m.run('sandbox clock --json', { clock })).json()).toEqual({
    now: '2026-03-01T12:11:00.000Z',
    aheadMs: 660_000,
  })
  expect((await m.run('sandbox clock', { clock })).stdout).toContain('11m ahead of this machine')
  await m.run('sandbox reset --yes', { clock })
  expect((await m.run('sandbox clock --json', { clock })).json()).toMatchObject({ aheadMs: 0 })
})

test('--schedule accepts at most 20 waiting times of at most ten years each', async () => {
  using m = machine()
  for (const [waits, said] of [
    ['99999999d', /^error: --schedule “99999999d” is more than ten years\n {2}Use 3650d or less\.$/m],
    ['1s,3651d', /^error: --schedule “3651d” is more than ten years\n/m],
    [Array(21).fill('1s').join(), /^error: --schedule has 21 waiting times\n {2}Use at most 20 waiting times\.$/m],
  ] as const) {
    const ran = await m.run(['sandbox', 'deliveries', '--schedule', waits])
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringMatching(said)])
  }
  expect(await m.run('sandbox deliveries --schedule 3650d,0s')).toMatchObject({ code: 0 })
})

test('deliveries shows at every width to which destination each went, also where addresses are cut', async () => {
  using m = machine()
  const names = ['orders', 'billing', 'stock']
  for (const name of names)
    await m.run(`webhooks add http://127.0.0.1:1/hooks-of-the-warehouse/a/very/long/path/of/${name} -p sandbox`)
  await m.run('evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T1')
  await m.run('sandbox pay T1')
  for (const columns of [72, 80, 100, 120, 200]) {
    const { stdout } = await m.run('sandbox deliveries', { columns, stdoutIsTty: true })
    for (const name of names) expect([columns, stdout]).toEqual([columns, expect.stringMatching(`${name}\\b`)])
  }
})

test('requests shows the latest calls, newest first, without national ids and keys', async () => {
  using m = machine()
  await evaluate(m, 't1')
  await m.run('verify t1 -p sandbox')
  const { stdout } = await m.run('sandbox requests')
  expect(stdout.split('\n')[1]).toMatch(/Tienda Demo {2}POST \/partner\/pre-approve\/t1\/loan +404/)
  expect((await m.run('sandbox requests --limit 1 --json')).json()).toHaveLength(1)
  const asNumber = { idNumber: 123456785, amount: 5000 }
  await m.run('api POST /partner/pre-loan-request/bnpl --input - -p sandbox', { stdin: JSON.stringify(asNumber) })
  const [latest] = (await m.run('sandbox requests --limit 1 --json')).json()
  expect(JSON.parse(latest.requestBody)).toEqual({ idNumber: '•••••••85-', amount: 5000 })
  const all = await m.run('sandbox requests --json')
  expect(all.json()).toHaveLength(3)
  expect(all.stdout).not.toMatch(/11222333|1234567|sk_sandbox/)
  await m.run('sandbox reset --yes')
  expect((await m.run('sandbox requests')).stdout).toBe('No requests yet.\n')
})

test('the test customers are listed, and each fits on its line', async () => {
  using m = machine()
  const { stdout } = await m.run('sandbox customers')
  expect(stdout.trimEnd().split('\n')).toHaveLength(TEST_CUSTOMERS.length)
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect((await m.run('sandbox customers --json')).json()).toEqual(TEST_CUSTOMERS)
})

test('the help of sandbox start shows the default port', async () => {
  using m = machine()
  expect((await m.run('sandbox start --help')).stdout).toContain(`(default: ${DEFAULT_PORT})`)
})

test('a command that waits for a slow receiver says so', async () => {
  using m = machine()
  let answer = () => {}
  const server = createServer((_, response) => {
    answer = () => response.end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect((await m.run(`webhooks add http://127.0.0.1:${port}/hook -p sandbox`)).code).toBe(0)
  await evaluate(m, 't1')
  const { world, stdout, stderr } = m.world()
  const ended = runCli(['sandbox', 'pay', 't1'], world)
  await expect.poll(stderr).toContain('Waiting up to 6s for a receiver to accept the delivery')
  expect(stdout()).not.toBe('')
  answer()
  expect(await ended).toBe(0)
})

test.each([
  ['sandbox clock advance -1h', /^error: DURATION cannot be negative.*\n.*snapshot load NAME/],
  ['sandbox clock advance -- -1h', /^error: DURATION cannot be negative.*\n.*snapshot load NAME/],
  ['verify t1 --wait -1h', /^error: unknown option '-1'\n.*cannot be negative/],
  ['verify -abc', /^error: unknown option '-a'\n.* write -- before it/],
])('a word that begins with a dash is explained: %s', async (line, said) => {
  using m = machine()
  expect(await m.run(line)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(said) })
})
