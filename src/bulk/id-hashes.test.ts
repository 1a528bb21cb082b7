import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIdHashes, idHash } from './id-hashes.ts'

test('property: an id that occurs twice is always a suspect, and others are not', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), (ids) => {
      const hashes = createIdHashes()
      for (const id of ids) hashes.add(id)
      const twice = new Set(ids.filter((id, i) => ids.indexOf(id) !== i).map(idHash))
      expect(hashes.repeated()).toEqual(twice)
    }),
  )
})

test('200,000 similar ids have different hashes', () => {
  const hashes = createIdHashes()
  for (let i = 0; i < 200_000; i++) hashes.add(`order-2026-${i}`)
  expect(hashes.repeated().size).toBe(0)
})
