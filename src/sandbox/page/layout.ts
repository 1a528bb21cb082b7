import { REDIRECT_DELAY_MS } from '../../contract/time-limits.ts'
import { type Html, html } from '../../text/escaping.ts'
import { PAGE_PATHS } from '../addresses.ts'
import type { PageTexts } from '../languages/en.ts'
import { otherLanguages, TEXTS } from '../languages/languages.ts'
import { assetAddress } from './assets.ts'
import { type Visit, visitAddress } from './visit.ts'
import type { WidgetEvent } from './widget-messages.ts'

interface Document {
  visit: Visit
  title: string
  /** The events of the payment until this page is shown, for the page that shows the widget. */
  events: readonly WidgetEvent[]
  aside?: Html
  main: Html
  returning?: string | undefined
  next?: { seconds: number; address: string } | undefined
}

export function layout({ visit, title, events, aside, main, returning, next }: Document): Html {
  const texts = TEXTS[visit.language].page
  const embedded = visit.path === PAGE_PATHS.embedded
  const theme = visit.theme !== undefined && html` data-theme="${visit.theme}"`
  const parent =
    visit.place?.kind === 'embedded' &&
    html` data-parent-origin="${visit.place.parentOrigin}" data-events="${JSON.stringify(events)}"`
  return html`<!doctype html>
<html lang="${visit.language}"${embedded ? html` class="embedded"` : ''}${theme}${parent}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f5f3" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0e1311" media="(prefers-color-scheme: dark)">
<title>${title}</title>
<link rel="icon" href="${assetAddress('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetAddress('page.css')}">
<script type="module" src="${assetAddress('page.js')}"></script>
${next !== undefined && html`<noscript><meta http-equiv="refresh" content="${next.seconds};url=${next.address}"></noscript>`}
</head>
<body>
<header class="bar">
<p class="brand"><img src="${assetAddress('icon.svg')}" alt="" width="28" height="28">bnpl</p>
<p class="sandbox">${texts.sandbox}</p>
${languageLinks(visit)}
</header>
<main class="${aside === undefined ? 'stage' : 'stage split'}">
${aside}
${main}
</main>
<footer>
${returning !== undefined && html`<p class="returning">${withName(texts.returnsTo, returning)}</p>`}
<p>${texts.sandboxDetail}</p>
</footer>
</body>
</html>
`
}

function languageLinks(visit: Visit): Html[] {
  return otherLanguages(visit.language).map((language) => {
    const { name, readHere } = TEXTS[language]
    const address = visitAddress(visit, { lang: language })
    return html`<a class="language" lang="${language}" hreflang="${language}" href="${address}" title="${readHere}">${name}</a>`
  })
}

const STROKES = {
  paid: html`<path class="draw" d="m15 25 6.5 6.5L34 18"/>`,
  rejected: html`<path class="draw" d="m17 17 14 14m0-14L17 31"/>`,
  cancelled: html`<path class="draw" d="M16 24h16"/>`,
  notice: html`<path class="draw" d="M24 14v13"/><path class="draw" d="M24 33.5v.5"/>`,
  clock: html`<path class="draw" d="M24 14v10.5l6.5 4"/>`,
} as const

/** Returns a sentence with a name. A line break inside the name occurs only if the name is longer than a line. */
export function withName(sentence: (name: string) => string, name: string): Html {
  const [before, after] = sentence('\n').split('\n')
  return html`${before}<bdi class="name">${name}</bdi>${after}`
}

/** Returns the round sign above a result. It is only decoration, because the heading says the same. */
export function icon(name: keyof typeof STROKES): Html {
  return html`<svg class="sign" viewBox="2 2 44 44" width="60" height="60" fill="none" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="24" cy="24" r="22"/>${STROKES[name]}</svg>`
}

/**
 * Returns the parts of a page that lead back to the merchant.
 * The page redirects by itself `REDIRECT_DELAY_MS` after the end of the payment was first shown (specification: "Hosted payment page").
 * At a later visit, the customer has to click the button.
 */
export function wayBack(address: string, sinceShownMs: number, texts: PageTexts) {
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
    next: goesByItself ? { seconds, address } : undefined,
  }
}
