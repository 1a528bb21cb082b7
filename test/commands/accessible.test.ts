import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { createPlainPrompts } from '../../src/terminal/prompts.ts'
import { beginDay } from '../kit/day.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { startAtTerminal } from '../kit/real-terminal.ts'
import { serve } from '../kit/served.ts'
import { CLOSED, typedTerminal } from '../kit/typed-terminal.ts'

/** With BNPL_ACCESSIBLE, a screen reader reads each line once, from the first to the last. */

const env = { BNPL_ACCESSIBLE: '1', BNPL_WEBHOOK_SECRET: 'whsec-1234567890' }

/** Matches what moves the cursor, colours or redraws. */
const DRAWN = /[\u001b\u0008\u009b]|\r(?!\n)/

async function atTerminal(m: Machine, line: string, answers: Parameters<typeof typedTerminal>[0], language = 'en') {
  const terminal = typedTerminal(answers)
  const { world, stdout, stderr } = m.world({ env: { ...env, BNPL_LANG: language }, stdoutIsTty: true })
  Object.assign(world.io, terminal.io)
  const code = await runCli(line.split(' '), world)
  const all = stdout() + stderr() + terminal.screen()
  return { code, screen: terminal.screen(), stderr: stderr(), all, unanswered: terminal.unanswered() }
}

test('a walkthrough and its progress are plain lines, without an escape sequence', async () => {
  using m = machine()
  const ran = await atTerminal(m, 'walkthrough -p sandbox --no-input --amount 90000 --installments 3', [])
  expect(ran).toMatchObject({ code: 0, all: expect.stringContaining('ACTIVE') })
  expect(ran.all).not.toMatch(DRAWN)
})

test('choices have numbers, and the answer is a number', async () => {
  const terminal = typedTerminal([
    [/1\. one\n2\. two: the second\nNumber \(1-2, 2\):/, '3\n'],
    [/Answer with a number from 1 to 2\.\nWhich\?/, '1\n'],
    [/Number/, '\n'],
  ])
  const prompts = createPlainPrompts({}, terminal.io.tty!, new AbortController().signal)
  const choices = [
    { name: 'one', value: 1 },
    { name: 'two', value: 2, description: 'the second' },
  ]
  expect(await prompts.select({ message: 'Which?', choices, default: 2 })).toBe(1)
  expect(await prompts.select({ message: 'Which?', choices, default: 2 })).toBe(2)
  expect(terminal.screen()).not.toMatch(DRAWN)
})

test('an invalid answer is followed by its problem and the question again; the questions are in the language of the user', async () => {
  using m = machine()
  const ran = await atTerminal(
    m,
    'evaluate -p sandbox --trx T1',
    [
      [/RUT/, '\n'],
      [/:/, '9,5\n'],
      [/9,5[\s\S]*:/, '90.000\n'],
    ],
    'es',
  )
  expect(ran).toMatchObject({ code: 0, unanswered: 0 })
  expect(ran.all).not.toMatch(DRAWN)
})

test('yes and no are typed, and the end of the input ends the command', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1')
  const no = await atTerminal(m, 'sandbox reset', [
    [/\(y\/N\)|\(Y\/n\)/, 'perhaps\n'],
    [/Answer y \(yes, sí\) or n \(no\)/, 'n\n'],
  ])
  expect(no).toMatchObject({ code: 2, unanswered: 0 })
  expect(await atTerminal(m, 'sandbox reset', [[/\(s\/N\)|\(S\/n\)/, 'sí\n']], 'es')).toMatchObject({ code: 0 })
  expect(await atTerminal(m, 'sandbox reset', [[/\(y\/N\)|\(Y\/n\)/, CLOSED]])).toMatchObject({ code: 130 })
})

test('a secret is not shown while it is typed', async () => {
  using m = machine()
  const ran = await atTerminal(m, 'profiles add acme --base-url https://api.example.com --no-check', [
    [/API key/, 'sk-canarx\u007fy-1234567890\r'],
  ])
  expect(ran.all).not.toMatch(/sk-canary/)
  expect(ran.all).not.toMatch(DRAWN)
  expect(ran).toMatchObject({ code: 0, unanswered: 0 })
})

