import { hash } from 'node:crypto'
import type { Landing } from '../../domain/payment-page.ts'
import { Html, html } from '../../text/escaping.ts'
import { readLanguage, TEXTS } from '../languages/languages.ts'
import { assetText } from './assets.ts'
import { icon } from './layout.ts'

interface Return extends Landing {
  landedOn: 'success' | 'error'
}

const STYLES = ['colours.css', 'base.css', 'frame.css', 'result.css', 'screens.css']

/**
 * Returns the page of the walkthrough's invented shop, to which the customer returns.
 * The page contains its style sheet and icon, because its server stops when the walkthrough ends.
 * @param acceptLanguage the header of the request, '' without one
 */
export function shopPage({ landedOn, externalTrxId, preApproveId }: Return, acceptLanguage: string) {
  const language = readLanguage('', acceptLanguage)
  const { page, shop } = TEXTS[language]
  // The style sheets are files of this program, so they can be used as markup without escaping.
  const styles = new Html(STYLES.map(assetText).join('\n'))
  const outcome = landedOn === 'success' ? 'paid' : 'rejected'
  const facts = [
    [page.order, externalTrxId],
    [page.preApproval, preApproveId],
  ] as const
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shop.title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(assetText('icon.svg'))}">
<style>${styles}</style>
</head>
<body>
<header class="bar">
<p class="brand">${shop.name}</p>
<p class="sandbox">${shop.walkthrough}</p>
</header>
<main class="stage">
<section class="card result ${outcome}">
<div class="verdict">
${icon(outcome)}
<h1>${shop.title}</h1>
<p class="hint">${shop[outcome]}</p>
</div>
<div class="rest">
<dl class="receipt">
${facts.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}
</dl>
<p class="hint">${shop.next}</p>
</div>
</section>
</main>
</body>
</html>
`
  const digest = hash('sha256', styles.markup, 'base64')
  return {
    markup,
    policy: `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  }
}
