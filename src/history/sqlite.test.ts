import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { fakeClock, machine } from '../../test/kit/harness.ts'
import { openHistory, STEPS } from './sqlite.ts'

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('remember adds to a record: null is stored, and fields that are left out keep their values', async () => {
  using m = machine()
  const clock = fakeClock()
  const history = await openHistory(m.stateDir, clock)
  const first = new Date(clock.now()).toISOString()
  await history.remember('acme', 'T1', { amount: 5, preApproveId: 'P1' })
  clock.advance(60_000)
  await history.remember('acme', 'T1', { installments: 6, preApproveId: null })
  expect(await history.find('acme', 'T1')).toEqual({
    profile: 'acme',
    externalTrxId: 'T1',
    amount: 5,
    entityId: null,
    preApproveId: null,
    installments: 6,
    loanRequestId: null,
    tokenExpiresAt: null,
    loanState: null,
    verifiedAt: null,
    createdAt: first,
    updatedAt: new Date(clock.now()).toISOString(),
  })
  expect(await history.find('other', 'T1')).toBeUndefined()
  await history.close()
})

test('the latest transaction is the transaction remembered last, even when the clock stops or is set back', async () => {
  using m = machine()
  const clock = fakeClock()
  const history = await openHistory(m.stateDir, clock)
  for (const id of ['T1', 'T2', 'T3', 'T1']) await history.remember('acme', id, {})
  expect((await history.latest('acme'))?.externalTrxId).toBe('T1')
  clock.advance(-3_600_000)
  await history.remember('acme', 'T2', {})
  expect((await history.latest('acme'))?.externalTrxId).toBe('T2')
  await history.remember('other', 'T9', {})
  expect((await history.latest('acme'))?.externalTrxId).toBe('T2')
  expect((await history.list({ limit: 2 })).map((each) => each.externalTrxId)).toEqual(['T9', 'T2'])
  await history.close()
})

test('only the owner can read the database and its side files, under umask 000 and after a mode that was too open [row 4]', async () => {
  using m = machine()
  const script = `
    import { openHistory } from '${join(import.meta.dirname, 'sqlite.ts')}'
    process.umask(0)
    const history = await openHistory(process.argv[1], { now: Date.now })
    await history.remember('acme', 'T1', {})
    const { readdirSync, statSync } = await import('node:fs')
    console.log(readdirSync(process.argv[1]).map((name) => (statSync(process.argv[1] + '/' + name).mode & 0o777).toString(8)).join())
    await history.close()`
  const modes = execFileSync(process.execPath, ['--input-type=module', '-e', script, m.stateDir], { encoding: 'utf8' })
  expect(modes.trim()).toBe('600,600,600')
  expect(mode(m.stateDir)).toBe('700')

  const path = join(m.stateDir, 'state.db')
  chmodSync(path, 0o644)
  chmodSync(m.stateDir, 0o777)
  const said: string[] = []
  const history = await openHistory(m.stateDir, fakeClock(), (text) => said.push(text))
  expect((await history.list({ limit: 1 }))[0]?.externalTrxId).toBe('T1')
  await history.close()
  expect([mode(path), mode(m.stateDir)]).toEqual(['600', '700'])
  expect(said.join()).toMatch(/0777.*0644/)
})

test.each([
  [
    'not a database',
    (path: string) => writeFileSync(path, 'this is not a database, whatever its name'.repeat(50)),
    'damaged',
  ],
  [
    'damaged in the middle',
    (path: string) => {
      const db = new DatabaseSync(path)
      for (const sql of STEPS) db.exec(sql)
      db.exec(`PRAGMA user_version = ${STEPS.length}`)
      db.close()
      writeFileSync(path, readFileSync(path).fill(0xff, 100, 4096))
    },
    'damaged',
  ],
  [
    'of a newer version',
    (path: string) => {
      const db = new DatabaseSync(path)
      db.exec(`CREATE TABLE transactions (id); PRAGMA user_version = ${STEPS.length + 1}`)
      db.close()
    },
    'newer',
  ],
  [
    "another program's",
    (path: string) => {
      const db = new DatabaseSync(path)
      db.exec('CREATE TABLE places (url)')
      db.close()
    },
    'another program',
  ],
])('a state file that is %s is named, refused and left unchanged [row 91]', async (_, make, why) => {
  using m = machine()
  mkdirSync(m.stateDir, { mode: 0o700 })
  const path = join(m.stateDir, 'state.db')
  make(path)
  chmodSync(path, 0o600)
  const before = readFileSync(path)
  for (const line of ['history --json', 'history rm --all -y --json']) {
    const ran = await m.run(line)
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.error().message).toContain(path)
    expect(ran.error().message).toContain(why)
  }
  expect(readFileSync(path).equals(before)).toBe(true)
})

test.each(['damaged', 'impossible to create'])('a payment succeeds although the history is %s', async (how) => {
  using m = machine()
  if (how === 'damaged') {
    mkdirSync(m.stateDir, { mode: 0o700 })
    writeFileSync(join(m.stateDir, 'state.db'), 'x'.repeat(5000), { mode: 0o600 })
  } else {
    writeFileSync(m.stateDir, 'a file where the folder should be')
    writeFileSync(m.configDir, 'and another one')
  }
  const ran = await m.run('evaluate --rut 11.222.333-9 --amount 1000 --trx T1 --json', {
    env: { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' },
    transport: async () => ({
      status: 200,
      headers: {},
      body: Buffer.from(JSON.stringify({ data: { preApproveId: 'P1', installmentOptions: [] } })),
    }),
  })
  expect(ran.code).toBe(0)
  expect(ran.json()).toMatchObject({ preApproveId: 'P1' })
  expect(ran.stderr).toContain('P1')
})

test.each(['state.db', 'state.db-wal', 'state.db-shm'])(
  'a symbolic link instead of %s is refused, and its target is unchanged [row 5]',
  async (name) => {
    using m = machine()
    const victim = join(m.dir, 'victim')
    writeFileSync(victim, 'precious', { mode: 0o644 })
    mkdirSync(m.stateDir, { mode: 0o700 })
    symlinkSync(victim, join(m.stateDir, name))
    expect((await m.run('history')).code).toBe(3)
    expect([readFileSync(victim, 'utf8'), mode(victim)]).toEqual(['precious', '644'])
  },
)

test('a symbolic link instead of the state folder is refused [row 5]', async () => {
  using m = machine()
  const elsewhere = join(m.dir, 'elsewhere')
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, m.stateDir)
  expect((await m.run('history')).code).toBe(3)
  expect(readdirSync(elsewhere)).toEqual([])
})

test('a database of an older version is migrated and keeps its rows', async () => {
  using m = machine()
  mkdirSync(m.stateDir, { mode: 0o700 })
  const db = new DatabaseSync(join(m.stateDir, 'state.db'))
  db.exec(`${STEPS[0]}; PRAGMA user_version = 1`)
  db.exec(`INSERT INTO transactions (profile, external_trx_id, amount, created_at, updated_at, touched)
           VALUES ('acme', 'T-old', 7, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1)`)
  db.close()
  expect((await m.run('history --json')).json()).toMatchObject([{ externalTrxId: 'T-old', amount: 7 }])
})
