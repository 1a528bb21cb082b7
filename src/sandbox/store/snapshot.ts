import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { diskFailure } from '../../disk/failure.ts'
import { NO_ROOM } from '../../disk/room.ts'
import { codeOf } from '../../errors.ts'
import { openStore } from './open-store.ts'
import { TABLE_NAMES } from './rows.ts'
import { type Store, StoreRefusal } from './store.ts'
import type { Db } from './tables.ts'

const BATCH = 200

/** The setting with which bnpl 0.1 stored the version of a file's tables. Never copy it, because another database has its own version. */
const OF_THE_TABLES = ['schemaVersion']

/** Settings that do not change when a sandbox loads a snapshot. */
const OWN_SETTINGS = [...OF_THE_TABLES, 'signingSecret']

/**
 * Writes the sandbox's data into a file (mode 0600), and replaces an existing file. If this fails, no incomplete file is left. Throws
 * `StoreRefusal` when the file cannot be written.
 */
export async function saveSnapshot(store: Store, file: string): Promise<void> {
  if (await isItsOwn(store, file)) {
    throw new StoreRefusal(
      'snapshot-not-written',
      `${file} cannot be the snapshot, because the sandbox keeps its state in this file`,
    )
  }
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await (await open(temporary, 'wx', 0o600)).close()
    await copyFileOf(store, temporary)
    await rename(temporary, file)
  } catch (error) {
    const what = `${file} cannot be written`
    if (isMissing(error))
      throw new StoreRefusal('snapshot-not-written', `${what}: the folder ${dirname(file)} does not exist`)
    const message = isOfSystem(error)
      ? diskFailure(what, error).message
      : `${what}: ${inWords(error).replaceAll(temporary, 'it')}`
    throw new StoreRefusal('snapshot-not-written', message)
  } finally {
    for (const each of ['', '-wal', '-shm']) await rm(temporary + each, { force: true }).catch(() => {})
  }
}

/** Copies the database into an empty file. SQLite does not change the mode of that file. */
async function copyFileOf({ db }: Store, temporary: string): Promise<void> {
  await sql`vacuum into ${temporary}`.execute(db)
}

/**
 * Replaces the sandbox's data with the data in a file. If this fails, nothing is changed. Throws `StoreRefusal` when the file is missing,
 * cannot be read, or is not a snapshot.
 */
export async function loadSnapshot(store: Store, file: string): Promise<void> {
  await readSnapshot(file, (from) => store.transaction((into) => copyRows(from, into, OWN_SETTINGS)))
}

/**
 * Calls `work` with the database of a snapshot. The file itself is not changed, because a copy of it is opened. Throws `StoreRefusal` when
 * the file is missing, cannot be read, or is not a snapshot.
 */
export async function readSnapshot<Result>(file: string, work: (snapshot: Db) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'bnpl-snapshot-')).catch((error: unknown) => {
    throw notRead(`no folder can be created in ${tmpdir()}`, error)
  })
  const copy = join(folder, 'snapshot.db')
  const refused = (error: unknown) => {
    const why = inWords(error).replaceAll(copy, 'it')
    return new StoreRefusal('not-a-snapshot', `${file} is not a snapshot of a sandbox: ${why}`)
  }
  let snapshot: Store | undefined
  try {
    await copyOf(file, copy)
    snapshot = await openStore({ file: copy, folder: 'theirs' })
    const { db } = snapshot
    const partners = await db.selectFrom('partners').select('id').execute()
    if (partners.length === 0) throw new Error('the file contains no accounts')
    return await work(db)
  } catch (error) {
    if (error instanceof StoreRefusal) throw error
    throw refused(error)
  } finally {
    await snapshot?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Copies a snapshot. Throws `StoreRefusal` when the file is missing or cannot be read.
 */
async function copyOf(file: string, copy: string): Promise<void> {
  // Do not copy a pipe or a device, because such a copy may never end.
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    (error: unknown) => {
      throw isMissing(error)
        ? new StoreRefusal('snapshot-not-found', `the file ${file} does not exist`)
        : notRead(`${file} cannot be read`, error)
    },
  )
  if (!isFile) throw new StoreRefusal('snapshot-not-read', `${file} is not a file`)
  await copyFile(file, copy).catch((error: unknown) => {
    const isFull = Object.hasOwn(NO_ROOM, codeOf(error) ?? '')
    throw notRead(isFull ? `${file} cannot be copied to ${tmpdir()}` : `${file} cannot be read`, error)
  })
}

/** @param what the beginning of the message: which action failed, with the path */
const notRead = (what: string, error: unknown) =>
  new StoreRefusal('snapshot-not-read', diskFailure(what, error).message)

async function isItsOwn({ file: own }: Store, file: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => undefined)
  const here = own === undefined ? undefined : await real(own)
  return here !== undefined && here === (await real(file))
}

/** Copies all tables. `kept` names the settings of `into` that are not changed. */
async function copyRows(from: Db, into: Db, kept: readonly string[]): Promise<void> {
  for (const table of TABLE_NAMES) {
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

/** Whether the file system caused an error, and not SQLite. Only such an error has a code of the system, such as `ENOENT`. */
const isOfSystem = (error: unknown) => error instanceof Error && 'syscall' in error

const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'

const inWords = (error: unknown) => (error instanceof Error ? error.message : String(error))
