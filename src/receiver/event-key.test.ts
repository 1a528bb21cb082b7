import { expect, test } from 'vitest'
import { eventKey, shortHash } from './event-key.ts'

test('the key of an event does not change between releases, so that stored events are recognised', () => {
  expect(eventKey(3, '0199f7a2-6c1e-7bbb-9f2e-1c2d3e4f5a6b')).toBe('0199f7a2-6c1gdHuar9fU6E2ZxeF22M_Lq')
  expect(eventKey(4, 'short')).toBe('shortcvc63299CUH0qF9Z9Tlnfq')
  expect(eventKey(3, 'é x\ty')).toBe('__x_ydqbsQJDhofIyjNENUbp-ql')
})

test('a text and its bytes have the same hash', () => {
  expect([shortHash('a text'), shortHash(Buffer.from('a text'))]).toEqual(Array(2).fill('c0GU7eWwY-ZU1jy5WmgsoV'))
})
