import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { Interrupted } from '../src/errors.ts'
import { createUpkeep } from '../src/sandbox/server/upkeep.ts'
import { isTrouble } from '../src/sandbox/service/failures.ts'
import { fileVersion } from '../src/sandbox/store/sqlite-schema.ts'
import { type Machine, machine, realClock } from './harness.ts'
import { createDatabase } from './postgres.ts'
import { planOf } from './postgres-plan.ts'
import { until } from './program.ts'
import { sandboxKit } from './sandbox-kit.ts'

/** Returns a sandbox with its state in a file, as it is served. Only the test runs its timers. */
async function kept() {
  const kit = await sandboxKit({ clock: realClock })
  onTestFinished(() => kit[Symbol.asyncDispose]())
  const faults: any[] = []
  let recoveries = 0
  const upkeep = createUpkeep(
    kit.store,
    { onFault: (error) => faults.push(error), onRecovery: () => recoveries++ },
    () => kit.sandbox,
  )
  const call = async (method: string, path: string, form?: Record<string, string>) => {
    const headers = { authorization: `Bearer ${kit.bnpl.apiKey}`, 'content-type': 'application/x-www-form-urlencoded' }
    const body = Buffer.from(new URLSearchParams(form).toString())
    const url = `http://127.0.0.1:4555${path}`
    const answer = await upkeep.transport({ method, url, headers, body, timeoutMs: 1e4, maxBytes: 1e6 })
    return {
      status: answer.status,
      retryAfter: answer.headers['retry-after'],
      text: new TextDecoder().decode(answer.body),
    }
  }
  let count = 0
  return {
    kit,
    upkeep,
    faults,
    recoveries: () => recoveries,
    read: () => call('GET', '/partner/webhook'),
    write: () =>
      call('POST', '/partner/pre-loan-request/bnpl', {
        idNumber: '11111111-1',
        amount: '250000',
        entityId: kit.bnpl.entityId,
        externalTrxId: `T${count++}`,
      }),
  }
}

const REFUSED = { status: 503, retryAfter: '1', text: expect.stringContaining('ERR_SANDBOX_DATABASE') }

test.each([
  ['read-only', 'STATE_READ_ONLY', 'pragma query_only = on', 'pragma query_only = off'],
  ['full', 'STATE_FULL', 'pragma max_page_count = 1', 'pragma max_page_count = 1000000'],
])(
  'a file that is %s: writes are answered 503, reads work, and each trouble is reported once [database 6]',
  async (_, code, spoil, mend) => {
    const { kit, upkeep, faults, recoveries, read, write } = await kept()
    expect(await write()).toMatchObject({ status: 200 })
    await upkeep.tick()
    await sql.raw(spoil).execute(kit.store.db)
    // A full disk may still have room for a few small writes.
    while ((await write()).status === 200);
    for (let i = 0; i < 5; i++) {
      expect(await write()).toMatchObject(REFUSED)
      expect(await read()).toMatchObject({ status: 200 })
      await upkeep.tick()
    }
    expect(faults).toMatchObject([{ code }])
    expect(recoveries()).toBe(0)
    await sql.raw(mend).execute(kit.store.db)
    await upkeep.tick()
    await upkeep.tick()
    expect(await write()).toMatchObject({ status: 200 })
    expect([faults.length, recoveries()]).toEqual([1, 1])
  },
)

test('a removed file: every call is 503 with the reason, and the loss is reported once [row 114]', async () => {
  const { kit, upkeep, faults, read, write } = await kept()
  expect(await write()).toMatchObject({ status: 200 })
  rmSync(kit.store.file ?? '')
  for (let i = 0; i < 3; i++) {
    expect(await write()).toMatchObject({ status: 503, text: expect.stringContaining('was removed or renamed') })
    expect(await read()).toMatchObject(REFUSED)
    await upkeep.tick()
  }
  expect(faults).toMatchObject([
    {
      code: 'STATE_LOST',
      message: 'sandbox.db was removed or renamed while the sandbox ran. No data is saved any more',
    },
  ])
})

test('a disk failure and a long lock count as trouble of the file, an internal fault does not [database 6]', async () => {
  const { kit } = await kept()
  const refused = (errcode: number) => kit.store.failure(Object.assign(new Error('refused'), { errcode }))
  // READONLY, BUSY, IOERR_WRITE, FULL and CORRUPT are trouble with the file. A mistake in a statement or in a row is not.
  expect([8, 5, 778, 13, 11].map((code) => isTrouble(refused(code)))).toEqual([true, true, true, true, true])
  expect([1, 19].map((code) => isTrouble(refused(code)))).toEqual([false, false])
})

test('after a newer bnpl changes the tables, calls are answered 503 until the version is known again [database 8]', async () => {
  const { kit, upkeep, faults, recoveries, read } = await kept()
  await upkeep.tick()
  const before = await fileVersion(kit.store.db)
  const setVersion = (version: number) => sql`pragma user_version = ${sql.raw(String(version))}`.execute(kit.store.db)
  await setVersion(999)
  for (let i = 0; i < 20; i++) await upkeep.tick()
  expect(await read()).toMatchObject({ ...REFUSED, text: expect.stringContaining('newer bnpl') })
  expect(faults).toMatchObject([{ code: 'STATE_NEWER', hint: expect.stringContaining('newer version') }])
  await setVersion(before)
  for (let i = 0; i < 20; i++) await upkeep.tick()
  expect(await read()).toMatchObject({ status: 200 })
  expect(recoveries()).toBe(1)
})

