import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import { type Machine, machine, type Ran, realClock } from '../kit/harness.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import type { sandboxKit } from '../kit/sandbox-kit.ts'
import { arrival, batch } from '../receiver/inbox-kit.ts'
import { type FaultProxy, faultProxy, type Plan } from './proxy.ts'

type Kit = Awaited<ReturnType<typeof sandboxKit>>

/** The surroundings of one command line. No other line shares them, so lines may run at the same time. */
interface Place {
  m: Machine
  proxy: FaultProxy
  kit: Kit
  trx: string
}

/**
 * What a command may say about a call that was lost. `never`: the call may have been carried out, and is sent once. `reconcile`: the call
 * may have been carried out, and the list is asked before another attempt. `safe`: the call is sent again, and in the end it failed.
 * `once`: as `safe`, but sent once. `checks`: a report on several calls, of which one failed.
 */
export type Claim = 'never' | 'reconcile' | 'safe' | 'once' | 'checks'

export interface Behind {
  claim: Claim
  line(place: Place): string | Promise<string>
  /** The exit code without a fault. */
  right: number
  account?: 'bnpl' | 'estate'
  /** Whether the status of an answer decides alone, because the specification shows no body or the command prints the body as it is. */
  byStatus?: boolean
  /**
   * Whether the command calls a receiver. An unreadable answer then counts as no answer. The delivery is safe to send again, though it may
   * have been stored.
   */
  delivers?: boolean
  /** For a report: the checks that fail because no answer came in time. The checks that depend on them are skipped. */
  late?: readonly string[]
  /** For a report: whether some of its checks make no call. */
  asksLess?: boolean
}

const PAGE = '--success-url https://shop.example/ok --error-url https://shop.example/no'
const hook = ({ trx }: Place) => `http://127.0.0.1:9/${trx}`

const never = (line: Behind['line']): Behind => ({ claim: 'never', line, right: 0 })
const safe = (line: Behind['line'], right = 0): Behind => ({ claim: 'safe', line, right })
const estate = (each: Behind): Behind => ({ ...each, account: 'estate' })

const leadOf = async ({ kit }: Pick<Place, 'kit'>) => (await kit.control('lead', { now: true })).data
const rows = ({ m }: Place, text: string) => writeFileSync(join(m.dir, 'in.csv'), text)

/** Stores an event in the inbox of this machine. */
async function received({ m, kit }: Place): Promise<void> {
  const { leadId } = await leadOf({ kit })
  const inbox = await openInbox(m.stateDir)
  await inbox.claim({ pid: 1, address: '' })
  const body = Buffer.from(JSON.stringify({ eventId: 'e1', data: { leadId } }))
  await inbox.commit(batch([arrival('e1', { scheme: 'token', event: 'new_lead', body })]))
  await inbox.close()
}

