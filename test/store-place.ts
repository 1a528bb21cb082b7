import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabasePlan } from '../src/postgres/pool.ts'
import type { StorePlace } from '../src/sandbox/store/open-store.ts'
import { TABLES } from '../src/sandbox/store/rows.ts'
import { createDatabase } from './postgres.ts'
import { planOf } from './postgres-plan.ts'

/** The place in which a test's sandbox stores its state. */
export interface TestPlace extends AsyncDisposable {
  place: StorePlace
  /** A folder of its own. If the state is a file, the file is in this folder. */
  dir: string
}

let engine: 'sqlite' | 'postgres' = 'sqlite'

/** Chooses where the sandboxes of this test file store their state from here on, so that the same tests run on each engine. */
export function keepIn(which: typeof engine): void {
  engine = which
}

/** Returns a new place, which is removed at the end of the scope. */
export async function newPlace(): Promise<TestPlace> {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-sandbox-'))
  const plan = engine === 'postgres' ? (empty.pop() ?? planOf((await createDatabase()).url)) : undefined
  return {
    dir,
    place: plan ? { database: plan } : { file: join(dir, 'sandbox.db') },
    async [Symbol.asyncDispose]() {
      if (plan) await giveBack(plan)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Databases with empty tables, ready for reuse, because making the tables takes longer than most tests. They are dropped after the run. */
const empty: DatabasePlan[] = []

async function giveBack(plan: DatabasePlan): Promise<void> {
  const [{ createConnection }, { SCHEMA }] = await Promise.all([
    import('../src/postgres/pool.ts'),
    import('../src/sandbox/store/postgres-schema.ts'),
  ])
  const client = createConnection(plan, { application: 'bnpl tests', statementMs: 20_000 })
  await client.connect()
  await client.query(
    Object.keys(TABLES)
      .map((table) => `DELETE FROM ${SCHEMA}."${table}"`)
      .join(';'),
  )
  await client.end()
  empty.push(plan)
}
