import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Counter, counter } from './counter.ts'
import { commandsIn, ENDS, MISTAKES, shapeOf } from './hint-lines.ts'
import { pasted } from './pasted.ts'

let at: Counter
beforeAll(async () => {
  at = await counter()
  for (const profile of ['acme', 'shop'])
    await at.call(['webhooks', 'add', 'https://shop.example/webhooks', '-p', profile])
})
afterAll(() => at[Symbol.asyncDispose]())

const typed = (line: string) =>
  line
    .replace('PRE', at.standIns.preApproveId ?? '')
    .replace('LEAD', at.standIns.leadId ?? '')
    .split(' ')

test('the command that a hint or a note names runs as it is printed, and ends as it says', async () => {
  const followed = new Set<string>()
  const wrong: unknown[] = []
  for (const line of MISTAKES) {
    const { stderr } = await at.call(typed(line))
    const named = commandsIn(stderr)
    if (named.length === 0) wrong.push([line, 'names no command', stderr])
    for (const next of named) {
      const shape = Object.hasOwn(ENDS, next) ? next : shapeOf(next)
      if (followed.has(shape)) continue
      followed.add(shape)
      const end = await at.call(pasted(`bnpl ${next}`))
      if (end.code !== (ENDS[shape]?.[0] ?? 0)) wrong.push([line, next, shape, end.code, end.stderr])
    }
    at.restore()
  }
  expect(wrong).toEqual([])
  expect(followed.size).toBeGreaterThan(30)
  expect(Object.keys(ENDS).filter((shape) => !followed.has(shape))).toEqual([])
}, 120_000)

/** Matches commands that need no account. */
const OF_NO_ACCOUNT = /^(profiles (add|use|list)|sandbox|explain|contract|completion|help)\b|--help$/

test('a command that a hint names is for the account of the command line, as -p names it', async () => {
  const wrong: unknown[] = []
  for (const line of MISTAKES.filter(
    (each) => !/ -p |^(sandbox|profiles|explain|contract|completion|listen)\b/.test(each),
  )) {
    const { stderr } = await at.call([...typed(line), '-p', 'shop'])
    for (const next of commandsIn(stderr))
      if (!OF_NO_ACCOUNT.test(next) && !/ -p (shop|sandbox)/.test(next)) wrong.push([line, next])
    at.restore()
  }
  expect(wrong).toEqual([])
}, 120_000)
