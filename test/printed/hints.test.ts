import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { machineOfTest } from '../kit/command-context.ts'
import { type Counter, counter } from '../kit/counter.ts'
import { fakeClock } from '../kit/harness.ts'
import { commandsIn, ENDS, FILES, MISTAKES, OF_AN_ACCOUNT, SERVICES, shapeOf } from '../kit/hint-lines.ts'
import { pasted } from '../kit/pasted.ts'

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

test('every command that a hint or a note names runs as printed, and ends with the expected exit code', async () => {
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
})

/** Matches commands that need no account. */
const OF_NO_ACCOUNT = /^(profiles (add|use|list)|sandbox|explain|contract|completion|help)\b|--help$/

test('each command that a hint names has the -p of the command line, or -p sandbox', async () => {
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
})

test('on an account that is not the default, each command that a hint names has its -p', async () => {
  const account = { environment: 'beta', baseUrl: 'https://api.example.com' }
  const key = { apiKey: 'sk-0987654321' }
  const m = machineOfTest({ shop: { ...account, ...key }, prod: { ...account, ...key }, keyless: account })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(m.dir, name), text, { mode: 0o600 })
  const wrong: unknown[] = []
  const named = new Set<string>()
  const runs = Object.keys(SERVICES).flatMap((service) =>
    // With a key, the proxy starts and waits for calls.
    OF_AN_ACCOUNT.filter((line) => !line.startsWith('proxy')).map((line) => ({ line, service, profile: 'prod' })),
  )
  runs.push(...OF_AN_ACCOUNT.map((line) => ({ line, service: 'that does not answer', profile: 'keyless' })))
  for (const { line, service, profile } of runs) {
    const transport = SERVICES[service] ?? expect.fail(service)
    const { stderr, stdout } = await m.run(`${line} -p ${profile} -y`, { transport, clock: fakeClock(Date.now()) })
    for (const next of commandsIn(stderr + stdout).filter((each) => !OF_NO_ACCOUNT.test(each))) {
      if (!new RegExp(` -p (${profile}|sandbox)|^profiles set-key ${profile}`).test(next))
        wrong.push([line, service, next])
      named.add(shapeOf(next))
    }
  }
  expect(wrong).toEqual([])
  expect(named.size).toBeGreaterThan(25)
})
