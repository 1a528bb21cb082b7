import { toJsonColumn } from '../../src/sandbox/store/json-column.ts'
import { openStore } from '../../src/sandbox/store/open-store.ts'

/** How many rows one statement writes. */
const BATCH = 100

/** The first row, and the row after the last one. */
type Range = readonly [from: number, to: number]

/** Writes the rows that many calls and deliveries of long ago would have left. */
export async function fill(dataFile: string, { requests, deliveries }: Record<'requests' | 'deliveries', Range>) {
  const store = await openStore({ file: dataFile })
  const at = '2020-03-01T12:00:00.000Z'
  const body = JSON.stringify({ amount: '250000', externalTrxId: 'order' })
  const { id: partnerId, name } = await store.db.selectFrom('partners').selectAll().executeTakeFirstOrThrow()
  const type = 'loan_approved' as const
  await store.transaction(async (db) => {
    for (const numbers of batches(requests)) {
      const rows = numbers.map((i) => ({
        id: `${at}-${String(i).padStart(6, '0')}`,
        at,
        partner: name,
        method: 'POST',
        path: `/partner/pre-approve/order-${i}/loan`,
        status: 200,
        ms: 3,
        requestBody: body,
        responseBody: body,
        fault: null,
      }))
      await db.insertInto('requests').values(rows).execute()
    }
    for (const numbers of batches(deliveries)) {
      const events = numbers.map((i) => ({
        id: `event-${i}`,
        partnerId,
        type,
        createdAt: at,
        subject: `order-${i}`,
        data: toJsonColumn({}),
      }))
      await db.insertInto('events').values(events).execute()
      const rows = numbers.map((i) => ({
        id: `delivery-${i}`,
        eventId: `event-${i}`,
        webhookId: 'gone',
        partnerId,
        position: i,
        type,
        state: 'delivered' as const,
        attempts: 1,
        dueAt: at,
        createdAt: at,
        claimedBy: null,
        claimedUntil: null,
      }))
      await db.insertInto('deliveries').values(rows).execute()
    }
  })
  await store.close()
}

function* batches([from, to]: Range): Generator<number[]> {
  for (let start = from; start < to; start += BATCH) {
    yield Array.from({ length: Math.min(BATCH, to - start) }, (_, i) => start + i)
  }
}
