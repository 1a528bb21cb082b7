import { readFileSync, writeFileSync } from 'node:fs'
import { Pool } from 'undici'

/**
 * Sends the calls with undici alone, for comparison: without checks, retries, a ledger or the order of the rows.
 * Arguments: origin, file of ids, output, connections.
 */
const [origin = '', file = '', out = '', connections = '32'] = process.argv.slice(2)
const ids = readFileSync(file, 'utf8').trim().split('\n').slice(1)
const pool = new Pool(origin, { connections: Number(connections) })
const rows: string[] = []
let next = 0
const work = async () => {
  while (next < ids.length) {
    const i = next++
    const { body } = await pool.request({
      path: `/partner/pre-approve/${ids[i]}/loan`,
      method: 'POST',
      headers: { authorization: 'Bearer key', accept: 'application/json' },
    })
    const { data } = (await body.json()) as { data: unknown }
    rows[i] = JSON.stringify(data)
  }
}
await Promise.all(Array.from({ length: Number(connections) }, work))
writeFileSync(out, `${rows.join('\n')}\n`)
await pool.close()
