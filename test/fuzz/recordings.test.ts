import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSanitiser } from '../../src/recording/sanitiser.ts'
import { random } from '../seed.ts'
import { budget, TIMEOUT } from './budget.ts'
import { type Canary, found, plantedExchange } from './canaries.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

const sanitiserFor = (canaries: readonly Canary[], key = createHash('sha256').update(String(random())).digest()) =>
  createSanitiser({
    key,
    secrets: canaries.filter(({ known }) => known).map(({ text }) => text),
    keep: [],
    now: () => NOW,
    hosts: new Set(['api.example.com']),
    words: new Set(),
    paths: {},
  })

test('no secret and no person is in what is kept of an exchange, wherever it was and however it was written', {
  timeout: TIMEOUT,
}, () => {
  fc.assert(
    fc.property(plantedExchange, ({ canaries, request, response }) => {
      const kept = JSON.stringify(sanitiserFor(canaries).exchange(request, response))
      expect(found(kept, canaries)).toEqual([])
    }),
    budget('recordings', 500, 100_000),
  )
})
