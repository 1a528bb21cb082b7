import { REDIRECT_DELAY_MS } from '../../contract/time-limits.ts'
import { type Html, html } from '../../text/html.ts'
import type { PageTexts } from '../languages/en.ts'

/** How a page of a payment that ended leads back to the merchant. */
interface WayBack {
  /** The button, and the countdown while the page goes back by itself. */
  actions: Html
  /** For a browser without JavaScript. */
  next?: { seconds: number; address: string }
}

/**
 * The way back to the merchant: by itself `REDIRECT_DELAY_MS` after the end of the payment was first shown, or at once by the button
 * (specification: "Hosted payment page"). A later visit of the page stays.
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
