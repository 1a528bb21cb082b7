import { formatDuration } from '../../../domain/duration.ts'
import { maskRut } from '../../../text/masking.ts'
import type { Contents } from '../../store/contents.ts'
import { completeHarm } from '../../store/harm.ts'
import { fromJsonColumn } from '../../store/json-column.ts'
import type { Change, ChangedField, ChangeKind } from './cause.ts'
import { changedFields } from './difference.ts'

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

/** Returns functions that describe rows which were added or removed. @param nameOf returns the name of an account */
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

/** Returns the change of a fault whose `times` or `skip` decreased because a request, a delivery or a payment matched the fault. */
export const faultChange = (before: RowOf<'faults'>, after: RowOf<'faults'>): Change => ({
  kind: 'fault',
  how: 'changed',
  id: after.id,
  about: after.endpoint,
  account: null,
  fields: fieldsBetween({ times: before.times, skip: before.skip }, { times: after.times, skip: after.skip }),
})

/** Returns the change of an evaluation whose parameters were changed (`bnpl sandbox revise`). */
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

/** Returns how one object changed. */
export const changeOf = (
  { kind, id, about, account }: Pick<Change, 'kind' | 'id' | 'about' | 'account'>,
  before: Facts,
  after: Facts,
): Change => ({ kind, how: 'changed', id, about, account, fields: fieldsBetween(before, after) })

/** Returns waits in the form that commands accept, such as `5s,30s`; null if no waits were set. @param steps a JSON list of ms */
export function waits(steps: string | null): string | null {
  if (steps === null) return null
  const list: readonly number[] = JSON.parse(steps)
  return list.map(formatDuration).join(',') || 'none'
}
