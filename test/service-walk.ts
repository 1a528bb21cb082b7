import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OwnPaths } from '../src/contract/endpoints.ts'
import type { EventType } from '../src/contract/integrations.ts'
import type { WireRequest, WireResponse } from '../src/contract/wire.ts'
import type { Clock } from '../src/domain/clock.ts'
import { drawFrom } from '../src/domain/drawing.ts'
import { DEFAULT_SIGNATURE } from '../src/domain/signature-settings.ts'
import type { Entry } from '../src/recording/entries.ts'
import { readRecording } from '../src/recording/lines.ts'
import { openRecorder } from '../src/recording/recorder.ts'
import { signatureVerdict } from '../src/recording/signature-verdict.ts'
import { informeUrl } from '../src/sandbox/records/records.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import { runControl } from '../src/sandbox/service/control.ts'
import { deliveryBody, messageFor } from '../src/sandbox/service/deliveries/message.ts'
import type { Service } from '../src/sandbox/service/service.ts'
import { findEvent } from '../src/sandbox/store/events.ts'
import type { Likeness } from '../src/sandbox/store/likeness.ts'
import { openStore } from '../src/sandbox/store/open-store.ts'
import { listAccounts, type SandboxPartner } from '../src/sandbox/store/partners.ts'
import { wipe } from '../src/sandbox/store/rows.ts'
import { retrySteps } from '../src/sandbox/store/settings.ts'
import { findWebhook } from '../src/sandbox/store/webhooks.ts'
import { fakeClock } from './harness.ts'

/**
 * A walk through a service in this process: a payment, registrations, deliveries and a report. Each call is made once correctly and once
 * with a mistake.
 */

const BASE = 'https://api.partner.example'
const LINK = 'https://storage.partner.example/informes/report.pdf?X-Amz-Signature=abcdef0123456789'
/** A seed for people whose names do not occur in the name of a field, because a recording would replace them there too. */
const PLAIN_NAMES = 3
/** An id that no row has. */
const NOBODY = '0b6f1d0e-6d0a-4c0f-9d54-1a2b3c4d5e6f'
/** A rate limit that the walk does not reach. */
const ROOMY = { burst: 1e6, perSecond: 1e6 }
const CALLER = { timeoutMs: 60_000 }
const HOOK = 'https://shop.example/hook'
const PARTNER_FORM = 'application/x-www-form-urlencoded'

/** One exchange of the walk. */
export interface Visit {
  part: Part
  /** The call in words, such as `evaluate without an amount`. */
  step: string
  /** The path under the base address. */
  path: string
  request: Pick<WireRequest, 'method' | 'headers'> & { body?: Uint8Array | undefined }
  answer: WireResponse
  /** How many milliseconds the service took, by the clock of the test. */
  ms: number
}

/** A delivery as it is sent, and what its destination needs to verify it. */
export interface Sent {
  part: Part
  type: EventType
  headers: Readonly<Record<string, string>>
  body: string
  secret: string
}

/** A line of a recording. */
export interface Line {
  file: string
  line: number
  entry: Entry
}

/** The parts of the walk. The shop has a payment, a registration, a delivery and a report; the agency has leads and evaluations. */
export type Part = 'shop' | 'agency'

export interface Walked {
  visits: Visit[]
  deliveries: Sent[]
  /** The milliseconds before each repetition. */
  waits: readonly number[]
}

/** The sandbox's paths for the calls whose path the specification does not show, by the setting in a profile. */
export const SANDBOX_PATHS = {
  'paths.leads': '/partner/leads',
  'paths.lead': '/partner/leads/{leadId}',
  'paths.evaluationByLead': '/partner/pre-approve/lead/{leadId}',
}

/** A sandbox during a walk. */
interface Ground {
  service: Service
  paths: typeof SANDBOX_PATHS
  /** Sends a request and notes the visit. Without a key, the request opens a link. */
  ask(step: string, call: string, key?: string, form?: Record<string, string>): Promise<void>
  /** Returns the id of the newest row. */
  newest(table: 'preApprovals' | 'webhooks' | 'leads'): Promise<string>
}

