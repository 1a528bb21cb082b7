import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Machine, machine } from '../kit/harness.ts'
import { whileServed } from '../kit/served.ts'

const evaluate = (m: Machine, trx: string) =>
  m.run(`evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx ${trx} --json`)
const verify = async (m: Machine, trx: string) => (await m.run(`verify ${trx} -p sandbox --json`)).code

/** Saves a state in which t1 is evaluated and not paid, pays t1, and then loads both states in turn. */
async function goBackAndForth(m: Machine): Promise<void> {
  await evaluate(m, 't1')
  await m.run('sandbox clock advance 1h')
  const kept = await m.run('sandbox snapshot save unpaid --json')
  expect(kept).toMatchObject({ code: 0 })
  expect(statSync(kept.json().file).mode & 0o777).toBe(0o600)
  await m.run('sandbox pay t1')
  await m.run('sandbox snapshot save ./paid.db')
  expect(await verify(m, 't1')).toBe(0)
  expect(await m.run('sandbox snapshot load unpaid --yes')).toMatchObject({ code: 0, stderr: '' })
  expect(await verify(m, 't1')).toBe(6)
  expect((await m.run('sandbox clock --json')).json().aheadMs).toBe(3_600_000)
  expect(await m.run('sandbox pay t1')).toMatchObject({ code: 0 })
  await m.run('sandbox reset --yes')
  expect(await m.run('sandbox snapshot load ./paid.db --yes --json')).toMatchObject({ code: 0 })
  expect(await verify(m, 't1')).toBe(0)
  expect((await m.run('sandbox snapshot list --json')).json()).toMatchObject([{ name: 'unpaid' }])
  expect((await m.run('sandbox snapshot list')).stdout).toMatch(/ \d+\.\d [kM]B$/m)
}

test('a saved state is loaded completely: loans, evaluations and the clock', async () => {
  using m = machine()
  await goBackAndForth(m)
})

test('a saved state is loaded completely while the sandbox is served', async () => {
  using m = machine()
  await whileServed(m, () => goBackAndForth(m))
})

test('a snapshot of another machine brings its accounts, and the keys of the snapshot then work here', async () => {
  using there = machine()
  using here = machine()
  await evaluate(there, 't1')
  await there.run('sandbox pay t1')
  const { file } = (await there.run('sandbox snapshot save theirs --json')).json()
  const loaded = await here.run(`sandbox snapshot load ${file} --yes`)
  expect(loaded).toMatchObject({ code: 0, stderr: expect.stringContaining('keys of the snapshot') })
  expect(await verify(here, 't1')).toBe(0)
})

test('a file that is not a snapshot is refused, and the present state stays', async () => {
  using m = machine()
  await evaluate(m, 't1')
  await m.run('sandbox pay t1')
  writeFileSync(join(m.dir, 'text.db'), 'no database at all, whatever its name says')
  writeFileSync(join(m.dir, 'empty.db'), '')
  for (const [name, code] of [
    ['missing', 6],
    ['./text.db', 5],
    ['./empty.db', 5],
  ] as const) {
    expect(await m.run(`sandbox snapshot load ${name} --yes`)).toMatchObject({ code, stdout: '' })
  }
  expect(readFileSync(join(m.dir, 'empty.db'), 'utf8')).toBe('')
  expect(await verify(m, 't1')).toBe(0)
})

test('an existing file is replaced only with --force, and never the sandbox’s own file', async () => {
  using m = machine()
  await evaluate(m, 't1')
  await m.run('sandbox snapshot save one')
  const second = await m.run('sandbox snapshot save one')
  expect(second).toMatchObject({ code: 2, stdout: '' })
  expect(second.stderr).toContain('--force')
  expect(await m.run('sandbox snapshot save one --force')).toMatchObject({ code: 0 })
  expect(await m.run('sandbox snapshot save ./state/sandbox.db --force')).toMatchObject({ code: 5 })
  expect(await m.run('sandbox snapshot save ./no/folder/x.db')).toMatchObject({ code: 5 })
  expect(readdirSync(join(m.stateDir, 'snapshots'))).toEqual(['one.db'])
  expect(await m.run('sandbox pay t1')).toMatchObject({ code: 0 })
})

