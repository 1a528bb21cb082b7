import { expect, test } from 'vitest'
import { realClock } from '../../../test/harness.ts'
import { sandboxKit } from '../../../test/sandbox-kit.ts'
import { random } from '../../../test/seed.ts'
import { keepIn, newPlace } from '../../../test/store-place.ts'
import { listPartners } from './partners.ts'
import { readSetting, writeSetting } from './settings.ts'
import { openStore } from './store.ts'

// What is of PostgreSQL alone; what holds on every engine is in the other suites, which test/sandbox-on-postgres.test.ts runs here.
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

test('what one process writes the others are told, by table, once it is done', async () => {
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

test('the time is the database’s: what a machine’s clock is off does not count', async () => {
  await using it = await store()
  const late = await it.agreedClock({ ...realClock, now: () => Date.now() - 3_600_000 })
  expect(Math.abs(late.now() - Date.now())).toBeLessThan(5_000)
  expect(await it.agreedClock(realClock)).toBe(realClock)
})

test('text that it cannot keep, or not index, is told or made fit, and nothing else fails by it', async () => {
  await using kit = await sandboxKit()
  expect((await kit.send('POST', '/_window/show/requests')).status).toBe(401)
  expect((await kit.control('pay', { externalTrxId: 'a\0b' })).status).toBe(404)
  // Letters that no compression makes short.
  const long = Array.from({ length: 4_000 }, () => random().toString(36).slice(2)).join('')
  expect(await kit.evaluate(long)).toMatchObject({ status: 400, code: 'ERR_INVALID_REQUEST' })
  expect((await kit.evaluate('T1')).status).toBe(200)
})

test('more transactions at once than there are connections take their turns', async () => {
  await using it = await store()
  const add = () =>
    it.transaction(async (db) => {
      const count = Number((await readSetting(db, 'clockOffsetMs')) ?? 0)
      await writeSetting(db, 'clockOffsetMs', String(count + 1))
    })
  await Promise.all(Array.from({ length: 30 }, add))
  expect(await readSetting(it.db, 'clockOffsetMs')).toBe('30')
})
