import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { env, service, write } from '../kit/bulk-kit.ts'
import { machine } from '../kit/harness.ts'
import { typedTerminal } from '../kit/typed-terminal.ts'
import { until } from '../receiver/listener.ts'

/** Rows of stdout and the progress line of stderr never share a line of the terminal. */

/** Runs `verify --from` at a terminal, with stdout connected to another program. Returns what happened, in order. */
async function piped(stdoutIsPipe: boolean) {
  using m = machine()
  write(m, 'in.csv', 'externalTrxId\nT1\nT2\n')
  const happened: { what: 'drawn' | 'cleared' | 'rows'; at: number }[] = []
  const note = (what: 'drawn' | 'cleared' | 'rows') => happened.push({ what, at: performance.now() })
  const isRedrawn = () => happened.findLastIndex(({ what }) => what === 'drawn') > happened.findIndex(isRows)
  // The second row is answered after the progress line has been drawn again below the first row.
  const { transport } = service(() => undefined)
  const held: typeof transport = async (request) => {
    if (request.url.includes('T2')) await until(() => happened.some(isRows) && isRedrawn())
    return transport(request)
  }
  const { world } = m.world({ transport: held, env })
  const { io } = typedTerminal([])
  Object.assign(world.io, io, { stdoutIsPipe, out: async (text: string) => void (text !== '' && note('rows')) })
  Object.assign(world.io.tty?.output ?? {}, {
    write(text: string) {
      if (/\d\/2/.test(text)) note('drawn')
      return true
    },
    clearLine: () => note('cleared'),
  })
  const code = await runCli('verify --from in.csv --concurrency 1'.split(' '), world)
  return { code, happened }
}

const isRows = ({ what }: { what: string }) => what === 'rows'

test('the progress line is cleared before rows are written into a pipe, and is drawn again only after 100 ms', async () => {
  const { code, happened } = await piped(true)
  expect(code).toBe(0)
  const rows = happened.flatMap(({ what }, i) => (what === 'rows' ? [i] : []))
  expect(rows.length).toBeGreaterThan(1)
  expect(happened.some(({ what }) => what === 'drawn')).toBe(true)
  for (const i of rows) {
    const before = happened.slice(0, i)
    expect(before.findLastIndex(({ what }) => what === 'cleared')).toBeGreaterThan(
      before.findLastIndex(({ what }) => what === 'drawn'),
    )
    const next = happened.slice(i).find(({ what }) => what === 'drawn')
    if (next) expect(next.at - (happened[i]?.at ?? 0)).toBeGreaterThan(100)
  }
  // The line does not return after the run.
  expect(happened.findLastIndex(({ what }) => what === 'drawn')).toBeLessThan(rows.at(-1) ?? 0)
})

test('the progress line is not cleared before rows are written into a file', async () => {
  const { code, happened } = await piped(false)
  expect(code).toBe(0)
  const first = happened.findIndex(isRows)
  expect(happened[first - 1]?.what).toBe('drawn')
})
