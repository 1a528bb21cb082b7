import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginDay, type Day } from '../kit/day.ts'
import { commandNames, isOf } from '../kit/every-command.ts'

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
