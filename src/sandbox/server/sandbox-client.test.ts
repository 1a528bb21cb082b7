import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { fakeClock, machine, realClock } from '../../../test/kit/harness.ts'
import { random } from '../../../test/kit/seed.ts'
import { createNetwork } from '../../client/network.ts'
import { SPECIFICATION } from '../../contract/description.ts'
import type { Transport } from '../../contract/wire.ts'
import { Interrupted } from '../../errors.ts'
import { openSandboxClient } from './sandbox-client.ts'
import { serveSandbox } from './serve.ts'

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function place() {
  const m = machine()
  closers.push(() => m[Symbol.dispose]())
  const clock = fakeClock()
  const noNetwork = async (): Promise<Transport> => {
    throw new Error('the embedded sandbox needs no network')
  }
  const over = new AbortController()
  const link = async (network: () => Promise<Transport> = noNetwork) => {
    const linked = await openSandboxClient({
      stateDir: m.stateDir,
      clock: { ...clock, sleep: (ms, signal) => (ms > 60_000 ? realClock.sleep(ms, signal) : clock.sleep(ms, signal)) },
      random,
      signal: over.signal,
      network,
      description: async () => SPECIFICATION,
    })
    closers.push(linked.close)
    return linked
  }
  return { ...m, clock, link, over }
}

const form = (fields: Record<string, string>) => Buffer.from(new URLSearchParams(fields).toString())

test('the embedded sandbox answers in this process, and the next one has its state', async () => {
  const { link } = place()
  const one = await link()
  expect(one).toMatchObject({
    served: false,
    baseUrl: 'http://127.0.0.1:4555',
    paymentUrl: 'http://127.0.0.1:4555/pay',
    windowUrl: 'http://127.0.0.1:4555/',
  })
  expect(one.partners.map(({ product, evaluationModule, active }) => [product, evaluationModule, active])).toEqual([
    ['bnpl', false, true],
    ['real-estate', true, true],
    ['real-estate', false, true],
    ['real-estate', true, false],
  ])
  const { baseUrl } = one
  const { apiKey, entityId, publicKey } = one.partners[0]!
  expect([apiKey, publicKey]).toEqual([
    expect.stringMatching(/^sk_sandbox_[\w-]{32}$/),
    expect.stringMatching(/^pk_sandbox_[\w-]{32}$/),
  ])
  const answer = await one.transport({
    method: 'POST',
    url: `${baseUrl}/partner/pre-loan-request/bnpl`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: form({ idNumber: '11222333-9', amount: '5000', entityId, externalTrxId: 'T1' }),
    timeoutMs: 1_000,
    maxBytes: 10_000,
  })
  expect(answer.status).toBe(200)
  await one.control('clock', { advanceMs: 60_000 })
  await one.close()
  const next = await link()
  expect(next.partners).toEqual(one.partners)
  expect(await next.control('status')).toMatchObject({ now: '2026-03-01T12:01:00.000Z', preApprovals: 1 })
  expect(await next.control('pay', { externalTrxId: 'T1' })).toMatchObject({ outcome: 'paid' })
})

test('a command that opens the embedded sandbox finishes the evaluations that are due', async () => {
  const { link, clock } = place()
  const one = await link()
  await one.control('lead', { evaluateInMs: 60_000 })
  await one.close()
  const early = await link()
  expect(await early.control('status')).toMatchObject({ leads: 1, preApprovals: 0 })
  await early.close()
  clock.advance(60_001)
  expect(await (await link()).control('status')).toMatchObject({ leads: 1, preApprovals: 1 })
})

test('a refused control action is an error with the kind of the refusal', async () => {
  const linked = await place().link()
  await expect(linked.control('pay', { externalTrxId: 'T' })).rejects.toMatchObject({
    kind: 'not-found',
    code: 'ERR_TRANSACTION_NOT_FOUND',
    message: expect.stringContaining('evaluate the transaction'),
  })
  await expect(linked.control('clock')).rejects.toMatchObject({ kind: 'usage', code: 'ERR_CONTROL_INPUT' })
  const [bnpl] = linked.partners
  await expect(linked.control('lead', { partner: bnpl?.name })).rejects.toMatchObject({ kind: 'refused' })
})

