import { type Html, html } from '../../text/html.ts'
import { PAGE_PATHS } from './addresses.ts'
import { assetAddress } from './assets.ts'
import { type Language, TEXTS } from './texts.ts'
import { type Visit, visitAddress } from './visit.ts'

export interface Document {
  visit: Visit
  title: string
  /** What stands above the main part, or beside it on a wide screen: the purchase. */
  aside?: Html
  main: Html
  /** The host the customer returns to, where the page promises it. */
  returning?: string
  /** Where a browser without JavaScript goes by itself, and after how many seconds. */
  next?: { seconds: number; address: string }
}

/** The whole document around a page's own part: landmarks, language, the sandbox notice. */
export function layout({ visit, title, aside, main, returning, next }: Document): Html {
  const texts = TEXTS[visit.language]
  const embedded = visit.path === PAGE_PATHS.embedded
  const parent = visit.place?.kind === 'embedded' && html` data-parent-origin="${visit.place.parentOrigin}"`
  return html`<!doctype html>
<html lang="${visit.language}"${embedded ? html` class="embedded"` : ''}${parent}>
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
${languageLink(visit)}
</header>
<main class="${aside === undefined ? 'stage' : 'stage split'}">
${aside}
${main}
</main>
<footer>
${returning !== undefined && html`<p class="returning">${texts.returnsTo(returning)}</p>`}
<p>${texts.sandboxDetail}</p>
</footer>
</body>
</html>
`
}

function languageLink(visit: Visit): Html {
  const other: Language = visit.language === 'es' ? 'en' : 'es'
  const texts = TEXTS[visit.language]
  return html`<a class="language" lang="${other}" hreflang="${other}" href="${visitAddress(visit, { lang: other })}" title="${texts.languageLabel}">${texts.otherLanguage}</a>`
}
