import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerOf, SPECIFICATION } from '../contract/description.ts'
import { ENDPOINTS } from '../contract/endpoints.ts'
import { GAPS } from '../contract/gaps.ts'
import { groupDigits } from '../domain/amount.ts'
import { MONTHLY_RATE } from './conventions.ts'

const picked = (number: number) => GAPS.find((gap) => gap.number === number)?.sandbox

test('the list of gaps states the values that the sandbox uses', () => {
  const { min, max } = answerOf(SPECIFICATION, 'amounts')
  const offered = answerOf(SPECIFICATION, 'installmentOptions')
  expect(picked(18)).toBe(
    `amounts from ${groupDigits(min, ',')} to ${groupDigits(max, ',')}, and options of ${offered.slice(0, -1).join(', ')} and ${offered.at(-1)} installments`,
  )
  expect(picked(33)).toContain(`${MONTHLY_RATE} a month`)
  expect(picked(12)).toContain(`time-out is ${answerOf(SPECIFICATION, 'deliveryTimeout') / 1000} s`)
  expect(GAPS.map(({ number }) => number)).toEqual(GAPS.map((_, i) => i + 1))
})

test('every code that an endpoint of the sandbox answers is named in the contract', () => {
  const answering = ['handlers/*.ts', 'pipeline.ts', 'body.ts'].map((file) => `service/${file}`)
  const sources = answering
    .flatMap((pattern) => globSync(pattern, { cwd: import.meta.dirname }))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  const answered = new Set(sources.join('').match(/ERR_[A-Z0-9_]+/g))
  const named = JSON.stringify([GAPS, Object.values(ENDPOINTS).map(({ statuses }) => statuses)])
  expect(answered.size).toBeGreaterThan(20)
  expect([...answered].filter((code) => !named.includes(code))).toEqual([])
})
