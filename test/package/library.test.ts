import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { createApiClient } from '../../src/client/client.ts'
import { proxyFor } from '../../src/client/network.ts'
import { LIST_SETTING } from '../../src/contract/calls/call.ts'
import { endpointOf, KEYED_ENDPOINTS, type KeyedEndpoint, type ResponseData } from '../../src/contract/endpoints.ts'
import { type Transport, WireFailure, type WireRequest } from '../../src/contract/wire.ts'
import {
  BnplError,
  type ClientOptions,
  createClient,
  type Loan,
  type LoanRequest,
  paymentPageUrl,
  type WidgetSession,
} from '../../src/index.ts'
import { SYSTEM_CLOCK } from '../../src/library/client.ts'
import { packed, pathWithThisNode, temporaryFolder } from '../kit/built-program.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { loan } from '../kit/loan.ts'
import { nodeOfMajor } from '../kit/needs.ts'
import { createDatabase } from '../kit/postgres.ts'
import { program } from '../kit/program.ts'
import { ROOT } from '../kit/source-graph.ts'

const run = promisify(execFile)

/** The fields that a type names. An answer may have any other field. */
type Named<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: T[Name] }

test('the types of answers name the fields that the contract names', () => {
  expectTypeOf<Named<Loan>>().toEqualTypeOf<Named<ResponseData<'verifyLoan'>>>()
  expectTypeOf<Named<Loan['installments'][number]>>().toEqualTypeOf<
    Named<ResponseData<'verifyLoan'>['installments'][number]>
  >()
  expectTypeOf<Named<LoanRequest>>().toEqualTypeOf<Named<ResponseData<'select'>>>()
  expectTypeOf<Named<WidgetSession>>().toEqualTypeOf<Named<ResponseData<'startWidget'>>>()
})

function scripted(...answers: (WireFailure | { status: number; body: unknown })[]) {
  const seen: WireRequest[] = []
  const transport: Transport = async (request) => {
    seen.push(request)
    const next = answers.length > 1 ? answers.shift() : answers[0]
    if (next instanceof WireFailure) throw next
    return { status: next?.status ?? 200, headers: {}, body: Buffer.from(JSON.stringify(next?.body)) }
  }
  return {
    seen,
    client: createClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_canary_0123456789', transport }),
  }
}

/** The arguments of each method, without the parameters of its path. */
const BODIES: Readonly<Record<string, unknown>> = {
  evaluate: { idNumber: '11222333-9', amount: 1000, entityId: 'E1', externalTrxId: 'T1' },
  select: { preApproveId: 'P1', installmentOption: 3, externalTrxId: 'T1', amount: 1000 },
  startWidget: { amount: 1000, externalTrxId: 'T1', entityId: 'E1', email: 'ana@example.com' },
  registerWebhook: 'https://shop.example/hook',
  subscribeWebhook: { url: 'https://shop.example/hook', eventTypes: ['new_lead'] },
  addEntity: { externalEntityId: 'E2', name: 'Shop', label: 'shop', isActive: true },
  setEntity: { name: 'Shop' },
}

const valuesOf = (body: unknown) =>
  typeof body === 'string' ? [body] : Object.values(body ?? {}).flatMap((value) => [value].flat().map(String))

const argumentsOf = (name: KeyedEndpoint): unknown[] => [
  ...endpointOf(name).params.map(() => 'x'),
  ...(BODIES[name] === undefined ? [] : [BODIES[name]]),
]

const untyped = (client: object) => client as Record<string, (...given: unknown[]) => Promise<unknown>>

/** The settings for every path that the specification does not show. */
const PATHS = {
  'paths.evaluationByLead': '/a/{leadId}',
  'paths.leads': '/l',
  'paths.lead': '/l/{leadId}',
  'paths.entities': '/n',
  'paths.entity': '/n/{entityId}',
}

const answering =
  (status: number, body = ''): Transport =>
  async () => ({ status, headers: {}, body: Buffer.from(body) })

/** Every kind of fault, sent and not sent, in each of its wordings. An interruption throws the reason of the caller's own signal. */
const FAULTS = [
  ...(['refused', 'dns', 'tls', 'proxy', 'reset', 'timeout', 'too-large', 'garbled'] as const).flatMap((kind) =>
    [true, false].map((sent) => new WireFailure(kind, sent, 'ECONNREFUSED')),
  ),
  ...[
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'HOSTNAME_MISMATCH',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'EPROTO',
  ].map((code) => new WireFailure('tls', false, code)),
  new WireFailure('tls', false, 'EPROTO', undefined, { missingAuthorities: '/no/such.pem' }),
  ...[undefined, 403, 407, 502].map(
    (status) =>
      new WireFailure('proxy', false, '', undefined, {
        proxy: { name: 'proxy.example:3128', ...(status === undefined ? {} : { status }) },
      }),
  ),
] as const

