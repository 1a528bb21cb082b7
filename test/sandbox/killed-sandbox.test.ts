import { expect, test } from 'vitest'
import { killWhilePending } from '../kit/killed-sandbox.ts'
import { program } from '../kit/program.ts'

test('row 76: after kill -9 and a restart, pending payment events are sent in order, and unfinished leads are lost', async () => {
  await using p = program()
  const { told, leads, leadStates } = await killWhilePending(p, 20, false)
  // The delivery that was under way may have arrived. It is sent again with the same eventId.
  expect(told.map(({ trx }) => trx)).toEqual(['T0', ...Array.from({ length: 21 }, (_, i) => `T${i}`)])
  expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(21)
  expect(told[1]).toEqual(told[0])
  expect([leads.length, new Set(leads).size]).toEqual([2, 2])
  expect(leadStates).toEqual(['lost', 'lost'])
})
