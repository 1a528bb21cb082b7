import { killWhilePending } from '../test/kit/killed-sandbox.ts'
import { program } from '../test/kit/program.ts'

/**
 * Kills `sandbox start` with SIGKILL while deliveries are pending, starts it again, and counts the deliveries that its receivers got:
 * `node bench/sandbox-kills.ts [pending]`, after a build. Throws when a delivery is missing or out of order, or when one arrived twice that
 * was not under way at the kill.
 */

const pending = Number(process.argv[2] ?? 1000)

await using p = program()
const started = performance.now()
const { told, leads, leadStates } = await killWhilePending(p, pending, true)
const expected = ['T0', ...Array.from({ length: pending + 1 }, (_, i) => `T${i}`)]
if (told.map(({ trx }) => trx).join() !== expected.join())
  throw new Error('something is missing, twice, or out of order')
if (new Set(told.map(({ eventId }) => eventId)).size !== pending + 1) throw new Error('sent again with another eventId')
if (leads.length !== 2 || leadStates.join() !== 'lost,lost') throw new Error(`new_lead: ${leadStates}`)
console.log(
  `${pending} pending when it was killed: all delivered after the restart, in order; the one under way twice with one eventId, the two new_lead ` +
    `under way lost and not sent again (${Math.round((performance.now() - started) / 1000)} s)`,
)
