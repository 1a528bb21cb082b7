import type { Contents } from '../../store/contents.ts'
import { changeOf } from './change.ts'
import { CAME, WENT, type Work } from './work.ts'

type Attempt = Contents['attempts'][number]
type Delivery = Contents['deliveries'][number]

/** Finds the cause for each change of a destination: a request, or a listener on this machine that registers itself. */
export function addDestinations(work: Work): void {
  const { diff, describe, requests, nameOf, namesOf } = work
  for (const row of diff.destinations.came) {
    const found = requests.maker({
      endpoints: ['registerWebhook', 'subscribeWebhook'],
      at: row.createdAt,
      accounts: namesOf(row.partnerId),
      abouts: [],
    })
    const facts = { at: row.createdAt, account: nameOf(row.partnerId), about: row.url }
    const listener = () => (row.isListener === 1 ? work.cause('control', `listener ${row.id}`, facts) : work.unknown())
    ;(found ?? listener()).changes.push(() => describe.destination(row, CAME))
  }
  for (const row of diff.destinations.went) {
    const cause = requests.deletion(row.id) ?? (isReplaced(work) ? work.cause('state', 'all') : work.unknown())
    cause.changes.push(() => describe.destination(row, WENT))
  }
}

/**
 * Finds the causes for changes of deliveries. A new delivery has the cause of its event. An older delivery changes when its destination is
 * deleted or another attempt is made.
 */
export function addDeliveries(work: Work): void {
  const { diff, describe, requests, before, after, eventCauses } = work
  const urls = new Map([...before.destinations, ...after.destinations].map(({ id, url }) => [id, url]))
  const urlOf = ({ webhookId }: Delivery) => urls.get(webhookId) ?? webhookId
  const attempts = Map.groupBy(diff.attempts.came, ({ deliveryId }) => deliveryId)
  for (const row of diff.deliveries.came) {
    const cause = eventCauses.get(row.eventId) ?? work.unknown()
    const tried = attempts.get(row.id)
    if (row.fault !== null) work.faultCauses.set(row.fault, cause)
    cause.changes.push(() => describe.delivery(row, CAME, urlOf(row), answersOf(tried)))
    attempts.delete(row.id)
  }
  const older = new Map(diff.deliveries.changed.map(({ before: was, after: row }) => [row.id, { was, row }]))
  const known = new Map(attempts.size === 0 ? [] : after.deliveries.map((row) => [row.id, row]))
  for (const id of attempts.keys()) {
    const row = known.get(id)
    if (row !== undefined && !older.has(id)) older.set(id, { was: row, row })
  }
  const events = new Map(older.size === 0 ? [] : after.events.map(({ id, subject }) => [id, subject]))
  for (const { was, row } of older.values()) {
    const tried = attempts.get(row.id)
    const deletion = row.state === 'cancelled' && tried === undefined ? requests.deletion(row.webhookId) : undefined
    const facts = { at: latestOf(tried), account: work.nameOf(row.partnerId), about: events.get(row.eventId) ?? null }
    const cause = deletion ?? work.cause(isAgain(tried) ? 'control' : 'delivery', row.id, facts)
    const thing = { kind: 'delivery', id: row.id, about: urlOf(row), account: facts.account } as const
    const answers = {
      before: { state: was.state, answers: null },
      after: { state: row.state, answers: answersOf(tried) },
    }
    cause.changes.push(() => changeOf(thing, answers.before, answers.after))
  }
}

/** Returns whether the sandbox was reset or a snapshot was loaded. Nothing else deletes evaluations, tokens, leads or events. */
export function isReplaced({ diff }: Pick<Work, 'diff'>): boolean {
  return [diff.evaluations, diff.tokens, diff.leads, diff.events].some(({ went }) => went.length > 0)
}

function answersOf(attempts: readonly Attempt[] | undefined): string | null {
  if (attempts === undefined) return null
  return inOrder(attempts)
    .map(({ status, error, chaos }) => `${status ?? error}${chaos === null ? '' : ` (${chaos})`}`)
    .join(', ')
}

const inOrder = (attempts: readonly Attempt[]) => attempts.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))

const latestOf = (attempts: readonly Attempt[] | undefined) => inOrder(attempts ?? []).at(-1)?.at ?? null

const isAgain = (attempts: readonly Attempt[] | undefined) =>
  attempts?.every(({ chaos }) => chaos?.startsWith('again')) ?? false
