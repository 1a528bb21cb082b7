import { REDIRECT_DELAY_MS } from '../../contract/time-limits.ts'
import { type Html, html } from '../../text/html.ts'
import type { PageTexts } from '../languages/en.ts'

/** How a page returns to the merchant after a payment has ended. */
interface WayBack {
  /** The button, and the countdown if the page returns by itself. */
  actions: Html
  /** The redirect for a browser without JavaScript. */
  next?: { seconds: number; address: string }
}

/**
 * The return to the merchant. The page returns `REDIRECT_DELAY_MS` after the end of the payment was first shown, or as soon as the customer
 * clicks the button (specification: "Hosted payment page"). At a later visit, it returns only with the button.
 */
export function wayBack(address: string, sinceShownMs: number, texts: PageTexts): WayBack {
  const { host } = new URL(address)
  const waitMs = REDIRECT_DELAY_MS - sinceShownMs
  const seconds = Math.ceil(waitMs / 1000)
  const goesByItself = waitMs > 0
  return {
    actions: html`<div class="actions">
<a class="button" rel="noreferrer" href="${address}" data-return>${goesByItself ? texts.returnNow : texts.returnTo(host)}</a>
${
  goesByItself &&
  html`<p class="returning" role="status">${texts.returning(host)} <span role="timer" aria-live="off" class="clock" data-return-in="${waitMs}">${seconds}</span> ${texts.seconds}</p>
<button type="button" class="quiet" data-stay hidden>${texts.stay}</button>`
}
</div>`,
    ...(goesByItself ? { next: { seconds, address } } : {}),
  }
}
