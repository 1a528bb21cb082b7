import type { Client, QueryResult } from 'pg'
import { BnplError } from '../../errors.ts'
import { databaseFailure, POOLED, poolerFailure } from '../../postgres/failure.ts'

interface Asked {
  query(text: string): Promise<QueryResult>
}

const PROBES = 3

/** Returns the number of the server process behind a connection. */
export async function backendOf(client: Asked): Promise<number> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  return Number(rows[0]?.pid)
}

/** Throws `config` when a connection has another server process than before. */
export async function refuseOtherBackend(client: Asked, backend: number, name: string): Promise<void> {
  if ((await backendOf(client)) !== backend) throw poolerFailure(name)
}

/**
 * Throws `config` when a pooler does not keep sessions. Such a pooler may run another client's transaction in the server process of our
 * connection, or give our connection another server process.
 * @param connection returns a further client that is not connected yet
 */
export async function refusePooler(client: Asked, connection: () => Client, name: string): Promise<void> {
  const backend = await backendOf(client)
  const probes: Client[] = []
  try {
    for (let i = 0; i < PROBES; i++) {
      const probe = connection()
      probes.push(probe)
      const other = await beginOn(probe, name)
      // Without a further connection, a pooler cannot be detected here. A receiver also checks its own connection every second.
      if (other === undefined) return
      if (other === backend) throw poolerFailure(name)
      await refuseOtherBackend(client, backend, name)
    }
  } finally {
    await Promise.all(probes.map((probe) => probe.end().catch(() => {})))
  }
}

/**
 * Begins a transaction and leaves it open. Returns the number of the connection's server process, or undefined when the connection cannot
 * be made.
 */
async function beginOn(probe: Client, name: string): Promise<number | undefined> {
  try {
    await probe.connect()
    await probe.query('BEGIN')
    return await backendOf(probe)
  } catch (error) {
    const failure = databaseFailure(name, error)
    if (failure instanceof BnplError && failure.code !== POOLED) return undefined
    throw failure
  }
}
