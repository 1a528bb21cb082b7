import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabasePlan } from '../src/postgres/pool.ts'
import type { StorePlace } from '../src/sandbox/store/open-store.ts'
import { TABLES } from '../src/sandbox/store/rows.ts'
import { createDatabase } from './postgres.ts'
import { planOf } from './postgres-plan.ts'

/** Where a sandbox of a test keeps its state. */
export interface TestPlace extends AsyncDisposable {
  place: StorePlace
  /** A folder of its own, where the file is if it is one. */
  dir: string
}

let engine: 'sqlite' | 'postgres' = 'sqlite'

/** Says where the sandboxes of this test file keep their state from here on: the suites that hold on every engine are run on each. */
export function keepIn(which: typeof engine): void {
  engine = which
}

/** A new place, which goes when the scope ends. */
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

/** Databases whose tables are made and empty: to make them takes longer than most tests. They go with the run. */
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
