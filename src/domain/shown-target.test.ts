import { expect, test } from 'vitest'
import { maskTarget } from './shown-target.ts'

const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded(encodeURIComponent(text).replaceAll('.', '%2E'), times - 1)

const HOST = 'https://api.example.com:8443'

test.each([
  'ana.perez@example.com',
  '12345678-5',
  '12.345.678-5',
  '123456785',
  '+56912345678',
  '912345678',
  '+56 9 1234 5678',
  'lead of ana.perez@example.com',
])('personal data in a part of a path or in a query is masked, however often it was encoded: %s', (person) => {
  for (const times of [0, 1, 2, 3]) {
    const part = encoded(person, times).replaceAll(' ', '%20')
    for (const shown of [`${HOST}/partner/x/${part}/y?page=2`, `/partner/x/${part}`, `/partner/x?q=${part}&page=2`].map(
      maskTarget,
    )) {
      expect(shown).not.toMatch(/ana|perez|1234567|12\.345|12%2E345|1234(?:%20| )567/)
      expect(shown).toContain('/partner/x')
      expect(shown).toContain('•')
    }
  }
})

test.each([
  `${HOST}/partner/pre-approve/lead/L-1?page=2&size=50`,
  '/partner/verify/trx-20260301-abc%20def',
  '/partner/webhook/123456',
  '/a%zz/%E9?b=%zz',
  '/partner/x?since=2026-03-01T12%3A00%3A00Z',
  '',
])('an address without personal data is shown as it was sent: %s', (address) => {
  expect(maskTarget(address)).toBe(address)
})

test('a password in an origin is masked, and so are the parameters that name a secret', () => {
  expect(maskTarget('https://user:pass@host/x?token=c0ffee&page=1')).toBe('https://••••@host/x?token=••••&page=1')
})
