import type { Command } from 'commander'
import { expect } from 'vitest'
import { createProgram, loadAll } from '../../src/cli.ts'
import type { World } from '../../src/context.ts'

/** One run of a command, on a machine that `SETUP` was run on. */
export interface CommandRow {
  line: string
  /** The shape of the JSON on stdout; undefined if stdout is no JSON or is another program's. */
  json?: unknown
  /** The exit code that is expected, if not 0. */
  code?: number
  /** The options for the form of the result that is tested with a full disk. */
  form?: string
  /** Whether the command may be run twice. */
  reads?: true
  /** Whether the result is one value or a text for programs. The width of the terminal does not change it. */
  bare?: true
  /** Whether the command reports on stderr, so that stdout contains nothing that could be lost. */
  silent?: true
  /** Whether the line needs a receiver, which `FILES` cannot provide. */
  receiver?: true
}

/** Files that the lines name, in the folder in which the lines are run. */
export const FILES = {
  key: 'sk-1234567890',
  other: 'sk-0987654321',
  'rows.csv': 'rut,amount,externalTrxId\n11222333-9,50000,B1\n',
  'seen.ndjson': `{"kind":"session","v":1,"session":"s","at":"2026-03-01T12:00:00.000Z","program":"bnpl 1","command":"smoke","environment":"sandbox"}\n{"kind":"exchange","v":1,"session":"s","at":"2026-03-01T12:00:00.000Z","by":"client","ms":5,"request":{"method":"DELETE","path":"/partner/webhook/1","headers":[["authorization","Bearer (secret)"]]},"response":{"status":200,"headers":[]}}\n`,
  'recorded.ndjson':
    '{"kind":"exchange","v":1,"session":"a","at":"2026-03-01T12:00:00.000Z","by":"client","endpoint":"listWebhooks","request":{"method":"GET","path":"/partner/webhook","headers":[]},"response":{"status":200,"headers":[],"body":{"json":{"data":[]}}},"ms":1}\n',
} as const

/** Lines that make a payment, begin another one, and make profiles and a snapshot. */
export const SETUP = [
  'evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T1',
  'select -p sandbox --installments 6',
  'sandbox pay T1',
  'evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T4',
  'sandbox pay T4',
  'entities add -p sandbox --external-id E2 --name Shop --label shop',
  'evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T3',
  'profiles add acme --base-url https://api.example.com --api-key-file key',
  'profiles add old --base-url https://api.example.com --api-key-file key',
  'profiles add-secret acme --secret-file key',
  'sandbox snapshot save before',
]

const text = expect.any(String)
const number = expect.any(Number)
const has = (fields: Record<string, unknown>) => expect.objectContaining(fields)
const each = (fields: Record<string, unknown>) => [has(fields)]
const some = (fields: Record<string, unknown>) => expect.arrayContaining([has(fields)])

const PAGE = '--success-url https://shop.example/ok --error-url https://shop.example/no'
const OPTIONS = some({ installments: number, amount: number, total: number })
const LOAN = { externalTrxId: 'T1', state: text, loanAmount: number, periods: number, installments: expect.any(Array) }
const DESTINATION = { id: text, url: text, verificationScheme: text }
const PROFILE = { name: text, environment: text, default: expect.any(Boolean) }
const CHECK = { name: text, status: text, detail: text, ms: number }
const FAULT = { id: text, endpoint: 'any' }

export interface Made {
  lead: { leadId: string; preApproveId: string }
  /** The id of the entity that `SETUP` adds. */
  entity: string
  /** The address of a receiver that has stored the event E1. */
  receiver: string
}

/**
 * A line of every command, in an order in which each can work; what cannot be undone comes last. The JSON shapes are those that scripts
 * depend on.
 */
