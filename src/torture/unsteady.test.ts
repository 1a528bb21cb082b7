import { expect, test } from 'vitest'
import type { Place } from './fault-table.ts'
import { unsteadyPlaces } from './plan.ts'

const verification = (nth: number): Place => ({ name: 'verifyLoan', nth })
const run = (nth: number, isReached: boolean) => ({ place: verification(nth), isReached })

test('a place is unsteady if one run reached the place and another run did not, counting the run without a fault', () => {
  const first = [verification(1), verification(2)]
  const made = [run(1, true), run(1, true), run(2, false), run(3, true), run(3, false), run(3, false), run(4, false)]
  expect(unsteadyPlaces(first, made)).toEqual([
    { place: 'verifyLoan.2', runs: 1, missed: 1 },
    { place: 'verifyLoan.3', runs: 3, missed: 2 },
  ])
})

test('no place is unsteady if every run reached the places of the first run and no other places', () => {
  expect(unsteadyPlaces([verification(1)], [run(1, true), run(2, false), run(2, false)])).toEqual([])
})
