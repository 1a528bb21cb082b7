// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the changes are pieces of source text

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/domain/clock.ts'
import { PARTS, readPlace } from '../../src/torture/fault-table.ts'
import { planRuns } from '../../src/torture/plan.ts'
import { machine, realClock } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'
import { MUTANTS, NEVER_RETURNS } from './mutants.ts'
import { WALKS } from './naive/walks.ts'
import { PYTHON_MUTANTS } from './python-mutants.ts'
import { RESTART_MUTANTS } from './restart-mutants.ts'
import { NAIVE, naiveMachine, shopMachine, sourcesOf } from './shop-kit.ts'

const THIS = process.execPath

test('a correct shop passes a sample, which the seed draws, against the service banca.me, and its customer who returned is counted', async () => {
  using m = shopMachine({})
  const words = ['--seed', '15', '--only', 'webhooks', '--limit', '1', '--time-limit', '40s', '--json']
  const one = await m.torture(['--service', 'banca.me', ...words])
  expect([one.code, one.json(), one.stderr]).toEqual([
    0,
    {
      runs: 2,
      faults: expect.any(Number),
      findings: [],
      notReached: [],
      causes: [],
      customers: { sentBack: 1, returned: 1 },
    },
    expect.stringMatching(/^Seed 15, /m),
  ])
  expect(one.stderr).toContain('1 of 1 customer returned from the payment page to the shop.')
})

test('every mutant changes the source of its example shop', () => {
  for (const mutant of [...MUTANTS, ...RESTART_MUTANTS])
    expect(sourcesOf('typescript', mutant)).not.toEqual(sourcesOf('typescript'))
  for (const mutant of PYTHON_MUTANTS) expect(sourcesOf('python', mutant)).not.toEqual(sourcesOf('python'))
})

const PAYMENT =
  'listWebhooks.1 listWebhooks.2 registerWebhook.1 evaluate.1 startWidget.1 verifyLoan.1 verifyLoan.2 delivery.1 page.1'

test.each([
  ['a payment', PAYMENT, undefined, 0.95],
  ['a payment, with --restart', PAYMENT, 'serve', 0.95],
  [
    'a payment and a refund, with --restart',
    `${PAYMENT} cancelLoan.1 verifyLoan.3 verifyLoan.4 delivery.2`,
    'serve',
    0.85,
  ],
])(
  'for %s, the first 60 runs of every seed contain those that find most of the kept mistakes',
  (_, reached, restart, share) => {
    const places = reached.split(' ').flatMap((name) => readPlace(name) ?? [])
    const choice = { only: PARTS, limit: undefined, shop: { orders: 'orders', settle: 'settle', restart } }
    const idsOf = (limit: number | undefined, seed: number) =>
      new Set(['none', ...planRuns(places, { ...choice, seed, limit }).map(({ id }) => id)])
    const all = idsOf(undefined, 1)
    const kept = [...MUTANTS, ...RESTART_MUTANTS, ...PYTHON_MUTANTS].filter(({ run }) => all.has(run))
    expect(kept.length).toBeGreaterThan(75)
    for (let seed = 1; seed <= 20; seed++) {
      const sample = idsOf(60, seed)
      const found = kept.filter(({ run }) => sample.has(run))
      expect([seed, found.length / kept.length > share]).toEqual([seed, true])
    }
  },
)

describe('a mistake is found, with the invariant that it breaks', () => {
  const SAMPLE = [
    'fulfils before it verifies',
    'accepts forged events, and verifies each loan',
    'takes a verification that fails every time for “no loan”',
    'has a reconciliation that always succeeds',
    'ships to whoever opens the success address',
    'does not look at unclear refunds in its reconciliation',
  ]
  test.each(MUTANTS.filter(({ name }) => SAMPLE.includes(name)))('a shop that $name', async (mutant) => {
    using m = shopMachine({ mutant })
    const { code, stderr, json } = await m.torture(['--run', mutant.run, '--time-limit', '40s', '--json'])
    expect([code, stderr]).toEqual([10, expect.stringContaining(mutant.breaks)])
    const reproduce = expect.stringMatching(
      `^bnpl sandbox torture --run ${mutant.run} --customer --orders '.* -- sh -c '`,
    )
    expect(json().findings).toContainEqual(
      expect.objectContaining({ id: mutant.run, invariant: mutant.breaks, reproduce }),
    )
  })
})

