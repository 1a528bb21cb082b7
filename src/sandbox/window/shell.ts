import { type Html, html } from '../../text/html.ts'
import type { Language } from '../page/texts.ts'
import { fileAddress, windowFiles } from './files.ts'

const WORDS = {
  en: {
    noScript: 'This page needs JavaScript. Everything on it is also a command: bnpl sandbox --help',
    closedTitle: 'The sandbox’s window',
    closed: 'It shows the keys and the traffic of this sandbox, so it opens to this machine’s user alone.',
    how: 'Run this in a terminal on the machine where the sandbox runs:',
    once: 'The link it gives works once and opens this browser for as long as the sandbox runs.',
    used: 'That link was used already, or is from an earlier run.',
  },
  es: {
    noScript: 'Esta página necesita JavaScript. Todo lo que hay en ella es también un comando: bnpl sandbox --help',
    closedTitle: 'La ventana del sandbox',
    closed: 'Muestra las claves y el tráfico de este sandbox, así que se abre solo para quien usa esta máquina.',
    how: 'Ejecuta esto en una terminal de la máquina donde corre el sandbox:',
    once: 'El enlace que entrega sirve una vez y deja abierto este navegador mientras el sandbox esté corriendo.',
    used: 'Ese enlace ya se usó, o es de una ejecución anterior.',
  },
} as const satisfies Record<Language, Record<string, string>>

/** The page, the same for everybody: its scripts draw what the browser's key opens, or else show the closed door. */
export function windowShell(language: Language): Html {
  const scripts = [...windowFiles().files.keys()].filter((name) => name.endsWith('.js') && name !== 'start.js')
  return document(
    language,
    html`<noscript><p class="door">${WORDS[language].noScript}</p></noscript>
${closedDoor(language)}`,
    html`${scripts.map(
      (name) => html`<link rel="modulepreload" href="${fileAddress(name)}">
`,
    )}<script type="module" src="${fileAddress('start.js')}"></script>`,
  )
}

/** How to get in, for a browser without a key. */
function closedDoor(language: Language): Html {
  const words = WORDS[language]
  return html`<main class="door" data-door hidden><h1>${words.closedTitle}</h1>
<p class="notice" data-used hidden>${words.used}</p>
<p>${words.closed}</p><p>${words.how}</p><pre><code>bnpl sandbox open</code></pre><p class="soft">${words.once}</p></main>`
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
