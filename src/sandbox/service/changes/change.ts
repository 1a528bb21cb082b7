import type { EndpointName } from '../../../contract/endpoints.ts'
import { formatDuration } from '../../../domain/duration.ts'
import { maskRut } from '../../../text/masking.ts'
import type { Contents } from '../../store/contents.ts'
import { completeHarm } from '../../store/harm.ts'
import { fromJsonColumn } from '../../store/json-column.ts'
import { changedFields } from './difference.ts'

/** The kinds of things that change. `token` is a payment on the payment page, `retries` the waits before a delivery is retried. */
export type ChangeKind =
  | 'evaluation'
  | 'selection'
  | 'token'
  | 'loan'
  | 'destination'
  | 'lead'
  | 'event'
  | 'delivery'
  | 'fault'
  | 'account'
  | 'clock'
  | 'retries'

/** One thing that came, changed or went. Personal data are masked, and secrets are not in it. */
export interface Change {
  kind: ChangeKind
  how: 'came' | 'changed' | 'went'
  id: string
  /** The transaction, masked customer, address or endpoint that it is about. */
  about: string
  /** The name of its account. */
  account: string | null
  /** The facts of what came or went, and each difference of what changed. Times are ISO 8601, amounts currency units. */
  fields: readonly ChangedField[]
}

interface ChangedField {
  name: string
  before: string | number | null
  after: string | number | null
}

/**
 * What made changes: a request of the merchant's program, a customer who decided, an evaluation that became due, a control (of the window or
 * a command), another attempt of an older delivery, or a whole state that was deleted or loaded. `unknown` where no trace names the cause.
 */
export type CauseKind = 'request' | 'customer' | 'time' | 'control' | 'delivery' | 'state' | 'unknown'

export interface Cause {
  id: string
  by: CauseKind
  /** The sandbox's time; null when nothing keeps it. */
  at: string | null
  account: string | null
  about: string | null
  /** Null unless it is a request. */
  request: { id: string; method: string; path: string; status: number; endpoint: EndpointName | null } | null
  changes: Change[]
}

type RowOf<Table extends keyof Contents> = Contents[Table] extends readonly (infer Row)[] ? Row : never
type Facts = Readonly<Record<string, string | number | null>>

const fieldsBetween = (before: Facts, after: Facts): ChangedField[] =>
  changedFields({ ...before }, { ...before, ...after }).map((name) => ({
    name,
    before: before[name] ?? null,
    after: after[name] ?? null,
  }))

const factsOf = (how: 'came' | 'went', facts: Facts): ChangedField[] =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name, before: how === 'went' ? value : null, after: how === 'came' ? value : null }))

type How = { how: 'came' | 'went' }

/** Describes rows that came or went, for the accounts of these names. */
export function describeRows(nameOf: (partnerId: string) => string | null) {
  const of = (
    kind: ChangeKind,
    { how }: How,
    row: { id: string; partnerId?: string },
    about: string,
    facts: Facts,
  ) => ({
    kind,
    how,
    id: row.id,
    about,
    account: row.partnerId === undefined ? null : nameOf(row.partnerId),
    fields: factsOf(how, facts),
  })
  return {
    evaluation: (row: RowOf<'evaluations'>, how: How): Change =>
      of('evaluation', how, row, row.externalTrxId ?? maskRut(row.idNumber), {
        amount: row.amount,
        outcome: row.outcome,
        customer: maskRut(row.idNumber),
      }),
    selection: (row: RowOf<'selections'>, how: How): Change =>
      of('selection', how, row, row.externalTrxId, { installments: row.installments }),
    token: (row: RowOf<'tokens'>, how: How): Change =>
      of('token', how, row, row.externalTrxId, { amount: row.amount, expiresAt: row.expiresAt }),
    loan: (row: RowOf<'loans'>, how: How): Change =>
      of('loan', how, row, row.externalTrxId, { amount: row.loanAmount, installments: row.periods }),
    destination: (row: RowOf<'destinations'>, how: How): Change =>
      of('destination', how, row, row.url, {
        events: fromJsonColumn(row.eventTypes).join(', '),
        filters: row.filters === null ? null : pairs(fromJsonColumn(row.filters)),
        projectId: row.projectId,
      }),
    lead: (row: RowOf<'leads'>, how: How): Change =>
      of('lead', how, row, maskRut(row.idNumber), { customer: maskRut(row.idNumber), projectId: row.projectId }),
    event: (row: RowOf<'events'>, how: How): Change => of('event', how, row, row.subject, { type: row.type }),
    delivery: (row: RowOf<'deliveries'>, how: How, url: string, answers: string | null): Change =>
      of('delivery', how, row, url, { type: row.type, state: row.state, answers }),
    fault: (row: RowOf<'faults'>, how: How): Change => of('fault', how, row, row.endpoint, faultFacts(row)),
  }
}

const pairs = (filters: Readonly<Record<string, string>>) =>
  Object.entries(filters)
    .map((pair) => pair.join('='))
    .join(', ')

const ALWAYS = -1

function faultFacts({ harm, times, skip }: RowOf<'faults'>): Facts {
  const { kind, status, delayMs } = completeHarm(fromJsonColumn(harm))
  const what = kind ?? status ?? (delayMs > 0 ? formatDuration(delayMs) : null)
  return { fault: what, times: times === ALWAYS ? null : times, skip: skip === 0 ? null : skip }
}

/** Describes a fault that met something, so that fewer are left. */
export const faultChange = (before: RowOf<'faults'>, after: RowOf<'faults'>): Change => ({
  kind: 'fault',
  how: 'changed',
  id: after.id,
  about: after.endpoint,
  account: null,
  fields: fieldsBetween({ times: before.times, skip: before.skip }, { times: after.times, skip: after.skip }),
})

/** Describes a change of the parameters of an evaluation (`sandbox revise`). */
export const revisedChange = (
  before: RowOf<'evaluations'>,
  after: RowOf<'evaluations'>,
  account: string | null,
): Change => ({
  kind: 'evaluation',
  how: 'changed',
  id: after.id,
  about: after.externalTrxId ?? maskRut(after.idNumber),
  account,
  fields: fieldsBetween(shown(fromJsonColumn(before.details)), shown(fromJsonColumn(after.details))),
})

const shown = (details: Readonly<Record<string, unknown>>): Facts =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'number' ? value : String(value)]),
  )

/** Describes differences of one thing. */
export const changeOf = (
  { kind, id, about, account }: Pick<Change, 'kind' | 'id' | 'about' | 'account'>,
  before: Facts,
  after: Facts,
): Change => ({ kind, how: 'changed', id, about, account, fields: fieldsBetween(before, after) })

/** `5s,30s`: waits as the commands take them. @param steps a JSON list of ms */
export const waits = (steps: string): string => {
  const list: readonly number[] = JSON.parse(steps)
  return list.map(formatDuration).join(',') || 'none'
}
