import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram, loadAll } from '../../src/cli.ts'
import { machine, type Ran } from '../kit/harness.ts'
import { FUZZING } from '../kit/seed.ts'
import { type Behind, behind, CALLING, type Claim } from './behind.ts'
import { FAULTS, type Plan, POINTS } from './proxy.ts'
import { servedKit } from './served-kit.ts'

/** `npm run fuzz` tries every command with every fault at every point; `npm test` tries a part of these. */
const ALL = FUZZING

const { kit, service } = await servedKit()

/** Commands that make no call of their own. They read this machine, control its sandbox, or pass on the calls of another program. */
const LOCAL =
  /^(proxy|profiles|history|contract|completion|explain|sandbox|__complete|help|webhooks (vectors|verify-signature|events (list|show|prune)))\b/

test('every command that makes a call is listed in CALLING', async () => {
  using m = machine()
  const tree = createProgram(m.world().world, () => {})
  await loadAll(tree, m.world().world)
  const leaves = (command: Command, words: string[] = []): string[] =>
    command.commands.length === 0
      ? [words.join(' ')]
      : command.commands.flatMap((each) => leaves(each, [...words, each.name()]))
  const missing = leaves(tree).filter((name) => !LOCAL.test(name) && !(name in CALLING))
  expect(missing, 'commands that are not in CALLING of test/faults/behind.ts').toEqual([])
})

/** Returns how long a run waits when the answer stops: long enough to send the request on a busy machine. */
const waits = ({ what, at }: Plan) => what === 'stall' || (what === 'drip' && at !== 'last-byte')

const run = (each: Behind, plan: (n: number, request: string) => Plan | undefined, timeout = '20s') =>
  behind(kit, service, each, plan, timeout)

test('without a fault every command exits with its expected code', async () => {
  kit.store.db.run('delete from webhooks')
  const { 'webhooks listen': _, ...ending } = CALLING
  for (const [name, each] of Object.entries(ending)) {
    const { code, stderr } = await run(each, () => undefined)
    expect([name, code, stderr]).toEqual([name, each.right, stderr])
  }
})

/** Returns what a plan does to an exchange, as the program sees it. */
function fateOf(
  { at, what }: Plan,
  { byStatus = false, asksLess = false }: Behind,
): 'passes' | 'lost' | 'unread' | 'torn' | 'any' {
  // A connection that is reset at once may end before or after the first byte. That depends on the two systems.
  if (what === 'reset' && at === 'connected') return 'torn'
  // The service may answer anything to a garbled request.
  if (what === 'garble' && at === 'request-body') return 'any'
  // The check looks at the status alone. The parser may report the status before the doubled bytes, or an error.
  if (what === 'double' && asksLess) return 'any'
  if ((what === 'double' || what === 'drip') && at === 'last-byte') return 'passes'
  if (what !== 'garble' && what !== 'double') return 'lost'
  return byStatus && (at === 'body' || at === 'last-byte') ? 'passes' : 'unread'
}

/** The exit codes of a call that was lost, and of a call whose answer cannot be read, by what the command may say about it. */
const CODES: Record<Claim, { lost: number; unread: number }> = {
  never: { lost: 12, unread: 12 },
  reconcile: { lost: 12, unread: 12 },
  safe: { lost: 9, unread: 8 },
  once: { lost: 9, unread: 8 },
  checks: { lost: 10, unread: 10 },
}

function judge(name: string, each: Behind, plan: Plan, ran: Ran & { asked: string[]; connections: number }): void {
  const what = [name, plan.what, plan.at]
  const fate = fateOf(plan, each)
  expect([...what, ran.code === 1, /\n\s+at /.test(ran.stderr)], ran.stderr).toEqual([...what, false, false])
  if (fate === 'any') return
  if (fate === 'passes') {
    expect([...what, ran.code], ran.stderr).toEqual([...what, each.right])
    return
  }
  const rows = name.endsWith('--from')
  // On a busy machine the time may have been over before there was a connection. Then nothing was sent either.
  const mayBeUnsent = fate === 'torn' || ran.connections === 0
  const notSent = mayBeUnsent && (rows ? ran.code === 11 : each.claim !== 'checks' && ran.error().sent === false)
  const lost = fate !== 'unread' || each.delivers
  const code =
    rows && (notSent || each.claim === 'safe') ? 11 : notSent ? 9 : CODES[each.claim][lost ? 'lost' : 'unread']
  expect([...what, ran.code], ran.stderr).toEqual([...what, code])
  if (each.late && waits(plan)) judgeReport(what, each, each.late, ran)
  if (each.claim === 'checks' || rows) return
  const { sent, outcome, attempts } = ran.error()
  const unclear = code === 12 || (each.delivers === true && !notSent)
  expect([...what, sent, outcome === 'unknown', outcome === 'not_sent']).toEqual([...what, !notSent, unclear, notSent])
  if (each.claim === 'never' && unclear) {
    // A call with an unknown outcome was sent once.
    expect([...what, attempts, ran.asked.length <= (name === 'walkthrough' ? 4 : 1)]).toEqual([...what, 1, true])
    expect(ran.stderr).toContain('Do not run the command again yet')
  }
}

const LATE = /no (complete )?answer (arrived in time|within \d+ ms)/