export const everyCommand = ({ lead, receiver, entity }: Made): CommandRow[] => [
  { line: 'walkthrough -p sandbox', json: has({ externalTrxId: text, payment: 'paid', loan: has({ state: text }) }) },
  {
    line: 'evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T2',
    json: has({ externalTrxId: 'T2', amount: 250000, entityId: text, preApproveId: text, installmentOptions: OPTIONS }),
    form: '--json',
    reads: true,
  },
  {
    line: 'evaluate -p sandbox --from rows.csv',
    json: each({ line: 2, externalTrxId: 'B1', outcome: 'ok', installmentOptions: OPTIONS }),
    bare: true,
  },
  {
    line: 'select -p sandbox --installments 6 --trx T3',
    json: has({ loanRequestId: text, step: text, preApproveId: text }),
  },
  {
    line: 'widget-token -p sandbox --trx T3 --email ana@example.com',
    json: has({ accepted: true, widgetToken: text, expiresAt: text }),
    form: '--raw',
    reads: true,
  },
  {
    line: `pay-url -p sandbox --trx T3 --email ana@example.com ${PAGE}`,
    json: has({ url: text, expiresAt: text }),
    bare: true,
  },
  { line: 'verify -p sandbox T1', json: has(LOAN), form: '--output csv', reads: true },
  {
    line: 'entities add -p sandbox --external-id E2 --name Shop --label shop --if-missing',
    json: has({ id: text, externalEntityId: 'E2', isActive: true }),
  },
  { line: 'entities list -p sandbox', json: some({ externalEntityId: 'E2' }), reads: true },
  { line: `entities set ${entity} -p sandbox --active no`, json: has({ id: text, isActive: false }) },
  { line: 'cancel -p sandbox T4 -y', json: { externalTrxId: 'T4', refundAmount: number } },
  {
    line: 'leads list -p sandbox:real-estate',
    json: some({ leadId: lead.leadId }),
    form: '--output ndjson',
    reads: true,
  },
  { line: `leads get ${lead.leadId} -p sandbox:real-estate`, json: has({ leadId: lead.leadId }), reads: true },
  {
    line: 'evaluations get --rut 11222333-9 -p sandbox:real-estate',
    json: has({ idPreAprobacion: lead.preApproveId }),
    reads: true,
  },
  {
    line: `informe get ${lead.preApproveId} -p sandbox:real-estate`,
    json: has({ preApproveId: lead.preApproveId, url: text, expiresAt: text }),
    bare: true,
  },
  {
    line: `informe download ${lead.preApproveId} -p sandbox:real-estate`,
    json: each({ preApproveId: lead.preApproveId, path: text, bytes: number, sha256: text }),
    form: '--json',
  },
  {
    line: `informe open ${lead.preApproveId} -p sandbox:real-estate`,
    json: has({ preApproveId: lead.preApproveId, opened: true }),
    form: '--json',
  },
  { line: 'webhooks add http://127.0.0.1:1/hook -p sandbox', json: has(DESTINATION) },
  { line: 'webhooks list -p sandbox', json: each(DESTINATION), reads: true },
  {
    line: 'webhooks subscribe http://127.0.0.1:1/lead --event new_lead -p sandbox:real-estate',
    json: has(DESTINATION),
  },
  { line: 'webhooks rm --url http://127.0.0.1:1/hook -p sandbox -y', json: [{ id: text, deleted: true }] },
  {
    line: 'webhooks verify-signature --body-file rows.csv --signature 00',
    json: has({ valid: false }),
    code: 10,
    reads: true,
  },
  { line: 'webhooks vectors', json: some({ name: text, valid: true, bodyBase64: text }), reads: true },
  { line: 'webhooks events list', json: some({ eventId: 'E1', state: text }), receiver: true, reads: true },
  { line: 'webhooks events show E1', json: has({ eventId: 'E1', data: has({}) }), receiver: true, reads: true },
  {
    line: 'webhooks events confirm E1 -p sandbox',
    json: each({ eventId: 'E1', confirmed: false }),
    code: 10,
    receiver: true,
  },
  {
    line: `webhooks events replay E1 --forward-to ${receiver}`,
    json: each({ eventId: 'E1', status: 200, ms: number }),
    receiver: true,
  },
  { line: 'webhooks events prune', json: { pruned: number }, receiver: true, reads: true },
  {
    line: `webhooks trigger loan_approved --to ${receiver}`,
    json: { eventId: text, status: 200, ms: number },
    receiver: true,
  },
  { line: `webhooks test ${receiver}`, json: some(CHECK), receiver: true },
  { line: 'sandbox status', json: has({ served: true, baseUrl: text, paymentUrl: text }), reads: true },
  { line: 'sandbox open --print', json: has({ url: text }), bare: true, receiver: true },
  { line: 'sandbox pay T2', json: has({ externalTrxId: 'T2', outcome: 'paid' }) },
  { line: 'sandbox installment T2 1 --paid', json: has({ externalTrxId: 'T2', paidInstallments: 1 }), form: '--json' },
  { line: 'sandbox lead --now --rut 11222333-9', json: has({ leadId: text, outcome: text }) },
  {
    line: `sandbox revise ${lead.preApproveId} --set puntajeRiesgo=312`,
    json: has({ preApproveId: lead.preApproveId }),
    receiver: true,
  },
  { line: 'sandbox customers', json: some({ rut: text, does: text }), reads: true },
  { line: 'sandbox fault add any --status 503 --nth 100000', json: has(FAULT) },
  { line: 'sandbox fault list', json: each(FAULT), reads: true },
  { line: 'sandbox fault endpoints', json: some({ name: text, method: text, path: text }), reads: true },
  { line: 'sandbox fault kinds', json: some({ name: text, at: text, does: text }), reads: true },
  { line: 'sandbox fault clear', json: has({ cleared: number }), form: '--json' },
  { line: 'sandbox requests', json: some({ method: text, path: text, status: number }), reads: true },
  { line: 'sandbox deliveries', json: some({ deliveryId: text, attempts: expect.any(Array) }), reads: true },
  { line: 'sandbox deliver', json: each({ eventId: text, results: expect.any(Array) }), form: '--json' },
  {
    line: 'sandbox changes --since before',
    json: some({ id: text, by: text, changes: expect.any(Array) }),
    reads: true,
  },
  { line: 'sandbox snapshot save again', json: has({ name: 'again', file: text }), form: '--json' },
  { line: 'sandbox snapshot list', json: some({ name: 'before', file: text }), reads: true },
  { line: 'sandbox snapshot load before -y', json: has({ name: 'before' }), form: '--json' },
  { line: 'sandbox clock advance 1s', json: has({ now: text, aheadMs: number }) },
  { line: 'sandbox run -- true', receiver: true },
  { line: 'sandbox torture true', code: 10, receiver: true },
  { line: 'profiles list', json: some(PROFILE), reads: true },
  { line: 'profiles show', json: has({ environment: has({ value: text, source: text }) }), reads: true },
  {
    line: 'profiles add new --base-url https://api.example.com --api-key-file key',
    json: has(PROFILE),
    form: '--json',
  },
  { line: 'profiles use acme', json: has(PROFILE), silent: true },
  { line: 'profiles set entityId 7 -p acme', json: has(PROFILE), silent: true },
  { line: 'profiles unset entityId -p acme', json: has(PROFILE), silent: true },
  { line: 'profiles set-key acme --api-key-file other --no-check', json: has(PROFILE), silent: true },
  { line: 'profiles add-secret acme --secret-file other', json: has(PROFILE), silent: true },
  { line: 'profiles rm-secret acme -y', json: has(PROFILE), silent: true },
  { line: 'profiles rm old -y', json: has({ name: 'old', deleted: true }), form: '--json' },
  { line: 'history list', json: some({ kind: text, profile: text }), reads: true },
  { line: 'history show T1', json: has({ externalTrxId: 'T1', amount: 250000 }), reads: true },
  { line: 'history rm T2 -y', json: { forgotten: 1 }, form: '--json' },
  { line: 'smoke -p sandbox', json: some(CHECK) },
  { line: 'api GET /partner/webhook -p sandbox', json: { data: expect.any(Array) }, bare: true, reads: true },
  { line: 'explain ERR_CUSTOMER_NOT_APPROVED', json: some({ code: 'ERR_CUSTOMER_NOT_APPROVED' }), reads: true },
  { line: 'contract gaps', json: some({ gap: expect.anything(), question: text, source: text }), reads: true },
  {
    line: 'contract export recorded.ndjson --har day.har --fixtures fixtures --force',
    json: some({ file: text, entries: number }),
    reads: true,
  },
  { line: 'contract openapi', json: has({ openapi: expect.stringMatching(/^3\.1/) }), bare: true, reads: true },
  { line: 'contract check seen.ndjson', json: [], reads: true },
  {
    line: 'contract learn seen.ndjson',
    json: expect.any(Array),
    reads: true,
  },
  { line: 'doctor -p sandbox', json: some(CHECK), reads: true },
  { line: 'completion bash', json: { shell: 'bash', script: text }, bare: true, reads: true },
  { line: '__complete bash -- web', bare: true, receiver: true },
  { line: 'sandbox reset -y', json: { reset: true }, form: '--json' },
]

