import { sql } from 'kysely'
import { fileWords, tablesIn } from '../../disk/sqlite.ts'
import { bringUpToDate, type MigrationEngine, type MigrationStep } from '../../migration.ts'
import { type Engine, SCHEMA_STEPS, settingsTable } from './schema-steps.ts'
import type { Db } from './tables.ts'

/** `made` adds no trigger to a new table, because the driver of SQLite reports every write. */
const SQLITE: Engine = { text: 'text', made: async () => {} }

const STEPS: readonly MigrationStep<Db>[] = SCHEMA_STEPS.map((step, i) => async (db) => {
  if (i === 0) await settingsTable(db, SQLITE)
  await step(db, SQLITE)
})

/** The version of the tables that this program knows. */
export const KNOWN_VERSION = STEPS.length

/** The setting that contains the version of the tables in files of bnpl 0.1. */
const OLD_SETTING = 'schemaVersion'

/** Creates the tables of a sandbox's file, or changes them to the version of this program. */
export async function migrateFile(db: Db, path: string): Promise<void> {
  await bringUpToDate(db, engineOf(db), STEPS, fileWords(path, 'SANDBOX_DATA'))
}

/** Returns the version of the tables of a file, which is SQLite's `user_version`. */
export async function fileVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  return rows[0]?.user_version ?? 0
}

/**
 * Whether a database has the tables of a sandbox, or none. Does not change the file. If it cannot be read, returns true, because then opening
 * it says what is wrong.
 */
export function isSandboxFile(path: string): boolean {
  const names = tablesIn(path)
  return names === undefined || names.length === 0 || OWN_TABLES.every((own) => names.includes(own))
}

/** Tables that every version has. */
const OWN_TABLES = ['settings', 'partners', 'preApprovals']

function engineOf(db: Db): MigrationEngine<Db> {
  return {
    async version(on) {
      const version = await fileVersion(on)
      if (version > 0) return version
      const tables = (await on.introspection.getTables()).map(({ name }) => name)
      if (tables.length === 0) return 0
      const setting = tables.includes('settings') ? await oldVersion(on) : undefined
      if (setting !== undefined) return setting
      // Read the version again, because another process may have created the tables since it was read.
      return (await fileVersion(on)) || 'foreign'
    },
    alone: (work) => db.transaction().execute(work),
    async run(on, text) {
      await sql.raw(text).execute(on)
    },
    async keepVersion(on, version) {
      await sql`pragma user_version = ${sql.raw(String(version))}`.execute(on)
      // Remove the old setting. An older bnpl reads it, and would not notice that the tables are newer.
      await on.deleteFrom('settings').where('name', '=', OLD_SETTING).execute()
    },
  }
}

async function oldVersion(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', OLD_SETTING).executeTakeFirst()
  return row && Number(row.value)
}
