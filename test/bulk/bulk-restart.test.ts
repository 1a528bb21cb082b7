import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { Interrupted } from '../../src/errors.ts'
import { env, rowsOf, service, write } from '../kit/bulk-kit.ts'
import { customers } from '../kit/customer-rows.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { typedTerminal } from '../kit/typed-terminal.ts'

/** A machine with a production profile. */
function shop() {
  const m = machine()
  mkdirSync(m.configDir, { recursive: true, mode: 0o700 })
  const profile = { environment: 'production', baseUrl: env.BNPL_BASE_URL, apiKey: env.BNPL_API_KEY, entityId: 'E1' }
  writeFileSync(join(m.configDir, 'profiles.json'), JSON.stringify({ version: 1, profiles: { shop: profile } }), {
    mode: 0o600,
  })
  return m
}

/** Runs a command line and answers the question that the production profile asks. */
async function answering(
  m: Machine,
  line: string,
  keys: 'y' | 'n',
  transport: ReturnType<typeof service>['transport'],
) {
  const { io, screen, unanswered } = typedTerminal([[/on production\?/, `${keys}\r`]])
  const { world, stderr } = m.world({ transport })
  Object.assign(world.io, io)
  const code = await runCli(line.split(' '), world)
  expect(unanswered()).toBe(0)
  return { code, screen: screen() + stderr() }
}

const ledgers = (m: Machine) => readdirSync(join(m.stateDir, 'bulk')).filter((name) => name.endsWith('.db'))
const RUN = 'evaluate --from in.csv --out out.csv --force -p shop'

test('a “no” to the question of --restart keeps the earlier run, which still prevents sending rows twice', async () => {
  using m = shop()
  write(m, 'in.csv', customers(3))
  const { transport, asked } = service(() => undefined)
  expect((await m.run(`${RUN} --yes`, { transport })).code).toBe(0)

  const refused = await answering(m, `${RUN} --restart`, 'n', transport)
  expect(refused).toMatchObject({ code: 2, screen: expect.stringContaining('send 3 evaluations on production?') })
  expect(refused.screen).toContain('nothing was changed')
  // Before the question is answered there is no progress line, because it would be drawn over the question.
  expect(refused.screen).not.toContain('0/3')
  const again = await m.run(`${RUN} --yes`, { transport })
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already sent by the run')])
  const resumed = await m.run('evaluate --from in.csv -o ndjson --resume -p shop', { transport })
  expect(rowsOf(resumed.stdout).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
  expect(asked).toHaveLength(3)

  expect((await answering(m, `${RUN} --restart`, 'y', transport)).code).toBe(0)
  expect([asked.length, ledgers(m).length]).toEqual([6, 1])
})

test('a “no” to --restart of a changed file leaves the unfinished run of its old content, and a “yes” removes it', async () => {
  using m = shop()
  write(m, 'in.csv', customers(6))
  const stop = new AbortController()
  const { transport, asked } = service(() => {
    if (asked.length === 2) stop.abort(new Interrupted())
    return undefined
  })
  await m.run(`${RUN} --yes --concurrency 1`, { transport, signal: stop.signal })
  expect(asked.length).toBeLessThan(6)
  write(m, 'in.csv', customers(7))

  const before = asked.length
  expect((await answering(m, `${RUN} --restart`, 'n', transport)).code).toBe(2)
  const again = await m.run(`${RUN} --yes`, { transport })
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('the file was changed after its run')])
  expect([asked.length, ledgers(m).length]).toEqual([before, 1])

  expect((await answering(m, `${RUN} --restart`, 'y', transport)).code).toBe(0)
  expect([asked.length, ledgers(m).length]).toEqual([before + 7, 1])
})

test('a “no” to --restart leaves an emptied ledger where it was, and the ledger is still refused', async () => {
  using m = shop()
  write(m, 'in.csv', customers(3))
  const { transport, asked } = service(() => undefined)
  expect((await m.run(`${RUN} --yes`, { transport })).code).toBe(0)
  const [ledger = ''] = ledgers(m)
  writeFileSync(join(m.stateDir, 'bulk', ledger), '')
  expect((await answering(m, `${RUN} --restart`, 'n', transport)).code).toBe(2)
  expect(ledgers(m)).toEqual([ledger])
  const again = await m.run(`${RUN} --yes`, { transport })
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('is damaged and was not changed')])
  expect((await answering(m, `${RUN} --restart`, 'y', transport)).code).toBe(0)
  expect([asked.length, ledgers(m)]).toEqual([6, [ledger]])
})

test('after an interrupted --restart, --resume sends only the rows that the restarted run had not sent', async () => {
  using m = shop()
  write(m, 'in.csv', customers(6))
  let stop: AbortController | undefined
  const { transport, asked } = service(() => {
    if (asked.length === 8) stop?.abort(new Interrupted())
    return undefined
  })
  expect((await m.run(`${RUN} --yes`, { transport })).code).toBe(0)
  stop = new AbortController()
  const cut = await m.run(`${RUN} --yes --restart --concurrency 1`, { transport, signal: stop.signal })
  expect([cut.code, asked.length]).toEqual([130, 8])
  const refused = await m.run(`${RUN} --yes`, { transport })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('did not finish')])
  expect((await m.run(`${RUN} --yes --resume`, { transport })).code).toBe(0)
  expect(asked).toHaveLength(12)
})
