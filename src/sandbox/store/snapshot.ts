import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, open, realpath, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Refusal } from '../refusal.ts'
import { openStore, type Store } from './store.ts'
import { type Db, TABLES, type Tables } from './tables.ts'

/** Rows that are written in one statement. */
const BATCH = 200

/** What is of one sandbox and stays its own, whatever it is filled with. */
const OWN_SETTINGS = ['schemaVersion', 'signingSecret']

/**
 * Writes the whole state into a file (0600) that appears complete or not at all. Throws a 422 `Refusal` when it cannot be written.
 * @param file absolute; what stands there is replaced
 */
export async function saveSnapshot({ db }: Store, file: string): Promise<void> {
  if (await isItsOwn(db, file)) {
    throw new Refusal(422, 'ERR_SNAPSHOT_NOT_WRITTEN', `${file} is where the sandbox itself keeps its state`)
  }
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await (await open(temporary, 'wx', 0o600)).close()
    // SQLite takes an empty file that is there, and leaves its mode.
    await sql`vacuum into ${temporary}`.execute(db)
    await rename(temporary, file)
  } catch (error) {
    throw new Refusal(422, 'ERR_SNAPSHOT_NOT_WRITTEN', `${file} cannot be written: ${inWords(error)}`)
  } finally {
    await rm(temporary, { force: true }).catch(() => {})
  }
}

/**
 * Puts the state of a file in the place of the present one, all or nothing; an older bnpl's is brought up to date on the way.
 * Throws a `Refusal` when it is not there (404) or no sandbox's (422). The file stays as it is.
 */
export async function loadSnapshot(store: Store, file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bnpl-snapshot-'))
  const copy = join(folder, 'snapshot.db')
  let snapshot: Store | undefined
  try {
    await copyFile(file, copy)
    snapshot = await openStore({ file: copy, folder: 'theirs' })
    const { db } = snapshot
    const partners = await db.selectFrom('partners').select('id').execute()
    if (partners.length === 0) throw new Error('it holds no accounts')
    await store.transaction((into) => copyRows(db, into))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Refusal(404, 'ERR_SNAPSHOT_NOT_FOUND', `there is no file ${file}`)
    }
    const why = inWords(error).replaceAll(copy, 'it')
    throw new Refusal(422, 'ERR_NOT_A_SNAPSHOT', `${file} is no snapshot of a sandbox: ${why}`)
  } finally {
    await snapshot?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function isItsOwn(db: Db, file: string): Promise<boolean> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(db)
  const real = (path: string) => realpath(path).catch(() => undefined)
  const own = rows[0]?.file ? await real(rows[0].file) : undefined
  return own !== undefined && own === (await real(file))
}

async function copyRows(from: Db, into: Db): Promise<void> {
  for (const table of Object.keys(TABLES) as (keyof Tables)[]) {
    const rows = await from.selectFrom(table).selectAll().execute()
    const isSetting = table === 'settings'
    const kept = isSetting ? rows.filter((row) => 'name' in row && !OWN_SETTINGS.includes(row.name)) : rows
    const old = into.deleteFrom(table)
    await (isSetting ? old.where('name', 'not in', OWN_SETTINGS) : old).execute()
    for (let i = 0; i < kept.length; i += BATCH) {
      await into
        .insertInto(table)
        .values(kept.slice(i, i + BATCH))
        .execute()
    }
  }
}

const inWords = (error: unknown) => (error instanceof Error ? error.message : String(error))
