import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { backendOf, refuseOtherBackend, refusePooler } from './session.ts'

interface Played {
  /** The numbers of the server processes that answer one query after the other. The last one answers all further queries. */
  backends: number[]
  connect?: () => Promise<void>
}

/** A simulated connection to a server or to a pooler, and the queries that it received. */
function played({ backends, connect = async () => {} }: Played) {
  const asked: string[] = []
  const left = [...backends]
  const client = {
    async connect() {
      asked.push('connect')
      await connect()
    },
    async query(text: string) {
      asked.push(text)
      if (text === 'BEGIN') return { rows: [] }
      return { rows: [{ pid: left.length > 1 ? left.shift() : left[0] }] }
    },
    async end() {
      asked.push('end')
    },
  }
  return { asked, client: client as unknown as Client }
}

const PID = 'SELECT pg_backend_pid() AS pid'

/** Looks for a pooler with simulated probes, in this order. */
async function looked(mine: number[], probes: Played[]) {
  const own = played({ backends: mine })
  const made = probes.map(played)
  let next = 0
  const connection = () => {
    const probe = made[next++]
    if (probe === undefined) throw new Error('one probe too many')
    return probe.client
  }
  const outcome = await refusePooler(own.client, connection, 'shop').then(
    () => 'kept',
    (error: unknown) => error,
  )
  return { outcome, own: own.asked, probes: made.slice(0, next).map(({ asked }) => asked) }
}

const POOLER = {
  kind: 'config',
  code: 'DATABASE_POOLER',
  message: 'the database shop is behind a pooler that does not keep sessions',
}

test('the number of a server process is read from the server', async () => {
  expect(await backendOf(played({ backends: [77] }).client)).toBe(77)
  expect(await backendOf({ query: async () => ({ rows: [] }) as never })).toBeNaN()
})

test('a session that has another server process is refused as behind a pooler', async () => {
  await refuseOtherBackend(played({ backends: [7] }).client, 7, 'shop')
  await expect(refuseOtherBackend(played({ backends: [8] }).client, 7, 'shop')).rejects.toMatchObject(POOLER)
})

test('the pooler check opens three more connections with a transaction each, and closes all of them', async () => {
  const { outcome, own, probes } = await looked([7], [{ backends: [1] }, { backends: [2] }, { backends: [3] }])
  expect(outcome).toBe('kept')
  expect(own).toEqual([PID, PID, PID, PID])
  expect(probes).toEqual(Array.from({ length: 3 }, () => ['connect', 'BEGIN', PID, 'end']))
})

test('a pooler is detected if another connection gets our server process', async () => {
  const { outcome, probes } = await looked([7], [{ backends: [1] }, { backends: [7] }])
  expect(outcome).toMatchObject(POOLER)
  expect(probes.map((asked) => asked.at(-1))).toEqual(['end', 'end'])
})

test('a pooler is detected if our session gets another server process while other transactions are open', async () => {
  const { outcome } = await looked([7, 8], [{ backends: [1] }])
  expect(outcome).toMatchObject(POOLER)
})

test('if no further connection can be made, the pooler check passes', async () => {
  const refused = () => Promise.reject(Object.assign(new Error('too many clients'), { code: '53300' }))
  const { outcome, own, probes } = await looked([7], [{ backends: [7], connect: refused }])
  expect(outcome).toBe('kept')
  expect(own).toEqual([PID])
  expect(probes).toEqual([['connect', 'end']])
})

test('a pooler is detected by its own error about statement pooling', async () => {
  const refused = () => Promise.reject(new Error('not allowed in statement pooling mode'))
  expect((await looked([7], [{ backends: [1], connect: refused }])).outcome).toMatchObject(POOLER)
})

test('an error that is not of the database is thrown', async () => {
  const fault = new TypeError('a fault of the test')
  expect((await looked([7], [{ backends: [1], connect: () => Promise.reject(fault) }])).outcome).toBe(fault)
})

test('a probe connection that cannot be closed does not fail the pooler check', async () => {
  const own = played({ backends: [7] })
  const probe = () => {
    const { client } = played({ backends: [1] })
    return Object.assign(client, { end: () => Promise.reject(new Error('cut')) })
  }
  await refusePooler(own.client, probe, 'shop')
})
