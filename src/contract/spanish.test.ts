import { expect, test } from 'vitest'
import type { StatusMeaning } from './calls/call.ts'
import { ENDPOINTS, type EndpointName, endpointOf } from './endpoints.ts'
import { SPANISH } from './spanish.ts'
import { statusMeaning } from './statuses.ts'

const wordsOf = ({ meaning, hint, codes }: StatusMeaning) => [
  meaning,
  ...(hint === undefined ? [] : [hint]),
  ...Object.values(codes ?? {}),
]

test('every word of the contract has its Spanish one, and no other has', () => {
  const endpoints = (Object.keys(ENDPOINTS) as EndpointName[]).map(endpointOf)
  const general = Array.from({ length: 300 }, (_, i) => statusMeaning(undefined, 300 + i))
  const words = new Set([
    ...endpoints.flatMap(({ summary, statuses }) => [summary, ...Object.values(statuses).flatMap(wordsOf)]),
    ...general.flatMap(wordsOf),
  ])
  expect(Object.keys(SPANISH).sort()).toEqual([...words].sort())
  for (const spanish of Object.values(SPANISH)) expect(spanish).not.toBe('')
})
