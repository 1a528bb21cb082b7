import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { diskFailure, NO_ROOM } from '../../disk/failure.ts'
import { fileKey } from '../../disk/kept-files.ts'
import { renameFile } from '../../disk/renaming.ts'
import { codeOf } from '../../errors.ts'
import { readSetting, writeSetting } from './partners.ts'
import { type Db, type Store, StoreRefusal } from './store.ts'
import { DATA_TABLES, OLD_VERSION_SETTING, TABLE_NAMES } from './tables.ts'

/** Settings that do not change when a sandbox loads a snapshot. The version of 0.1 is never copied, because each file has its own. */
const OWN_SETTINGS = [OLD_VERSION_SETTING, 'signingSecret']

/** Deletes all data except the accounts and settings, and sets the sandbox's clock to the present time. */
export function wipe(store: Store): void {
  store.transaction((db) => {
    for (const table of [...DATA_TABLES, 'rateLimits']) db.run(`delete from ${table}`)
    writeSetting(db, 'clockOffsetMs', '0')
  })
}

/**
 * Writes the sandbox's data into a file (mode 0600), and replaces an existing file. If this fails, no incomplete file is left. Throws
 * `StoreRefusal` when the file cannot be written.
 */
export async function saveSnapshot(store: Store, file: string): Promise<void> {
  if (isItsOwn(store, file)) {
    throw new StoreRefusal(
      'snapshot-not-written',
      `${file} cannot be the snapshot, because the sandbox keeps its state in this file`,
    )
  }
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await (await open(temporary, 'wx', 0o600)).close()
    // SQLite does not change the mode of an empty file that exists.
    store.db.run('vacuum into ?', temporary)
    await renameFile(temporary, file)
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

/**
 * Replaces the sandbox's data with the data in a file. If this fails, nothing is changed. Throws `StoreRefusal` when the file is missing,
 * cannot be read, or is not a snapshot.
 */
export async function loadSnapshot(store: Store, file: string): Promise<void> {
  await readSnapshot(file, (from) => store.transaction((into) => copyRows(from, into)))
}

/**
 * Calls `work` with the database of a snapshot. The file itself is not changed, because a copy of it is opened. Throws `StoreRefusal` when
 * the file is missing, cannot be read, or is not a snapshot.
 */
export async function readSnapshot<Result>(file: string, work: (snapshot: Db) => Result): Promise<Result> {
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
    const { openStore } = await import('./sqlite.ts')
    snapshot = await openStore({ file: copy, folder: 'theirs' })
    const { db } = snapshot
    if (db.get('select id from partners') === undefined) throw new Error('the file contains no accounts')
    return work(db)
  } catch (error) {
    if (error instanceof StoreRefusal) throw error
    throw refused(error)
  } finally {
    snapshot?.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Copies a snapshot. Throws `StoreRefusal` when the file is missing or cannot be read. */
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

const isItsOwn = ({ file: own }: Store, file: string): boolean => own !== undefined && fileKey(own) === fileKey(file)

/**
 * Gives `into` the rows of `from`, except its own settings. Writes only what differs, because every write is listed as a change. The
 * changes themselves are not replaced.
 */
function copyRows(from: Db, into: Db): void {
  const kept = JSON.stringify(OWN_SETTINGS)
  for (const table of TABLE_NAMES.filter((name) => name !== 'changes')) {
    const key = table === 'settings' ? 'name' : 'id'
    const all = `select * from ${table} where ${key} not in (select value from json_each(?))`
    const old = new Map(into.all<Row>(all, kept).map((row) => [String(row[key]), row]))
    const rows = from.all<Row>(all, kept)
    const taken = new Set(rows.map((row) => String(row[key])))
    for (const id of old.keys()) if (!taken.has(id)) into.run(`delete from ${table} where ${key} = ?`, id)
    for (const row of rows) {
      const was = old.get(String(row[key]))
      const names = Object.keys(row).filter((name) => was?.[name] !== row[name])
      if (was === undefined) into.insert(table, row as never)
      else if (names.length > 0)
        into.run(
          `update ${table} set ${names.map((name) => `${name} = :${name}`)} where ${key} = :${key}`,
          pick(row, [key, ...names]),
        )
    }
  }
  // From here on, the state is that of the snapshot.
  const id = readSetting(into, 'snapshotId')
  const loaded = `insert into changes (cause, kind, how, rowId, about) values ('{}', 'snapshot', 'came', ?, '')`
  if (id !== undefined) into.run(loaded, id)
}

type Row = Record<string, string | number | null>

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]))

/** Whether the file system caused an error, and not SQLite. Only such an error has a code of the system, such as `ENOENT`. */
const isOfSystem = (error: unknown) => error instanceof Error && 'syscall' in error

const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'

const inWords = (error: unknown) => (error instanceof Error ? error.message : String(error))