test('a running sandbox is used instead of the embedded sandbox, with its own state', async () => {
  const { link, stateDir, clock } = place()
  const served = await serveSandbox({
    stateDir,
    dataFile: undefined,
    host: '127.0.0.1',
    port: 0,
    allowHttp: true,
    clock,
    random,
    pid: 1,
    onError: (error) => {
      throw error
    },
    onRecovery() {},
  })
  closers.push(served.close)
  const network = createNetwork({ env: {} })
  closers.push(network.close)
  const linked = await link(async () => network.transport)
  expect(linked).toMatchObject({ served: true, baseUrl: served.running.baseUrl, partners: served.partners })
  expect(await linked.control('lead', { now: true })).toMatchObject({ preApproveId: expect.any(String) })
  await expect(linked.control('pay', { externalTrxId: 'T' })).rejects.toMatchObject({ kind: 'not-found' })
  await served.close()
  await expect(linked.control('status')).rejects.toMatchObject({ kind: 'network', code: 'SANDBOX_LOST' })
  const embedded = await link()
  expect(embedded.served).toBe(false)
  expect(embedded.partners[0]?.apiKey).not.toBe(linked.partners[0]?.apiKey)
})

test('a slow control action ends at its time limit, or when the signal aborts', async () => {
  const { link, over } = place()
  const { baseUrl, partners, transport, control } = await link()
  const account = partners[0]!
  const call = (path: string, fields: Record<string, string>) =>
    transport({
      method: 'POST',
      url: `${baseUrl}/partner/${path}`,
      headers: { authorization: `Bearer ${account.apiKey}` },
      body: form(fields),
      timeoutMs: 1_000,
      maxBytes: 10_000,
    })
  await call('webhook', { url: 'https://shop.invalid/hook' })
  await call('pre-loan-request/bnpl', {
    idNumber: '11222333-9',
    amount: '5000',
    entityId: account.entityId,
    externalTrxId: 'T1',
  })
  await control('pay', { externalTrxId: 'T1' })
  await expect(control('deliver', { delayMs: 30_000 })).rejects.toMatchObject({ kind: 'network', code: 'SANDBOX_LOST' })
  expect(await control('deliver', { delayMs: 30_000 }, 30_000)).toHaveLength(1)
  const late = control('deliver', { delayMs: 600_000 }, 600_000)
  over.abort(new Interrupted())
  await expect(late).rejects.toBeInstanceOf(Interrupted)
})

test('the record of a killed sandbox is ignored', async () => {
  const { link, stateDir } = place()
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  const record = {
    pid: 1,
    baseUrl: 'http://127.0.0.1:1',
    paymentUrl: 'http://127.0.0.1:1/pay',
    windowUrl: 'http://127.0.0.1:1/',
    controlToken: 'x',
    startedAt: '2026-03-01T12:00:00.000Z',
    dataFile: null,
  }
  writeFileSync(join(stateDir, 'sandbox-running.json'), JSON.stringify(record))
  expect((await link()).served).toBe(false)
})

test('an unusable data file ends a command with a configuration error and a hint', async () => {
  const { run, stateDir } = place()
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  writeFileSync(join(stateDir, 'sandbox.db'), 'x'.repeat(5_000), { mode: 0o600 })
  const ran = await run('evaluate -p sandbox --rut 11222333-9 --amount 5000 --json')
  expect(ran.code).toBe(3)
  expect(ran.error()).toMatchObject({ kind: 'config', hint: expect.stringContaining('mv ') })
})

test('the commands of a whole payment work one after the other on a fresh machine', async () => {
  const { run } = place()
  const evaluated = await run('evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T1 --json')
  expect(evaluated).toMatchObject({ code: 0 })
  expect((await run('select -p sandbox --trx T1 --installments 6 --json')).code).toBe(0)
  expect((await run('widget-token -p sandbox --trx T1 --email ana@example.com --json')).json().accepted).toBe(true)
  expect((await run('verify T1 -p sandbox')).code).toBe(6)
  expect((await run('sandbox pay T1 --json')).json()).toMatchObject({ outcome: 'paid', installments: 6 })
  expect((await run('verify T1 -p sandbox --json')).json()).toMatchObject({ periods: 6, state: 'ACTIVE' })
  expect((await run('widget-token -p sandbox --trx T1 --email ana@example.com')).code).toBe(5)
  expect((await run('evaluate -p sandbox --rut 11111111-1 --amount 250000')).code).toBe(5)
  expect((await run('evaluate -p sandbox --rut 11222333-9 --amount 10')).code).toBe(5)
})
