import type { Context } from '../../context.ts'
import type { Inbox } from '../../receiver/inbox.ts'
import { type DatabaseOptions, readDatabase } from '../database-option.ts'

/**
 * The inbox in the database that was named; undefined where none was, and it is a file of this machine. Throws as `readDatabase` and
 * the database do.
 */
export async function openDatabaseInbox(context: Context, options: DatabaseOptions): Promise<Inbox | undefined> {
  const database = await readDatabase(context, options)
  if (database === undefined) return undefined
  const { openPostgresInbox } = await import('../../receiver/postgres/inbox.ts')
  const inbox = await openPostgresInbox(database, context.output.warn)
  context.onClose(() => inbox.close())
  return inbox
}
