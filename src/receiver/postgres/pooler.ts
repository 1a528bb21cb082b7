import type { Pool, PoolClient, QueryResult } from 'pg'
import { databaseFailure, POOLED, poolerFailure } from '../../database/failure.ts'
import { BnplError } from '../../errors.ts'

/** A connection that can be asked. */
interface Asked {
  query(text: string): Promise<QueryResult>
}

/** Connections that are opened to find out whether a pooler hands our server process to others. */
const PROBES = 3

/**
 * Proves, as far as that can be proved, that a connection has a process of the server to itself. A pooler in transaction mode gives the
 * process to the next transaction of anybody, so another connection that begins one gets it, or this one gets another afterwards.
 * @param pool gives the other connections
 * @param name the database in an error
 * @returns the process's number. Throws `config` for such a pooler, and what the driver throws for the connection itself
 */
export async function ownBackend(client: Asked, pool: Pool, name: string): Promise<number> {
  const backend = await backendOf(client)
  const probes: PoolClient[] = []
  try {
    for (let i = 0; i < PROBES; i++) {
      const others = await beginElsewhere(pool, probes, name)
      if (others === undefined) break
      if (others === backend || (await backendOf(client)) !== backend) throw poolerFailure(name)
    }
  } finally {
    // Given up, not given back: what a probe's transaction was to a pooler is not known.
    for (const probe of probes) probe.release(true)
  }
  return backend
}

/** Throws `config` when a connection has another process of the server than before. */
export async function refuseOtherBackend(client: Asked, backend: number, name: string) {
  if ((await backendOf(client)) !== backend) throw poolerFailure(name)
}

async function backendOf(client: Asked): Promise<number> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  return Number(rows[0]?.pid)
}

/**
 * Begins a transaction on one more connection, and leaves it open. @returns the number of its process; undefined where no further
 * connection can be had, which proves nothing
 */
async function beginElsewhere(pool: Pool, probes: PoolClient[], name: string): Promise<number | undefined> {
  try {
    const probe = await pool.connect()
    probes.push(probe)
    await probe.query('BEGIN')
    return await backendOf(probe)
  } catch (error) {
    const failure = databaseFailure(name, error)
    if (failure instanceof BnplError && failure.code !== POOLED) return undefined
    throw failure
  }
}
