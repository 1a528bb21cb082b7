import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which a test asks for a database (`test/kit/postgres.ts`). */
    postgres: string
  }
}

/** One PostgreSQL for the whole run. It is started when the first test asks for a database, and ended after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined
  const answer = async (method: string, path: string): Promise<string> => {
    // Without fsync, because no data must survive this run. A test about surviving data starts a server of its own.
    server ??= startPostgres({ settings: ['fsync = off', 'full_page_writes = off'] })
    const { createDatabase, dropDatabase, url } = await server
    const name = path.slice(1)
    if (method === 'DELETE') await dropDatabase(name)
    return method === 'POST' ? url(await createDatabase()) : ''
  }
  const door = createServer((request, response) => {
    answer(request.method ?? '', request.url ?? '').then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  project.provide('postgres', `http://127.0.0.1:${(door.address() as AddressInfo).port}/`)
  return async () => {
    door.closeAllConnections()
    door.close()
    await (await server)?.end()
  }
}
