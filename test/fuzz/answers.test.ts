import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import type { Transport, WireResponse } from '../../src/contract/wire.ts'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import { CALLING } from '../faults/behind.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { LOAN } from '../kit/loan.ts'
import { arrival, batch } from '../receiver/inbox-kit.ts'
import { budget, endsWell, TIMEOUT } from './budget.ts'
import { hostileText, mutated } from './hostile.ts'

const env = {
  BNPL_API_KEY: 'sk-canary-1234567890',
  BNPL_BASE_URL: 'https://api.example.com',
  BNPL_PAYMENT_URL: 'https://pay.example.com',
  BNPL_PUBLIC_KEY: 'pk',
  BNPL_ENTITY_ID: 'E1',
  BNPL_WEBHOOK_SECRET: 'whsec-canary-1234567890',
}
const PAGE = '--success-url https://shop.example/ok --error-url https://shop.example/no'
const OPTION = { installments: 3, amount: 350, total: 1050 }
const DESTINATION = {
  id: 'W1',
  url: 'https://shop.example/hook',
  eventTypes: ['loan_approved'],
  filters: { a: 'b' },
  secret: 's3cret',
  active: true,
}
const LEAD = { leadId: 'L1', rut: '11222333-9', idPreAprobacion: 'P1', montoAprobado: 1000, state: 'APPROVED' }
const ENTITY = { id: 'ex-1', externalEntityId: 'E2', name: 'Shop', label: 'shop', isActive: true }
const LINK = { url: 'https://storage.example.com/a.pdf?X-Amz-Expires=1800' }

/** The commands that read an answer, each with the `data` that it expects. */
const COMMANDS: [line: string, data: unknown][] = [
  ['evaluate --rut 11222333-9 --amount 1000 --trx T1', { preApproveId: 'P1', installmentOptions: [OPTION, OPTION] }],
  [
    'select --installments 3 --trx T1 --pre-approve-id P1 --amount 1000',
    { loanRequestId: 'R1', step: 'x', preApproveId: 'P1' },
  ],
  ['widget-token --trx T1 --amount 1000 --email ana@example.com', { accepted: true, widgetToken: 'a.b.c' }],
  [`pay-url --trx T1 --amount 1000 --email ana@example.com ${PAGE}`, { accepted: true, widgetToken: 'a.b.c' }],
  ['verify T1 --expect-state ACTIVE --expect-amount 1000', LOAN],
  ['verify T1 T2 T3', LOAN],
  ['webhooks list', [DESTINATION, DESTINATION]],
  ['webhooks add https://shop.example/hook', DESTINATION],
  ['webhooks add https://shop.example/hook --if-missing', [DESTINATION]],
  ['webhooks subscribe https://shop.example/hook --event new_lead --filter a=b', DESTINATION],
  ['webhooks rm --url https://shop.example/hook -y', [DESTINATION]],
  ['webhooks rm W1 -y', {}],
  ['evaluations get --rut 11222333-9', LEAD],
  ['informe get P1', LINK],
  ['informe download P1 --force', LINK],
  ['informe open P1', LINK],
  ['smoke --rut 11222333-9 --allow-production', { preApproveId: 'P1', installmentOptions: [OPTION] }],
  ['smoke --pre-approve-id P1 --webhook-url https://shop.example/hook', LINK],
  ['doctor', [DESTINATION]],
  ['leads list -p own', [LEAD, LEAD]],
  ['leads get L1 -p own', LEAD],
  ['evaluations get --lead-id L1 -p own', LEAD],
  ['webhooks events confirm e1 -p own', LEAD],
  ['informe download P1 --force --from-link https://api.example.com/partner/informe/c0ffee', LINK],
  ['evaluate --from rows.csv --restart', { preApproveId: 'P1', installmentOptions: [OPTION] }],
  ['verify --from trx.csv --restart', LOAN],
  ['cancel T1 -y -p own', LOAN],
  ['entities list -p own', [ENTITY, ENTITY]],
  ['entities add --external-id E2 --name Shop --label shop -p own', ENTITY],
  ['entities set ex-1 --active no -p own', ENTITY],
  ['cancel --from trx.csv -y -p own --restart', LOAN],
  ['informe download --from ids.csv --force --restart', LINK],
  ['walkthrough --rut 11222333-9 --amount 1000 --email ana@example.com --installments 3 --trx T1', LOAN],
  ['webhooks trigger loan_approved --to https://shop.example/hook', {}],
  ['webhooks events replay e1 --forward-to https://shop.example/hook', {}],
  ['webhooks test https://shop.example/hook', {}],
  ['api GET /partner/webhook --include', [DESTINATION]],
  ['api POST /partner/pre-approve/T1/loan/cancel', { refundAmount: 0 }],
]

