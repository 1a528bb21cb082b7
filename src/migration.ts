import { type BnplError, config } from './errors.ts'

/**
 * One step to the next version of the tables. It is SQL, or a function if several database engines share the step. Never edit a step that
 * was released. Append a new step instead.
 */
export type MigrationStep<C> = string | ((db: C) => Promise<void>)

/** The operations of a database engine that a migration needs. `C` is a connection, or a transaction on it. */
export interface MigrationEngine<C> {
  /** Reads the version of the tables. Returns 0 if there are no tables, and `foreign` for tables of another program. */
  version(db: C): Promise<number | 'foreign'>
  /** Does the work in one transaction. Migrations by other processes wait until this transaction ends. */
  alone(work: (db: C) => Promise<void>): Promise<void>
  /** Makes the tables of the newest version in an empty store. Without this function, all steps are done. */
  makeAll?(db: C): Promise<void>
  run(db: C, sql: string): Promise<void>
  /** Stores the version, in the transaction of `alone`. */
  keepVersion(db: C, version: number): Promise<void>
}

export interface StoreWords {
  /** The name of the store, with which error messages begin: `/…/state.db`, `the database db.example/shop`. */
  name: string
  /** The advice to use another store, for the hints of errors: `use another database`. */
  otherPlace: string
  /** The beginning of the error's code: `STATE` for `STATE_NEWER` and `STATE_FOREIGN`. */
  code: string
}

/**
 * Brings the tables of a store to the version of this program. Any number of processes may call it at the same time. Each step is done by
 * only one of them, and either all steps are done or none. Throws `config`, and changes nothing, for the tables of a newer bnpl or of
 * another program.
 * @param db a connection to read the version of the tables before the transaction begins
 */
export async function bringUpToDate<C>(
  db: C,
  engine: MigrationEngine<C>,
  steps: readonly MigrationStep<C>[],
  words: StoreWords,
): Promise<void> {
  if ((await readVersion(db, engine, steps.length, words)) === steps.length) return
  await engine.alone(async (alone) => {
    // Read the version again, because another process may have changed the tables since the first check.
    const version = await readVersion(alone, engine, steps.length, words)
    if (version === 0 && engine.makeAll) await engine.makeAll(alone)
    else
      for (const step of steps.slice(version)) await (typeof step === 'string' ? engine.run(alone, step) : step(alone))
    if (version < steps.length) await engine.keepVersion(alone, steps.length)
  })
}

/**
 * Returns the version of the tables. Throws `config` in the same cases as `bringUpToDate`.
 * @param known the highest version that bnpl knows
 */
export async function readVersion<C>(
  db: C,
  engine: Pick<MigrationEngine<C>, 'version'>,
  known: number,
  words: StoreWords,
): Promise<number> {
  const version = await engine.version(db)
  if (version === 'foreign') throw foreign(words)
  if (version > known) throw newer(words, version, known)
  return version
}

const newer = ({ name, otherPlace, code }: StoreWords, version: number, known: number): BnplError =>
  config(
    `${name} was written by a newer bnpl (its tables have version ${version}; this bnpl knows versions up to ${known}) and was not changed`,
    `Update bnpl, or ${otherPlace}.`,
    `${code}_NEWER`,
  )

const foreign = ({ name, otherPlace, code }: StoreWords): BnplError =>
  config(
    `${name} belongs to another program and was not changed`,
    `${otherPlace.charAt(0).toUpperCase()}${otherPlace.slice(1)}.`,
    `${code}_FOREIGN`,
  )
