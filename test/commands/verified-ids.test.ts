import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeForm } from '../../src/contract/form.ts'
import type { Transport } from '../../src/contract/wire.ts'
import { fakeClock, type Machine, machine, type Ran } from '../kit/harness.ts'
import { LOAN } from '../kit/loan.ts'

const PRE_APPROVAL = '0190f2a4-1b2c-7d3e-8f40-5a6b7c8d9e0f'
const env = { BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }

interface Answer {
  status?: number
  /** The whole body; if left out, an envelope with `data`. */
  body?: string
  data?: unknown
}

/** Returns a service that evaluates, and answers verifications of the ids in `loans`. @param before the answer to any other id */
function service(loans: Record<string, Answer>, before: Answer = { status: 404, body: '' }) {
  const asked: string[] = []
  const transport: Transport = async ({ url, body: sent }) => {
    const id = decodeURIComponent(url.split('/').at(-2) ?? '')
    const isVerification = url.endsWith('/loan')
    if (isVerification) asked.push(id)
    const {
      status = 200,
      data,
      body,
    } = isVerification
      ? (loans[id] ?? before)
      : evaluationOf(String(sent && decodeForm(Buffer.from(sent).toString()).externalTrxId))
    return { status, headers: {}, body: Buffer.from(body ?? JSON.stringify({ data })) }
  }
  return { transport, asked, loans }
}

/** Returns an evaluation. Its preApproveId is the known one for order-1 and for a transaction with that id as its name. */
const evaluationOf = (externalTrxId: string): Answer => {
  const preApproveId = ['order-1', PRE_APPROVAL].includes(externalTrxId) ? PRE_APPROVAL : `P-${externalTrxId}`
  return { data: { preApproveId, installmentOptions: [] } }
}
const loanOf = (externalTrxId: string, more: object = {}): Answer => ({ data: { ...LOAN, externalTrxId, ...more } })

const evaluated = (m: Machine, transport: Transport) =>
  m.run('evaluate --rut 11222333-9 --amount 1000 --trx order-1', { env, transport })

test('verify replaces a preApproveId from the history by its externalTrxId, and says so only on stderr', async () => {
  using m = machine()
  const { transport, asked } = service({ 'order-1': loanOf('order-1') })
  await evaluated(m, transport)
  const byTransaction = await m.run('verify order-1 --json', { env, transport })
  const byPreApproval = await m.run(`verify ${PRE_APPROVAL} --expect-amount 1000 --json`, { env, transport })
  expect(byPreApproval).toMatchObject({ code: 0, stdout: byTransaction.stdout })
  expect(byPreApproval.stderr).toContain(`${PRE_APPROVAL} is the preApproveId of order-1`)
  expect(asked).toEqual(['order-1', 'order-1'])
  const several = await m.run(`verify ${PRE_APPROVAL} order-1 --json`, { env, transport })
  expect(several.json()).toMatchObject([{ externalTrxId: 'order-1' }, { externalTrxId: 'order-1' }])
  const dry = await m.run(`verify ${PRE_APPROVAL} --dry-run`, { env, transport })
  expect(dry.stdout).toContain('/pre-approve/order-1/loan')
})

test('verify --from replaces the preApproveIds of a file by their transactions from the history', async () => {
  using m = machine()
  const { transport, asked } = service({ 'order-1': loanOf('order-1'), 'order-2': loanOf('order-3') })
  await evaluated(m, transport)
  await m.run('evaluate --rut 11222333-9 --amount 1000 --trx order-2', { env, transport })
  writeFileSync(join(m.dir, 'ids.csv'), `externalTrxId,expectedAmount\n${PRE_APPROVAL},1000\norder-2,\norder-1,\n`)
  const rows = await m.run('verify --from ids.csv --json', { env, transport })
  expect(asked.toSorted()).toEqual(['order-1', 'order-1', 'order-2'])
  expect(rows.stdout).toContain(`"externalTrxId":"${PRE_APPROVAL}","outcome":"ok"`)
  expect(rows.stdout).toContain('"answeredExternalTrxId":"order-1"')
  expect(
    rows.stderr.match(/The service is asked about the externalTrxIds of these transactions instead/g),
  ).toHaveLength(1)
  const { stdout } = await m.run('history --json', { env })
  const states = JSON.parse(stdout).map((each: any) => [each.externalTrxId, each.loanState])
  expect(Object.fromEntries(states)).toEqual({ 'order-1': 'ACTIVE', 'order-2': null })
})

test('verify does not replace a preApproveId that is also a transaction id, or belongs to another profile', async () => {
  using m = machine()
  const { transport, asked } = service({})
  await evaluated(m, transport)
  await m.run(`evaluate --rut 11222333-9 --amount 1000 --trx ${PRE_APPROVAL}`, { env, transport })
  await m.run(`verify ${PRE_APPROVAL}`, { env, transport })
  const other = { ...env, BNPL_BASE_URL: 'https://other.example' }
  await m.run(`verify ${PRE_APPROVAL}`, { env: other, transport })
  expect(asked).toEqual([PRE_APPROVAL, PRE_APPROVAL])
})

test('a history that cannot be read does not stop a verification', async () => {
  using m = machine()
  const { transport } = service({ 'order-1': loanOf('order-1') })
  await m.run('history', { env })
  const { mkdirSync, rmSync } = await import('node:fs')
  rmSync(m.stateDir, { recursive: true, force: true })
  mkdirSync(`${m.stateDir}/state.db`, { recursive: true })
  expect((await m.run('verify order-1 --json', { env, transport })).json()).toMatchObject({ externalTrxId: 'order-1' })
})

