import fc from 'fast-check'
import { unicodeText } from '../kit/unicode-text.ts'

/** Texts that control a terminal, a spreadsheet, a path or a parser. */
export const hostileText = fc.oneof(
  unicodeText({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '\u001b[2J\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007',
    '\u001b]52;c;ZXZpbA==\u0007',
    '\u009b31m',
    '\u202eevil',
    'a\r\nb\tc\u0000d\u007f',
    '=1+1',
    '__proto__',
    '../../etc/passwd',
    'undefined',
    'NaN',
    '9007199254740993',
    '2026-02-30T99:99:99Z',
    'javascript:alert(1)',
    'https://user:pass@evil.example/',
    'x'.repeat(5_000),
    '\ud800',
  ),
)

const scalar = fc.oneof(
  hostileText,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, 1e21, -1, 0, 2 ** 53, 1.5),
)

export const hostileValue = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(hostileText, scalar, { maxKeys: 4 }),
  fc.constantFrom({}, [], [[]], [null], { data: null }),
)

/** Draws a value like the given one, with some of its parts replaced, left out or doubled. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  const changes = fc.array(fc.tuple(fc.nat(40), hostileValue, fc.nat(5)), { minLength: 0, maxLength: 3 })
  return changes.map((all) => all.reduce<unknown>((now, [place, put, how]) => changeAt(now, place, put, how), value))
}

/** Changes the n-th place of a value. If n is too large, counting goes on from the first place. */
function changeAt(value: unknown, place: number, put: unknown, how: number): unknown {
  const places = count(value)
  let left = place % places
  const walk = (part: unknown): unknown => {
    if (left-- === 0)
      return how === 0 ? undefined : how === 1 ? [part] : how === 2 ? (JSON.stringify(part) ?? null) : put
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, walk(each)]))
  }
  return walk(value)
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, each) => sum + count(each), 1)
}
