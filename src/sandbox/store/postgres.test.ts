import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { realClock } from '../../../test/harness.ts'
import { sandboxKit } from '../../../test/sandbox-kit.ts'
import { random } from '../../../test/seed.ts'
import { keepIn, newPlace } from '../../../test/store-place.ts'
import { openStore } from './open-store.ts'
import { listPartners } from './partners.ts'
import { readSetting, writeSetting } from './settings.ts'

// Tests of PostgreSQL only. Other tests apply to every database; test/sandbox-on-postgres.test.ts runs them on PostgreSQL.
keepIn('postgres')

async function store() {
  const own = await newPlace()
  const opened = await openStore(own.place)
  return {
    ...opened,
    place: own.place,
    async [Symbol.asyncDispose]() {
      await opened.close()
      await own[Symbol.asyncDispose]()
    },
  }
}

test('the writes of one process are reported to the others, by table, after the transaction', async () => {
  await using one = await store()
  const other = await openStore(one.place)
  const told: string[] = []
  const stop = await other.onWrite((table) => told.push(table))
  await one.transaction(async (db) => {
    await writeSetting(db, 'clockOffsetMs', '1')
    await writeSetting(db, 'clockOffsetMs', '2')
    await listPartners(db)
  })
  await one
    .transaction(async (db) => {
      await writeSetting(db, 'clockOffsetMs', '3')
      throw new Error('no')
    })
    .catch(() => {})
  await one.db.deleteFrom('faults').execute()
  await one.db.deleteFrom('settings').where('name', '=', 'clockOffsetMs').execute()
  await expect.poll(() => told).toEqual(['settings', 'settings'])
  stop()
  await other.close()
})

test('a process whose clock jumps has the same time as the others, and does not end their claims [database 7]', async () => {
  await using own = await newPlace()
  const { place } = own
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  let got = 0
  const receiver = createServer(async (_request, response) => {
    got++
    await held
    response.end()
  })
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  const { port } = receiver.address() as AddressInfo
  let jumpedMs = 0
  const jumping = { ...realClock, now: () => Date.now() + jumpedMs }
  const [steadyStore, jumpingStore] = [await openStore(place), await openStore(place)]
  const shop = { place, allowHttp: true }
  {
    await using steady = await sandboxKit({ ...shop, store: steadyStore, clock: realClock })
    await using other = await sandboxKit({ ...shop, store: jumpingStore, clock: jumping })
    const form = { url: `http://127.0.0.1:${port}/`, eventTypes: ['new_lead'] }
    const key = steady.estate.apiKey
    expect(await steady.send('POST', '/partner/webhook/subscription', { key, form })).toMatchObject({ status: 201 })
    await steady.control('lead')
    await expect.poll(() => got).toBe(1)
    const states = async () => (await steady.control('deliveries')).data.map(({ state }: any) => state)
    for (jumpedMs of [3_600_000, -3_600_000]) {
      await other.sandbox.tick()
      await other.sandbox.deliverer.idle(5_000)
      expect([jumpedMs, await states()]).toEqual([jumpedMs, ['sending']])
      const [a, b] = [await steady.control('status'), await other.control('status')].map(({ data }) =>
        Date.parse(data.now),
      )
      expect([jumpedMs, Math.abs(Number(a) - Number(b)) < 5_000]).toEqual([jumpedMs, true])
    }
    answer()
    await expect.poll(states).toEqual(['delivered'])
    // The sandbox whose clock jumped sends the deliveries that it claims itself, and each only once.
    jumpedMs = 3_600_000
    await other.control('lead')
    await expect.poll(states).toEqual(['delivered', 'delivered'])
    expect(got).toBe(2)
  }
  await Promise.all([steadyStore.close(), jumpingStore.close()])
  await new Promise((closed) => receiver.close(closed))
})

test('text that PostgreSQL cannot store or index is refused or changed, and nothing else fails because of it', async () => {
  await using kit = await sandboxKit()
  expect((await kit.send('POST', '/_window/show/requests')).status).toBe(401)
  expect((await kit.control('pay', { externalTrxId: 'a\0b' })).status).toBe(404)
  // A text that compression cannot shorten.
  const long = Array.from({ length: 4_000 }, () => random().toString(36).slice(2)).join('')
  expect(await kit.evaluate(long)).toMatchObject({ status: 400, code: 'ERR_INVALID_REQUEST' })
  expect((await kit.evaluate('T1')).status).toBe(200)
})

test('when there are more transactions than connections, the transactions wait and all succeed', async () => {
  await using it = await store()
  const add = () =>
    it.transaction(async (db) => {
      const count = Number((await readSetting(db, 'clockOffsetMs')) ?? 0)
      await writeSetting(db, 'clockOffsetMs', String(count + 1))
    })
  await Promise.all(Array.from({ length: 30 }, add))
  expect(await readSetting(it.db, 'clockOffsetMs')).toBe('30')
})
