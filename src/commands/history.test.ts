import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeClock, type Machine, machine } from '../../test/kit/harness.ts'
import { openHistory } from '../history/sqlite.ts'

async function remembering(m: Machine, profile: string, ids: readonly string[], clock = fakeClock()) {
  const history = await openHistory(m.stateDir, clock)
  for (const id of ids) {
    clock.advance(1000)
    await history.remember(profile, id, { amount: 250_000, preApproveId: `P-${id}` })
  }
  return { history, clock }
}

test('an empty history is an empty list, not an error', async () => {
  using m = machine()
  expect(await m.run('history')).toMatchObject({ code: 0, stdout: '' })
  expect((await m.run('history --json')).json()).toEqual([])
  expect((await m.run('history -o ndjson')).stdout).toBe('')
})

test('list prints transactions and reports, newest first, and with -p only those of one profile', async () => {
  using m = machine()
  const { history, clock } = await remembering(m, 'acme', ['order-1', 'order-2'])
  clock.advance(1000)
  await history.keepReport('acme', { preApproveId: 'P-order-1', bytes: 78_001, sha256: 'ab'.repeat(32) })
  clock.advance(1000)
  await history.remember('acme', 'order-1', { loanState: 'ACTIVE' })
  await history.close()
  await (await remembering(m, 'other', ['order-1'], clock)).history.close()

  const all = (await m.run('history list --json')).json()
  expect(all.map((each: any) => [each.kind, each.profile, each.externalTrxId ?? each.preApproveId])).toEqual([
    ['transaction', 'other', 'order-1'],
    ['transaction', 'acme', 'order-1'],
    ['report', 'acme', 'P-order-1'],
    ['transaction', 'acme', 'order-2'],
  ])
  expect(all[1]).toMatchObject({ amount: 250_000, loanState: 'ACTIVE', installments: null })
  expect(all[1].updatedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect((await m.run('history -p other --json')).json()).toHaveLength(1)

  const limited = await m.run('history --limit 2')
  expect(limited.stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(limited.stderr).toContain('--limit')
  for (const limit of ['0', '-1', 'x', '1.5', '']) {
    expect((await m.run(['history', '--limit', limit])).code).toBe(2)
  }
})

test('history with an id shows the record with this id', async () => {
  using m = machine()
  const { history } = await remembering(m, 'acme', ['order-1', 'order-2'])
  await history.close()
  const shown = await m.run('history show order-1')
  expect(shown.stdout).toContain('P-order-1')
  expect((await m.run('history order-1')).stdout).toBe(shown.stdout)
  expect((await m.run('history order-1 --json')).stdout).toBe((await m.run('history show order-1 --json')).stdout)
  expect((await m.run('history order-3')).code).toBe(6)
})

test('list is filtered by state, time and a part of the id, alone and together', async () => {
  using m = machine()
  const { history, clock } = await remembering(m, 'acme', ['order-1', 'Order-2', 'other'])
  await history.remember('acme', 'order-1', { loanState: 'ACTIVE' })
  clock.advance(3 * 86_400_000)
  await history.remember('acme', 'other', { loanState: 'ACTIVE' })
  await history.keepReport('acme', { preApproveId: 'P-order-1', bytes: 1, sha256: '' })
  await history.close()
  const ids = async (line: string) =>
    (await m.run(`history list ${line} --json`, { clock }))
      .json()
      .map((each: any) => each.externalTrxId ?? each.preApproveId)
  expect((await ids('--search ORDER')).sort()).toEqual(['Order-2', 'P-order-1', 'order-1'])
  expect(await ids('--state active')).toEqual(['other', 'order-1'])
  expect(await ids('--state none')).toEqual(['Order-2'])
  expect((await ids('--since 2d')).sort()).toEqual(['P-order-1', 'other'])
  expect(await ids('--since 2d --state ACTIVE --search oth -p acme')).toEqual(['other'])
  expect(await ids('--since 99999999d --limit 1')).toHaveLength(1)
  expect(await m.run('history list --state CLOSED')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'No record of the history matches.\n',
  })
  expect((await m.run('history list --since yesterday')).code).toBe(2)
})

test('the table fits 80 columns, except for longer ids, which are never cut, and shows local times', async () => {
  using m = machine()
  const { history, clock } = await remembering(m, 'a-profile-with-a-rather-long-name', ['order-'.padEnd(120, '9')])
  await history.keepReport('acme', { preApproveId: '0'.repeat(36), bytes: 1, sha256: '' })
  await history.close()
  const { stdout } = await m.run('history', { stdoutIsTty: true })
  const long = `  ${'order-'.padEnd(120, '9')}`
  const lines = stdout.split('\n')
  expect(lines).toContain(long)
  for (const line of lines) if (line !== long) expect(line.length, line).toBeLessThanOrEqual(80)
  expect(stdout).toMatch(new RegExp(`^  ${'0'.repeat(36)}$`, 'm'))
  // A script that reads the table from a pipe gets its ids whole.
  expect((await m.run('history')).stdout).toContain('order-'.padEnd(120, '9'))
  const at = new Date(clock.now())
  expect(stdout).toContain(` ${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`)
  expect(stdout).toContain('250.000')
})

test('if one id does not fit, every id is on a line below its row; if all ids fit, a row is one line', async () => {
  using m = machine()
  const { history, clock } = await remembering(m, 'acme', ['order-1'])
  expect((await m.run('history', { stdoutIsTty: true })).stdout.trimEnd().split('\n')).toHaveLength(2)
  const id = '3f1c2a9e-5b7d-4e8f-9a0b-1c2d3e4f5a6b'
  clock.advance(1000)
  await history.keepReport('acme', { preApproveId: id, bytes: 78_001, sha256: 'ab'.repeat(32) })
  await history.close()
  const lines = (await m.run('history', { stdoutIsTty: true })).stdout.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^When .*State$/)
  expect(lines[2]).toMatch(/acme .* report, 78\.0 kB$/)
  expect(lines.filter((_, i) => i % 2 === 1)).toEqual(['  Id', `  ${id}`, '  order-1'])
  expect((await m.run('history', { stdoutIsTty: true, columns: 120 })).stdout.trimEnd().split('\n')).toHaveLength(3)
})