/** When the answers stop, each check that made a call reports this. Later checks make no call, because the time for all of them is over. */
function judgeReport(
  what: string[],
  { asksLess }: Behind,
  late: readonly string[],
  ran: Ran & { connections: number },
) {
  const checks = ran.json() as { name: string; status: string; detail: string }[]
  const named = (status: string) => checks.filter((check) => check.status === status).map(({ name }) => name)
  expect([...what, named('fail')], ran.stdout).toEqual([...what, late])
  for (const { detail } of checks.filter(({ status }) => status === 'fail')) expect(detail).toMatch(LATE)
  if (!asksLess) expect([...what, named('ok')]).toEqual([...what, []])
  expect([...what, ran.connections <= 2], `${ran.connections} connections`).toEqual([...what, true])
}

/** Returns whether a plan can be tried. Only an answer can be doubled, and a garbled head of a request would never end. */
const makesSense = ({ at, what }: Plan) =>
  what === 'double' ? POINTS.indexOf(at) > POINTS.indexOf('sent') : what !== 'garble' || at !== 'request-head'
const plans: Plan[] = FAULTS.flatMap((what) => POINTS.map((at) => ({ at, what }))).filter(makesSense)
const names = Object.keys(CALLING)
/**
 * Returns whether a pair of a command and a plan is tried. `npm test` tries some plans for each command and some commands for each plan,
 * and every stall for a report.
 */
const mine = (plan: number, name: number) =>
  ALL ||
  (plan * 7 + name) % 16 === 0 ||
  (plans[plan]?.what === 'stall' && CALLING[names[name] as string]?.late !== undefined)

async function runBehind(plan: Plan, name: string): Promise<void> {
  const each = CALLING[name] as Behind
  // A listener without a fault does not end.
  if (name === 'webhooks listen' && ['passes', 'any'].includes(fateOf(plan, each))) return
  judge(name, each, plan, await run(each, () => plan, waits(plan) ? (each.late ? '1s' : '2s') : '20s'))
}

const QUICK = plans.filter((plan) => !waits(plan))
test.each(QUICK.map((plan) => [plan.what, plan.at, plan] as const))(
  'behind a fault (%s, %s) each command ends with its code, and what it says about sent calls is true',
  async (_, __, plan) => {
    kit.store.db.run('delete from webhooks')
    const chosen = names.filter((_, n) => mine(plans.indexOf(plan), n))
    await Promise.all(chosen.map((name) => runBehind(plan, name)))
  },
)

// All commands that wait run at the same time. Their time is long enough to send the requests on a busy machine.
const SLOW = plans.filter(waits)
test.each(ALL ? SLOW.map((plan) => [plan]) : [SLOW])(
  'after a stall each command ends when its time is over, and what it says about sent calls is true: %j',
  async (...given) => {
    kit.store.db.run('delete from webhooks')
    const pairs = given.flatMap((plan) =>
      names.filter((_, n) => mine(plans.indexOf(plan), n)).map((name) => [plan, name] as const),
    )
    await Promise.all(pairs.map(([plan, name]) => runBehind(plan, name)))
  },
)

test('if no server listens at the address, each command says that nothing was sent', async () => {
  for (const [name, each] of Object.entries(CALLING)) {
    const ran = await behind(kit, service, each, 'refused', '20s')
    const code = each.claim === 'checks' ? 10 : name.endsWith('--from') ? 11 : 9
    expect([name, ran.code], ran.stderr).toEqual([name, code])
    if (code === 9) expect([name, ran.error()]).toMatchObject([name, { sent: false, outcome: 'not_sent' }])
  }
})

test('after a temporary fault repeatable calls are sent again and succeed', async () => {
  for (const what of ['cut', 'reset'] as const) {
    for (const at of POINTS) {
      for (const name of ['verify', 'informe get', 'webhooks rm']) {
        if (!ALL && (POINTS.indexOf(at) + name.length) % 3 !== 0) continue
        let hit = false
        const ran = await run(CALLING[name] as Behind, (_, request) => {
          // The plan is asked once for each connection and once for each request.
          if (hit || (request === '') !== (at === 'connected')) return undefined
          hit = true
          return { at, what }
        })
        // The attempt whose answer was lost has deleted the destination, so the command has reached its aim.
        expect([name, what, at, ran.code], ran.stderr).toEqual([name, what, at, CALLING[name]?.right])
      }
    }
  }
})

test.each(['webhooks add', 'webhooks subscribe'])(
  '%s, whose answer is lost, checks before sending again, succeeds, and creates the destination once',
  async (name) => {
    kit.store.db.run('delete from webhooks')
    for (const at of ['request-body', 'sent', 'body'] as const) {
      let lost = false
      const ran = await run(CALLING[name] as Behind, (_, request) => {
        if (lost || !request.startsWith('POST')) return undefined
        lost = true
        return { at, what: 'cut' }
      })
      expect([at, ran.code], ran.stderr).toEqual([at, 0])
      const posts = ran.asked.filter((each) => each.startsWith('POST'))
      expect([at, posts.length]).toEqual([at, at === 'request-body' ? 2 : 1])
    }
    expect(kit.store.db.all<any>('select * from webhooks')).toHaveLength(3)
  },
)