test('a listener writes one line for each change', async () => {
  using m = machine()
  const { ready, end } = await serve(m, ['webhooks', 'listen'], { env, stdoutIsTty: true, columns: 100 })
  for (const id of ['E1', 'E1', 'E2'])
    expect((await m.run(`webhooks trigger loan_approved --to ${ready.url} --event-id ${id}`, { env })).code).toBe(0)
  const { stdout, stderr } = await end()
  expect(stdout + stderr).not.toMatch(DRAWN)
  expect(stdout.match(/ stored$/gm)).toHaveLength(2)
  expect(stdout.match(/same id, another body$/gm)).toHaveLength(1)
})

test('no command draws anything', async () => {
  const day = await beginDay()
  afterAll(() => day.end())
  for (const { line, reads } of day.rows) {
    if (!reads) continue
    const { stdout, stderr } = await day.run(line, { env, stdoutIsTty: true })
    expect([line, DRAWN.exec(stdout + stderr)?.[0]]).toEqual([line, undefined])
  }
})

/** What the three programs below say, in each language. */
const SAID = {
  en: {
    choice: /^5\. let the customer choose/m,
    done: /ACTIVE\./,
    three: /( stored\s[\s\S]*){3}/,
    stored: / stored$/gm,
    rows: /^Running over 3 rows …\r\n[\s\S]*2 missing/m,
  },
  es: {
    choice: /^5\. que el cliente elija/m,
    done: /está ACTIVE\./,
    three: /( guardado\s[\s\S]*){3}/,
    stored: / guardado$/gm,
    rows: /^Se procesan 3 filas …\r\n[\s\S]*2 sin crédito/m,
  },
} as const

test.each(['en', 'es'] as const)(
  'on a real terminal, each change is one line and nothing is drawn: %s',
  async (language) => {
    using m = machine()
    const said = SAID[language]
    const at = { ...env, BNPL_LANG: language }
    const asks = /: $/

    await using walk = startAtTerminal(['walkthrough', '-p', 'sandbox'], at, m.dir)
    for (const answer of ['', '', '2', '']) await walk.answer(asks, `${answer}\r`)
    await walk.shows(/bnpl sandbox pay trx-\S+\s/)
    const trx = /bnpl sandbox pay (trx-\S+)/.exec(walk.shown())?.[1]
    expect((await m.run(`sandbox pay ${trx}`)).code).toBe(0)
    expect([await walk.ended(), walk.shown()]).toEqual([0, expect.stringMatching(said.done)])
    expect(walk.shown()).toMatch(said.choice)
    expect(walk.shown()).not.toMatch(DRAWN)

    await using listen = startAtTerminal(['webhooks', 'listen', '--port', '0'], at, m.dir)
    await listen.shows(/http:\/\/\S+/)
    const url = /http:\/\/\S+/.exec(listen.shown())?.[0]
    for (const id of ['E1', 'E2', 'E3'])
      expect((await m.run(`webhooks trigger loan_approved --to ${url} --event-id ${id}`, { env })).code).toBe(0)
    await listen.shows(said.three)
    listen.type('\u0003')
    expect(await listen.ended()).toBe(130)
    expect(listen.shown().replaceAll('\r', '').match(said.stored)).toHaveLength(3)
    expect(listen.shown()).not.toMatch(DRAWN)

    writeFileSync(join(m.dir, 'orders.csv'), `externalTrxId\n${trx}\n${trx}-2\n${trx}-3\n`)
    const line = 'verify -p sandbox --from orders.csv --out loans.csv'
    await using verify = startAtTerminal(line.split(' '), at, m.dir)
    await verify.ended()
    expect(verify.shown()).toMatch(said.rows)
    expect(verify.shown()).not.toMatch(DRAWN)
  },
)
