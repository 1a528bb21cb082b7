import type { Client } from 'pg'
import { createConnection, type DatabasePlan } from '../../postgres/pool.ts'
import { WRITES_CHANNEL } from './postgres-schema.ts'
import { TABLE_NAMES, TABLES } from './rows.ts'
import type { Store } from './store.ts'

/** How long to wait before a lost connection is opened again, in ms. */
const AGAIN_MS = 1_000

interface Changes extends Pick<Store, 'onWrite'> {
  close(): Promise<void>
}

/**
 * Returns an object that reports the table of each write to a database, from any process (LISTEN). After a lost connection was replaced,
 * reports every table, because writes may have been missed.
 */
export function listenForWrites(plan: DatabasePlan, options: Parameters<typeof createConnection>[1]): Changes {
  const listeners = new Set<(table: string) => void>()
  const watched = TABLE_NAMES.filter((table) => TABLES[table].isWatched)
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let begun: Promise<void> | undefined

  const tell = (table: string) => {
    for (const listener of [...listeners]) listener(table)
  }
  const stop = async () => {
    clearTimeout(timer)
    const old = client
    client = undefined
    await old?.end().catch(() => {})
  }
  const begin = (isAgain: boolean): Promise<void> => {
    const own = createConnection(plan, options)
    client = own
    const lost = () => {
      if (client !== own) return
      client = undefined
      own.end().catch(() => {})
      timer = setTimeout(() => void begin(true), AGAIN_MS).unref()
    }
    own.on('error', lost)
    own.on('end', lost)
    own.on('notification', ({ payload }) => tell(payload ?? ''))
    return own
      .connect()
      .then(() => own.query(`LISTEN ${WRITES_CHANNEL}`))
      .then(() => {
        if (isAgain) watched.forEach(tell)
      }, lost)
  }
  return {
    async onWrite(listener) {
      listeners.add(listener)
      if (listeners.size === 1) begun = begin(false)
      await begun
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) void stop()
      }
    },
    async close() {
      listeners.clear()
      await stop()
    },
  }
}
