import * as z from 'zod/mini'
import { endpointOf, matchEndpoint } from '../../src/contract/endpoints.ts'
import { encodeForm, FORM_TYPE, type FormValue } from '../../src/contract/form.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from '../../src/sandbox/service/access.ts'
import { listAccounts, type SandboxPartner } from '../../src/sandbox/store/partners.ts'
import { openStore, type StorePlace } from '../../src/sandbox/store/sqlite.ts'
import { createWindow } from '../../src/window/window.ts'
import { fakeClock } from './harness.ts'
import { random } from './seed.ts'
import { newPlace } from './store-place.ts'

export interface Reply {
  status: number
  headers: Record<string, string>
  text: string
  /** The whole body. */
  body: any
  data: any
  /** The code of an error in the answer. */
  code: string | undefined
}

export interface CallOptions {
  form?: Record<string, FormValue>
  json?: unknown
  /** The API key, by default that of the BNPL partner. `null` sends none. */
  key?: string | null
  headers?: Record<string, string>
  timeoutMs?: number
}

export const BASE = 'http://127.0.0.1:4555'
const CONTROL_TOKEN = 'control-token-of-the-test'

/** Starts a sandbox with a new state that is removed after the test, or with the given one. Every success is compared with the contract. */
export async function sandboxKit(options: Partial<SandboxOptions> & { place?: StorePlace } = {}) {
  const own = options.place === undefined ? await newPlace() : undefined
  const place = options.place ?? (own as NonNullable<typeof own>).place
  const clock = fakeClock()
  const store = await openStore(place)
  const sandbox: Sandbox = await createSandbox({
    store,
    clock,
    random,
    baseUrl: BASE,
    controlToken: CONTROL_TOKEN,
    window: async (service) => createWindow(service),
    ...options,
  })
  const partners = listAccounts(store.db)
  const [bnpl, estate, withoutModule, inactive] = partners as [
    SandboxPartner,
    SandboxPartner,
    SandboxPartner,
    SandboxPartner,
  ]

  const send = async (method: string, path: string, call: CallOptions = {}): Promise<Reply> => {
    const key = call.key === undefined ? bnpl.apiKey : call.key
    const headers: Record<string, string> = { ...call.headers }
    if (key !== null) headers.authorization = `Bearer ${key}`
    if (call.form) headers['content-type'] ??= FORM_TYPE
    if (call.json !== undefined) headers['content-type'] ??= 'application/json'
    const body = call.form
      ? encodeForm(call.form)
      : call.json === undefined
        ? undefined
        : Buffer.from(typeof call.json === 'string' ? call.json : JSON.stringify(call.json))
    const answer = await sandbox.transport({
      method,
      url: path.startsWith('http') ? path : `${BASE}${path}`,
      headers,
      ...(body ? { body } : {}),
      timeoutMs: call.timeoutMs ?? 30_000,
      maxBytes: 10_000_000,
    })
    const isUsual = options.description === undefined
    return (isUsual ? checked : plain)(
      method,
      path,
      answer.status,
      answer.headers,
      new TextDecoder().decode(answer.body),
    )
  }
  const control = (action: string, input: unknown = {}, headers = { [CONTROL_TOKEN_HEADER]: CONTROL_TOKEN }) =>
    send('POST', `${CONTROL_PREFIX}/${action}`, { json: input, key: null, headers })

  return {
    dir: own?.dir,
    place,
    clock,
    store,
    sandbox,
    bnpl,
    estate,
    withoutModule,
    inactive,
    send,
    control,
    evaluate: (externalTrxId: string, { rut = '11222333-9', amount = 250_000 } = {}) =>
      send('POST', '/partner/pre-loan-request/bnpl', {
        form: { idNumber: rut, amount: String(amount), entityId: bnpl.entityId, externalTrxId },
      }),
    startWidget: (externalTrxId: string, amount = 250_000) =>
      send('POST', '/partner/widget/start', {
        form: { amount: String(amount), externalTrxId, entityId: bnpl.entityId, email: 'ana@example.com' },
      }),
    verify: (externalTrxId: string) => send('POST', `/partner/pre-approve/${externalTrxId}/loan`, { form: {} }),
    async [Symbol.asyncDispose]() {
      store.close()
      await own?.[Symbol.asyncDispose]()
    },
  }
}

function checked(method: string, path: string, status: number, headers: Record<string, string>, text: string): Reply {
  const body = headers['content-type']?.includes('json') ? JSON.parse(text) : undefined
  const match = matchEndpoint(method, path.replace(/^\/production(?=\/)/, '').split('?')[0] ?? '')
  if (match && status < 300) {
    const endpoint = endpointOf(match.name)
    if (status !== endpoint.success.status) throw new Error(`${match.name} answered ${status}`)
    z.parse(endpoint.data, body?.data)
  }
  const isPage = headers['content-type']?.startsWith('text/html')
  if (status >= 400 && !isPage && !/^ERR_[A-Z_0-9]+$/.test(body?.error?.code)) throw new Error(`no code in: ${text}`)
  return { status, headers, text, body, data: body?.data, code: body?.error?.code }
}

/** Returns a reply without a comparison, because a sandbox with a description may differ from the contract. */
function plain(_method: string, _path: string, status: number, headers: Record<string, string>, text: string): Reply {
  const body = headers['content-type']?.includes('json') ? JSON.parse(text) : undefined
  return { status, headers, text, body, data: body?.data, code: body?.error?.code ?? body?.data?.code }
}