/** A line for every command that calls a service. */
export const CALLING: Record<string, Behind> = {
  evaluate: never(({ trx }) => `evaluate --rut 11222333-9 --amount 50000 --trx ${trx}`),
  'evaluate --from': never((place) => {
    rows(place, `rut,amount,trx\n11222333-9,50000,${place.trx}\n`)
    return 'evaluate --from in.csv --out out.csv'
  }),
  select: never(async ({ kit, trx }) => {
    const { preApproveId } = (await kit.evaluate(trx)).data
    return `select --installments 3 --trx ${trx} --pre-approve-id ${preApproveId} --amount 250000`
  }),
  'widget-token': never(({ trx }) => `widget-token --trx ${trx} --amount 50000 --email ana@example.com`),
  'pay-url': never(({ trx }) => `pay-url --trx ${trx} --amount 50000 --email ana@example.com ${PAGE}`),
  verify: { ...safe(() => 'verify nothing', 6), byStatus: true },
  'verify --from': {
    claim: 'safe',
    line(place) {
      rows(place, 'trx\nnothing\n')
      return 'verify --from in.csv --out out.csv'
    },
    right: 10,
    byStatus: true,
  },
  'leads list': estate(safe(() => 'leads list')),
  'leads get': estate(safe(async (place) => `leads get ${(await leadOf(place)).leadId}`)),
  'evaluations get': estate(safe(async (place) => `evaluations get --lead-id ${(await leadOf(place)).leadId}`)),
  'informe get': estate(safe(async (place) => `informe get ${(await leadOf(place)).preApproveId}`)),
  'informe download': estate(safe(async (place) => `informe download ${(await leadOf(place)).preApproveId}`)),
  'informe download --from': estate(
    safe(async (place) => {
      rows(place, `preApproveId\n${(await leadOf(place)).preApproveId}\n`)
      return 'informe download --from in.csv'
    }),
  ),
  'informe open': estate(safe(async (place) => `informe open ${(await leadOf(place)).preApproveId}`)),
  'webhooks list': safe(() => 'webhooks list'),
  'webhooks add': { claim: 'reconcile', line: (place) => `webhooks add ${hook(place)}`, right: 0 },
  'webhooks subscribe': estate({
    claim: 'reconcile',
    line: (place) => `webhooks subscribe ${hook(place)} --event new_lead`,
    right: 0,
  }),
  'webhooks rm': {
    ...safe(async (place) => {
      const { id } = (await place.kit.send('POST', '/partner/webhook', { form: { url: hook(place) } })).data
      return `webhooks rm ${id} -y`
    }),
    byStatus: true,
  },
  'webhooks listen': {
    claim: 'safe',
    line: ({ trx }) => `webhooks listen --port 0 --public-url https://shop.example/${trx} --until 1`,
    right: 0,
  },
  'webhooks test': {
    claim: 'checks',
    line: ({ proxy }) => `webhooks test ${proxy.url}/hook`,
    right: 10,
    byStatus: true,
    late: ['a delivery is accepted with 2xx within 3 s'],
  },
  'webhooks trigger': {
    claim: 'once',
    line: ({ proxy }) => `webhooks trigger loan_approved --to ${proxy.url}/hook`,
    right: 10,
    byStatus: true,
    delivers: true,
  },
  'webhooks events confirm': estate(
    safe(async (place) => {
      await received(place)
      return 'webhooks events confirm e1'
    }),
  ),
  'webhooks events replay': {
    claim: 'once',
    async line(place) {
      await received(place)
      return `webhooks events replay e1 --forward-to ${place.proxy.url}/hook`
    },
    right: 10,
    byStatus: true,
    delivers: true,
  },
  'api GET': { claim: 'once', line: () => 'api GET /partner/webhook', right: 0, byStatus: true },
  api: { claim: 'never', line: (place) => `api POST /partner/webhook -f url=${hook(place)}`, right: 0, byStatus: true },
  smoke: {
    claim: 'checks',
    line: (place) => `smoke --rut 11222333-9 --webhook-url ${hook(place)}`,
    right: 0,
    late: ['unknown transaction', 'destinations'],
  },
  'smoke --pre-approve-id': estate({
    claim: 'checks',
    line: async (place) => `smoke --pre-approve-id ${(await leadOf(place)).preApproveId}`,
    right: 0,
    late: ['unknown transaction', 'destinations'],
  }),
  doctor: {
    claim: 'checks',
    line: () => 'doctor',
    right: 0,
    late: ['reachable', 'payment page'],
    asksLess: true,
  },
  walkthrough: never(
    ({ trx }) => `walkthrough --rut 11222333-9 --amount 50000 --email a@example.com --installments 3 --trx ${trx}`,
  ),
  cancel: { ...safe(() => 'cancel nothing -y', 6), byStatus: true },
  'entities list': safe(() => 'entities list'),
  'entities add': {
    claim: 'reconcile',
    line: ({ trx }) => `entities add --external-id ${trx} --name Shop --label ${trx}`,
    right: 0,
    byStatus: true,
  },
  'entities set': {
    ...safe(async ({ kit, trx }) => {
      const json = { externalEntityId: trx, name: 'Shop', label: trx, isActive: true }
      const { id } = (await kit.send('POST', '/partner/entity', { json })).data
      return `entities set ${id} --active no`
    }),
    byStatus: true,
  },
  'cancel --from': {
    claim: 'safe',
    line(place) {
      rows(place, 'trx\nnothing\n')
      return 'cancel --from in.csv --out out.csv -y'
    },
    right: 11,
    byStatus: true,
  },
}

let serial = 0

/** Runs a line through a proxy that treats each request by its plan. */
export async function behind(
  kit: Kit,
  service: { port: number },
  { line, account = 'bnpl' }: Behind,
  plan: 'refused' | ((n: number, request: string) => Plan | undefined),
  timeout: string,
): Promise<Ran & { words: string; asked: string[]; connections: number }> {
  using m = machine()
  // The port stays reserved, so that no other server starts to listen on it.
  await using proxy =
    plan === 'refused'
      ? await faultProxy(service, () => undefined, await lastingPort())
      : await faultProxy(service, plan)
  const { apiKey, publicKey, entityId } = kit[account]
  const own = {
    environment: 'beta',
    baseUrl: proxy.url,
    apiKey,
    publicKey,
    entityId,
    paymentUrl: `${proxy.url}/pay`,
    webhookSecrets: ['whsec-1234567890'],
    cancel: 'yes',
    entities: 'yes',
    'paths.entities': '/partner/entity',
    'paths.entity': '/partner/entity/{entityId}',
    'paths.leads': '/partner/leads',
    'paths.lead': '/partner/leads/{leadId}',
    'paths.evaluationByLead': '/partner/pre-approve/lead/{leadId}',
  }
  mkdirSync(m.configDir, { mode: 0o700 })
  writeFileSync(join(m.configDir, 'profiles.json'), JSON.stringify({ version: 1, default: 'own', profiles: { own } }), {
    mode: 0o600,
  })
  const words = await line({ m, proxy, kit, trx: `P${++serial}` })
  if (plan === 'refused') await proxy.end()
  const ran = await m.run(`${words} --timeout ${timeout} --json`, {
    clock: { ...realClock, sleep: async () => {} },
    open: async () => true,
  })
  return { ...ran, words, asked: proxy.requests, connections: proxy.connections }
}
