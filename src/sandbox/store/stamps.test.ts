import { expect, test } from 'vitest'
import { newId } from './store.ts'

test('ids are UUIDs of version 7 that sort by when they were made', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const ids = Array.from({ length: 2_000 }, (_, i) => newId(now + Math.floor(i / 1_000)))
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(Number.parseInt(ids[0]!.replace('-', '').slice(0, 12), 16)).toBe(now)
})