test.each(['express', 'flask', 'php'] as const)(
  'the naive shop for %s is found even without a fault, and has no finding when it has done what the torture advises',
  async (name) => {
    needsProgram(NAIVE[name].runs)
    const steps = WALKS[name]
    using naive = naiveMachine(name, [])
    const before = await naive.torture(['--run', 'none', '--time-limit', '40s', '--json'])
    const logsTheCustomer = expect.objectContaining({ id: 'none', invariant: 'leak' })
    expect([before.code, before.json().findings], before.stderr).toEqual([
      10,
      expect.arrayContaining([logsTheCustomer]),
    ])
    using right = naiveMachine(name, steps)
    const after = await right.torture(['--run', steps[0]!.run, '--time-limit', '40s', '--json'])
    expect([after.code, after.json().findings], after.stderr).toEqual([0, []])
  },
  120_000,
)

/** Returns the words that make a Node script the command, without a shop. */
const script = (text: string) => ['--', THIS, '-e', text]

test('a command that fails without a fault is a usage error: nothing else is run, and its output is shown', async () => {
  using m = machine()
  const { code, stdout, stderr } = await m.run(
    ['sandbox', 'torture', ...script('console.error("no database"); process.exitCode = 3')],
    {},
  )
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('no database')
  expect(stderr).toContain(
    'in the first run, in which the sandbox causes no fault, the command ended with exit code 3, so the runs with faults were not started',
  )
})

test('a command that fails without a fault is judged by that run alone, and the report says that the rest needs a test that passes', async () => {
  using m = machine()
  const orders = ['--orders', `cat "$BNPL_RUN_DIR/orders"`, '--junit', 'report.xml', '--json']
  const fails = sells('folder', 'process.exitCode = 3')
  const { code, json, stderr } = await m.run(['sandbox', 'torture', ...orders, ...fails], {
    env: { PATH: process.env.PATH ?? '' },
  })
  expect([code, json()]).toEqual([
    10,
    {
      runs: 1,
      faults: expect.any(Number),
      findings: [expect.objectContaining({ id: 'none', invariant: 'paid-without-loan' })],
      notReached: [],
      causes: [expect.objectContaining({ cause: 'an order is paid although the service has no loan for it' })],
      customers: null,
    },
  ])
  expect(stderr).toMatch(
    /in the first run, .*exit code 3, so the runs with faults were not started.*correct it until it passes/s,
  )
  expect(readFileSync(join(m.dir, 'report.xml'), 'utf8')).toContain('tests="1" failures="1"')
})

test('a command that makes no call does not count as a success', async () => {
  using m = machine()
  const { code, stdout, stderr } = await m.run(['sandbox', 'torture', ...script('')])
  expect([code, stdout]).toEqual([10, ''])
  expect(stderr).toContain('so there is nothing to torture')
})

test('a process that left the group of the command and keeps its output open is not waited for', async () => {
  using m = machine()
  const leaves = `const { spawn } = require('node:child_process')
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true })
    require('node:fs').writeFileSync('left', String(left.pid))
    left.unref()`
  const { code } = await m.run(['sandbox', 'torture', '--run', 'none', ...script(leaves)])
  process.kill(Number(readFileSync(join(m.dir, 'left'), 'utf8')), 'SIGKILL')
  expect(code).toBe(10)
})

const LISTS = `const { BNPL_BASE_URL: base, BNPL_API_KEY: key, BNPL_RUN_DIR: folder } = process.env
const headers = { authorization: 'Bearer ' + key }
const list = () => fetch(base + '/partner/webhook', { headers }).then((answer) => answer.status, () => 0)`