const here = machine()
beforeAll(async () => {
  const own = {
    environment: 'beta',
    baseUrl: env.BNPL_BASE_URL,
    cancel: 'yes',
    entities: 'yes',
    'paths.entities': '/partner/entity',
    'paths.entity': '/partner/entity/{entityId}',
    'paths.leads': '/partner/leads',
    'paths.lead': '/partner/leads/{leadId}',
    'paths.evaluationByLead': '/partner/lead/{leadId}',
  }
  mkdirSync(here.configDir, { mode: 0o700 })
  const profiles = JSON.stringify({ version: 1, profiles: { own } })
  writeFileSync(join(here.configDir, 'profiles.json'), profiles, { mode: 0o600 })
  writeFileSync(join(here.dir, 'rows.csv'), 'rut,amount,trx\n11222333-9,1000,B1\n11222333-9,1000,B2\n')
  writeFileSync(join(here.dir, 'trx.csv'), 'trx,expectedAmount\nB1,1000\nB2,1\n')
  writeFileSync(join(here.dir, 'ids.csv'), 'preApproveId\nP1\nP2\n')
  const inbox = await openInbox(here.stateDir)
  await inbox.claim({ pid: 1, address: '' })
  const body = Buffer.from(
    JSON.stringify({ eventId: 'e1', data: { leadId: 'L1', montoAprobado: 1000, state: 'APPROVED' } }),
  )
  await inbox.commit(batch([arrival('e1', { scheme: 'token', event: 'new_lead', body })]))
  await inbox.close()
})
afterAll(() => here[Symbol.dispose]())

test('COMMANDS contains every command that calls the service, and together they call every endpoint', async () => {
  const lines = COMMANDS.map(([line]) => line)
  // A listener makes only the calls of `webhooks add`, `list` and `rm`.
  const missing = Object.keys(CALLING).filter(
    (name) => name !== 'webhooks listen' && !lines.some((line) => name.split(' ').every((word) => line.includes(word))),
  )
  expect(missing, 'commands without a line in COMMANDS').toEqual([])
  const asked = new Set<string>()
  const transport: Transport = async ({ method, url }) => {
    asked.add(`${method} ${new URL(url).pathname}`)
    return { status: 404, headers: {}, body: Buffer.from('{}') }
  }
  for (const line of lines) await here.run(line, { env, transport, clock: fakeClock() })
  const paths = Object.entries(ENDPOINTS).map(([name, { method, path }]) => {
    const pattern = new RegExp(`^${method} ${path.replace('pre-approve/lead', 'lead').replace(/\{\w+\}/g, '[^/]+')}$`)
    return [name, [...asked].some((each) => pattern.test(each))]
  })
  expect(paths.filter(([, isAsked]) => !isAsked)).toEqual([])
})

const headers = fc.dictionary(
  fc.constantFrom(
    'retry-after',
    'content-type',
    'x-request-id',
    'location',
    'content-length',
    'date',
    'content-disposition',
  ),
  hostileText,
  { maxKeys: 3 },
)

function answers(data: unknown): fc.Arbitrary<Omit<WireResponse, 'url'>> {
  const body = fc.oneof(
    { weight: 6, arbitrary: mutated(data).map((value) => toJson({ data: value })) },
    {
      weight: 2,
      arbitrary: mutated({ error: { code: 'ERR_X', message: 'no', details: [{ field: 'a' }] } }).map(toJson),
    },
    { weight: 1, arbitrary: mutated({ data, more: 1 }).map(toJson) },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.nat(60), fc.constant(toJson({ data }))).map(([cut, text]) => text.slice(0, cut)),
    },
    { weight: 1, arbitrary: hostileText },
  )
  const bytes = fc.oneof(
    { weight: 9, arbitrary: body.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((given) => Buffer.from(given)) },
  )
  const status = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(200, 201) },
    { weight: 2, arbitrary: fc.constantFrom(204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503) },
    { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
  )
  return fc.record({ status, headers, body: bytes })
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

test.each(COMMANDS)(
  'every command ends as documented, whatever the answer is: %s [row 23, row 27, row 82]',
  { timeout: TIMEOUT },
  async (line, data) => {
    const format = fc.constantFrom('table', 'json', 'ndjson', 'csv')
    const property = fc.asyncProperty(
      fc.array(answers(data), { minLength: 1, maxLength: 3 }),
      format,
      async (given, output) => {
        let n = 0
        const transport: Transport = async () => given[Math.min(n++, given.length - 1)] as WireResponse
        const ran = await endsWell(() =>
          here.run(`${line} --output ${output} --verbose`, {
            env,
            transport,
            clock: fakeClock(),
            open: async () => true,
            stdoutIsTty: true,
          }),
        )
        if (output === 'json' && ran.stdout !== '' && !line.startsWith('api ')) JSON.parse(ran.stdout)
        if (output === 'json' && ran.code !== 0 && ran.stdout === '') expect(ran.error().kind).toBeTypeOf('string')
        expect(ran.stderr).not.toContain('canary')
      },
    )
    // A run over a file, and a command that reads the inbox, opens databases each time, so it is tried less often.
    await fc.assert(property, budget(line, / --from |events/.test(line) ? 8 : 20, 20_000))
  },
)