/** The commands that start a server and run until they are stopped. */
export const SERVERS = ['sandbox start', 'webhooks listen', 'proxy']

export const isOf = (name: string) => (line: string) => `${line} `.startsWith(`${name} `)

interface CommandNames {
  /** The names of all commands that do something, as they are typed. */
  leaves: string[]
  /** The names of all commands that have a help text. */
  all: string[]
  /** Returns the options of a command that take a value, such as `--amount`. */
  valued(name: string): string[]
}

/** Returns the names of the commands, and their options. */
export async function commandNames(world: World): Promise<CommandNames> {
  const tree = createProgram(world, () => {})
  await loadAll(tree, world)
  const below = (command: Command, words: string[]): { name: string; command: Command }[] => [
    ...(words.length === 0 ? [] : [{ name: words.join(' '), command }]),
    ...command.commands.flatMap((each) => below(each, [...words, each.name()])),
  ]
  const found = below(tree, [])
  return {
    leaves: found.filter(({ command }) => command.commands.length === 0).map(({ name }) => name),
    all: found.map(({ name }) => name),
    valued: (wanted) =>
      found
        .filter(({ name }) => name === wanted)
        .flatMap(({ command }) => command.options)
        .flatMap(({ long, required, optional }) => (long && (required || optional) ? [long] : [])),
  }
}
