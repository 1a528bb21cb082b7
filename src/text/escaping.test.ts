import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/kit/unicode-text.ts'
import { type Html, html } from './escaping.ts'

test('a value is text, never markup; only a template is markup [row 103]', () => {
  const bold: Html = html`<b>${'<i>'}</b>`
  expect(html`<p title="${`"'>`}">${bold}${[1, bold]}${undefined}${false}</p>`.markup).toBe(
    '<p title="&quot;&#39;&gt;"><b>&lt;i&gt;</b>1<b>&lt;i&gt;</b></p>',
  )
})

test('no text can open a tag or close an attribute [row 103]', () => {
  fc.assert(
    fc.property(unicodeText(), (text) => {
      const inside = html`${text}`.markup
      return !/[<>"']|&(?!(amp|lt|gt|quot|#39);)/.test(inside)
    }),
  )
})
