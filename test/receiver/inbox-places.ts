import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import type { Inbox } from '../../src/receiver/inbox.ts'
import { openPostgresInbox } from '../../src/receiver/postgres/inbox.ts'
import { createDatabase } from '../kit/postgres.ts'
import { planOf } from '../kit/postgres-plan.ts'

/** A place for an inbox. Each call of `open` opens the same inbox. */
export interface Place extends AsyncDisposable {
  open(): Promise<Inbox>
}

/** Functions that make a new place, by its kind. */
export const PLACES: Record<string, () => Promise<Place>> = {
  async 'a file'() {
    const dir = mkdtempSync(join(tmpdir(), 'bnpl-inbox-'))
    return {
      open: () => openInbox(dir),
      [Symbol.asyncDispose]: async () => rmSync(dir, { recursive: true, force: true }),
    }
  },
  async PostgreSQL() {
    const database = await createDatabase()
    const dispose = () => database[Symbol.asyncDispose]()
    return { open: () => openPostgresInbox(planOf(database.url), () => {}), [Symbol.asyncDispose]: dispose }
  },
}
