import { openStore } from '../../src/sandbox/store/sqlite.ts'
import { type PartnerRow, toJsonColumn } from '../../src/sandbox/store/tables.ts'

/** The first row, and the row after the last one. */
type Range = readonly [from: number, to: number]

/** Writes the rows that many calls and deliveries of long ago would have left. */
export async function fill(dataFile: string, { requests, deliveries }: Record<'requests' | 'deliveries', Range>) {
  const store = await openStore({ file: dataFile })
  const at = '2020-03-01T12:00:00.000Z'
  const body = JSON.stringify({ amount: '250000', externalTrxId: 'order' })
  const { id: partnerId = '', name = '' } = store.db.get<PartnerRow>('select * from partners') ?? {}
  const type = 'loan_approved'
  store.transaction((db) => {
    for (const i of numbers(requests)) {
      db.insert('requests', {
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
        passed: null,
      })
    }
    for (const i of numbers(deliveries)) {
      const subject = `order-${i}`
      db.insert('events', { id: `event-${i}`, partnerId, type, createdAt: at, subject, data: toJsonColumn({}) })
      db.insert('deliveries', {
        id: `delivery-${i}`,
        eventId: `event-${i}`,
        webhookId: 'gone',
        partnerId,
        position: i,
        type,
        state: 'delivered',
        attempts: 1,
        dueAt: at,
        createdAt: at,
        claimedBy: null,
        claimedUntil: null,
        fault: null,
      })
    }
  })
  store.close()
}

const numbers = ([from, to]: Range) => Array.from({ length: to - from }, (_, i) => from + i)