/** Runs SQL as the database's owner, who may always write. */
async function owner(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  return { query: (text: string) => client.query(text), [Symbol.asyncDispose]: () => client.end() }
}

/**
 * Ends every other connection, because a database's settings apply only to new connections. This must be a statement of its own, after the
 * setting: otherwise a connection could be made again before the setting is committed.
 */
const ANEW =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'

/** Serves a database in this process. */
async function serve(m: Machine, url: string) {
  const stop = new AbortController()
  const { world, stderr } = m.world({ signal: stop.signal })
  const { runCli } = await import('../src/cli.ts')
  const line = `sandbox start --port 0 --json --ready-file ready --database ${url}`
  const ran = runCli(line.split(' '), world)
  await until(() => existsSync(join(m.dir, 'ready')), { ended: new Promise(() => {}) })
  const { baseUrl, partners } = JSON.parse(readFileSync(join(m.dir, 'ready'), 'utf8'))
  const ask = async (path: string, form?: Record<string, string>) => {
    const answer = await fetch(baseUrl + path, {
      method: form ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${partners[0].apiKey}` },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
    await answer.text()
    return [answer.status, answer.headers.get('retry-after')]
  }
  let count = 0
  return {
    stderr,
    read: () => ask('/partner/webhook'),
    write: () => {
      const externalTrxId = `T${count++}`
      const { entityId } = partners[0]
      return ask('/partner/pre-loan-request/bnpl', {
        idNumber: '11111111-1',
        amount: '250000',
        entityId,
        externalTrxId,
      })
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Interrupted(143))
      expect(await ran).toBe(143)
    },
  }
}

test('while a database is read-only, writes are answered 503, reads work, and start and end are logged once [database 6]', async () => {
  await using database = await createDatabase()
  await using sudo = await owner(database.url)
  const name = new URL(database.url).pathname.slice(1)
  using m = machine()
  await using served = await serve(m, database.url)
  expect(await served.write()).toEqual([200, null])
  await sudo.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await sudo.query(ANEW)
  await expect.poll(async () => (await served.write()) && served.stderr()).toContain('is read-only')
  for (let i = 0; i < 3; i++) expect(await served.read()).toEqual([200, null])
  for (let i = 0; i < 3; i++) expect(await served.write()).toEqual([503, '1'])
  expect(served.stderr()).not.toContain('the database answers again, so')
  await sudo.query(`ALTER DATABASE ${name} RESET ALL`)
  await sudo.query(ANEW)
  await expect.poll(served.stderr).toContain('the database answers again, so')
  await expect.poll(served.write).toEqual([200, null])
  expect(served.stderr().match(/is read-only/g)).toHaveLength(1)
  expect(served.stderr().match(/the database answers again, so/g)).toHaveLength(1)
})

test('a lock on the counter tables does not stop calls; a lock on a data table is answered 503 [database 6]', async () => {
  await using own = await createDatabase()
  await using sudo = await owner(own.url)
  const place = { database: planOf(own.url) }
  // Opening a state whose tables exist needs no lock.
  await (await sandboxKit({ place }))[Symbol.asyncDispose]()
  await sudo.query(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET lock_timeout = 100`)
  await using kit = await sandboxKit({ place })
  await sudo.query('BEGIN; LOCK TABLE bnpl_sandbox."requests", bnpl_sandbox."rateLimits" IN EXCLUSIVE MODE')
  expect(await kit.send('GET', '/partner/webhook')).toMatchObject({ status: 200 })
  await sudo.query('LOCK TABLE bnpl_sandbox."webhooks" IN ACCESS EXCLUSIVE MODE')
  const faults: unknown[] = []
  const report = { onFault: (error: unknown) => faults.push(error), onRecovery() {} }
  const { transport } = createUpkeep(kit.store, report, () => kit.sandbox)
  const headers = { authorization: `Bearer ${kit.bnpl.apiKey}` }
  const list = { method: 'GET', url: 'http://127.0.0.1:4555/partner/webhook', headers, timeoutMs: 1e4, maxBytes: 1e6 }
  for (let i = 0; i < 3; i++)
    expect(await transport(list)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(faults).toMatchObject([{ code: 'STATE_BUSY' }])
  await sudo.query('ROLLBACK')
  expect(await transport(list)).toMatchObject({ status: 200 })
})

test('a sandbox does not start on a read-only database; the hint says to use the primary server [database 6]', async () => {
  await using database = await createDatabase()
  await using sudo = await owner(database.url)
  using m = machine()
  const line = `sandbox start --port 0 --json --database ${database.url}`
  const stop = new AbortController()
  {
    await using _ = await serve(m, database.url)
  }
  await sudo.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`)
  const refused = await m.run(line, { signal: stop.signal })
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.error()).toMatchObject({ code: 'DATABASE_READ_ONLY', hint: 'Use the address of the primary server.' })
})

test('a served sandbox notices that a newer bnpl has changed its tables, and answers 503 [database 8]', async () => {
  await using database = await createDatabase()
  await using sudo = await owner(database.url)
  using m = machine()
  await using served = await serve(m, database.url)
  await sudo.query('UPDATE bnpl_sandbox.schema_version SET version = 999')
  await expect.poll(served.read).toEqual([503, '1'])
  await expect.poll(() => served.stderr()).toContain('Start the sandbox again with the newer version of bnpl.')
  expect((await m.run('sandbox status --json')).code).toBe(8)
})
