import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginDay, type Day } from '../kit/day.ts'
import { commandNames, isOf } from '../kit/every-command.ts'
import { machine } from '../kit/harness.ts'

let day: Day
beforeAll(async () => {
  day = await beginDay()
})
afterAll(() => day?.end())

test('a wrong value of any option is refused before anything is sent', async () => {
  const names = await commandNames(day.m.world().world)
  let refused = 0
  for (const { line } of day.rows.filter((row) => / -p sandbox/.test(row.line) && !row.line.includes(' -- '))) {
    const name = names.leaves.find((each) => isOf(each)(line)) ?? ''
    for (const option of names.valued(name)) {
      const ran = await day.run([...line.split(' '), `${option}=!`, '--verbose'].join(' '))
      if (ran.code !== 2) continue
      refused++
      expect([line, option, ran.stderr]).toEqual([line, option, expect.not.stringMatching(/^[<>] /m)])
    }
  }
  expect(refused).toBeGreaterThan(20)
})

test.each([
  ['webhooks events show', 'EVENTID'],
  ['webhooks events confirm', 'EVENTID'],
  ['webhooks events replay --forward-to http://127.0.0.1:9/', 'EVENTID'],
  ['history show', 'TRX'],
  ['history', 'TRX'],
  ['history rm --yes', 'TRX'],
  ['history rm --if-exists --yes', 'TRX'],
  ['leads get -p sandbox:real-estate', 'LEADID'],
  ['informe get -p sandbox:real-estate', 'PREAPPROVEID'],
  ['entities set --active no -p sandbox', 'ENTITYID'],
  ['webhooks rm -p sandbox --yes', 'ID'],
  ['cancel -p sandbox --yes', 'TRX'],
])(
  '%s: an empty id, for example of an unset variable, is a usage error that names the argument',
  async (line, name) => {
    using m = machine()
    const ran = await m.run([...line.split(' '), ''])
    expect(ran).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`${name} is not valid: it is empty`),
    })
  },
)

test.each([
  ['sandbox start --log xml', 'Use --log with one of these words: time, json.'],
  ['webhooks listen --log xml', 'Use --log with one of these words: time, json.'],
  ['webhooks events list --state lost', 'Use one of: .*, .*[a-z].'],
  ['webhooks trigger loan_lost --to http://127.0.0.1:9/', 'Use one of: .*, .*[a-z].'],
  ['webhooks subscribe https://shop.example/x --event loan_lost', 'Use one of: .*, .*[a-z].'],
  ['webhooks trigger loan_approved --to http://127.0.0.1:9/ --hmac-encoding x', 'Use one of: hex, base64.'],
  ['profiles set colour red', 'Use one of: .*, .*[A-Za-z].'],
  ['api LOOK /x', 'Use one of: .*, [A-Z]*.'],
])('the hint of %s is a sentence with the words that can be used', async (line, hint) => {
  const ran = await day.run(`${line} -p sandbox`)
  expect(ran).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(new RegExp(`\n  ${hint.replace(/\.$/, '\\.')}\n$`)),
  })
})