test('snapshot load deletes the current state, so without a terminal the command needs --yes', async () => {
  using m = machine()
  await m.run('sandbox snapshot save one')
  const ran = await m.run('sandbox snapshot load one --json')
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.error()).toMatchObject({ code: 'NEEDS_YES' })
})

test.each(['nope', './nope.db'])('a snapshot that does not exist is reported before any question: %s', async (name) => {
  using m = machine()
  const ran = await m.run(`sandbox snapshot load ${name} --json`)
  expect(ran).toMatchObject({ code: 6, stdout: '' })
  expect(ran.error()).toMatchObject({ code: 'ERR_SNAPSHOT_NOT_FOUND', hint: expect.stringContaining('snapshot list') })
})

test('a folder or an unreadable file as a snapshot is reported with the path that was given', async () => {
  using m = machine()
  mkdirSync(join(m.dir, 'folder'))
  for (const line of ['snapshot load ./folder --yes', 'changes --since ./folder']) {
    const ran = await m.run(`sandbox ${line} --json`)
    expect(ran).toMatchObject({ code: 5, stdout: '' })
    const hint = expect.stringContaining('Check that the path is a file')
    const message = `${join(m.dir, 'folder')} is not a file`
    expect(ran.error()).toMatchObject({ code: 'ERR_SNAPSHOT_NOT_READ', message, hint })
  }
  writeFileSync(join(m.dir, 'file'), '')
  const beneath = await m.run('sandbox changes --since ./file/x --json')
  const unread = `${join(m.dir, 'file', 'x')} cannot be read (ENOTDIR)`
  expect(beneath.error()).toMatchObject({ code: 'ERR_SNAPSHOT_NOT_READ', message: unread })
  const save = await m.run('sandbox snapshot save ./folder --force --json')
  const written = `${join(m.dir, 'folder')} cannot be written (EISDIR)`
  expect(save.error()).toMatchObject({ code: 'ERR_SNAPSHOT_NOT_WRITTEN', message: written })
  expect((await m.run('explain ERR_SNAPSHOT_NOT_READ')).stdout).toContain('could not be read')
})

test.each(['..', '.hidden', '-x', 'a b', '', 'é'])('“%s” is refused as a name', async (name) => {
  using m = machine()
  expect(await m.run(['sandbox', 'snapshot', 'save', '--', name])).toMatchObject({ code: 2, stdout: '' })
})

test('sandbox changes shows the changes since a snapshot as a table or as NDJSON', async () => {
  using m = machine()
  await evaluate(m, 't1')
  const unmarked = await m.run('sandbox changes --json')
  expect(unmarked).toMatchObject({ code: 6, stdout: '' })
  expect(unmarked.error()).toMatchObject({ code: 'NO_MARK', hint: expect.stringContaining('snapshot save mark') })
  await m.run('sandbox snapshot save mark')
  expect(await m.run('sandbox changes')).toMatchObject({ code: 0, stdout: 'Nothing has changed.\n' })
  await evaluate(m, 't2')
  await m.run('sandbox pay t2')
  await verify(m, 't2')
  await verify(m, 't3')
  const { stdout, stderr } = await m.run('sandbox changes --only-changes --limit 2')
  expect(stdout).toMatch(
    /verifyLoan 200 +t2 +~ loan verifiedAt: \S+\n.*the customer +t2 +\+ token, ~ token outcome: paid, \+ loan, \+ event\n$/,
  )
  expect(stderr).toMatch(
    /3 calls, 6 changes\.\nOnly the latest 2 of 3 rows are listed\. .*--limit 3\nReturn to the snapshot: bnpl sandbox snapshot load mark\n$/,
  )
  const lines = (await m.run('sandbox changes --since mark --output ndjson')).stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).by)).toEqual(['request', 'request', 'customer', 'request'])
  expect(lines.join()).not.toContain('11222333')
})