test.each([
  [1, '1 B'],
  [999, '999 B'],
  [12_064, '12.1 kB'],
  [2_500_000, '2.5 MB'],
])('a report of %i bytes is listed as %s', async (bytes, shown) => {
  using m = machine()
  const { history } = await remembering(m, 'acme', [])
  await history.keepReport('acme', { preApproveId: 'P-1', bytes, sha256: 'ab'.repeat(32) })
  await history.close()
  expect((await m.run('history')).stdout).toMatch(new RegExp(`report, ${shown}$`, 'm'))
})

test('escape characters in the history are not printed [row 82]', async () => {
  using m = machine()
  await (await remembering(m, 'acme', ['\u001b[2Jorder'])).history.close()
  for (const line of ['history', 'history --json', 'history show \u001b[2Jorder']) {
    const ran = await m.run(line)
    expect(ran.stdout + ran.stderr).not.toContain('\u001b')
  }
})

test('show finds a transaction or pre-approval id, and refuses an id of two profiles', async () => {
  using m = machine()
  const { history } = await remembering(m, 'acme', ['order-1'])
  await history.remember('other', 'order-1', { amount: 7 })
  await history.keepReport('acme', { preApproveId: 'P-9', bytes: 10, sha256: 'cd'.repeat(32) })
  await history.close()
  expect((await m.run('history show P-9 --json')).json()).toMatchObject({ kind: 'report', sha256: 'cd'.repeat(32) })
  const ambiguous = await m.run('history show order-1')
  expect(ambiguous.code).toBe(2)
  expect(ambiguous.stderr).toMatch(/acme.*-p NAME/s)
  expect((await m.run('history show order-1 -p other --json')).json()).toMatchObject({ profile: 'other', amount: 7 })
  expect((await m.run('history show order-1 -p acme')).stdout).toMatch(/Pre-approval +P-order-1/)
  expect((await m.run('history show nothing')).code).toBe(6)
})

test('without a terminal rm needs -y; with -y rm removes one record or all records', async () => {
  using m = machine()
  const { history } = await remembering(m, 'acme', ['order-1', 'order-2', 'order-3'])
  await history.remember('other', 'order-4', {})
  await history.keepReport('acme', { preApproveId: 'P-9', bytes: 10, sha256: '' })
  await history.close()
  const left = async () => (await m.run('history --json')).json().length
  for (const line of [
    'history rm',
    'history rm order-1 --all -y',
    'history rm order-1',
    'history rm order-1 -y --dry-run',
  ]) {
    expect((await m.run(line)).code).toBe(2)
  }
  expect(await left()).toBe(5)
  expect((await m.run('history rm order-1 -y --json')).json()).toEqual({ forgotten: 1 })
  expect((await m.run('history rm P-9 -y --json')).json()).toEqual({ forgotten: 1 })
  expect((await m.run('history rm --all -p acme -y --json')).json()).toEqual({ forgotten: 2 })
  expect(await left()).toBe(1)
  expect((await m.run('history rm --all -y --json')).json()).toEqual({ forgotten: 1 })
  expect((await m.run('history rm --all -y --json')).json()).toEqual({ forgotten: 0 })
})

test('the history file contains no personal data and no secret of a payment [row 84]', async () => {
  using m = machine()
  const answers: Record<string, object> = {
    bnpl: { preApproveId: 'P1', installmentOptions: [{ installments: 3, amount: 350, total: 1050 }] },
    start: { accepted: true, widgetToken: 'canary-widget-token' },
  }
  const env = { BNPL_API_KEY: 'canary-key-1234', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
  const transport = async ({ url }: { url: string }) => ({
    status: 200,
    headers: {},
    body: Buffer.from(JSON.stringify({ data: answers[url.split('/').at(-1) ?? ''] })),
  })
  for (const line of [
    'evaluate --rut 11.222.333-9 --amount 1000 --trx T1',
    'widget-token --trx T1 --amount 1000 --email canary@example.com',
  ]) {
    expect(await m.run(line, { env, transport })).toMatchObject({ code: 0 })
  }
  const [known] = (await m.run('history --json')).json()
  expect(known).toMatchObject({ externalTrxId: 'T1', profile: 'https://api.example.com', preApproveId: 'P1' })
  const bytes = readFileSync(join(m.stateDir, 'state.db'), 'latin1')
  expect(bytes).toContain('T1')
  expect(bytes).not.toMatch(/canary|11222333/)
})
