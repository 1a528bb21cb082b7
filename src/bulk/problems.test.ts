import { expect, test } from 'vitest'
import { createProblems } from './problems.ts'

function problemsOf(lines: readonly number[]) {
  const problems = createProblems()
  for (const line of lines) problems.add(line, `p${line}`)
  return problems
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

test.each([0, 1, 19, 20])('%i problems are all named, by line', (count) => {
  const problems = problemsOf(upTo(count).reverse())
  expect(problems.count()).toBe(count)
  expect(problems.lines()).toEqual(upTo(count).map((line) => `line ${line}: p${line}`))
})

test.each([21, 199, 200, 201, 202, 401, 1000])(
  'of %i problems the first twenty by line are named, and the rest counted',
  (count) => {
    for (const lines of [upTo(count), upTo(count).reverse()]) {
      const problems = problemsOf(lines)
      expect(problems.count()).toBe(count)
      const expected = [...upTo(20).map((line) => `line ${line}: p${line}`), `… and ${count - 20} more`]
      expect(problems.lines()).toEqual(expected)
      expect(problems.lines()).toEqual(expected)
    }
  },
)

test('problems of one line stay in the order in which they were found', () => {
  const problems = createProblems()
  for (const problem of ['b', 'a', 'c']) problems.add(7, problem)
  expect(problems.lines()).toEqual(['line 7: b', 'line 7: a', 'line 7: c'])
})
