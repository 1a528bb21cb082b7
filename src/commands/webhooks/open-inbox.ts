import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import type { Inbox } from '../../receiver/inbox.ts'
import { type DatabaseOptions, readDatabase } from '../database-option.ts'

/**
 * Opens the inbox into which a receiver writes: in the named database, otherwise in the file on this machine. Throws
 * the errors of `readDatabase`, and those of opening the database or the file.
 */
export async function openReceiversInbox(context: Context, options: DatabaseOptions): Promise<Inbox> {
  const shared = await openDatabaseInbox(context, options)
  if (shared !== undefined) return shared
  const { openInboxThread } = await import('../../receiver/file/receiving-inbox.ts')
  return closedWith(context, await openInboxThread(context.world.stateDir, context.output.warn))
}

/**
 * Opens the inbox for reading. Returns undefined if no event was ever received, because reading must not create a
 * file. Throws the same errors as `openReceiversInbox`.
 */
export async function openReceived(context: Context, options: DatabaseOptions): Promise<Inbox | undefined> {
  const shared = await openDatabaseInbox(context, options)
  if (shared !== undefined) return shared
  const { INBOX_FILE } = await import('../../receiver/file/inbox-file.ts')
  if (!existsSync(join(context.world.stateDir, INBOX_FILE))) return undefined
  const { openInbox } = await import('../../receiver/file/inbox.ts')
  return closedWith(context, await openInbox(context.world.stateDir, context.output.warn))
}

async function openDatabaseInbox(context: Context, options: DatabaseOptions): Promise<Inbox | undefined> {
  const database = await readDatabase(context, options)
  if (database === undefined) return undefined
  const { openPostgresInbox } = await import('../../receiver/postgres/inbox.ts')
  return closedWith(context, await openPostgresInbox(database, context.output.warn))
}

function closedWith(context: Context, inbox: Inbox): Inbox {
  context.onClose(() => inbox.close())
  return inbox
}
