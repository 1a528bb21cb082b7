import { expect, test } from 'vitest'
import { bringUpToDate, type MigrationEngine, type MigrationStep } from './migration.ts'

const WORDS = { name: 'the store', otherPlace: 'name another store', code: 'STATE' }

/** Returns a store in memory. `between` runs after the first check of the version, and simulates another process. */
function storeOf(start: number | 'foreign', between?: (store: { version: number | 'foreign' }) => void) {
  const store = { version: start, done: [] as string[] }
  const engine: MigrationEngine<typeof store> = {
    version: async () => store.version,
    async alone(work) {
      const before = { version: store.version, done: [...store.done] }
      between?.(store)
      try {
        await work(store)
      } catch (error) {
        Object.assign(store, before)
        throw error
      }
    },
    run: async (db, sql) => void db.done.push(sql),
    keepVersion: async (db, version) => {
      db.version = version
    },
  }
  const steps: MigrationStep<typeof store>[] = ['one', async (db) => void db.done.push('two'), 'three']
  return { store, engine, up: (list = steps) => bringUpToDate(store, engine, list, WORDS) }
}

test('the missing steps of a store are done once, in order', async () => {
  const { store, up } = storeOf(0)
  await up()
  await up()
  expect(store).toEqual({ version: 3, done: ['one', 'two', 'three'] })
})

test('a store of an older version gets only the later steps', async () => {
  const { store, up } = storeOf(2)
  await up()
  expect(store).toEqual({ version: 3, done: ['three'] })
})

test('steps that another process did after the first check are not repeated', async () => {
  const { store, up } = storeOf(0, (other) => {
    other.version = 3
  })
  await up()
  expect(store.done).toEqual([])
})

test('a failed step leaves the version and the store unchanged', async () => {
  const { store, up } = storeOf(1)
  const failing = async () => {
    throw new Error('no room')
  }
  await expect(up(['one', 'two', failing])).rejects.toThrow('no room')
  expect(store).toEqual({ version: 1, done: [] })
})

test.each([
  [4, 'STATE_NEWER', 'Update bnpl, or name another store.'],
  ['foreign', 'STATE_FOREIGN', 'Name another store.'],
] as const)('tables of version %s are refused and unchanged, even if they appear late', async (version, code, hint) => {
  const early = storeOf(version)
  await expect(early.up()).rejects.toMatchObject({ kind: 'config', code, hint })
  const late = storeOf(0, (other) => {
    other.version = version
  })
  await expect(late.up()).rejects.toMatchObject({ kind: 'config', code })
  expect([early.store.done, late.store.done]).toEqual([[], []])
})
