import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from './open-store.ts'
import { seed } from './partners.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { fileVersion, migrateFile } from './sqlite-schema.ts'
import type { Tables } from './tables.ts'

let dir = ''
let file = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-store-'))
  file = join(dir, 'state', 'sandbox.db')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('only the owner of the database file can read the file and its side files', async () => {
  const store = await openStore({ file })
  await seed(store)
  expect(statSync(join(dir, 'state')).mode & 0o777).toBe(0o700)
  for (const beside of ['', '-wal', '-shm']) expect(statSync(file + beside).mode & 0o777).toBe(0o600)
  await store.close()
})

test('a database file that other users can read is made private when the store is opened again', async () => {
  await (await openStore({ file })).close()
  chmodSync(file, 0o644)
  await (await openStore({ file })).close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a file that is not a database, or of another program, or of a newer bnpl, is refused and not changed', async () => {
  mkdirSync(join(dir, 'state'))
  writeFileSync(file, 'not a database at all, but long enough to be read as one'.repeat(40))
  const before = readFileSync(file)
  await expect(openStore({ file })).rejects.toMatchObject({ kind: 'config' })
  expect(readFileSync(file).equals(before)).toBe(true)

  rmSync(file)
  const foreign = new DatabaseSync(file)
  foreign.exec('create table recipes (name text)')
  await expect(openStore({ file })).rejects.toMatchObject({ kind: 'config', code: 'SANDBOX_DATA_FOREIGN' })
  expect(foreign.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'recipes' }])
  foreign.close()

  rmSync(file)
  const store = await openStore({ file })
  await sql`pragma user_version = 999`.execute(store.db)
  await store.close()
  await expect(openStore({ file })).rejects.toMatchObject({ kind: 'config', code: 'SANDBOX_DATA_NEWER' })
})

test('a folder that cannot be made is reported, not thrown as an internal fault', async () => {
  writeFileSync(join(dir, 'state'), '')
  await expect(openStore({ file })).rejects.toMatchObject({ kind: 'config' })
})

test('a file of version 0.1, which has its version in a setting, is brought up to date and keeps its rows', async () => {
  const first = await openStore({ file })
  await seed(first)
  const partners = await first.db.selectFrom('partners').selectAll().orderBy('position').execute()
  const version = await fileVersion(first.db)
  const alter = (text: string) => sql.raw(text).execute(first.db)
  await alter("delete from partners where environment = 'production'")
  await alter('alter table partners drop column environment')
  await alter('alter table requests drop column fault')
  await alter('alter table requests drop column passed')
  await alter('alter table deliveries drop column fault')
  await alter('alter table loans drop column verifiedAt')
  await alter('pragma user_version = 0')
  await alter(`insert into settings (name, value) values ('schemaVersion', '${version - 4}')`)
  await first.close()

  const second = await openStore({ file })
  expect(await fileVersion(second.db)).toBe(version)
  const brought = await second.db.selectFrom('partners').selectAll().orderBy('position').execute()
  expect(brought.slice(0, 4)).toEqual(partners.slice(0, 4))
  // Each account gets its keys for production.
  const [fresh, kept] = [brought, partners].map((rows) =>
    rows.slice(4).map(({ id: _id, apiKey: _apiKey, publicKey: _publicKey, ...row }) => row),
  )
  expect(fresh).toEqual(kept)
  expect(new Set(brought.flatMap(({ apiKey, publicKey }) => [apiKey, publicKey])).size).toBe(16)
  expect(await second.db.selectFrom('loans').select('verifiedAt').execute()).toEqual([])
  expect(await second.db.selectFrom('settings').select('name').where('name', '=', 'schemaVersion').execute()).toEqual(
    [],
  )
  await second.close()
})

test('tables that another process creates during the first check are not taken for tables of another program [row 115]', async () => {
  mkdirSync(join(dir, 'state'))
  let looks = 0
  const plugin = {
    transformQuery: <N>({ node }: { node: N }) => node,
    async transformResult<R>({ result }: { result: R }) {
      if (looks++ === 0) await (await openStore({ file })).close()
      return result
    },
  }
  const dialect = sqliteDialect(
    file,
    () => {},
    () => {},
  )
  const db = new Kysely<Tables>({ dialect, plugins: [plugin] })
  await migrateFile(db, file)
  expect(looks).toBeGreaterThan(1)
  await db.destroy()
})
