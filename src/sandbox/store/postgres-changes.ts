import type { Client } from 'pg'
import { createConnection, type DatabasePlan } from '../../postgres/pool.ts'
import { WRITES_CHANNEL } from './postgres-schema.ts'
import type { Store } from './store.ts'
import { TABLES } from './tables.ts'

/** How long after a lost connection the next one is tried, in ms. */
const AGAIN_MS = 1_000

export interface Changes extends Pick<Store, 'onWrite'> {
  close(): Promise<void>
}

/**
 * What the processes of a database write, as the database tells it (LISTEN), over a connection of its own that is there while somebody
 * listens. After one was lost every table may have been written, and so every one is told.
 */
export function listenForWrites(plan: DatabasePlan, options: Parameters<typeof createConnection>[1]): Changes {
  const listeners = new Set<(table: string) => void>()
  const told = Object.entries(TABLES).flatMap(([table, { told }]) => (told ? [table] : []))
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
        if (isAgain) told.forEach(tell)
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
