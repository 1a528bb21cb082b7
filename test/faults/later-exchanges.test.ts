import { expect, test } from 'vitest'
import type { Ran } from '../kit/harness.ts'
import { FUZZING } from '../kit/seed.ts'
import { type Behind, behind, CALLING } from './behind.ts'
import { type Plan, POINTS } from './proxy.ts'
import { servedKit } from './served-kit.ts'

/**
 * What a command does when the fault begins at its second call or at a later one. `npm run fuzz` tries every later call of every such
 * command at every point; `npm test` tries every later call at one point.
 */
const ALL = FUZZING

const { kit, service } = await servedKit()

/** The commands that make several calls, with the number of calls when nothing fails. */
const CALLS = {
  'informe download': 2,
  'informe download --from': 2,
  'webhooks add': 2,
  'webhooks subscribe': 2,
  smoke: 10,
  'smoke --pre-approve-id': 4,
  walkthrough: 4,
} as const
type Name = keyof typeof CALLS

type Later = readonly [name: Name, from: number, plan: Plan]

/** Leaves out what `npm test` cannot judge: a stall ends by a short time-out, and does not show whether a destination was made. */
const inTime = (what: Plan['what'], name: string) => ALL || what !== 'stall' || !name.startsWith('webhooks')

/** Returns every later call of each command, with this kind of fault at every point, or at one point. */
const later = (what: Plan['what']): Later[] =>
  Object.entries(CALLS)
    .filter(([name]) => inTime(what, name))
    .flatMap(([name, calls], i) =>
      Array.from({ length: calls - 1 }, (_, k) => k + 1).flatMap((from) =>
        POINTS.filter((at, n) => at !== 'connected' && (ALL || n === 1 + ((i + from) % (POINTS.length - 1)))).map(
          (at) => [name as Name, from, { what, at }] as const,
        ),
      ),
    )

/** The exit code of each command, whichever of its later calls is lost. */
const CODES: Record<Name, number> = {
  'informe download': 9,
  'informe download --from': 11,
  // The destination was made, even if the list that counts the destinations is lost.
  'webhooks add': 0,
  'webhooks subscribe': 0,
  smoke: 10,
  'smoke --pre-approve-id': 10,
  // A walkthrough as a whole must not be repeated.
  walkthrough: 12,
}

const TIMEOUTS = /no (complete )?answer arrived in time/

async function runLater([name, from, plan]: Later): Promise<void> {
  const each = CALLING[name] as Behind
  const stalls = plan.what === 'stall'
  const ran = await behind(
    kit,
    service,
    each,
    (n, request) => (request !== '' && n >= from ? plan : undefined),
    stalls ? (ALL ? '5s' : '1s') : '20s',
  )
  const what = [name, plan.what, plan.at, from]
  const told = `${ran.asked.join('\n')}\n${ran.stdout}${ran.stderr}`
  // On a busy machine the time may have been over before this call. Then an earlier call was lost.
  if (stalls && ran.asked.length <= from) return
  expect([...what, ran.code], told).toEqual([...what, CODES[name]])
  expect([...what, /\n\s+at /.test(ran.stderr)], told).toEqual([...what, false])
  if (name.startsWith('smoke')) return judgeSmoke(what, stalls, told, ran)
  if (ran.code === 12) {
    expect(ran.error(), told).toMatchObject({ kind: 'outcome-unknown', outcome: 'unknown', sent: true })
    expect(ran.stderr).toMatch(
      /(Do not run the command again yet|do not start again, because the earlier steps are done)/,
    )
  }
  if (name !== 'walkthrough') return
  // No call is made after the lost one, and a call that must not be repeated is made once.
  expect([...what, new Set(ran.asked).size <= from + 1], told).toEqual([...what, true])
  const paying = ran.asked.filter((asked) => !asked.endsWith('/loan'))
  expect([...what, paying], told).toEqual([...what, [...new Set(paying)]])
}

async function judgeSmoke(
  what: unknown[],
  stalls: boolean,
  told: string,
  { words, stderr, json }: Ran & { words: string },
): Promise<void> {
  const checks = json() as { name: string; status: string; detail: string }[]
  const failed = checks.filter(({ status }) => status === 'fail')
  if (stalls) {
    expect([...what, failed.filter(({ detail }) => !TIMEOUTS.test(detail))], told).toEqual([...what, []])
    expect([...what, failed.length === 1 || failed.length === 2], told).toEqual([...what, true])
  }
  // If the destination still exists, stderr says so, with the command that removes it.
  const [url] = words.split(' --webhook-url ').slice(1)
  const left = kit.store.db.all<any>('select url from webhooks')
  if (left.some((each) => each.url === url))
    expect([...what, stderr]).toEqual([
      ...what,
      expect.stringContaining(`Remove the destination with: bnpl webhooks rm --url ${url}`),
    ])
}

test('each command makes as many calls as this test expects', async () => {
  for (const [name, calls] of Object.entries(CALLS)) {
    kit.store.db.run('delete from webhooks')
    const ran = await behind(kit, service, CALLING[name] as Behind, () => undefined, '20s')
    expect([name, ran.code, ran.asked.length], ran.stderr).toEqual([name, 0, calls])
  }
})

test.each(['cut', 'reset', 'stall'] as const)(
  'a fault that begins at a later call (%s): each command ends with its code, and what it says about sent calls is true',
  { timeout: 300_000 },
  async (what) => {
    const all = later(what)
    // The service allows ten destinations, so the many calls of `npm run fuzz` run one point at a time.
    for (const some of ALL ? POINTS.map((point) => all.filter(([, , { at }]) => at === point)) : [all]) {
      kit.store.db.run('delete from webhooks')
      await Promise.all(some.map(runLater))
    }
  },
)
