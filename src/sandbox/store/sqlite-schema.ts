import { config } from '../../errors.ts'
import { type Engine, SCHEMA_STEPS, settingsTable } from './schema-steps.ts'
import type { Db } from './tables.ts'

/** SQLite compares text byte by byte without being asked, and its driver sees every write. */
const SQLITE: Engine = { text: 'text', made: async () => {} }

const VERSION = 'schemaVersion'

/**
 * Brings a file to this program's version. Several processes may do so at once; one of them does each step.
 * Throws `config` for the data of a newer bnpl or of another program, and changes nothing.
 * @param name of the database in an error
 */
export async function migrateFile(db: Db, name: string): Promise<void> {
  // A failure here happens again below, where its reason is found.
  if ((await readVersion(db).catch(() => undefined)) === SCHEMA_STEPS.length) return
  await db.transaction().execute(async (trx) => {
    const version = await currentVersion(trx)
    if (version === undefined) await beginTables(trx, name)
    if (version !== undefined && version > SCHEMA_STEPS.length) {
      throw config(
        `${name} was written by a newer bnpl (version ${version} of its tables; this one knows ${SCHEMA_STEPS.length})`,
        'Update bnpl, or name another folder with BNPL_STATE_DIR.',
        'SANDBOX_DATA_NEWER',
      )
    }
    for (const step of SCHEMA_STEPS.slice(version ?? 0)) await step(trx, SQLITE)
    const row = { name: VERSION, value: String(SCHEMA_STEPS.length) }
    await trx
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: row.value }))
      .execute()
  })
}

/** The version of the tables; undefined in a database without our tables. */
async function currentVersion(db: Db): Promise<number | undefined> {
  const tables = await db.introspection.getTables()
  if (!tables.some((table) => table.name === 'settings')) return undefined
  return readVersion(db)
}

async function readVersion(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', VERSION).executeTakeFirst()
  return row && Number(row.value)
}

async function beginTables(db: Db, name: string): Promise<void> {
  if ((await db.introspection.getTables()).length > 0) {
    throw config(
      `${name} is the database of another program and was not changed`,
      'Name another folder with BNPL_STATE_DIR.',
      'SANDBOX_DATA_FOREIGN',
    )
  }
  await settingsTable(db, SQLITE)
}
