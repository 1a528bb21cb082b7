import { expect, test } from 'vitest'
import { killWhilePending } from './killed-sandbox.ts'
import { program } from './program.ts'

test('kill -9 with deliveries pending: after a restart each is sent, in order, and the lead under way is lost [row 76]', async () => {
  await using p = program()
  const { told, leads, leadStates } = await killWhilePending(p, 20, false)
  // The one that was under way may have arrived, and comes again under its eventId.
  expect(told.map(({ trx }) => trx)).toEqual(['T0', ...Array.from({ length: 21 }, (_, i) => `T${i}`)])
  expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(21)
  expect(told[1]).toEqual(told[0])
  expect(new Set(leads).size).toBe(2)
  expect(leadStates).toEqual(['lost', 'delivered'])
})
