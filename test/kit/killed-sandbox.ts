import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CLAIM_MS } from '../../src/sandbox/conventions.ts'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from '../../src/sandbox/service/access.ts'
import { type Program, until } from './program.ts'

export interface KilledSandbox {
  /** The deliveries that the shop received, in order: the transaction and the eventId. */
  told: { trx: string; eventId: string }[]
  /** The leads that the agency received, by id. */
  leads: string[]
  /** The states of the new_lead deliveries in the sandbox, the oldest first. */
  leadStates: string[]
}

/**
 * Kills a sandbox with SIGKILL while its first `loan_approved` and two `new_lead` are under way, and `pending` more payments wait behind
 * the first. Then starts the sandbox again, and waits until the receivers have every event.
 * @param waitsOut whether the claims of the killed sandbox expire in real time; otherwise the clock of the next sandbox is set ahead
 */
export async function killWhilePending(p: Program, pending: number, waitsOut: boolean): Promise<KilledSandbox> {
  await using shop = await receiver()
  await using agency = await receiver()
  const first = await p.sandbox('--allow-http')
  const { baseUrl, partners } = first.ready
  const [bnpl, estate] = partners
  const form = async (path: string, key: string, fields: Record<string, string>) => {
    const headers = { authorization: `Bearer ${key}` }
    const { ok, status } = await fetch(baseUrl + path, { method: 'POST', headers, body: new URLSearchParams(fields) })
    if (!ok) throw new Error(`${path} answered ${status}`)
  }
  await form('/partner/webhook', bnpl.apiKey, { url: shop.url })
  await form('/partner/webhook/subscription', estate.apiKey, { url: agency.url, 'eventTypes[]': 'new_lead' })
  const control = controlOf(p, baseUrl)
  for (let i = 0; i <= pending; i++) {
    const externalTrxId = `T${i}`
    const customer = { idNumber: '11222333-9', amount: '250000', entityId: bnpl.entityId, externalTrxId }
    await form('/partner/pre-loan-request/bnpl', bnpl.apiKey, customer)
    await control('pay', { externalTrxId })
  }
  await control('lead')
  await control('lead')
  await until(() => shop.got.length === 1 && agency.got.length === 2, first)
  first.child.kill('SIGKILL')
  await first.ended

  shop.answers()
  agency.answers()
  const ahead = join(p.dir, 'ahead.cjs')
  writeFileSync(ahead, `const now = Date.now; Date.now = () => now() + ${CLAIM_MS + 1000}`)
  const ready = join(p.dir, 'again.json')
  const line = `sandbox start --port 0 --json --ready-file ${ready} --allow-http`
  const again = p.start(line, waitsOut ? {} : { NODE_OPTIONS: `--require ${ahead}` })
  await until(() => existsSync(ready), again)
  await until(() => shop.got.length >= pending + 2, again)
  const next = controlOf(p, JSON.parse(readFileSync(ready, 'utf8')).baseUrl)
  const leadStates = async (): Promise<string[]> =>
    (await next('deliveries')).filter(({ type }: any) => type === 'new_lead').map(({ state }: any) => state)
  // The sandbox stores the last answer a moment after the receiver gave it.
  while ((await leadStates()).includes('sending'));
  return {
    told: shop.got.map(({ eventId, data }) => ({ trx: data.externalTrxId, eventId })),
    leads: agency.got.map(({ data }) => data.leadId),
    leadStates: (await leadStates()).toReversed(),
  }
}

/** Returns a function that controls the sandbox of this program's folder. */
function controlOf({ stateDir }: Program, baseUrl: string) {
  const { controlToken } = JSON.parse(readFileSync(join(stateDir, 'sandbox-running.json'), 'utf8'))
  return async (action: string, input: object = {}): Promise<any> => {
    const headers = { [CONTROL_TOKEN_HEADER]: controlToken }
    const address = `${baseUrl}${CONTROL_PREFIX}/${action}`
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(input) })
    if (!answer.ok) throw new Error(`${action} answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { data: unknown }).data
  }
}

/** Starts a receiver that gives no answers until `answers` is called. */
async function receiver() {
  const got: { eventId: string; data: any }[] = []
  let isAnswering = false
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    got.push(JSON.parse(text))
    if (isAnswering) response.end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    answers() {
      isAnswering = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