/** Returns the texts of an error that a program may show or store. */
const stringsOf = (error: unknown): string[] =>
  error instanceof BnplError ? [error.message, error.hint ?? '', JSON.stringify(error)] : [String(error)]

function errorOf(make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    return error
  }
}

/** Returns the client below the library, which the command line may use without a key. */
const withoutKey = () =>
  createApiClient({
    transport: answering(200),
    baseUrl: 'https://api.example.com',
    apiKey: undefined,
    clock: fakeClock(),
    random: () => 0,
    timeoutMs: 1000,
  })

const customer = { idNumber: '11222333-9', amount: 1000, entityId: 'E1', externalTrxId: 'T1' }

/** Every setting that the types of the options allow. The compiler reports one that is missing. */
const SETTINGS: { [Option in 'paths' | 'bodies']: Required<NonNullable<ClientOptions[Option]>> } = {
  paths: {
    'paths.evaluationByLead': '/e/{leadId}',
    'paths.leads': '/l',
    'paths.lead': '/l/{leadId}',
    'paths.entities': '/n',
    'paths.entity': '/n/{entityId}',
  },
  bodies: {
    'bodies.verification': 'json',
    'bodies.registration': 'json',
    'bodies.subscription': 'form',
    'bodies.eventTypes': 'comma',
  },
}

