import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/kit/unicode-text.ts'
import { toJUnit } from './junit.ts'

test('a report counts its cases and contains the failures', () => {
  const xml = toJUnit(
    'bnpl smoke',
    [
      { name: 'a', ms: 1500 },
      { name: 'b <x>', ms: 0, failure: 'no "data"' },
      { name: 'c', ms: 0, skipped: 'not asked for' },
    ],
    '2026-03-01T12:00:00.000Z',
  )
  expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1" time="1.500"')
  expect(xml).toContain('<testsuites name="bnpl smoke" tests="3" failures="1" errors="0" time="1.500">')
  expect(xml).toContain('timestamp="2026-03-01T12:00:00">')
  expect(xml).toContain('name="b &lt;x&gt;"')
  expect(xml).toContain('<failure message="no &quot;data&quot;">')
  expect(xml).toContain('<skipped message="not asked for"/>')
})

test('property: nothing in a name or a message breaks the document', () => {
  const text = unicodeText()
  fc.assert(
    fc.property(text, text, (name, failure) => {
      const xml = toJUnit(name, [{ name, ms: 1, failure }], 'now')
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff\ud800-\udfff]/u)
      expect(xml.match(/<testcase /g)).toHaveLength(1)
      expect(xml.replace(/&(amp|lt|gt|quot|apos);/g, '')).not.toContain('&')
    }),
  )
})
