import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { newPlace, type TestPlace } from '../../../test/kit/store-place.ts'
import { listPartners, readSetting, seed, writeSetting } from './partners.ts'
import { openStore } from './sqlite.ts'

let own: TestPlace
beforeEach(async () => {
  own = await newPlace()
})
afterEach(() => own[Symbol.asyncDispose]())

test('many processes that open a new state at once agree on its tables and accounts [row 115]', async () => {
  const stores = await Promise.all(Array.from({ length: 12 }, () => openStore(own.place)))
  stores.map(seed)
  const seen = stores.map(({ db }) => JSON.stringify(listPartners(db)))
  expect(new Set(seen).size).toBe(1)
  expect(JSON.parse(seen[0]!)).toHaveLength(8)
  for (const store of stores) store.close()
})

test('a failed transaction leaves nothing behind, and the next one works', async () => {
  const store = await openStore(own.place)
  const failing = () =>
    store.transaction((db) => {
      writeSetting(db, 'clockOffsetMs', '7')
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(readSetting(store.db, 'clockOffsetMs')).toBeUndefined()
  // A transaction that is not finished when it returns is refused.
  expect(() => store.transaction(async (db) => writeSetting(db, 'clockOffsetMs', '7'))).toThrow('asynchronous')
  expect(readSetting(store.db, 'clockOffsetMs')).toBeUndefined()
  store.transaction((db) => store.transaction(() => writeSetting(db, 'clockOffsetMs', '8')))
  expect(readSetting(store.db, 'clockOffsetMs')).toBe('8')
  store.close()
})

test('a write waits for another process, then fails; the next ones fail at once, until the lock is gone', async () => {
  const store = await openStore(own.place)
  const other = new DatabaseSync(own.place.file)
  other.exec('begin immediate')
  const write = () => writeSetting(store.db, 'clockOffsetMs', '8')
  const took = (work: () => void) => {
    const begun = performance.now()
    expect(work).toThrow('locked')
    return performance.now() - begun
  }
  const first = took(write)
  // Compare the fastest of the next ones, because a busy machine only adds time.
  const next = Math.min(...Array.from({ length: 5 }, () => took(write)))
  expect(next * 10).toBeLessThan(first)
  // Reads work all the time.
  expect(readSetting(store.db, 'clockOffsetMs')).toBeUndefined()
  other.exec('rollback')
  other.close()
  write()
  store.close()
})

test('a killed process leaves consistent data behind', async () => {
  const script = `
    import { sandboxKit } from ${JSON.stringify(join(import.meta.dirname, '../../../test/kit/sandbox-kit.ts'))}
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
  const loans = kit.store.db.all<any>('select externalTrxId from loans')
  const events = kit.store.db.all<any>('select subject from events')
  expect(events.map(({ subject }) => subject).sort()).toEqual(loans.map((loan) => loan.externalTrxId).sort())
})
