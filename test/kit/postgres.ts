import { inject } from 'vitest'
import type {} from './postgres-setup.ts'

/** A database for one test. */
export interface TestDatabase extends AsyncDisposable {
  /** `postgres://postgres@127.0.0.1:PORT/NAME`, an address that needs no password. */
  url: string
}

/**
 * Makes an empty database on the PostgreSQL of this test run: `await using database = await createDatabase()`, then
 * `--database ${database.url}` (or BNPL_DATABASE). The server is a real one, which `npm ci` installed. The first test that asks starts it
 * in half a second; a database takes a tenth of that. The database is dropped at the end of the scope, even if programs are still
 * connected.
 *
 * A test that stops or kills the server, or needs TLS or passwords, starts a server of its own: `startPostgres` of `postgres-server.ts`.
 */
export async function createDatabase(): Promise<TestDatabase> {
  const door = inject('postgres')
  const url = await ask('POST', door)
  return {
    url,
    [Symbol.asyncDispose]: async () => void (await ask('DELETE', `${door}${new URL(url).pathname.slice(1)}`)),
  }
}

async function ask(method: string, url: string): Promise<string> {
  const response = await fetch(url, { method })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
