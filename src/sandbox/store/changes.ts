import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseSync } from 'node:sqlite'
import { formatDuration } from '../../domain/clock.ts'
import { maskRut } from '../../text/masking.ts'
import { completeEffect, type FaultEffect } from './fault-effect.ts'
import { type Db, iso, newId } from './store.ts'
import type { CauseKind, ChangeKind, ChangeRow, Tables } from './tables.ts'

/** The cause of a write, as it is stored with the change. */
export interface WriteCause {
  by: CauseKind
  /** Two writes with the same id have the same cause. For a logged request, this is the id of the request. */
  id: string
  /** The sandbox's time at which the cause happened, ISO 8601. */
  at: string
  /** The transaction, lead or endpoint that the cause is about, if the changes do not say it. */
  about?: string | undefined
}

/** Returns a cause of writes. @param now the sandbox's time, in ms since 1970 @param id names the cause among those of its kind */
export const writeCause = (by: CauseKind, now: number, id = newId(now), about?: string): WriteCause => ({
  by,
  id: `${by}:${id}`,
  at: iso(now),
  about,
})

const current = new AsyncLocalStorage<WriteCause>()

/** Calls `work`. Every row that it changes is listed in the table `changes` with this cause, also after an `await`. */
export const causedBy = <Result>(cause: WriteCause, work: () => Result): Result => current.run(cause, work)

/** Names of facts, with SQL in which `$` stands for the row before or after the write. */
type Facts = Readonly<Record<string, string>>

interface Watched {
  kind: ChangeKind
  /** SQL for the transaction, masked customer, address or endpoint that the row is about. */
  about: string
  /** SQL for the id of the row's account; `null` for none. */
  partner?: string
  /** What is listed of a new row, and of a deleted one. Without it, new and deleted rows are not listed. */
  facts?: Facts
  /** What is compared when a row is changed. A text is SQL for an object in JSON. Without it, changes of rows are not listed. */
  compared?: Facts | string
  /** Whether deleted rows are not listed, because another row tells the same. */
  vanishes?: boolean
}

const URL_OF_DELIVERY = 'coalesce((select url from webhooks where id = $webhookId), $webhookId)'

/** While a delivery is sent, it still counts as pending, because the attempt itself is listed. */
const STATE_OF_DELIVERY = `iif($state = 'sending', 'pending', $state)`

const WATCHED: Partial<Record<keyof Tables, Watched>> = {
  preApprovals: {
    kind: 'evaluation',
    about: 'coalesce($externalTrxId, masked($idNumber))',
    facts: { amount: '$amount', outcome: '$outcome', customer: 'masked($idNumber)' },
    compared: '$details',
  },
  loanRequests: { kind: 'selection', about: '$externalTrxId', facts: { installments: '$installments' } },
  widgetSessions: {
    kind: 'token',
    about: '$externalTrxId',
    facts: { amount: '$amount', expiresAt: '$expiresAt' },
    compared: { outcome: '$outcome', reason: '$reason', step: '$step', expiresAt: '$expiresAt' },
  },
  loans: {
    kind: 'loan',
    about: '$externalTrxId',
    facts: { amount: '$loanAmount', installments: '$periods' },
    compared: { verifiedAt: '$verifiedAt', cancelledAt: '$cancelledAt', paidInstallments: '$paidInstallments' },
  },
  webhooks: {
    kind: 'destination',
    about: '$url',
    facts: {
      events: `(select group_concat(value, ', ') from json_each($eventTypes))`,
      filters: `(select group_concat(key || '=' || value, ', ') from json_each($filters))`,
      projectId: '$projectId',
    },
  },
  leads: {
    kind: 'lead',
    about: 'masked($idNumber)',
    facts: { customer: 'masked($idNumber)', projectId: '$projectId' },
  },
  events: { kind: 'event', about: '$subject', facts: { type: '$type' } },
  deliveries: {
    kind: 'delivery',
    about: URL_OF_DELIVERY,
    facts: { type: '$type', state: STATE_OF_DELIVERY },
    compared: { state: STATE_OF_DELIVERY },
    vanishes: true,
  },
  faults: {
    kind: 'fault',
    about: '$endpoint',
    partner: 'null',
    facts: {
      fault: 'shownEffect($effect)',
      times: 'nullif($times, -1)',
      skip: 'nullif($skip, 0)',
    },
    compared: { times: '$times', skip: '$skip' },
  },
  partners: { kind: 'account', about: '$name', partner: '$id', compared: { name: '$name' } },
}

const objectOf = (facts: Facts | string): string =>
  typeof facts === 'string' ? facts : `json_object(${Object.entries(facts).map(([name, sql]) => `'${name}', ${sql}`)})`

