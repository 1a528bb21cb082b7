import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Language } from '../contract/languages.ts'
import { WINDOW_PREFIX } from '../sandbox/addresses.ts'
import { TEXTS, windowWords } from '../sandbox/languages/languages.ts'
import { assetText } from '../sandbox/page/assets.ts'
import { type Html, html } from '../text/escaping.ts'

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

export interface WindowFile {
  type: string
  content: string
}

const FOLDER = new URL('./window-assets/', import.meta.url)

const BASE = ['colours.css', 'base.css']
const STYLES = [
  'frame',
  'bar',
  'lists',
  'steps',
  'narrow',
  'details',
  'report',
  'texts',
  'fields',
  'cards',
  'changes',
  'forced',
].map((name) => `${name}.css`)

const FIRST_SCRIPT = 'start.js'

interface Loaded {
  files: ReadonlyMap<string, WindowFile>
  /** Changes when any file changes, so that browsers can cache the files without a time limit. */
  version: string
  /**
   * The scripts that the first script needs. The page lists them, so that a browser loads all scripts in parallel. In the built program the
   * list is empty, because all scripts are one file.
   */
  nextScripts: readonly string[]
}

let loaded: Loaded | undefined

/** Returns every file by its name. The files are read only once. */
export function windowFiles(): Loaded {
  loaded ??= load()
  return loaded
}

/** Returns the address of a file, such as `/_window/files/<version>/app.js`. */
function fileAddress(name: string): string {
  return `${WINDOW_PREFIX}/files/${windowFiles().version}/${name}`
}

function load(): Loaded {
  const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
  const files = new Map<string, WindowFile>([
    [
      'window.css',
      { type: 'text/css; charset=utf-8', content: [...BASE.map(assetText), ...STYLES.map(read)].join('\n') },
    ],
    ['icon.svg', { type: 'image/svg+xml', content: assetText('icon.svg') }],
  ])
  for (const name of readdirSync(FOLDER)
    .filter((each) => each.endsWith('.js'))
    .sort()) {
    files.set(name, { type: 'text/javascript; charset=utf-8', content: read(name) })
  }
  const hash = createHash('sha256')
  for (const [name, { content }] of files) hash.update(name).update(content)
  return { files, version: hash.digest('hex').slice(0, 12), nextScripts: nextScripts(files) }
}

function nextScripts(files: Loaded['files']): string[] {
  const found = new Set<string>()
  const add = (name: string, imports: RegExp) => {
    if (found.has(name)) return
    found.add(name)
    for (const [, each = ''] of files.get(name)?.content.matchAll(imports) ?? []) add(each, IMPORTS)
  }
  add(FIRST_SCRIPT, FIRST_IMPORTS)
  found.delete(FIRST_SCRIPT)
  return [...found]
}

const IMPORTS = /^(?:import|\}) .*from '\.\/(.+\.js)'$/gm
/**
 * Matches `import … from` and `import()`, because the first script loads `app.js` with `import()`. `IMPORTS` does not match `import()`,
 * because the other scripts use `import()` only for scripts that are needed later.
 */
const FIRST_IMPORTS = /(?: from |import\()'\.\/(.+\.js)'/g