const PARTS: Readonly<Record<Part, (ground: Ground, account: SandboxPartner) => Promise<Sent[]>>> = {
  async shop({ ask, newest, service }, { apiKey: key, entityId }) {
    const evaluate = 'POST /partner/pre-loan-request/bnpl'
    const customer = (idNumber: string, externalTrxId: string) => ({
      idNumber,
      amount: '250000',
      entityId,
      externalTrxId,
    })
    await ask('register', 'POST /partner/webhook', key, { url: HOOK })
    const destination = await newest('webhooks')
    await ask('list destinations', 'GET /partner/webhook', key)
    await ask('list with a wrong key', 'GET /partner/webhook', 'a-wrong-key-1234567890')
    await ask('evaluate', evaluate, key, customer('11111111-1', 'T1'))
    const preApproveId = await newest('preApprovals')
    await ask('evaluate a customer who is not approved', evaluate, key, customer('22222222-2', 'T2'))
    await ask('evaluate too often', evaluate, key, customer('66666666-6', 'T3'))
    await ask('evaluate without an amount', evaluate, key, { idNumber: '11111111-1', externalTrxId: 'T4' })
    const choice = { preApproveId, installmentOption: '6', externalTrxId: 'T1', amount: '250000' }
    await ask('select', 'POST /partner/pre-loan-request/loan-request', key, choice)
    const session = { amount: '250000', externalTrxId: 'T1', entityId, email: 'ana@example.com' }
    await ask('start the widget', 'POST /partner/widget/start', key, session)
    await ask('verify before the payment', 'POST /partner/pre-approve/T1/loan', key, {})
    await runControl('pay', { externalTrxId: 'T1' }, service, CALLER)
    await ask('verify', 'POST /partner/pre-approve/T1/loan', key, {})
    await ask('get the report', `GET /partner/pre-approve/${preApproveId}/informe`, key)
    await ask('get a report that does not exist', `GET /partner/pre-approve/${NOBODY}/informe`, key)
    const deliveries = await deliveriesOf(service, 'shop')
    await ask('delete a destination', `DELETE /partner/webhook/${destination}`, key)
    await ask('delete one that does not exist', `DELETE /partner/webhook/${NOBODY}`, key)
    return deliveries
  },
  async agency({ ask, newest, service, paths }, { apiKey: key }) {
    await ask('subscribe', 'POST /partner/webhook/subscription', key, { url: HOOK, 'eventTypes[]': 'pre_approve' })
    await runControl('lead', { now: true, rut: '12345678-5' }, service, CALLER)
    const leadId = await newest('leads')
    const ofLead = (path: string) => `GET ${path.replace('{leadId}', leadId)}`
    await ask('list leads', `GET ${paths['paths.leads']}`, key)
    await ask('read a lead', ofLead(paths['paths.lead']), key)
    await ask('read an evaluation', 'GET /partner/pre-approve/rut/12345678-5', key)
    await ask('read the evaluation of a lead', ofLead(paths['paths.evaluationByLead']), key)
    const report = informeUrl('', service.signingSecret, await newest('preApprovals'))
    await ask('open a report', `GET ${report}`)
    return deliveriesOf(service, 'agency')
  },
}

export const ALL_PARTS: readonly Part[] = ['shop', 'agency']

/** Opens a store in memory for the sandboxes of several walks, one after the other. */
export async function walkingGround() {
  const clock = fakeClock()
  const store = await openStore({ file: ':memory:' })
  return {
    clock,
    /** Walks through a sandbox that behaves like the given service, or as by default if `like` is null. */
    async walk(like: Likeness | null, parts = ALL_PARTS, paths = SANDBOX_PATHS): Promise<Walked> {
      await wipe(store)
      const random = drawFrom(PLAIN_NAMES)
      const own = { store, clock, random, baseUrl: BASE, controlToken: 'token', like, rateLimit: ROOMY }
      const { transport, service } = await createSandbox(own)
      // No report is drawn, because the walk compares only the answers.
      service.reports.link = async () => LINK
      const [shop, agency] = await listAccounts(store.db)
      if (shop === undefined || agency === undefined) throw new Error('the sandbox has no accounts')
      const visits: Visit[] = []
      const deliveries: Sent[] = []
      for (const part of parts) {
        const ask: Ground['ask'] = async (step, call, key, form) => {
          const [method = '', path = ''] = call.split(' ')
          const headers = {
            accept: 'application/json',
            ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
            ...(form && { 'content-type': PARTNER_FORM }),
          }
          const body = form && Buffer.from(new URLSearchParams(form).toString())
          const request = { method, headers, ...(body && { body }) }
          const from = clock.now()
          const answer = await transport({ ...request, url: BASE + path, timeoutMs: 60_000, maxBytes: 1e7 })
          visits.push({ part, step, path, request, answer, ms: clock.now() - from })
        }
        const newest: Ground['newest'] = async (table) => {
          const [row] = await store.db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).execute()
          return row?.id ?? ''
        }
        deliveries.push(...(await PARTS[part]({ ask, newest, service, paths }, part === 'shop' ? shop : agency)))
      }
      const { steps: waits } = await retrySteps(store.db, service.like?.manner.deliveries?.retriesMs)
      return { visits, deliveries, waits }
    },
  }
}

