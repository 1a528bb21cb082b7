import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sandboxKit } from '../../../test/sandbox-kit.ts'
import { newPlace, type TestPlace } from '../../../test/store-place.ts'
import { openStore } from './open-store.ts'
import { listPartners, seed } from './partners.ts'
import { readSetting, writeSetting } from './settings.ts'

let own: TestPlace
beforeEach(async () => {
  own = await newPlace()
})
afterEach(() => own[Symbol.asyncDispose]())

test('many processes that open a new state at once agree on its tables and accounts', async () => {
  const stores = await Promise.all(Array.from({ length: 12 }, () => openStore(own.place)))
  await Promise.all(stores.map(seed))
  const seen = await Promise.all(stores.map(async ({ db }) => JSON.stringify(await listPartners(db))))
  expect(new Set(seen).size).toBe(1)
  expect(JSON.parse(seen[0]!)).toHaveLength(8)
  for (const store of stores) await store.close()
})

test('transactions of two connections in one process wait for each other without blocking it', async () => {
  const [one, other] = [await openStore(own.place), await openStore(own.place)]
  const add = (store: typeof one) =>
    store.transaction(async (db) => {
      const count = Number((await readSetting(db, 'clockOffsetMs')) ?? 0)
      await new Promise((resolve) => setTimeout(resolve, 1))
      await writeSetting(db, 'clockOffsetMs', String(count + 1))
    })
  await Promise.all(Array.from({ length: 40 }, (_, i) => add(i % 2 ? one : other)))
  expect(await readSetting(one.db, 'clockOffsetMs')).toBe('40')
  await one.close()
  await other.close()
})

test('a failed transaction leaves nothing behind, and the next one works', async () => {
  const store = await openStore(own.place)
  const failing = store.transaction(async (db) => {
    await writeSetting(db, 'clockOffsetMs', '7')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await readSetting(store.db, 'clockOffsetMs')).toBeUndefined()
  await store.transaction((db) => writeSetting(db, 'clockOffsetMs', '8'))
  expect(await readSetting(store.db, 'clockOffsetMs')).toBe('8')
  await store.close()
})

test('a killed process leaves consistent data behind', async () => {
  const script = `
    import { sandboxKit } from ${JSON.stringify(join(import.meta.dirname, '../../../test/sandbox-kit.ts'))}
    const kit = await sandboxKit({ place: ${JSON.stringify(own.place)} })
    for (let i = 0; i < 500; i++) {
      await kit.evaluate('T' + i)
      await kit.control('pay', { externalTrxId: 'T' + i })
      process.stdout.write('T' + i + '\\n')
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = ''
  for await (const chunk of child.stdout) {
    told += chunk
    if (told.split('\n').length > 20) child.kill('SIGKILL')
  }
  await using kit = await sandboxKit({ place: own.place })
  const paid = told.split('\n').slice(0, -1)
  expect(paid.length).toBeGreaterThanOrEqual(20)
  for (const trx of paid) expect((await kit.verify(trx)).status).toBe(200)
  const loans = await kit.store.db.selectFrom('loans').select('externalTrxId').execute()
  const events = await kit.store.db.selectFrom('events').select('subject').execute()
  expect(events.map(({ subject }) => subject).sort()).toEqual(loans.map((loan) => loan.externalTrxId).sort())
})
