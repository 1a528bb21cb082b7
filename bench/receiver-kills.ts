import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sign } from '../src/domain/signature.ts'
import { DEFAULT_SIGNATURE } from '../src/domain/signature-settings.ts'
import { MAIN, SECRET, startReceiver } from './receiver/run.ts'

/**
 * Kills `webhooks listen` with SIGKILL at random moments under load, again and again on one inbox, and counts what became of the
 * deliveries it acknowledged. `node bench/receiver-kills.ts [--kills N] [--connections N] [--program FILE]`
 */
const option = (name: string, otherwise: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : String(process.argv[at + 1])
}
const kills = Number(option('kills', '100'))
const connections = Number(option('connections', '64'))
const program = option('program', MAIN)

const dir = mkdtempSync(join(tmpdir(), 'bnpl-kills-'))
const acknowledged = new Set<string>()
const emitted = new Map<string, number>()
let unanswered = 0
let refused = 0

function deliver(url: string, agent: Agent, eventId: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ eventId, data: { note: 'x'.repeat(1900) } }))
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'service-signature': sign(body, SECRET, DEFAULT_SIGNATURE),
  }
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

for (let kill = 0; kill < kills; kill++) {
  const receiver = await startReceiver([program], dir)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let over = false
  const senders = Array.from({ length: connections }, async (_, sender) => {
    for (let i = 0; !over; i++) {
      const eventId = `${kill}-${sender}-${i}`
      const status = await deliver(receiver.url, agent, eventId)
      if (status === 200) acknowledged.add(eventId)
      else if (status === 0) unanswered++
      else refused++
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 500))
  await receiver.stop('SIGKILL')
  over = true
  await Promise.all(senders)
  agent.destroy()
  for (const line of receiver.lines()) count(line)
  if ((kill + 1) % 10 === 0) console.log(`${kill + 1} kills, ${acknowledged.size} acknowledged`)
}
// A last receiver is ended normally. It prints the events that the killed ones stored and did not print.
const last = await startReceiver([program], dir)
await new Promise((resolve) => setTimeout(resolve, 500))
await last.stop('SIGTERM')
for (const line of last.lines()) count(line)

function count(line: string): void {
  const { eventId } = JSON.parse(line) as { eventId: string }
  emitted.set(eventId, (emitted.get(eventId) ?? 0) + 1)
}

using db = new DatabaseSync(join(dir, 'state/inbox.db'), { readOnly: true })
const stored = db
  .prepare('SELECT event_id FROM events')
  .all()
  .map((row) => String(row.event_id))
const kept = new Set(stored)
const lost = [...acknowledged].filter((id) => !kept.has(id))
const silent = [...kept].filter((id) => !emitted.has(id))
const again = [...emitted.values()].filter((times) => times > 1).length
console.log(`acknowledged ${acknowledged.size}, no answer ${unanswered}, refused ${refused}`)
console.log(`lost ${lost.length}, stored twice ${stored.length - kept.size}, never emitted ${silent.length}`)
console.log(`emitted again after a kill ${again} (at least once: the eventId is the same)`)
db.close()
rmSync(dir, { recursive: true, force: true })
process.exitCode = lost.length + silent.length + (stored.length - kept.size) + refused > 0 ? 1 : 0
