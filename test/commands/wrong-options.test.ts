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
