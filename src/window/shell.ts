import type { Language } from '../contract/languages.ts'
import { TEXTS, windowWords } from '../sandbox/languages/languages.ts'
import { type Html, html } from '../text/escaping.ts'
import { FIRST_SCRIPT, fileAddress, windowFiles } from './files.ts'

/** Returns the page, which is the same with and without a key. In a browser without a key, the page shows how to open the window. */
export function windowShell(language: Language): Html {
  return document(
    language,
    html`<noscript><p class="door">${TEXTS[language].door.noScript}</p></noscript>
${closedDoor(language)}`,
    html`<script type="module" src="${fileAddress(FIRST_SCRIPT)}"></script>
${windowFiles().nextScripts.map(
  (name) => html`<link rel="modulepreload" href="${fileAddress(name)}">
`,
)}<template id="page-words">${JSON.stringify(windowWords(language))}</template>`,
  )
}

const OPEN = 'bnpl sandbox open'

function closedDoor(language: Language): Html {
  const {
    door: words,
    window: { copy, copied },
  } = TEXTS[language]
  return html`<main class="door" data-door hidden><h1>${words.closedTitle}</h1>
<p class="notice" data-used hidden>${words.used}</p>
<p>${words.closed}</p><p>${words.how}</p><p class="command"><code><span class="prompt" aria-hidden="true">$ </span>${OPEN}</code>
<button type="button" class="small" aria-live="polite" data-copy="${OPEN}" data-copied="${copied}">${copy}</button></p><p class="soft">${words.once}</p></main>`
}

function document(language: Language, body: Html, head: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>bnpl sandbox</title>
<link rel="icon" href="${fileAddress('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${fileAddress('window.css')}">
${head}
</head>
<body>
${body}
</body>
</html>
`
}