test('bnpl inside the command uses the sandbox of its run, and the folders are gone afterwards', async () => {
  using m = machine()
  const look = `const { readFileSync, appendFileSync } = require('node:fs')
    const state = process.env.BNPL_STATE_DIR
    const { baseUrl } = JSON.parse(readFileSync(state + '/sandbox-running.json', 'utf8'))
    appendFileSync('seen', JSON.stringify([baseUrl === base, state, folder, process.env.NODE_COMPILE_CACHE]) + '\\n')`
  const { code, stderr } = await m.run(
    ['sandbox', 'torture', '--run', 'none', ...script(`${LISTS}; list(); ${look}`)],
    {
      env: { NODE_COMPILE_CACHE: '' },
    },
  )
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')])
  const [same, state, folder, cache] = JSON.parse(readFileSync(join(m.dir, 'seen'), 'utf8'))
  expect([same, existsSync(state), existsSync(folder), existsSync(cache)]).toEqual([true, false, false, false])
  expect(cache).toContain('bnpl-torture-cache-')
})

/** A command that appends a paid order to a list in `folder`. `before` runs first. */
const sells = (folder: string, before = '') =>
  script(`${LISTS}
    const { appendFileSync, writeFileSync } = require('node:fs')
    const orders = ${folder} + '/orders'
    ${before}
    const order = { externalTrxId: 'order-' + process.pid, paid: true, fulfilled: 1 }
    list().then(() => appendFileSync(orders, JSON.stringify(order) + '\\n'))`)
const SOLD_BEFORE = '{"externalTrxId":"of-yesterday","paid":true,"fulfilled":1}\n'
const EMPTIES = "writeFileSync(orders, '')"

const REFUSED = /^error: the shop lists a paid order of an earlier run.*BNPL_RUN_DIR/ms

test.each([
  ['orders that were there before', SOLD_BEFORE, sells("'.'"), 2, REFUSED],
  ['orders of the first run', '', sells("'.'"), 2, REFUSED],
  ['orders that the command removes', SOLD_BEFORE, sells("'.'", EMPTIES), 10, /paid-without-loan/],
  ['orders in the folder of the run', '', sells('folder'), 10, /paid-without-loan/],
])(
  '%s are checked as orders of the run, or refused as orders of an earlier run',
  async (_, before, command, code, said) => {
    using m = machine()
    writeFileSync(join(m.dir, 'orders'), before)
    const orders = command.join(' ').includes('folder +') ? 'cat "$BNPL_RUN_DIR/orders"' : 'cat orders'
    const words = ['--orders', orders, '--run', 'server-error@listWebhooks.1', '--jobs', '1']
    const ran = await m.run(['sandbox', 'torture', ...words, ...command], { env: { PATH: process.env.PATH ?? '' } })
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringMatching(said)])
  },
)

test('without --orders only the other invariants are checked, and a note says so; the same seed gives the same report, also as JUnit', async () => {
  using m = machine()
  const words = ['--seed', '5', '--only', 'calls', '--limit', '2', '--time-limit', '40s']
  const listed = script(`${LISTS}; list()`)
  const { code, stdout, stderr } = await m.run(['sandbox', 'torture', ...words, '--junit', 'report.xml', ...listed])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Tried 2 of \d+ faults, each in its own run, after a run\s+without a fault: no invariant is broken\n\n2 faults, 0 findings, 0 faults not reached\n$/,
    ),
  ])
  expect(stderr).toContain('Without --orders these invariants could not be checked: paid-without-loan,')
  // The report names the runs.
  const report = () => readFileSync(join(m.dir, 'report.xml'), 'utf8').replaceAll(/ (time|timestamp)="[^"]*"/g, '')
  const first = report()
  expect(first).toContain('tests="3" failures="0"')
  const again = await m.run(['sandbox', 'torture', ...words, '--junit', 'report.xml', ...listed])
  expect([again.code, again.stdout, report()]).toEqual([0, stdout, first])
})

