import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../src/sandbox/store/open-store.ts'
import { machine } from './harness.ts'
import { lastingPort } from './lasting-port.ts'
import { createDatabase } from './postgres.ts'
import { planOf } from './postgres-plan.ts'

const EVALUATE = 'evaluate -p sandbox --rut 11111111-1 --amount 250000 --json --trx'

test('machines with the same BNPL_DATABASE use the same sandbox', async () => {
  await using database = await createDatabase()
  using one = machine()
  using other = machine()
  const env = { BNPL_DATABASE: database.url }
  expect(await one.run(`${EVALUATE} order-1`, { env })).toMatchObject({ code: 0 })
  expect(await other.run('sandbox clock advance 1h --json', { env })).toMatchObject({ code: 0 })
  expect(await other.run('sandbox pay order-1 --json', { env })).toMatchObject({ code: 0 })
  expect((await one.run('verify order-1 -p sandbox --json', { env })).json()).toMatchObject({ state: 'ACTIVE' })

  const status = await other.run('sandbox status', { env })
  const { host, pathname } = new URL(database.url)
  expect(status.stdout).toContain(`PostgreSQL ${host}${pathname}`)
  const said = (await one.run('sandbox status --json', { env })).json()
  expect(said).toMatchObject({ served: false, dataFile: null, database: `${host}${pathname}`, loans: 1 })
  expect(Date.parse(said.now) - Date.now()).toBeGreaterThan(3_500_000)

  // Without the setting, each machine uses the sandbox in its own file.
  expect((await one.run('sandbox status --json')).json()).toMatchObject({ database: null, loans: 0 })
  const unasked = await one.run('sandbox reset', { env })
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('for everybody who uses it') })
  expect(await one.run('sandbox reset --yes --json', { env })).toMatchObject({ code: 0 })
  expect((await other.run('sandbox status --json', { env })).json()).toMatchObject({ loans: 0, preApprovals: 0 })
})

test('a snapshot has the same format for SQLite and PostgreSQL, and moves a state in both directions', async () => {
  await using database = await createDatabase()
  using team = machine()
  using mine = machine()
  const env = { BNPL_DATABASE: database.url }
  const file = join(team.dir, 'paid.db')
  await team.run(`${EVALUATE} order-1`, { env })
  await team.run('sandbox pay order-1', { env })
  const { leadId, preApproveId } = (await team.run('sandbox lead --now --json', { env })).json()
  expect(leadId).toBeDefined()
  const download = `informe download ${preApproveId} -p sandbox:real-estate --json`
  const drawn = (await team.run(download, { env })).json()
  expect(await team.run(`sandbox snapshot save ${file}`, { env })).toMatchObject({ code: 0 })

  // The snapshot is used without a database in two ways: it is loaded, and a sandbox starts on a copy of it.
  expect(await mine.run(`sandbox snapshot load ${file} --yes`)).toMatchObject({ code: 0 })
  expect((await mine.run('verify order-1 -p sandbox --json')).json()).toMatchObject({ state: 'ACTIVE' })
  expect((await mine.run(download)).json()[0].sha256).toBe(drawn[0].sha256)
  await using copy = { store: await openStore({ file }), [Symbol.asyncDispose]: () => copy.store.close() }
  expect(await copy.store.db.selectFrom('partners').selectAll().execute()).toHaveLength(8)
  expect(
    await copy.store.db.selectFrom('settings').selectAll().where('name', '=', 'signingSecret').execute(),
  ).toHaveLength(1)

  // The snapshot is loaded back into the database, which then contains nothing else.
  await team.run(`${EVALUATE} order-2`, { env })
  const own = join(mine.dir, 'mine.db')
  expect(await mine.run(`sandbox snapshot save ${own}`)).toMatchObject({ code: 0 })
  expect(await team.run(`sandbox snapshot load ${own} --yes`, { env })).toMatchObject({ code: 0 })
  expect((await team.run('sandbox status --json', { env })).json()).toMatchObject({ loans: 1, preApprovals: 2 })
})

test('an unusable database is reported without a stack trace and without the password', async () => {
  using m = machine()
  const gone = `postgres://nobody@127.0.0.1:${await lastingPort()}/team`
  const refused = [
    [`sandbox start --database ${gone}`, {}, 9, /cannot be reached/],
    [`${EVALUATE} T1`, { BNPL_DATABASE: gone }, 9, /cannot be reached/],
    ['sandbox start --database mysql://x/y', {}, 2, /postgres:\/\//],
    [`sandbox start --database postgres://me:s3cret@db.example/team`, {}, 2, /contains a password/],
    [`sandbox start --database ${gone} --data x.db`, {}, 2, /cannot be used with/],
    [`sandbox start --database ${gone} --ephemeral`, {}, 2, /cannot be used with/],
  ] as const
  for (const [line, env, code, words] of refused) {
    const ended = await m.run(line, { env })
    expect([line, ended.code]).toEqual([line, code])
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toMatch(words)
    expect(ended.stderr).not.toContain('s3cret')
    expect(ended.stderr).not.toMatch(/\n\s+at /)
  }
})

test('tables of a newer bnpl or of another program are refused, and foreign tables are not changed', async () => {
  await using newer = await createDatabase()
  await using foreign = await createDatabase()
  const { Client } = await import('pg')
  const sql = async (url: string, text: string) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }
  await (await openStore({ database: planOf(newer.url) })).close()
  await sql(newer.url, 'UPDATE bnpl_sandbox.schema_version SET version = 999')
  await expect(openStore({ database: planOf(newer.url) })).rejects.toMatchObject({
    kind: 'config',
    code: 'STATE_NEWER',
  })
  await sql(foreign.url, 'CREATE SCHEMA bnpl_sandbox; CREATE TABLE bnpl_sandbox.recipes (name text)')
  await expect(openStore({ database: planOf(foreign.url) })).rejects.toMatchObject({ code: 'STATE_FOREIGN' })
  expect(await sql(foreign.url, `SELECT tablename FROM pg_tables WHERE schemaname = 'bnpl_sandbox'`)).toEqual([
    { tablename: 'recipes' },
  ])
})