describe('a client of a merchant’s own', () => {
  test('sends requests as the contract says, and returns the data typed and whole', async () => {
    const option = { installments: 3, amount: 400, total: 1200 }
    const { client, seen } = scripted({
      status: 200,
      body: { data: { idPreAprobacion: 'P1', installmentOptions: [option], extra: 1 } },
    })
    const evaluation = await client.evaluate(customer)
    expect(evaluation).toEqual({ preApproveId: 'P1', idPreAprobacion: 'P1', installmentOptions: [option], extra: 1 })
    const amounts: number[] = evaluation.installmentOptions.map(({ total }) => total)
    expect(amounts).toEqual([1200])
    expect(new TextDecoder().decode(seen[0]?.body)).toBe('idNumber=11222333-9&amount=1000&entityId=E1&externalTrxId=T1')
  })

  test('has a setting for each path and each encoding that the specification does not show', () => {
    const calls = KEYED_ENDPOINTS.map(endpointOf)
    expect(Object.keys(SETTINGS.paths).sort()).toEqual(calls.flatMap(({ pathSetting }) => pathSetting ?? []).sort())
    const encodings = [...calls.flatMap(({ bodySetting }) => bodySetting ?? []), LIST_SETTING]
    expect(Object.keys(SETTINGS.bodies).sort()).toEqual(encodings.sort())
    expect(() => createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', ...SETTINGS })).not.toThrow()
  })

  test('throws one class of error, which does not contain the key', async () => {
    const { client } = scripted({ status: 404, body: {} })
    const error = await client.verifyLoan('T1').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BnplError)
    expect(error).toMatchObject({ kind: 'not-found', exchange: { status: 404 } })
    expect(JSON.stringify(error)).not.toContain('sk_canary')
  })

  test.each(KEYED_ENDPOINTS)('%s is a method that sends what the contract says', async (name) => {
    const { method, path, params } = endpointOf(name)
    const seen: WireRequest[] = []
    const client = createClient({
      baseUrl: 'https://api.example.com',
      apiKey: 'k',
      paths: Object.fromEntries(
        KEYED_ENDPOINTS.map(endpointOf).flatMap(({ pathSetting, path }) => (pathSetting ? [[pathSetting, path]] : [])),
      ),
      transport: async (request) => {
        seen.push(request)
        return { status: 418, headers: {}, body: Buffer.from('') }
      },
    })
    const methods = untyped(client)
    const given = [
      ...params.map(({ name: param }) => `its ${param}`),
      ...(BODIES[name] === undefined ? [] : [BODIES[name]]),
    ]
    await expect(methods[name]?.(...given)).rejects.toMatchObject({ kind: 'refused' })
    const address = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => `its%20${param}`)
    expect(seen).toMatchObject([{ method, url: `https://api.example.com${address}` }])
    const text = new TextDecoder().decode(seen[0]?.body)
    const body = endpointOf(name).writesJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
    expect(valuesOf(body)).toEqual(valuesOf(BODIES[name]))
    const { signal } = new AbortController()
    await methods[name]?.(...given, ...(name === 'subscribeWebhook' ? [{}] : []), { signal }).catch(() => {})
    expect(seen[1]?.signal).toBe(signal)
  })

  test('errors name no command and no option of the command line', async () => {
    const told: string[] = []
    const failing = async (name: KeyedEndpoint, transport: Transport, paths: Record<string, string> = PATHS) => {
      const client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', attempts: 1, paths, transport })
      const error = await untyped(client)
        [name]?.(...argumentsOf(name))
        .catch((thrown: unknown) => thrown)
      expect([name, error]).toEqual([name, expect.any(BnplError)])
      if (error instanceof BnplError) told.push(...stringsOf(error))
    }
    for (const name of KEYED_ENDPOINTS) {
      const { statuses, bodyShown, pathSetting } = endpointOf(name)
      for (const status of [...Object.keys(statuses).map(Number), 302, 400, 401, 403, 404, 418, 429, 500])
        await failing(name, answering(status))
      if (bodyShown) for (const body of ['', '{}', '{"data":7}']) await failing(name, answering(200, body))
      for (const fault of FAULTS)
        await failing(name, async () => {
          throw fault
        })
      if (pathSetting === undefined) continue
      for (const paths of [{}, { [pathSetting]: 'no-slash' }]) await failing(name, answering(200), paths)
    }
    for (const thrown of [
      () => createClient({ baseUrl: 'api.example.com', apiKey: 'k' }),
      () => createClient({ baseUrl: 'https://api.example.com', apiKey: '' }),
      () => withoutKey().prepare('listWebhooks', { params: {}, body: {} }),
      () => proxyFor(new URL('https://api.example.com'), { HTTPS_PROXY: 'socks5://proxy.example' }),
    ])
      told.push(...stringsOf(errorOf(thrown)))
    await withoutKey()
      .raw({ method: 'GET', path: '/x' })
      .catch((error: unknown) => told.push(...stringsOf(error)))
    expect(told.filter((text) => /(?<![/\w])bnpl [a-z]|(?<!\S)--\w/.test(text))).toEqual([])
    const whole = told.join('\n')
    for (const told of [
      'list the destinations (listWebhooks)',
      '"id":"set-path"',
      '"id":"correct-path"',
      '"id":"set-key"',
    ])
      expect(whole).toContain(told)
    for (const id of ['check-address', 'check-certificate', 'check-proxy', 'allow-more-time', 'see-raw-answer', 'wait'])
      expect(whole).toContain(`"id":"${id}"`)
  })

  test('reports arguments that cannot be sent, also without type checking', async () => {
    const { client, seen } = scripted({ status: 200, body: {} })
    for (const [name, given, words] of [
      ['verifyLoan', 5, 'externalTrxId cannot be sent: it is not text'],
      ['verifyLoan', undefined, 'externalTrxId cannot be sent: it is missing'],
      ['evaluate', undefined, 'the request cannot be sent: it is missing'],
      ['evaluate', { ...customer, amount: 1.5 }, 'amount cannot be sent: it is a fraction, not a whole number'],
      ['evaluate', { ...customer, amount: Number.NaN }, 'amount cannot be sent: it is NaN, not a number'],
      ['evaluate', { ...customer, amount: 1 / 0 }, 'amount cannot be sent: it is Infinity, not a finite number'],
      ['evaluate', { ...customer, amount: -1 / 0 }, 'amount cannot be sent: it is -Infinity, not a finite number'],
      ['evaluate', { ...customer, amount: 250_000n }, 'amount cannot be sent: it is a BigInt, not a number'],
      ['evaluate', { ...customer, idNumber: () => '' }, 'idNumber cannot be sent: it is a function, not text'],
      ['evaluate', { ...customer, idNumber: Symbol('x') }, 'idNumber cannot be sent: it is a symbol, not text'],
      ['evaluate', { ...customer, idNumber: 5 }, 'idNumber cannot be sent: it is a number, not text'],
      ['evaluate', { ...customer, entityId: '' }, 'entityId cannot be sent: it is empty'],
    ] as const)
      await expect(untyped(client)[name]?.(given)).rejects.toMatchObject({ kind: 'usage', message: words })
    expect(seen).toEqual([])
  })

  test('repeats calls that are safe to repeat, and no others', async () => {
    const cut = new WireFailure('reset', true, 'ECONNRESET')
    const safe = scripted(cut, { status: 200, body: { data: loan('T1') } })
    expect((await safe.client.verifyLoan('T1')).state).toBe('ACTIVE')
    expect(safe.seen).toHaveLength(2)
    const unsafe = scripted(cut)
    await expect(unsafe.client.evaluate(customer)).rejects.toMatchObject({ kind: 'outcome-unknown' })
    expect(unsafe.seen).toHaveLength(1)
  })

  test('a call can be aborted; if it was sent and is not safe to repeat, its outcome is unknown', async () => {
    const hanging: Transport = (request) =>
      new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(new WireFailure('aborted', true, 'interrupted')))
      })
    const client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', transport: hanging })
    const abort = () => ({ signal: AbortSignal.timeout(5) })
    await expect(client.evaluate(customer, abort())).rejects.toMatchObject({ kind: 'outcome-unknown' })
    await expect(client.verifyLoan('T1', abort())).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test.each(KEYED_ENDPOINTS)(
    '%s is not sent if its signal was aborted before, whatever the transport',
    async (name) => {
      const seen: WireRequest[] = []
      const transport: Transport = async (request) => {
        seen.push(request)
        return { status: 200, headers: {}, body: Buffer.from('') }
      }
      const client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', paths: PATHS, transport })
      const given = [...argumentsOf(name), ...(name === 'subscribeWebhook' ? [{}] : [])]
      const call = untyped(client)[name]?.(...given, { signal: AbortSignal.abort() })
      await expect(call).rejects.toMatchObject({ name: 'AbortError' })
      expect(seen).toEqual([])
    },
  )

  test.each([
    ['http://api.example.com', 'k'],
    ['https://user@api.example.com', 'k'],
    ['api.example.com', 'k'],
    ['https://api.example.com', ''],
    ['https://api.example.com', 'a\nb'],
    ['https://api.example.com', undefined as unknown as string],
  ])('rejects the base address %s with the key %j', (baseUrl, apiKey) => {
    expect(() => createClient({ baseUrl, apiKey })).toThrow(BnplError)
  })

  test.each([
    [undefined, 'apiKey is missing'],
    [' \n', 'apiKey is empty: it consists of white space'],
    [7, 'apiKey is not text, but a value of type number'],
    ['"sk_canary_0123456789"', 'apiKey has quotes around it'],
    ['BNPL_API_KEY=sk_canary_0123456789', 'apiKey begins with the name of a variable and “=”'],
    ['Bearer sk_canary_0123456789', 'apiKey begins with “Bearer”'],
    ['undefined', 'apiKey is not a secret, but what a program writes in place of a missing one'],
    ['sk_canary 0123456789', 'apiKey contains a space, a line break or a character that is not ASCII'],
  ])('rejects the key %j with the reason, and does not show it', (apiKey, message) => {
    const made = errorOf(() => createClient({ baseUrl: 'https://api.example.com', apiKey: apiKey as string }))
    expect(made).toMatchObject({ kind: 'config', code: 'BAD_KEY', message })
    expect(JSON.stringify(made)).not.toContain('canary')
  })

  test.each(['\n', '\r\n', ' ', '\ufeff'])('sends a key without %j at its ends', async (more) => {
    const seen: WireRequest[] = []
    const transport: Transport = async (request) => {
      seen.push(request)
      return { status: 200, headers: {}, body: Buffer.from('{"data":[]}') }
    }
    await createClient({ baseUrl: 'https://api.example.com', apiKey: `${more}k-1${more}`, transport }).listWebhooks()
    expect(seen[0]?.headers.authorization).toBe('Bearer k-1')
  })

  test('returns a number that JavaScript cannot hold as text, exactly as it was sent, in every answer', async () => {
    const long = '1234567890123456789'
    const answers: Partial<Record<KeyedEndpoint, string>> = {
      evaluate: `{"preApproveId":${long},"installmentOptions":[],"more":[{"id":${long}}]}`,
      select: `{"loanRequestId":${long},"step":"AUTHORIZATION","preApproveId":${long}}`,
      startWidget: `{"accepted":true,"widgetToken":"t","sessionId":${long}}`,
      verifyLoan: JSON.stringify({ ...loan('T1'), externalTrxId: 'LONG', creditId: 'LONG' }).replaceAll('"LONG"', long),
      registerWebhook: `{"id":${long},"url":"https://shop.example/hook","secret":"whs"}`,
      subscribeWebhook: `{"id":${long},"url":"https://shop.example/hook","secret":"whs"}`,
      listWebhooks: `[{"id":${long},"url":"https://shop.example/hook","accountId":${long}}]`,
      evaluationByRut: `{"idPreAprobacion":${long},"urlInforme":"https://s.example/r"}`,
      listLeads: `[{"leadId":${long}}]`,
      getLead: `{"leadId":${long}}`,
    }
    for (const [name, data] of Object.entries(answers)) {
      const transport = answering(200, `{"data":${data}}`)
      const client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', paths: PATHS, transport })
      const got = await untyped(client)[name]?.(...argumentsOf(name as KeyedEndpoint))
      const asText = data.replaceAll(long, `"${long}"`)
      expect(got, name).toMatchObject(JSON.parse(asText))
    }
  })

  test('builds the address of the payment page, as pay-url does', async () => {
    const page = {
      paymentUrl: 'https://pay.example.com/bnpl/',
      widgetToken: 'token-1\n',
      publicKey: 'pk/+1',
      successReturnUrl: 'https://shop.example/ok?sig=a%2Fb&q=a+b',
      errorReturnUrl: 'https://shop.example/no',
    }
    const url = paymentPageUrl(page)
    using m = machine()
    const line = [
      'pay-url',
      '--token',
      'token-1',
      '--success-url',
      page.successReturnUrl,
      '--error-url',
      page.errorReturnUrl,
    ]
    const env = {
      BNPL_BASE_URL: 'https://api.example.com',
      BNPL_API_KEY: 'k',
      BNPL_PAYMENT_URL: page.paymentUrl,
      BNPL_PUBLIC_KEY: 'pk/+1',
    }
    expect(`${url}\n`).toBe((await m.run(line, { env })).stdout)
    for (const [wrong, message] of [
      [{ paymentUrl: 'http://pay.example.com' }, /^paymentUrl cannot be used/],
      [{ paymentUrl: undefined }, /^paymentUrl cannot be used/],
      [{ widgetToken: undefined }, /^widgetToken is missing/],
      [{ publicKey: '' }, /^publicKey is empty/],
      [{ publicKey: 'sk_canary_0123456789' }, /^publicKey looks like the API key/],
      [{ successReturnUrl: '/ok' }, /^successReturnUrl cannot be used/],
      [{ errorReturnUrl: undefined }, /^errorReturnUrl cannot be used/],
    ] as const) {
      const thrown = errorOf(() => paymentPageUrl({ ...page, ...wrong } as never))
      expect(thrown).toMatchObject({ message: expect.stringMatching(message) })
      expect(thrown).toBeInstanceOf(BnplError)
      expect(String(thrown)).not.toContain('canary')
    }
  })

  test.each([
    ['whose answer has another shape', '{"data":{"destination":{"uid":"x"},"webhookSecret":"whs-1"}}'],
    ['whose answer is empty', ''],
    ['whose answer has empty data', '{"data":{}}'],
  ])('finds a new destination %s in the list', async (_, body) => {
    const listed = '{"data":[{"id":7,"url":"https://shop.example/hook","verificationScheme":"HMAC"}]}'
    const transport: Transport = async ({ method }) => ({
      status: method === 'GET' ? 200 : 201,
      headers: {},
      body: Buffer.from(method === 'GET' ? listed : body),
    })
    const made = await createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', transport }).registerWebhook(
      'https://SHOP.example/hook',
    )
    const secret: string | undefined = made.secret
    expect(made).toMatchObject({ id: '7', url: 'https://shop.example/hook' })
    expect(secret).toBe(body.includes('whs-1') ? 'whs-1' : undefined)
  })

  test('reports a registration that was answered with a success, but is not in the list', async () => {
    const client = createClient({
      baseUrl: 'https://api.example.com',
      apiKey: 'k',
      transport: async ({ method }) => ({
        status: 200,
        headers: {},
        body: Buffer.from(method === 'GET' ? '{"data":[]}' : '{"data":{}}'),
      }),
    })
    for (const made of [
      client.registerWebhook('https://shop.example/hook'),
      client.subscribeWebhook({ url: 'https://shop.example/hook', eventTypes: ['new_lead'] }),
    ])
      await expect(made).rejects.toMatchObject({ kind: 'service', code: 'UNEXPECTED_ANSWER' })
  })

  test.each([Number.NaN, 0, -1, Number.NEGATIVE_INFINITY, '30000' as unknown as number])(
    'rejects the time limit %s, which no call could keep',
    (timeoutMs) => {
      const made = errorOf(() => createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', timeoutMs }))
      expect(made).toMatchObject({ kind: 'config', code: 'BAD_SETTING', message: expect.stringContaining('timeoutMs') })
    },
  )

  test.each([
    [{ paths: { leads: '/partner/leads' } }, 'paths contains “leads”, which is not the name of a setting'],
    [{ paths: { 'paths.lead ': '/x' } }, 'paths contains “paths.lead ”, which is not the name of a setting'],
    [
      { bodies: { 'bodies.verifcation': 'json' } },
      'bodies contains “bodies.verifcation”, which is not the name of a setting',
    ],
    [{ baseUrl: 'https://api.example.com/?key=1' }, 'baseUrl cannot be used: it must not have a query or a fragment'],
  ])('rejects the option %j, which would have no effect', (options, message) => {
    const made = errorOf(() =>
      createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', ...(options as object) }),
    )
    expect(made).toMatchObject({ kind: 'config', message })
  })

  test.each([Number.NaN, 0, -1, 1.5, Number.POSITIVE_INFINITY, '3' as unknown as number])(
    'rejects %s as the number of attempts',
    (attempts) => {
      const made = errorOf(() => createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', attempts }))
      expect(made).toMatchObject({
        kind: 'config',
        code: 'BAD_SETTING',
        message: expect.stringContaining('attempts is'),
      })
    },
  )

  test('a wait of more than 24.8 days does not end at once', async () => {
    const stop = new AbortController()
    const long = SYSTEM_CLOCK.sleep(25 * 86_400_000, stop.signal).then(
      () => 'long',
      () => 'stopped',
    )
    expect(await Promise.race([long, SYSTEM_CLOCK.sleep(10).then(() => 'short')])).toBe('short')
    stop.abort()
    expect(await long).toBe('stopped')
  })
})