test('reports are written as HTML and SVG, a known finding is accepted, and --repeat makes each run again', async () => {
  using m = machine()
  // The script waits without end after a fault, and writes markup to stderr. The time limit is over when it waits.
  const clock: Clock = {
    ...realClock,
    async sleep(ms, signal) {
      if (ms !== 2_000) return realClock.sleep(ms, signal)
      const file = join(m.dir, 'waits')
      while (!existsSync(file)) await realClock.sleep(10, signal)
      rmSync(file)
    },
  }
  const hangs = script(`${LISTS}
    list().then((status) => {
      console.error('<b>status ' + status + '</b>')
      if (status === 200) return
      setInterval(() => {}, 1000)
      require('node:fs').writeFileSync('waits', '')
    })`)
  const words = ['sandbox', 'torture', '--run', 'server-error@listWebhooks.1', '--time-limit', '2s', '--json']
  const run = (more: readonly string[]) => m.run([...words, '--jobs', '1', ...more, ...hangs], { clock })
  const files = ['--report', 'report.html', '--badge', 'badge.svg', '--junit', 'report.xml']
  const found = await run(['--repeat', '2', ...files])
  expect([found.code, found.json()]).toEqual([
    10,
    expect.objectContaining({
      runs: 3,
      findings: [expect.objectContaining({ invariant: 'hang' })],
      causes: [
        {
          cause: 'the shop waits without end',
          fix: expect.stringContaining('time limit'),
          findings: [{ id: 'server-error@listWebhooks.1', invariant: 'hang' }],
        },
      ],
    }),
  ])
  const text = (name: string) => readFileSync(join(m.dir, name), 'utf8')
  expect(text('report.html')).toContain('&lt;b&gt;status 500&lt;/b&gt;')
  expect(text('report.html')).not.toMatch(/<script|<b>status|(src|href)=/)
  expect(text('badge.svg')).toContain('1 fault, 1 finding with 1 cause, 0 faults not reached')
  expect(text('report.xml')).toMatch(
    /the answer is 500, and nothing is done; hang: .*again: bnpl sandbox torture --run server-error/,
  )

  writeFileSync(join(m.dir, 'known.txt'), 'server-error@listWebhooks.1 hang # known\n')
  const accepted = await run(['--accept', 'known.txt', '--report', 'report.html'])
  expect([accepted.code, accepted.json().findings, accepted.stderr]).toEqual([
    0,
    [],
    expect.stringContaining('1 known finding of --accept is not shown: server-error@listWebhooks.1 hang.'),
  ])

  writeFileSync(join(m.dir, 'known.txt'), 'banana\n')
  const refused = await run(['--accept', 'known.txt'])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('line 1 of known.txt is not a finding')])
  const other = await run(['--badge', 'known.txt'])
  expect([other.code, text('known.txt')]).toEqual([2, 'banana\n'])
})

test('if a command makes fewer calls than in its first run, a message names the faults that were never used', async () => {
  using m = machine()
  // The script makes five calls in its first run, and two in the next one.
  const polls = `${LISTS}
    const { existsSync, writeFileSync } = require('node:fs')
    const times = existsSync('ran') ? 2 : 5
    writeFileSync('ran', '')
    ;(async () => { for (let i = 0; i < times; i++) await list() })()`
  const words = ['--run', 'server-error@listWebhooks.4', '--json']
  const { code, json, stderr } = await m.run(['sandbox', 'torture', ...words, ...script(polls)])
  // The JSON does not name the fault, because another torture may reach it.
  expect([code, json().findings, json().notReached]).toEqual([10, [], []])
  expect(stderr).toContain('1 fault did not happen, or reached no running shop')
  expect(stderr).toContain('no fault reached the shop, so nothing was checked')
  expect(stderr).toContain(
    'The command does not always make the same number of calls, so the fault was not used in some runs: listWebhooks.4 (1 of 1 run).',
  )
  // The command in a finding works although the first run now makes fewer calls.
  const again = await m.run(['sandbox', 'torture', ...words, ...script(polls)])
  expect([again.code, again.stderr]).toEqual([10, expect.not.stringContaining('never used')])
})

