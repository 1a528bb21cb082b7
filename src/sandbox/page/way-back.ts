import { REDIRECT_DELAY_MS } from '../../contract/time-limits.ts'
import { type Html, html } from '../../text/escaping.ts'
import type { PageTexts } from '../languages/en.ts'
import { withName } from './layout.ts'

interface WayBack {
  actions: Html
  next?: { seconds: number; address: string }
}

/**
 * Returns the parts of a page that lead back to the merchant.
 * The page redirects by itself `REDIRECT_DELAY_MS` after the end of the payment was first shown (specification: "Hosted payment page").
 * At a later visit, the customer has to click the button.
 */
export function wayBack(address: string, sinceShownMs: number, texts: PageTexts): WayBack {
  const { host } = new URL(address)
  const waitMs = REDIRECT_DELAY_MS - sinceShownMs
  const seconds = Math.ceil(waitMs / 1000)
  const goesByItself = waitMs > 0
  return {
    actions: html`<div class="actions">
<a class="button" rel="noreferrer" href="${address}" data-return>${goesByItself ? texts.returnNow : html`<span>${withName(texts.returnTo, host)}</span>`}</a>
${
  goesByItself &&
  html`<p class="returning" role="status">${withName(texts.returning, host)} <span role="timer" aria-live="off" class="clock" data-return-in="${waitMs}">${seconds}</span> ${texts.seconds}</p>
<button type="button" class="quiet" data-stay hidden>${texts.stay}</button>`
}
</div>`,
    ...(goesByItself ? { next: { seconds, address } } : {}),
  }
}
