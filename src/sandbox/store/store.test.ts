import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sandboxKit } from '../../../test/sandbox-kit.ts'
import { listPartners, seed } from './partners.ts'
import { readSetting, writeSetting } from './settings.ts'
import { openStore } from './store.ts'

let dir = ''
let file = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-store-'))
  file = join(dir, 'state', 'sandbox.db')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('the file is for its owner alone, its side files too', async () => {
  const store = await openStore(file)
  await seed(store)
  expect(statSync(join(dir, 'state')).mode & 0o777).toBe(0o700)
  for (const beside of ['', '-wal', '-shm']) expect(statSync(file + beside).mode & 0o777).toBe(0o600)
  await store.close()
})

test('a file that is open to others is closed on the next use', async () => {
  await (await openStore(file)).close()
  chmodSync(file, 0o644)
  await (await openStore(file)).close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('many that open a new file at once agree on the tables and the accounts', async () => {
  const stores = await Promise.all(Array.from({ length: 12 }, () => openStore(file)))
  await Promise.all(stores.map(seed))
  const seen = await Promise.all(stores.map(async ({ db }) => JSON.stringify(await listPartners(db))))
  expect(new Set(seen).size).toBe(1)
  expect(JSON.parse(seen[0]!)).toHaveLength(4)
  for (const store of stores) await store.close()
})

test('transactions of two connections in one process wait for each other without stopping it', async () => {
  const [one, other] = [await openStore(file), await openStore(file)]
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

test('what fails within a transaction leaves nothing behind, and the next one works', async () => {
  const store = await openStore(file)
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

test('a file that is no database, another program’s, or a newer bnpl’s is refused and left as it is', async () => {
  mkdirSync(join(dir, 'state'))
  writeFileSync(file, 'not a database at all, but long enough to be read as one'.repeat(40))
  const before = readFileSync(file)
  await expect(openStore(file)).rejects.toMatchObject({ kind: 'config' })
  expect(readFileSync(file).equals(before)).toBe(true)

  rmSync(file)
  const foreign = new DatabaseSync(file)
  foreign.exec('create table recipes (name text)')
  await expect(openStore(file)).rejects.toMatchObject({ kind: 'config', code: 'SANDBOX_DATA_FOREIGN' })
  expect(foreign.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'recipes' }])
  foreign.close()

  rmSync(file)
  const store = await openStore(file)
  await store.db.updateTable('settings').set({ value: '999' }).where('name', '=', 'schemaVersion').execute()
  await store.close()
  await expect(openStore(file)).rejects.toMatchObject({ kind: 'config', code: 'SANDBOX_DATA_NEWER' })
})

test('a folder that cannot be made is said, not thrown as a fault of ours', async () => {
  writeFileSync(join(dir, 'state'), '')
  await expect(openStore(file)).rejects.toMatchObject({ kind: 'config' })
})

test('a process killed while it works leaves whole data behind', async () => {
  const script = `
    import { sandboxKit } from ${JSON.stringify(join(import.meta.dirname, '../../../test/sandbox-kit.ts'))}
    const kit = await sandboxKit({ file: ${JSON.stringify(file)} })
    for (let i = 0; i < 500; i++) {
      await kit.evaluate('T' + i)
      await kit.control('pay', { externalTrxId: 'T' + i })
      process.stdout.write('T' + i + '\\n')
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = ''
  for await (const chunk of child.stdout) {
    told += chunk
    if (told.split('\n').length > 20) child.kill('SIGKILL')
  }
  expect(existsSync(file)).toBe(true)
  await using kit = await sandboxKit({ file })
  const paid = told.split('\n').slice(0, -1)
  expect(paid.length).toBeGreaterThanOrEqual(20)
  for (const trx of paid) expect((await kit.verify(trx)).status).toBe(200)
  const loans = await kit.store.db.selectFrom('loans').select('externalTrxId').execute()
  const events = await kit.store.db.selectFrom('events').select('subject').execute()
  expect(events.map(({ subject }) => subject).sort()).toEqual(loans.map((loan) => loan.externalTrxId).sort())
})