test('Ctrl-C ends the running programs, and the report is still printed', async () => {
  using m = machine()
  const stop = new AbortController()
  // Without a fault the script ends. With a fault it waits without end, after it has printed its process id.
  const waits = `${LISTS}
    list().then((status) => {
      if (status === 200) return
      require('node:fs').writeFileSync('pid', String(process.pid))
      setInterval(() => {}, 1000)
    })`
  const words = ['--run', 'server-error@listWebhooks.1', '--json']
  const ended = m.run(['sandbox', 'torture', ...words, ...script(waits)], { signal: stop.signal })
  const file = join(m.dir, 'pid')
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '').toBe(true)
  const { Interrupted } = await import('../../src/errors.ts')
  stop.abort(new Interrupted())
  const { code, json } = await ended
  expect([code, json()]).toEqual([
    130,
    { runs: 1, faults: expect.any(Number), findings: [], notReached: [], causes: [], customers: null },
  ])
  expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow('ESRCH')
})

test.each([
  [['--only', 'calls,banana'], '--only “banana” is not a part'],
  [['--seed', 'x'], '--seed “x” is not a seed'],
  [['--run', 'cut-after@evaluate.1', '--limit', '2'], '--run and --limit cannot be used together'],
  [['--limit', '0'], '--limit'],
])('%s is refused before anything is run', async (words, said) => {
  using m = machine()
  const { code, stderr } = await m.run(['sandbox', 'torture', ...words, '--', 'no-such-program'])
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
})

