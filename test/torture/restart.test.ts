import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Machine, machine } from '../kit/harness.ts'
import { COMMAND, SERVER } from './killed-shop.ts'

/** Runs `sandbox torture` with this shop. */
function tortured(m: Machine, server: string, words: readonly string[] = []) {
  writeFileSync(join(m.dir, 'server.cjs'), SERVER)
  const restart = ['--restart', server.replace('node', `exec ${process.execPath}`), '--customer']
  return m.run(['sandbox', 'torture', ...restart, ...words, '--', process.execPath, '-e', COMMAND])
}

interface Note {
  what: string
  pid: number
  port: string
  folder: string
}

const notesOf = (m: Machine): Note[] =>
  readFileSync(join(m.dir, 'notes'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const WHOLE = ['start', '/hook', '/return']

test.each([
  ['its call is done and not yet answered', 'killed@listWebhooks.1', ['start', '/hook', '/return', 'start', '/return']],
  [
    'it has answered a delivery, which comes again',
    'killed@delivery.1',
    ['start', '/hook', 'start', '/hook', '/return'],
  ],
  ['the customer pays', 'killed@page.1', ['start', 'start', '/hook', '/return']],
])('with --restart the shop is killed when %s, and started again in the same run', async (_, run, expected) => {
  using m = machine()
  const { code, stderr, json } = await tortured(m, 'node server.cjs', ['--run', run, '--json'])
  expect([code, json()], stderr).toEqual([
    0,
    {
      runs: 2,
      faults: expect.any(Number),
      findings: [],
      notReached: [],
      causes: [],
      customers: { sentBack: 1, returned: 1 },
    },
  ])
  const notes = notesOf(m)
  const [whole = [], killed = []] = [...Map.groupBy(notes, ({ folder }) => folder).values()]
  const said = (of: readonly Note[]) => of.map(({ what }) => what)
  expect(said(whole)).toEqual(WHOLE)
  expect(said(killed)).toEqual(expected)
  expect([new Set(killed.map(({ port }) => port)).size, new Set(killed.map(({ pid }) => pid)).size]).toEqual([1, 2])
  expect(killed[0]?.port).not.toBe(whole[0]?.port)
  for (const { pid } of notes) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a shop that does not start again is a finding, and the line that repeats it has --restart', async () => {
  using m = machine()
  const words = ['--run', 'killed@listWebhooks.1', '--json']
  const { code, json } = await tortured(m, 'node server.cjs marks', words)
  // The command would ask the shop again and again, so it is killed.
  expect([code, json().findings]).toEqual([
    10,
    [
      {
        id: 'killed@listWebhooks.1',
        fault: 'killed',
        at: 'listWebhooks.1',
        invariant: 'not-running',
        expected: 'the server of --restart runs until it is killed, and can be started again',
        seen: 'the server ended with exit code 1 before it listened on its port',
        reproduce: expect.stringContaining("--run killed@listWebhooks.1 --customer --restart 'exec "),
      },
    ],
  ])
})

test('a server that ends by itself after a fault is a finding', async () => {
  using m = machine()
  const words = ['--run', 'server-error@listWebhooks.1', '--json']
  const { code, json } = await tortured(m, 'node server.cjs trusts', words)
  expect([code, json().findings]).toMatchObject([
    10,
    [{ invariant: 'not-running', seen: 'the server ended with exit code 1, although it was not killed' }],
  ])
})

test.each([
  // On a busy machine the program may take seconds until it throws.
  [
    'node -e "throw Error(String(7 * 6))"',
    '40s',
    'the server ended with exit code 1 before it listened on its port',
    'Error: 42',
  ],
  ['node -e "setInterval(() => {}, 1000)"', '1s', 'the server did not listen on its port within 1 s', ''],
])(
  'a shop that does not start in the run without a fault is a usage error: %s',
  async (server, limit, reason, words) => {
    using m = machine()
    const { code, stdout, stderr } = await tortured(m, server, ['--time-limit', limit])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`the command of --restart failed in the run without a fault: ${reason}`)
    expect(stderr).toContain(words)
  },
)

test('a run that kills the shop needs --restart, and without it nothing is run', async () => {
  using m = machine()
  const { code, stderr } = await m.run('sandbox torture --run killed@page.1 -- no-such-program')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--run “killed@page.1” needs --restart')])
})