test('a loan for a preApproveId is accepted if it names that id, and otherwise the error explains the difference', async () => {
  using m = machine()
  const named = service({ [PRE_APPROVAL]: loanOf('v1', { preApproveId: PRE_APPROVAL }) })
  const accepted = await m.run(`verify ${PRE_APPROVAL} --json`, { env, transport: named.transport })
  expect(accepted).toMatchObject({ code: 0, stderr: expect.stringContaining('as the preApproveId of v1') })
  expect(accepted.json()).toMatchObject({ externalTrxId: 'v1' })
  writeFileSync(join(m.dir, 'ids.csv'), `externalTrxId\n${PRE_APPROVAL}\n`)
  const rows = await m.run('verify --from ids.csv --json', { env, transport: named.transport })
  expect([rows.code, rows.stdout]).toEqual([0, expect.stringContaining('"answeredExternalTrxId":"v1"')])
  const silent = service({ [PRE_APPROVAL]: loanOf('v1') })
  const doubted = await m.run(`verify ${PRE_APPROVAL} --json`, { env, transport: silent.transport })
  expect(doubted.code).toBe(10)
  expect(doubted.error()).toMatchObject({
    message: expect.stringContaining('the answer is about v1'),
    hint: expect.stringContaining('bnpl verify v1'),
  })
  expect((await m.run(`history show ${PRE_APPROVAL}`, { env })).code).toBe(6)
  // The loan of another transaction must not count as this one's.
  const wrong = service({ other: loanOf('v1', { preApproveId: 'another' }) })
  expect((await m.run('verify other', { env, transport: wrong.transport })).code).toBe(10)
})

test('an unknown id in the form of a preApproveId that has no loan gets a hint, and an order number does not', async () => {
  using m = machine()
  const { transport } = service({})
  const hint = async (id: string) => (await m.run(`verify ${id} --json`, { env, transport })).error().hint
  expect(await hint(PRE_APPROVAL)).toContain('If the given id is a preApproveId')
  expect(await hint('order-9')).not.toContain('preApproveId')
  expect(await hint('order-9')).toContain('--wait')
})

const NOT_YET: [string, Answer, code: number][] = [
  ['404', { status: 404, body: '' }, 6],
  ['409', { status: 409, body: 'pending' }, 5],
  ['422', { status: 422, body: '{"error":{"code":"ERR_PENDING"}}' }, 5],
  ['nothing in data', { data: {} }, 6],
  ['null', { data: null }, 6],
  ['an empty list', { data: [] }, 6],
  ['204', { status: 204, body: '' }, 6],
]

test.each(NOT_YET)('verify --wait continues after %s, and ends when the loan exists', async (_, before, alone) => {
  using m = machine()
  const { transport, asked, loans } = service({}, before)
  const pays = { ...fakeClock() }
  const { sleep } = pays
  pays.sleep = async (ms, signal) => {
    await sleep(ms, signal)
    if (asked.length === 3) loans.zz = loanOf('zz')
  }
  const waited = await m.run('verify zz --wait 1m --json', { env, transport, clock: pays })
  expect(waited).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(4)
  delete loans.zz
  const late = await m.run('verify zz --wait 4s --json', { env, transport, clock: fakeClock() })
  expect(late).toMatchObject({ code: 6, stdout: '' })
  expect(late.error().message).toContain('still no loan for zz after 4s')
  if (alone === 5) expect(late.stderr).toContain('The last answer: could not verify a transaction')
  expect((await m.run('verify zz', { env, transport })).code).toBe(alone)
})

test.each([
  [401, 4],
  [403, 4],
  [400, 5],
  [410, 5],
])('verify --wait ends at once after an answer with status %i', async (status, code) => {
  using m = machine()
  const { transport, asked } = service({}, { status, body: '' })
  expect((await m.run('verify zz --wait 1m', { env, transport, clock: fakeClock() })).code).toBe(code)
  expect(asked).toHaveLength(1)
})

test('the setting notYet lists the statuses after which verify --wait continues, and cannot contain 401 or 403', async () => {
  using m = machine()
  const add = 'profiles add acme --environment beta --base-url https://api.example.com --api-key-stdin'
  await m.run(add, { stdin: 'sk_0123456789' })
  const set = async (value: string): Promise<Ran> => m.run(['profiles', 'set', 'notYet', value])
  for (const wrong of ['401', '404,403', '429', '500', 'never', '', '404,']) expect((await set(wrong)).code).toBe(2)
  expect(await set('400, 404')).toMatchObject({ code: 0 })
  expect((await m.run('profiles show --json')).json().notYet).toEqual({ value: '400, 404', source: 'profile acme' })
  const calls = async (before: Answer) => {
    const { transport, asked } = service({}, before)
    await m.run('verify zz --wait 3s', { transport, clock: fakeClock() })
    return asked.length
  }
  expect(await calls({ status: 400, body: '' })).toBeGreaterThan(1)
  expect(await calls({ status: 422, body: '' })).toBe(1)
  expect(await calls({ data: {} })).toBe(1)
  // An answer that the profile names as “not yet” means “no loan”, with and without --wait, and for a row of a file.
  const { transport } = service({}, { status: 400, body: 'pending' })
  expect((await m.run('verify zz', { transport })).code).toBe(6)
  writeFileSync(join(m.dir, 'orders.csv'), 'externalTrxId\nzz\n')
  const rows = await m.run('verify --from orders.csv --json', { transport })
  expect(rows.stdout).toContain('missing')
})
