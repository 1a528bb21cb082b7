import { inject } from 'vitest'
import type {} from './postgres-setup.ts'

/** A database for one test. */
export interface TestDatabase extends AsyncDisposable {
  /** `postgres://postgres@127.0.0.1:PORT/NAME`: no password is asked for. */
  url: string
}

/**
 * An empty database on the PostgreSQL of this test run: `await using database = await createDatabase()`, then
 * `--database ${database.url}` (or BNPL_DATABASE). The server is real, `npm ci` brought it, and it is started by the first test that asks
 * (half a second); a database takes a twentieth. It is dropped at the end of the scope, with whoever is still connected.
 *
 * A test that stops the server, kills it, or needs TLS or passwords starts one of its own: `startPostgres` of `postgres-server.ts`.
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
