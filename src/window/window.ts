import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Language } from '../contract/languages.ts'
import type { WireRequest, WireResponse } from '../contract/wire.ts'
import { SEAL, WINDOW_PATH, WINDOW_PREFIX } from '../sandbox/addresses.ts'
import { readLanguage, TEXTS, windowWords } from '../sandbox/languages/languages.ts'
import { assetText } from '../sandbox/page/assets.ts'
import type { StreamedResponse } from '../sandbox/server/transport-server.ts'
import { WINDOW_KEY_HEADER } from '../sandbox/service/access.ts'
import { readJsonFields } from '../sandbox/service/body.ts'
import { runControl } from '../sandbox/service/control.ts'
import { Refusal } from '../sandbox/service/refusal.ts'
import type { Service } from '../sandbox/service/service.ts'
import { iso, type Store } from '../sandbox/store/store.ts'
import { type Html, html } from '../text/escaping.ts'
import { isViewName, VIEWS } from './views/views.ts'

/**
 * Returns a function that answers the requests for the sandbox's window, which is a page at `/`. Anybody may load the page and its files.
 * A request for data must contain a key. A browser gets the key in exchange for the ticket in a link. `refuse` refuses requests of
 * other sites.
 */
export function createWindow(service: Service): (request: WireRequest) => Promise<WireResponse> {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === WINDOW_PATH) {
      only('GET', request)
      const language = readLanguage(searchParams.get('lang') ?? '', request.headers['accept-language'] ?? '')
      return windowPageResponse(windowShell(language))
    }
    const [kind = '', name = '', file = ''] = pathname.slice(WINDOW_PREFIX.length + 1).split('/')
    if (kind === 'files') {
      only('GET', request)
      const { files, version } = windowFiles()
      const found = name === version ? files.get(file) : undefined
      if (found === undefined) throw notFound()
      return windowFileResponse(found)
    }
    if (kind === 'report') return reportPage(request, service, name, file)
    // `refuse` also accepts an address that a person has typed. From here on, only requests of the window's own page are accepted.
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin') {
      throw new Refusal(403, 'ERR_FOREIGN_ORIGIN', 'only the page of the sandbox’s window may use this address')
    }
    if (kind === 'enter') return dataResponse(enter(request, service))
    const key = request.headers[WINDOW_KEY_HEADER] ?? ''
    if (!service.windowKeys.isInside(key)) throw closed()
    if (kind === 'changes') {
      only('GET', request)
      return streamResponse((signal) => tableWrites(service.store, signal))
    }
    const input = readInput(request)
    if (kind === 'leave') {
      service.windowKeys.leave(key)
      return dataResponse({})
    }
    if (kind === 'do') return dataResponse(await runControl(name, input, service, request))
    if (kind !== 'show' || !isViewName(name)) throw notFound()
    const data = await VIEWS[name](input, service)
    // Read the clock after the data, so that no time in the data is later than the clock.
    const { now, aheadMs } = service.clock.reading()
    return dataResponse(data, { clock: { now: iso(now), aheadMs } })
  }
}

function enter(request: WireRequest, { windowKeys }: Service): { key: string } {
  const { ticket } = readInput(request)
  const key = typeof ticket === 'string' ? windowKeys.enter(ticket) : undefined
  if (key === undefined) throw closed()
  return { key }
}

/** Returns a page of a report as a picture. A browser loads the picture without the key, so its address contains a signature. */
async function reportPage(request: WireRequest, { windowKeys, reports }: Service, name: string, file: string) {
  only('GET', request)
  const url = new URL(request.url)
  const seal = url.searchParams.get(SEAL) ?? ''
  url.searchParams.delete(SEAL)
  if (!windowKeys.isSealed(url.pathname + url.search, seal)) throw closed()
  const id = decoded(name)
  const pages = id === undefined ? undefined : await reports.pictures(id)
  const page = pages?.[Number(file) - 1]
  if (page === undefined) throw notFound()
  return pictureResponse(page)
}

