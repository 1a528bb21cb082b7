import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../../context.ts'
import { parseDuration } from '../../../domain/duration.ts'
import { redactEvent } from '../../../domain/event-redaction.ts'
import { BnplError, usage } from '../../../errors.ts'
import type { EventQuery, Inbox, StoredEvent } from '../../../receiver/inbox.ts'
import type { DatabaseOptions } from '../../database-option.ts'
import { openDatabaseInbox } from '../database-inbox.ts'
import { eventRecord } from '../event-record.ts'

/** The inbox of this machine, or the database's; undefined where nothing was ever received, so that asking makes no file. */
export async function openReceived(context: Context, options: DatabaseOptions): Promise<Inbox | undefined> {
  const shared = await openDatabaseInbox(context, options)
  if (shared !== undefined) return shared
  const { INBOX_FILE } = await import('../../../receiver/inbox-database.ts')
  if (!existsSync(join(context.world.stateDir, INBOX_FILE))) return undefined
  const { openInbox } = await import('../../../receiver/inbox-sqlite.ts')
  const inbox = await openInbox(context.world.stateDir, context.output.warn)
  context.onClose(() => inbox.close())
  return inbox
}

/** The events of an id (`#12` names one by its number), the event itself before its variants. Throws `not-found`. */
export async function findReceived(inbox: Inbox | undefined, id: string): Promise<StoredEvent[]> {
  const number = /^#(\d{1,15})$/.exec(id)?.[1]
  const query: EventQuery = number === undefined ? { eventId: id, limit: 100 } : { seq: Number(number), limit: 1 }
  const found = (await inbox?.find(query)) ?? []
  if (found.length > 0) return found.toSorted((a, b) => a.seq - b.seq)
  throw new BnplError('not-found', `no event ${id} is kept here`, {
    code: 'NO_SUCH_EVENT',
    hint: 'What was received: bnpl webhooks events',
  })
}

/** `2h`, `7d` back from now, or a date. @returns ms since 1970. Throws `usage` */
export function readSince(option: string, text: string, now: number): number {
  const ms = parseDuration(text)
  if (ms !== undefined) return now - ms
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(date)) return date
  throw usage(`${option} “${text}” is neither a duration nor a date`, 'Write it as 2h, 7d or 2026-03-01.')
}

/** Where an event has got to, in a word. */
export function stateOf({ fate, forwarding }: StoredEvent): string {
  if (fate !== 'new') return fate
  if (forwarding === null) return 'stored'
  return forwarding.state === 'dead' ? 'set-aside' : forwarding.state
}

/** A stored event as JSON. @param reveal with its data as it was sent */
export function receivedRecord(stored: StoredEvent, reveal: boolean) {
  const { data, ...record } = eventRecord(stored)
  const { attempts, status, error } = stored.forwarding ?? { attempts: 0, status: null, error: null }
  return {
    seq: stored.seq,
    ...record,
    state: stateOf(stored),
    attempts,
    status,
    error: error ?? stored.odd,
    bytes: stored.body.length,
    data: reveal ? data : redactEvent(data),
  }
}
