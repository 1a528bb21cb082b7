import { expect } from 'vitest'
import { MARK } from '../../src/domain/sandbox-accounts.ts'
import { isTooWide } from './axe.ts'
import { cutTexts, style } from './cut-texts.ts'
import { test } from './window-fixtures.ts'
import { openRow, PARTS, showPart } from './window-views.ts'

/** The spacing of WCAG 1.4.12. */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-block-end: 2em !important }`

test('at 400 % with wide spacing no text is cut, and nothing is wider than the page, also with text at 200 %', async ({
  kit,
  person,
}) => {
  await kit.control('snapshotSave', { name: MARK })
  await kit.evaluate('order-1')
  await kit.call('/partner/webhook', { url: 'http://127.0.0.1:9/webhooks/bnpl' })
  await kit.control('pay', { externalTrxId: 'order-1' })
  await kit.control('lead', { now: true })
  const page = await kit.enter(await person({ locale: 'es-CL', viewport: { width: 320, height: 256 } }))
  await style(page, SPACING)
  for (const part of PARTS) {
    await showPart(kit, page, part)
    expect([part, await cutTexts(page), await isTooWide(page)]).toEqual([part, [], false])
    if (part === 'controls') continue
    // The keyboard opens the row, because a click on the middle of a tall row could hit the bar.
    await page.locator('a.row').first().press('Enter')
    await page.locator('.detail h2').waitFor()
    expect([part, 'open', await cutTexts(page), await isTooWide(page)]).toEqual([part, 'open', [], false])
  }
  // WCAG 1.4.4: text alone at 200 %.
  await page.setViewportSize({ width: 1280, height: 860 })
  await style(page, ':root { font-size: 32px }')
  expect(await isTooWide(page)).toBe(false)
  expect(await page.locator('.brand').evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(100)
})

test('at 400 % the bar does not cover the focused element, and the element has a visible outline [page 3]', async ({
  kit,
  person,
}) => {
  const page = await kit.enter(await person({ viewport: { width: 320, height: 256 } }), 'controls')
  await page.locator('.account').first().waitFor()
  await page.getByRole('button', { name: 'Reset' }).focus()
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Shift+Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement ?? document.body
      const { top, bottom } = element.getBoundingClientRect()
      const below = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0
      const { outlineStyle } = getComputedStyle(element)
      return { text: element.textContent, isSeen: bottom > below && top < window.innerHeight, outlineStyle }
    })
    expect(focused).toEqual({ text: focused.text, isSeen: true, outlineStyle: 'solid' })
  }
})

test('printing shows only the open item, in full, and rows do not slide for users who prefer reduced motion [page 1.11]', async ({
  kit,
  person,
}) => {
  await kit.evaluate('order-1')
  const page = await kit.enter(await person({ reducedMotion: 'reduce' }))
  await openRow(page)
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.list:visible, .bar:visible').count()).toBe(0)
  expect(
    await page.locator('.detail').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
  ).toBeLessThan(2)
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => {
    const animate = Element.prototype.animate
    Element.prototype.animate = function (...how) {
      document.body.dataset.moved = 'true'
      return animate.apply(this, how)
    }
  })
  const comes = async (id: string) => {
    await kit.evaluate(id)
    await page.locator('a.row', { hasText: id }).waitFor()
    return page.evaluate(() => document.body.dataset.moved)
  }
  expect(await comes('order-2')).toBeUndefined()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await comes('order-3')).toBe('true')
})