function readInput(request: WireRequest): Record<string, unknown> {
  only('POST', request)
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Refusal(415, 'ERR_UNSUPPORTED_MEDIA_TYPE', 'send application/json')
  }
  return readJsonFields(request.body)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function only(method: string, request: WireRequest): void {
  if (request.method === method) return
  throw new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', `this address only accepts ${method}`, { allow: method })
}

const notFound = () => new Refusal(404, 'ERR_NOT_FOUND', 'no such address')

const closed = () =>
  new Refusal(401, 'ERR_WINDOW_CLOSED', 'this browser may not use the sandbox’s window. Run bnpl sandbox open')

const encoder = new TextEncoder()

/** Other sites cannot read the answers. The browser does not guess the type of an answer, does not store it, and sends no referrer. */
const GUARDED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Only the window's own files are loaded, and the window sends requests only to its own server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const contentResponse = (type: string, content: string, headers: Record<string, string> = {}): WireResponse => ({
  status: 200,
  headers: { ...GUARDED, 'content-type': type, ...headers },
  body: encoder.encode(content),
})

/** Returns the answer with the window's page. */
const windowPageResponse = (page: Html) =>
  contentResponse('text/html; charset=utf-8', page.markup, {
    'content-security-policy': POLICY,
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  })

/** Returns the answer with a file. The content never changes, because the address contains the version of the files. */
const windowFileResponse = ({ type, content }: WindowFile) =>
  contentResponse(type, content, { 'cache-control': 'private, max-age=31536000, immutable' })

/** Returns the answer with a page of a report as a picture. A policy keeps the picture from loading or running anything. */
const pictureResponse = (svg: string) =>
  contentResponse('image/svg+xml', svg, { 'content-security-policy': "default-src 'none'; sandbox" })

/** Returns the answer with data as JSON. @param more fields next to `data` */
const dataResponse = (data: unknown, more: object = {}) =>
  contentResponse('application/json; charset=utf-8', JSON.stringify({ data, ...more }))

/** Returns the answer with server-sent events, until the browser disconnects. */
function streamResponse(stream: StreamedResponse['stream']): StreamedResponse {
  return { status: 200, headers: { ...GUARDED, 'content-type': 'text/event-stream' }, body: new Uint8Array(), stream }
}

const GATHER_MS = 60

/** After this time without events, the server sends a comment line, so that the idle connection is not closed. */
const HEARTBEAT_MS = 15_000

/**
 * Yields server-sent events with the names of the tables that were written.
 * @param signal ends the stream
 */
async function* tableWrites(store: Store, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const written = new Set<string>()
  let wake = () => {}
  const stop = store.onWrite((table) => {
    written.add(table)
    wake()
  })
  const end = () => wake()
  signal.addEventListener('abort', end)
  try {
    yield encoder.encode('event: ready\ndata: {}\n\n')
    while (!signal.aborted) {
      if (written.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, HEARTBEAT_MS).unref()
        })
      }
      if (signal.aborted) return
      if (written.size === 0) {
        yield encoder.encode(': still here\n\n')
        continue
      }
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
      const tables = [...written]
      written.clear()
      yield encoder.encode(`event: changed\ndata: ${JSON.stringify(tables)}\n\n`)
    }
  } finally {
    stop()
    signal.removeEventListener('abort', end)
  }
}

/** Returns the page, which is the same with and without a key. In a browser without a key, the page shows how to open the window. */
function windowShell(language: Language): Html {
  return document(
    language,
    html`<noscript><p class="door">${TEXTS[language].door.noScript}</p></noscript>
${closedDoor(language)}`,
    html`<script type="module" src="${fileAddress(FIRST_SCRIPT)}"></script>
<template id="page-words">${JSON.stringify(windowWords(language))}</template>`,
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

interface WindowFile {
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
}

let loaded: Loaded | undefined

/** Returns every file by its name. The files are read only once. */
function windowFiles(): Loaded {
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
  return { files, version: hash.digest('hex').slice(0, 12) }
}
