import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { LAUNCHER } from '../kit/built-program.ts'
import { type Ended, outputOf } from '../kit/child-output.ts'
import { here } from '../kit/here.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { startHandler } from './handler.ts'
import { cleanUp, folder, startListener, until } from './listener.ts'

/** The whole chain with real processes: a served sandbox, a listener that registers itself, a payment, and its delivery. */

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await cleanUp()
  for (const close of closers.splice(0)) await close()
})

function bnpl(dir: string, line: string): Promise<Ended> {
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    BNPL_STATE_DIR: join(dir, 'state'),
    BNPL_CONFIG_DIR: join(dir, 'config'),
  }
  const child = spawn(process.execPath, [LAUNCHER, ...line.split(' ')], { env, cwd: dir })
  const { ended } = outputOf(child)
  closers.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await ended
  })
  return ended
}

/** Runs a command in this process, beside the processes of the sandbox and the listener. */
async function json(dir: string, line: string) {
  await using shop = here(dir)
  const ran = await shop.run(`${line} --json`)
  if (ran.code !== 0) throw new Error(`${line} ended with ${ran.code}: ${ran.stderr}`)
  return JSON.parse(ran.stdout)
}

async function startSandbox(dir: string): Promise<void> {
  const ready = join(dir, 'sandbox.json')
  void bnpl(dir, `sandbox start --port 0 --ephemeral --allow-http --ready-file ${ready}`)
  await until(() => existsSync(ready))
  expect(JSON.parse(readFileSync(ready, 'utf8')).baseUrl).toMatch(/^http:\/\/127/)
}

async function listenFor(dir: string, profile: string, more: string[] = []) {
  // The public address must contain the port before the listener starts.
  const port = await lastingPort()
  const url = `http://127.0.0.1:${port}/webhooks`
  const args = ['-p', profile, '--port', String(port), '--public-url', url, ...more]
  return startListener({ dir, args, env: { BNPL_WEBHOOK_SECRET: '' } })
}

test('a payment is delivered, verified, stored and forwarded, and its event has the same values as the verified loan', async () => {
  const dir = folder()
  await startSandbox(dir)
  const handler = await startHandler()
  closers.push(handler.stop)
  const listener = await listenFor(dir, 'sandbox', ['--forward-to', handler.url])
  expect(await json(dir, 'webhooks list -p sandbox')).toMatchObject([{ url: listener.url, verificationScheme: 'HMAC' }])

  await json(dir, 'evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx order-1')
  await json(dir, 'sandbox pay order-1')
  await until(() => handler.handled.length === 1)
  const verified = await json(dir, 'verify order-1 -p sandbox')

  // The handler may have the event before the listener has printed it, or before it has stored the handler's answer.
  await until(() => listener.events().length === 1)
  const [event] = listener.events()
  expect(event).toMatchObject({ event: 'loan_approved', confirmed: true, data: { externalTrxId: 'order-1' } })
  for (const [name, value] of Object.entries(event.data)) if (name in verified) expect(verified[name]).toEqual(value)
  expect(JSON.parse(handler.handled[0]?.body ?? '')).toEqual({ eventId: event.eventId, data: event.data })
  await expect
    .poll(() => json(dir, 'webhooks events list'))
    .toMatchObject([{ eventId: event.eventId, state: 'delivered', status: 200 }])

  expect(await listener.end('SIGINT')).toBe(130)
  expect(await json(dir, 'webhooks list -p sandbox')).toEqual([])
})

test('a lead is delivered at once as new_lead, and its evaluation later as pre_approve; both have confirmed: false', async () => {
  const dir = folder()
  await startSandbox(dir)
  const listener = await listenFor(dir, 'sandbox:real-estate', ['--scheme', 'token'])
  await json(dir, 'sandbox lead')
  await until(() => listener.events().length === 1)
  await json(dir, 'sandbox clock advance 10m')
  await until(() => listener.events().length === 2)
  const [lead, evaluation] = listener.events()
  expect(lead).toMatchObject({ event: 'new_lead', confirmed: false })
  expect(Object.keys(lead.data)).toHaveLength(11)
  expect(evaluation).toMatchObject({ event: 'pre_approve', confirmed: false })
  expect(Object.keys(evaluation.data)).toHaveLength(51)
  expect(evaluation.data.leadId).toBe(lead.data.leadId)
})