/** Returns what is sent to each destination, with the destination's secret. */
async function deliveriesOf({ store, like }: Service, part: Part): Promise<Sent[]> {
  const manner = like?.manner.deliveries
  const sent: Sent[] = []
  for (const { eventId, webhookId } of await store.db.selectFrom('deliveries').selectAll().orderBy('id').execute()) {
    const event = await findEvent(store.db, eventId)
    const webhook = await findWebhook(store.db, webhookId)
    if (!event || !webhook || (event.type === 'loan_approved') !== (part === 'shop')) continue
    const { headers, body } = messageFor(webhook, deliveryBody(event, manner), false, manner)
    sent.push({ part, type: event.type, headers, body: new TextDecoder().decode(body), secret: webhook.secret })
  }
  return sent
}

/** Records a walk as `--record` does. @returns the entries of the recording */
export async function recordingOf(
  { visits, deliveries, waits }: Walked,
  clock: Clock,
  paths: OwnPaths,
): Promise<Line[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-walk-'))
  const path = join(dir, 'walk.ndjson')
  const secrets = deliveries.map(({ secret }) => secret)
  const recorder = openRecorder({
    path,
    clock,
    program: 'bnpl 1',
    command: 'smoke',
    environment: 'beta',
    baseUrl: BASE,
    addresses: [],
    paths,
    secrets,
    keep: [],
    warn: () => {},
  })
  try {
    let at = clock.now()
    for (const { path: visited, request, answer, ms } of visits) {
      const { status, headers, body } = answer
      const response = { status, headers: Object.entries(headers), body }
      const asked = { ...request, path: visited, headers: Object.entries(request.headers) }
      recorder.exchange({ by: 'client', at, ms, request: asked, response })
      at += 1_000
    }
    for (const { type, headers, body, secret } of deliveries) {
      const bytes = Buffer.from(body)
      const scheme = type === 'loan_approved' ? ('hmac' as const) : ('token' as const)
      const verifying = { scheme, settings: DEFAULT_SIGNATURE, secrets: [secret] }
      const signature = signatureVerdict(Object.entries(headers), bytes, verifying, { misfits: 0 })
      const request = { method: 'POST', path: '/hook', headers: Object.entries(headers), body: bytes }
      // The receiver fails until the last repetition.
      for (const [i, wait] of type === 'loan_approved' ? [0, ...waits].entries() : [[waits.length, 0] as const]) {
        at += wait
        recorder.delivery({ at, ms: 20, request, status: i < waits.length ? 503 : 200, signature })
        at += 20
      }
    }
    recorder.close()
    const entries: Line[] = []
    for await (const { line, entry } of readRecording(path)) entries.push({ file: 'walk.ndjson', line, entry })
    return entries
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Returns the shape of an answer without its values: status, headers, and the names, types, states and codes in its body. */
export function shapeOf({ status, headers, body }: WireResponse): object {
  const text = new TextDecoder().decode(body)
  return {
    status,
    type: headers['content-type'],
    retryAfter: headers['retry-after'],
    isRedirect: headers.location !== undefined,
    body: shapeOfText(text),
  }
}

/** Returns the shape of a delivery without its values. The signature is replaced with its method, if it was made with the secret. */
export function shapeOfDelivery({ headers, body, secret }: Sent): unknown {
  const { 'content-type': type, 'user-agent': _, ...proofs } = headers
  const named = Object.entries(proofs).map(([name, proof]) => [name, explained(proof, Buffer.from(body), secret)])
  return { type, proofs: Object.fromEntries(named), body: shapeOfText(body) }
}

function explained(proof: string, body: Uint8Array, secret: string): string {
  if (proof === secret) return 'the token'
  for (const algorithm of ['sha256', 'sha1', 'sha384', 'sha512', 'sha224', 'md5'])
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const signature = createHmac(algorithm, secret).update(body).digest(encoding)
      if (proof.endsWith(signature)) return `${proof.slice(0, -signature.length)}${algorithm} ${encoding}`
    }
  return proof
}

function shapeOfText(text: string): unknown {
  try {
    return shapeOfValue(JSON.parse(text))
  } catch {
    return text.replace(/[a-z ,.:;-]{12,}/g, '…')
  }
}

const FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['a word', /^[A-Z][A-Z0-9_]+$|^[a-z][a-z_]+$|^(HMAC|token)$/],
  ['uuid', /^[\da-f]{8}-[\da-f-]{27}$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['moment', /^\d{4}-\d{2}-\d{2}T/],
  ['link', /^https?:/],
  ['number', /^-?\d+(\.\d+)?$/],
]

function shapeOfValue(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOfValue(item))))].sort()
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, own]) => [name, shapeOfValue(own)]),
    )
  if (typeof value !== 'string') return value === null ? 'null' : typeof value
  const form = FORMS.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text'
  return form === 'a word' ? value : `${form} as text`
}