test('every run has its own BNPL_RUN_ID, which its programs share, and which a second torture does not use again', async () => {
  using m = machine()
  const program = 'echo "$BNPL_RUN_ID $BNPL_RUN_DIR" >> seen'
  const words = ['--run', 'server-error@listWebhooks.1', '--repeat', '2', '--orders', program, '--settle', program]
  const note = `require('node:child_process').execFileSync('sh', ['-c', ${JSON.stringify(program)}])`
  for (let time = 0; time < 2; time++) {
    const { code, stderr } = await m.run(['sandbox', 'torture', ...words, ...script(`${LISTS}; list(); ${note}`)])
    expect([code, stderr]).toEqual([0, expect.any(String)])
  }
  const seen = readFileSync(join(m.dir, 'seen'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    // bnpl also lists the orders of an empty folder.
    .filter(([, folder = '']) => folder.endsWith('run'))
  const ids = [...Map.groupBy(seen, ([, folder]) => folder).values()].map((its) => new Set(its.map(([id]) => id)))
  expect(ids.map(({ size }) => size)).toEqual(Array(6).fill(1))
  expect(new Set(ids.flatMap((its) => [...its])).size).toBe(6)
})

test('a shop that lists the right prices, and whose customer begins again after an evaluation without an answer, has no finding', async () => {
  const mutant = {
    name: 'lists its prices',
    changes: [['      fulfilled,\n', '      fulfilled,\n      amount: findOrder.get(externalTrxId)?.amount,\n']],
    breaks: 'other-amount',
    run: 'cut-after@evaluate.1',
  } as const
  using m = shopMachine({ mutant })
  const { code, json, stderr } = await m.torture(['--run', mutant.run, '--time-limit', '40s', '--json'])
  expect([code, json().findings], stderr).toEqual([0, []])
  expect(stderr).toContain('This is right if your test’s customer began again.')
}, 60_000)

test('a correct shop whose customer does not return passes if --settle repairs the order, and a note says that its return page was not tested', async () => {
  using m = shopMachine({ mutant: NEVER_RETURNS.typescript })
  const { code, stderr, json } = await m.torture([
    '--run',
    NEVER_RETURNS.typescript.run,
    '--time-limit',
    '40s',
    '--json',
  ])
  expect([code, json().findings, json().customers], stderr).toEqual([0, [], { sentBack: 1, returned: 0 }])
  expect(stderr).toMatch(/0 of 1 customer returned .*\nSo the return page of the shop was not tested/)
})

describe('a late event is never a pass unless it reached the shop', () => {
  const changes = [
    [
      'if (order) await check(order)',
      "if (order) { move.run('paid', order.id, 'open'); db.exec(`insert into shipments values ('${order.id}')`) }",
    ],
    [
      'create table if not exists shipments (orderId text primary key references orders) strict;',
      'create table if not exists shipments (orderId text) strict;',
    ],
    ['const isNew = noteEvent.run(event.eventId).changes === 1', 'const isNew = true'],
  ] as const
  const mutant = { name: 'ships on every event', changes, breaks: 'fulfilled-twice', run: 'late@delivery.1' } as const

  test('with --restart the run waits for it, and finds the mistake', async () => {
    using m = shopMachine({ mutant, restarts: true })
    // On a slow clock the event is due long after the verification, however busy the machine is.
    const began = Date.now()
    const clock = { ...realClock, now: () => began + Math.floor((Date.now() - began) / 10) }
    const { code, json } = await m.torture(['--run', mutant.run, '--time-limit', '40s', '--json'], { clock })
    expect([code, json().findings.map(({ invariant }: { invariant: string }) => invariant)]).toEqual([
      10,
      ['fulfilled-twice'],
    ])
  })

  test('without a server that stays, the event reaches the shop during its test, or the run counts neither way', async () => {
    using m = shopMachine({ mutant })
    const { code, json, stderr } = await m.torture(['--run', mutant.run, '--time-limit', '40s', '--json'])
    const counted = [...json().findings, ...stderr.matchAll(/1 fault did not happen/g)]
    expect([code, json().notReached, counted.length], stderr).toEqual([10, [], 1])
  })

  /** A shop that ends with its test. It buys one order, runs `then` when the customer is back, and does not wait for the event. */
  const sellsAndEnds = (then: string) =>
    script(`const { createServer } = require('node:http')
      const { BNPL_BASE_URL: base, BNPL_PAYMENT_URL: page, BNPL_API_KEY: key, BNPL_ENTITY_ID: entityId } = process.env
      const headers = { authorization: 'Bearer ' + key }
      const post = async (path, fields) => {
        const answer = await fetch(base + path, { method: 'POST', headers, body: new URLSearchParams(fields) })
        return (await answer.json()).data
      }
      let isPaid = false
      const server = createServer((request, response) => {
        if (request.url === '/hook') isPaid = true
        response.end()
      })
      server.listen(0, '127.0.0.1', async () => {
        const shop = 'http://127.0.0.1:' + server.address().port
        const order = { externalTrxId: 'A', amount: '250000', entityId }
        await post('/partner/webhook', { url: shop + '/hook' })
        await post('/partner/pre-loan-request/bnpl', { ...order, idNumber: '11222333-9' })
        const { widgetToken } = await post('/partner/widget/start', { ...order, email: 'ana@example.com' })
        const to = { successReturnUrl: shop, errorReturnUrl: shop, publicKey: process.env.BNPL_PUBLIC_KEY }
        await fetch(page + '/?' + new URLSearchParams({ widgetToken, ...to }))
        ${then}
      })`)

  test('a run that finds that the payment needs the event is not also one that reached no shop', async () => {
    using m = machine()
    const words = ['sandbox', 'torture', '--customer', '--run', 'late@delivery.1', '--json']
    const { code, json, stderr } = await m.run([...words, ...sellsAndEnds('process.exit(isPaid ? 0 : 1)')])
    expect([code, json().notReached, stderr], stderr).toEqual([10, [], expect.not.stringContaining('did not happen')])
    expect(json().findings).toEqual([expect.objectContaining({ id: 'late@delivery.1', invariant: 'ends-otherwise' })])
  })

  test('the orders are not listed twice at the same time, also if the test ends while the late event waits for them', async () => {
    using m = machine()
    // The list fails if another one has not ended yet.
    const list = `const { rmSync, writeFileSync } = require('node:fs')
      const mark = process.env.BNPL_RUN_DIR + '/listing'
      writeFileSync(mark, '', { flag: 'wx' })
      setTimeout(() => rmSync(mark), 300)`
    writeFileSync(join(m.dir, 'list.cjs'), list)
    const verifies = "await post('/partner/pre-approve/A/loan', {})\n process.exit(0)"
    const words = ['--customer', '--orders', `"${THIS}" list.cjs`, '--run', 'late@delivery.1', '--json']
    const { json, stderr } = await m.run(['sandbox', 'torture', ...words, ...sellsAndEnds(verifies)])
    const broken = json().findings.map(({ id, invariant }: { id: string; invariant: string }) => [id, invariant])
    expect(broken, stderr).not.toContainEqual(['late@delivery.1', 'orders-unreadable'])
  })
})