/** Returns the statements that list a write. `$` in the SQL stands for `row`. */
function trigger(
  event: string,
  on: string,
  change: { kind: string; how: string; id: string; about: string; partner: string; before: string; after: string },
  only = 'true',
): string {
  const { kind, how, id, about, partner, before, after } = change
  return `create temp trigger ${on}_${event.split(' ')[0]}_${kind} after ${event} on main.${on}
    when writeCause() is not null and ${only} begin
      insert into changes (cause, kind, how, rowId, about, account, before, after)
        values (writeCause(), '${kind}', '${how}', ${id}, ${about}, (select name from partners where id = ${partner}), ${before}, ${after});
    end;`
}

const inRow = (sql: string, row: 'old' | 'new') => sql.replaceAll('$', `${row}.`)

function triggersOf([table, watched]: [string, Watched]): string[] {
  const { kind, about, partner = '$partnerId', facts, compared, vanishes = false } = watched
  const of = (how: string, row: 'old' | 'new', before: string, after: string) => ({
    kind,
    how,
    id: `${row}.id`,
    about: inRow(about, row),
    partner: inRow(partner, row),
    before,
    after,
  })
  const made: string[] = []
  if (facts !== undefined) {
    const object = objectOf(facts)
    made.push(trigger('insert', table, of('came', 'new', 'null', inRow(object, 'new'))))
    if (!vanishes) made.push(trigger('delete', table, of('went', 'old', inRow(object, 'old'), 'null')))
  }
  if (compared !== undefined) {
    const [before, after] = [inRow(objectOf(compared), 'old'), inRow(objectOf(compared), 'new')]
    made.push(trigger('update', table, of('changed', 'new', before, after), `${before} is not ${after}`))
  }
  return made
}

/** The settings that are listed: how far the clock is ahead, and the waits before retries. */
const SETTINGS = [
  { name: 'clockOffsetMs', kind: 'clock', fact: `json_object('aheadMs', cast(coalesce($value, '0') as integer))` },
  { name: 'deliverySteps', kind: 'retries', fact: `json_object('waits', shownWaits($value))` },
] as const

function settingTriggers({ name, kind, fact }: (typeof SETTINGS)[number]): string[] {
  const none = fact.replace('$value', 'null')
  const change = { kind, how: 'changed', id: `'sandbox'`, about: `''`, partner: 'null' }
  const list = (event: string, row: 'old' | 'new', before: string, after: string) =>
    trigger(event, 'settings', { ...change, before, after }, `${row}.name = '${name}' and ${before} is not ${after}`)
  return [
    list('insert', 'new', none, inRow(fact, 'new')),
    list('update', 'new', inRow(fact, 'old'), inRow(fact, 'new')),
    list('delete', 'old', inRow(fact, 'old'), none),
  ]
}

/** Each attempt is a change of its delivery. Its answers are listed under `answers`. */
const ATTEMPTS = `create temp trigger attempts after insert on main.deliveryAttempts when writeCause() is not null begin
    insert into changes (cause, kind, how, rowId, about, account, before, after)
      select writeCause(), 'delivery', 'changed', id, ${URL_OF_DELIVERY.replaceAll('$', 'deliveries.')},
        (select name from partners where id = deliveries.partnerId), json_object('answers', null),
        json_object('answers', coalesce(new.status, new.error) || iif(new.fault is null, '', ' (' || new.fault || ')'))
      from deliveries where id = new.deliveryId;
  end;`

/**
 * Lists every later write of this connection in the table `changes`, with its cause. The triggers are temporary, so that they belong to
 * this connection, and another program can still write the file.
 */
export function listChanges(database: DatabaseSync): void {
  const cause = () => {
    const known = current.getStore()
    return known === undefined ? null : JSON.stringify(known)
  }
  database.function('writeCause', cause)
  database.function('masked', (idNumber) => maskRut(String(idNumber)))
  database.function('shownEffect', (effect) => shownEffect(JSON.parse(String(effect))))
  database.function('shownWaits', (steps) => (steps === null ? null : shownWaits(JSON.parse(String(steps)))))
  const made = [...Object.entries(WATCHED).flatMap(triggersOf), ...SETTINGS.flatMap(settingTriggers), ATTEMPTS]
  database.exec(made.join('\n'))
}

function shownEffect(kept: FaultEffect): string | number | null {
  const { kind, status, delayMs } = completeEffect(kept)
  return kind ?? status ?? (delayMs > 0 ? formatDuration(delayMs) : null)
}

/** Returns waits in the form that commands accept, such as `5s,30s`. */
const shownWaits = (steps: readonly number[]): string => steps.map(formatDuration).join(',') || 'none'

const KEPT_CHANGES = 100_000

/** Deletes the oldest changes beyond `KEPT_CHANGES`. */
export function pruneChanges(db: Db): void {
  db.run('delete from changes where id <= (select max(id) from changes) - ?', KEPT_CHANGES)
}

/** Returns the id of the latest change; 0 if there is none. */
export const latestChange = (db: Db): number =>
  db.get<{ id: number | null }>('select max(id) as id from changes')?.id ?? 0

/** Returns the changes after the change with the given id, oldest first. */
export const changesAfter = (db: Db, id: number): ChangeRow[] =>
  db.all('select * from changes where id > ? order by id', id)