/**
 * Programs of a shop that has installed the package. One loads it by `require`, like a program that is not a module, and is only compiled.
 * The others run.
 */
const SHOP_FILES = {
  'classic.cts': `import { BnplError, createClient, type Loan } from 'bnpl'
import { createWebhooks, type WebhookEvent } from 'bnpl/webhooks'
import testing = require('bnpl/testing')
const made: (sandbox: testing.Sandbox) => string = ({ baseUrl }) => baseUrl
const nameOf: (event: WebhookEvent) => string = ({ event }) => event
const left: Loan | undefined = undefined
console.log(createClient, createWebhooks, testing.startSandbox, BnplError, made, nameOf, left)
// @ts-expect-error: the package has types, so this mistake is reported.
createClient({ baseUrl: 1 })
`,
  'sandbox.mts': `import { startSandbox, type Sandbox } from 'bnpl/testing'
await using sandbox: Sandbox = await startSandbox()
const page = await fetch(sandbox.paymentUrl + '?publicKey=' + sandbox.env.BNPL_PUBLIC_KEY)
const style = /href="([^"]+page[.]css[^"]*)"/.exec(await page.text())?.[1] ?? ''
const sheet = await fetch(new URL(style, sandbox.paymentUrl))
const { preApproveId } = await sandbox.lead({ evaluateInMs: 0 })
const { url } = await sandbox.client(sandbox.account('real-estate')).getInforme(preApproveId ?? '')
const report = await (await fetch(url)).arrayBuffer()
console.log(sheet.status, Buffer.from(report).subarray(0, 5).toString())
`,
  'one-class.mts': `import { createRequire } from 'node:module'
import { BnplError, createClient, WireFailure } from 'bnpl'
import { startSandbox } from 'bnpl/testing'
const required = createRequire(import.meta.url)
const other: { startSandbox: typeof startSandbox } = required('bnpl/testing')
const { BnplError: Other }: { BnplError: typeof BnplError } = required('bnpl')
const fails = async (start: typeof startSandbox) => {
  await using sandbox = await start({ port: false })
  const { baseUrl, env } = sandbox
  const lost = createClient({ baseUrl, apiKey: env.BNPL_API_KEY ?? '', attempts: 1, transport: () => Promise.reject(new WireFailure('dns', false, 'x')) })
  return await Promise.all([
    sandbox.client().verifyLoan('nothing').catch((error: unknown) => error),
    sandbox.pay('nothing').catch((error: unknown) => error),
    lost.evaluate({ idNumber: '11222333-9', amount: 1, entityId: 'E', externalTrxId: 'T' }).catch((error: unknown) => error),
  ])
}
const errors = [...(await fails(startSandbox)), ...(await fails(other.startSandbox))]
console.log(errors.length, errors.every((error) => error instanceof BnplError && error instanceof Other))
`,
  'old-node.cjs': `const { createHmac } = require('node:crypto')
const { createServer } = require('node:http')
const { createWebhooks } = require('bnpl/webhooks')
const { createClient } = require('bnpl')
const { startSandbox } = require('bnpl/testing')
const body = Buffer.from('{"eventId":"E1","data":{"externalTrxId":1234567890123456789}}')
const server = createServer((request, response) => response.end('{"data":{"preApproveId":1234567890123456789,"installmentOptions":[],"more":{"leadId":9876543210987654321}}}'))
server.listen(0, '127.0.0.1', async () => {
  const webhooks = createWebhooks({ secret: 'a-secret', onEvent: ({ data }) => console.log('event ' + data.externalTrxId), onError: console.log })
  await webhooks.handle(body, { 'service-signature': createHmac('sha256', 'a-secret').update(body).digest('hex') })
  const client = createClient({ baseUrl: 'http://127.0.0.1:' + server.address().port, apiKey: 'k' })
  const { preApproveId, more } = await client.evaluate({ idNumber: '11222333-9', amount: 1, entityId: 'E', externalTrxId: 'T' })
  console.log('answer ' + preApproveId + ' ' + JSON.stringify(more))
  await client.close()
  server.close()
  await startSandbox().catch((error) => console.log(error.message))
})
`,
  'uncaught-client.mts': `import { createClient } from 'bnpl'
const transport = async () => ({ status: 404, headers: {}, body: Buffer.from('') })
await createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', transport }).verifyLoan('x')
`,
  'uncaught-sandbox.mts': `import { startSandbox } from 'bnpl/testing'
await using sandbox = await startSandbox({ port: false })
await sandbox.clock.advance('soon')
`,
  'uncaught-webhooks.mts': `import { createWebhooks } from 'bnpl/webhooks'
createWebhooks({ secret: '', onEvent() {}, onError() {} })
`,
  'pay.mts': `import { BnplError, createClient, type Loan } from 'bnpl'
const [baseUrl = '', apiKey = '', entityId = ''] = process.argv.slice(2)
await using client = createClient({ baseUrl, apiKey, env: process.env })
const order = { externalTrxId: 'library-1', amount: 250_000, entityId }
const { preApproveId, installmentOptions } = await client.evaluate({ ...order, idNumber: '11222333-9' })
const [first] = installmentOptions
if (preApproveId === null || first === undefined) throw new Error('no offer')
const { externalTrxId, amount } = order
await client.select({ preApproveId, installmentOption: first.installments, externalTrxId, amount })
const session = await client.startWidget({ ...order, email: 'maria@example.com' })
try {
  await client.verifyLoan('nothing')
} catch (error) {
  if (!(error instanceof BnplError) || error.kind !== 'not-found') throw error
  const left: Loan | undefined = undefined
  console.log(session.accepted, first.installments, (await client.listWebhooks()).length, left)
}
`,
}

