import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WireFailure } from '../../src/contract/wire.ts'
import { Interrupted } from '../../src/errors.ts'
import { answer, env, lines, service, write } from '../kit/bulk-kit.ts'
import { customers } from '../kit/customer-rows.ts'
import { machine } from '../kit/harness.ts'
import { commandsIn } from '../kit/hint-lines.ts'
import { loan } from '../kit/loan.ts'
import { pasted } from '../kit/pasted.ts'

const { BNPL_ENTITY_ID: _, ...WITHOUT_ENTITY } = env

test('the printed command for failed rows has the options of the run, but not the paths of its output files', async () => {
  using m = machine()
  write(m, 'in.csv', `${customers(2)}12345678-0,1000,wrong-digit\n`)
  const line = 'evaluate --skip-rut-check --from in.csv --entity-id=-7 --out out.csv --force --rate 50/s --restart'
  const { transport } = service((trx, nth) => (nth === 1 && trx !== 't-1' ? answer(401, {}) : undefined))
  const ran = await m.run(line, { env: WITHOUT_ENTITY, transport })
  const next = commandsIn(ran.stderr)
  expect(next).toEqual([
    `evaluate --from ${join(m.dir, 'out.failed.csv')} --skip-rut-check --entity-id=-7 --force --rate 50/s`,
  ])
  const again = await m.run(pasted(`bnpl ${next[0]}`), { env: WITHOUT_ENTITY, transport })
  expect([again.code, lines(again.stdout).length]).toEqual([0, 3])
})

test('the printed command for failed reports has the same --dir', async () => {
  using m = machine()
  write(m, 'ids.csv', 'preApproveId\nP1\nP2\n')
  const { transport } = service(() => answer(404, {}))
  const ran = await m.run('informe download --from ids.csv --dir reports --out out.csv', { env, transport })
  expect(commandsIn(ran.stderr)).toEqual([`informe download --from ${join(m.dir, 'out.failed.csv')} --dir reports`])
})

test('the printed command for rows of unknown outcome resumes the run with the same output files', async () => {
  using m = machine()
  write(m, 'in.csv', customers(3))
  const line = 'evaluate --from in.csv --restart --entity-id 7 --out out.csv --failed bad.csv'
  const { transport, asked } = service((trx, nth) =>
    trx === 't-2' && nth === 1 ? new WireFailure('reset', true, 'ECONNRESET') : undefined,
  )
  const ran = await m.run(line, { env: WITHOUT_ENTITY, transport })
  const next = commandsIn(ran.stderr)
  expect(next).toEqual(['evaluate --from in.csv --entity-id 7 --out out.csv --failed bad.csv --resume --retry-unknown'])
  const again = await m.run(pasted(`bnpl ${next[0]}`), { env: WITHOUT_ENTITY, transport })
  expect([again.code, asked.length]).toEqual([0, 4])
  expect(readFileSync(join(m.dir, 'out.csv'), 'utf8')).not.toContain('unknown')
})

test('the hint of a stopped run with --restart says to use --resume instead, and that command completes the run', async () => {
  using m = machine()
  write(m, 'in.csv', customers(20))
  const interrupt = new AbortController()
  const stopped = service((trx) => {
    if (trx === 't-2') interrupt.abort(new Interrupted())
    return undefined
  })
  const line = 'evaluate --from in.csv --concurrency 1 --restart'
  const interrupted = await m.run(line, { env, transport: stopped.transport, signal: interrupt.signal })
  expect(interrupted.stderr).toContain('Continue with the same command and --resume instead of --restart.')
  const refused = service((trx) => (trx !== 't-1' ? answer(429, {}, { 'retry-after': '3600' }) : undefined))
  const limited = await m.run(line, { env, transport: refused.transport })
  expect([limited.code, limited.stderr]).toEqual([
    7,
    expect.stringContaining('continue with the same command and --resume instead of --restart.'),
  ])
  const { transport } = service(() => undefined)
  expect((await m.run(line.replace('--restart', '--resume'), { env, transport })).code).toBe(0)
})

test('the summary lists the kinds of differences below the number of different rows', async () => {
  using m = machine()
  write(m, 'in.csv', 'externalTrxId,expectedAmount\nt-1,1\nt-2,1\n')
  const { transport } = service((trx) => (trx === 't-1' ? answer(200, { data: loan(trx) }) : answer(404, {})))
  const ran = await m.run('verify --from in.csv --out out.csv', { env, transport })
  expect(lines(ran.stdout).map((line) => line.replace(/ +\d+$/, ''))).toEqual([
    'Rows',
    'Different',
    '  with an unexpected amount',
    'Missing',
    expect.stringMatching(/^Compared +amount$/),
    expect.stringMatching(/^Results/),
    expect.stringMatching(/^Failed rows/),
  ])
})
