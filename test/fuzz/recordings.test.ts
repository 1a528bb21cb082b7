import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rutCheckCharacter } from '../../src/domain/rut.ts'
import { createSanitiser } from '../../src/recording/sanitiser.ts'
import { random } from '../seed.ts'
import { budget, TIMEOUT } from './budget.ts'
import { type Canary, found, plantedExchange } from './canaries.ts'

const get = (path: string) => ({ method: 'GET', path, headers: [] })

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

test('a recorded exchange contains no secret and no person, wherever and however they were written', {
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

test('a person has the same stand-in in each field and notation of a session, and another one in another session', () => {
  const id = fc.integer({ min: 1_000_000, max: 29_999_999 }).map(String)
  fc.assert(
    fc.property(id, fc.nat(3), fc.nat(3), (digits, one, other) => {
      const check = rutCheckCharacter(digits)
      const dots = digits.replace(/\B(?=(\d{3})+$)/g, '.')
      const written = [`${digits}-${check}`, `${dots}-${check}`, `${digits}${check}`, `${dots}-${check.toLowerCase()}`]
      const sanitiser = sanitiserFor([])
      const standInOf = (text: string, s = sanitiser) => {
        const { path } = s.exchange(get(`/partner/pre-approve/rut/${text}`), undefined).request
        return (path.split('/').at(-1) ?? '').replaceAll('.', '').replace('-', '').toUpperCase()
      }
      const standIn = standInOf(written[one]!)
      expect(standInOf(written[other]!)).toBe(standIn)
      expect(standIn).not.toBe(digits + check)
      expect(rutCheckCharacter(standIn.slice(0, -1))).toBe(standIn.slice(-1))
      expect(standIn).toHaveLength(digits.length + 1)
      expect(standInOf(written[0]!, sanitiserFor([]))).not.toBe(standIn)
    }),
    budget('stand-ins', 100, 20_000),
  )
})