describe('the package', () => {
  const folder = temporaryFolder()
  const env = { PATH: pathWithThisNode(), HOME: folder.path }
  let tarball: string
  const installed = join(folder.path, 'shop', 'node_modules', 'bnpl')

  beforeAll(async () => {
    tarball = (await packed()).path
    mkdirSync(installed, { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
    for (const [name, code] of Object.entries(SHOP_FILES)) writeFileSync(join(folder.path, 'shop', name), code)
    // The types that a TypeScript project for Node has installed.
    mkdirSync(join(folder.path, 'shop', 'node_modules', '@types'))
    symlinkSync(
      join(ROOT, 'node_modules', '@types', 'node'),
      join(folder.path, 'shop', 'node_modules', '@types', 'node'),
    )
  })
  afterAll(() => folder[Symbol.dispose]())

  test('follows the conventions for packages (publint)', async () => {
    const data = readFileSync(tarball)
    const { messages } = await publint({
      pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.length) },
    })
    expect(messages).toEqual([])
  })

  test('has types that resolve correctly however it is imported (are the types wrong)', async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))))
    expect(result.types).toMatchObject({ kind: 'included' })
    const problems = 'problems' in result ? result.problems : undefined
    expect(problems).toEqual([])
  })

  test('loads only its own code and modules of Node in the part for webhooks', () => {
    const code = readFileSync(join(installed, 'dist', 'library-webhooks.cjs'), 'utf8')
    const loaded = [...code.matchAll(/\b(?:require|import)\(\s*["'`]([^"'`]+)["'`]/g)].map(([, name]) => name)
    expect(loaded.sort()).toEqual(['node:buffer', 'node:crypto'])
  })

  test.each(['--module nodenext --target es2024', '--module preserve --moduleResolution bundler --target es2024'])(
    'compiles in programs with import and with require: %s',
    async (resolution) => {
      const tsc = join(ROOT, 'node_modules/typescript/lib/tsc.js')
      const flags = `--ignoreConfig --noEmit --strict ${resolution} --lib es2024,esnext.disposable --types node`
      const cwd = join(folder.path, 'shop')
      const compiled = run(
        process.execPath,
        [tsc, ...flags.split(' '), ...Object.keys(SHOP_FILES).filter((name) => name.endsWith('ts'))],
        { cwd, env },
      )
      expect((await compiled.catch((failed: { stdout: string }) => failed)).stdout).toBe('')
    },
  )

  test('runs on Node 20: the client and the webhooks keep every digit, and the sandbox says which Node it needs', async () => {
    const node20 = nodeOfMajor(20)
    const { stdout } = await run(node20, [join(folder.path, 'shop', 'old-node.cjs')], { env })
    expect(stdout.trim().split('\n')).toEqual([
      'event 1234567890123456789',
      'answer 1234567890123456789 {"leadId":"9876543210987654321"}',
      'the sandbox of bnpl/testing needs Node 24.5 or later, as the command bnpl does',
    ])
  })

  test('has a sandbox with payment page and reports, for the tests of a shop', async () => {
    const { stdout } = await run(process.execPath, [join(folder.path, 'shop', 'sandbox.mts')], { env })
    expect(stdout).toBe('200 %PDF-\n')
  })

  test('has the same class of error in every part, for import and for require', async () => {
    const { stdout } = await run(process.execPath, [join(folder.path, 'shop', 'one-class.mts')], { env })
    expect(stdout).toBe('6 true\n')
  })

  test.each([
    ['uncaught-client.mts', 'BnplError: could not verify a transaction: no loan for this transaction (404)'],
    ['uncaught-sandbox.mts', 'BnplError: “soon” is not a duration.'],
    ['uncaught-webhooks.mts', 'TypeError: the webhook secret is empty. Set the environment variable'],
  ])('prints a short line of code and a clear message for an error that nobody catches: %s', async (file, says) => {
    const ran = run(process.execPath, [join(folder.path, 'shop', file)], { env })
    const { stderr } = await ran.then(
      () => ({ stderr: '' }),
      (failed: { stderr: string }) => failed,
    )
    const [place, code = '', pointer] = stderr.split('\n')
    expect([place, pointer, stderr]).toEqual([
      expect.stringMatching(/library-[\w-]+\.cjs:\d+$/),
      expect.stringMatching(/^\s*\^+$/),
      expect.stringContaining(`\n${says}`),
    ])
    expect(code.length).toBeLessThan(500)
  })

  test('has a client that works with the sandbox', async () => {
    await using p = program()
    const { ready, baseUrl } = await p.sandbox('--ephemeral')
    const { apiKey, entityId } = ready.partners.find((each: { product: string }) => each.product === 'bnpl')
    const file = join(folder.path, 'shop', 'pay.mts')
    const { stdout } = await run(process.execPath, [file, baseUrl, apiKey, entityId], { env })
    expect(stdout).toBe('true 3 0 undefined\n')
  })
})

/** The TypeScript blocks of docs/library.md. In a folder of this package, the name of the package means this package, as it is built. */
const EXAMPLES = [...readFileSync(join(ROOT, 'docs/library.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code = '']) => code,
)
const exampleWith = (text: string) => EXAMPLES.find((code) => code.includes(text)) ?? ''

test('the examples of the docs compile', async () => {
  expect(EXAMPLES.length).toBeGreaterThan(5)
  const files = EXAMPLES.map((code, i) => {
    const file = join(ROOT, 'test', `.library.md.${i}.mts`)
    writeFileSync(file, code)
    return file
  })
  try {
    const tsc = join(ROOT, 'node_modules/typescript/lib/tsc.js')
    const flags =
      '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --allowImportingTsExtensions --skipLibCheck --module nodenext --target es2024 --lib es2024,esnext.disposable,esnext.collection,esnext.iterator --types node'
    const { stdout } = await run(process.execPath, [tsc, ...flags.split(' '), ...files], { cwd: ROOT })
    expect(stdout).toBe('')
  } finally {
    for (const file of files) rmSync(file)
  }
})

test('the example of a test with a sandbox in docs/library.md runs', async () => {
  const code = exampleWith('startSandbox')
  const file = join(ROOT, 'test', '.testing.mts')
  writeFileSync(file, code)
  try {
    const { NODE_COMPILE_CACHE } = process.env
    const { stdout } = await run(process.execPath, ['--test', file], { env: { NODE_COMPILE_CACHE } })
    expect(stdout).toMatch(/pass 1\n[\s\S]*fail 0\n/)
  } finally {
    rmSync(file)
  }
})

test('the PostgreSQL store of the docs handles an event once, even if ten deliveries of the event arrive together', async () => {
  await using database = await createDatabase()
  const { hostname, port, username, pathname } = new URL(database.url)
  const code = exampleWith('EventStore')
  const file = join(ROOT, 'test', '.store.mts')
  writeFileSync(
    file,
    `${code}
import { sign } from '../src/domain/signature.ts'
await pool.query('create table webhook_event (id text primary key, at timestamptz not null default now())')
await pool.query('create table shop_order (id text primary key, to_verify boolean default false)')
await pool.query("insert into shop_order values ('T1')")
const send = (eventId: string, data: object) => {
  const body = Buffer.from(JSON.stringify({ eventId, data }))
  const signature = sign(body, 'a-secret', { algorithm: 'sha256', encoding: 'hex' })
  return webhooks.handle(body, { 'service-signature': signature })
}
const answers = await Promise.all(Array.from({ length: 10 }, () => send('E1', { externalTrxId: 'T1' })))
const failing = await send('E2', { externalTrxId: 'a\\u0000b' })
const kept = await pool.query('select id from webhook_event')
const orders = await pool.query('select id, to_verify from shop_order')
console.log(JSON.stringify([answers.map(({ status }) => status), failing.status, kept.rows, orders.rows]))
await pool.end()
`,
  )
  try {
    const { stdout, stderr } = await run(process.execPath, [file], {
      env: {
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGDATABASE: pathname.slice(1),
        BNPL_WEBHOOK_SECRET: 'a-secret',
      },
    })
    expect([JSON.parse(stdout), stderr]).toEqual([
      [Array.from({ length: 10 }, () => 200), 500, [{ id: 'E1' }], [{ id: 'T1', to_verify: true }]],
      expect.stringContaining('invalid byte sequence'),
    ])
  } finally {
    rmSync(file)
  }
})
