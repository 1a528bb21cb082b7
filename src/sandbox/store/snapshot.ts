import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, open, realpath, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { isOutage } from '../../postgres/failure.ts'
import { Refusal } from '../service/refusal.ts'
import { openStore, type Store } from './store.ts'
import { type Db, TABLES, type Tables } from './tables.ts'

/** Rows that are written in one statement. */
const BATCH = 200

/** What is of the tables, and no part of a state. */
const OF_THE_TABLES = ['schemaVersion']

/** What is of one sandbox and stays its own, whatever it is filled with. */
const OWN_SETTINGS = [...OF_THE_TABLES, 'signingSecret']

/**
 * Writes the whole state into a file (0600) that appears complete or not at all, the same file whatever the state is kept in.
 * Throws a 422 `Refusal` when it cannot be written.
 * @param file absolute; what stands there is replaced
 */
export async function saveSnapshot(store: Store, file: string): Promise<void> {
  if (await isItsOwn(store, file)) {
    throw new Refusal(422, 'ERR_SNAPSHOT_NOT_WRITTEN', `${file} is where the sandbox itself keeps its state`)
  }
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await (await open(temporary, 'wx', 0o600)).close()
    await (store.engine === 'sqlite' ? copyFileOf(store, temporary) : fillFile(store, temporary))
    await rename(temporary, file)
  } catch (error) {
    if (isOutage(store.failure(error))) throw error
    throw new Refusal(422, 'ERR_SNAPSHOT_NOT_WRITTEN', `${file} cannot be written: ${inWords(error)}`)
  } finally {
    for (const each of ['', '-wal', '-shm']) await rm(temporary + each, { force: true }).catch(() => {})
  }
}

/** SQLite takes an empty file that is there, and leaves its mode. */
async function copyFileOf({ db }: Store, temporary: string): Promise<void> {
  await sql`vacuum into ${temporary}`.execute(db)
}

async function fillFile({ db }: Store, temporary: string): Promise<void> {
  const snapshot = await openStore({ file: temporary, folder: 'theirs' })
  try {
    // What is read is of one moment, and nobody waits for it.
    const state = db.transaction().setIsolationLevel('repeatable read')
    await state.execute((from) => snapshot.transaction((into) => copyRows(from, into, OF_THE_TABLES)))
  } finally {
    await snapshot.close()
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
    await store.transaction((into) => copyRows(db, into, OWN_SETTINGS))
  } catch (error) {
    if (isOutage(store.failure(error))) throw error
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

async function isItsOwn({ file: own }: Store, file: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => undefined)
  const here = own === undefined ? undefined : await real(own)
  return here !== undefined && here === (await real(file))
}

/** @param kept settings that stay what they are there */
async function copyRows(from: Db, into: Db, kept: readonly string[]): Promise<void> {
  for (const table of Object.keys(TABLES) as (keyof Tables)[]) {
    const rows = await from.selectFrom(table).selectAll().execute()
    const isSetting = table === 'settings'
    const taken = isSetting ? rows.filter((row) => 'name' in row && !kept.includes(row.name)) : rows
    const old = into.deleteFrom(table)
    await (isSetting ? old.where('name', 'not in', kept) : old).execute()
    for (let i = 0; i < taken.length; i += BATCH) {
      await into
        .insertInto(table)
        .values(taken.slice(i, i + BATCH))
        .execute()
    }
  }
}

const inWords = (error: unknown) => (error instanceof Error ? error.message : String(error))
