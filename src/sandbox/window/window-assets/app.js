// The page: its header, its parts, and what keeps them up to date.
import { createControls } from './controls.js'
import { h } from './dom.js'
import { createLeads } from './leads.js'
import { createPayments } from './payments.js'
import { createRequests } from './requests.js'
import { watchWrites } from './server.js'
import { fill, others, t } from './texts.js'
import { aboutTime, clockTime, moved, startTicking } from './time.js'
import { createWebhooks } from './webhooks.js'

/** The parts of the page, each with the tables that it shows. */
const PARTS = [
  {
    name: 'payments',
    title: t.payments,
    create: createPayments,
    tables: ['preApprovals', 'loanRequests', 'widgetSessions', 'loans', 'requests'],
  },
  { name: 'leads', title: t.leads, create: createLeads, tables: ['leads', 'preApprovals'] },
  { name: 'requests', title: t.requests, create: createRequests, tables: ['requests'] },
  {
    name: 'webhooks',
    title: t.webhooks,
    create: createWebhooks,
    tables: ['webhooks', 'deliveries', 'deliveryAttempts', 'events'],
  },
  { name: 'controls', title: t.controls, create: createControls, tables: ['faults', 'partners'] },
]

/** @import { Part } from './pane.js' */
/** @type {Map<string, Part>} */
const made = new Map()
const links = new Map(PARTS.map(({ name, title }) => [name, h('a', { href: `#/${name}` }, title)]))
const main = h('main', { id: 'main', tabindex: '-1' })
const clock = h('time', { class: 'clock', title: t.clock })
const ahead = h('span', { class: 'ahead', hidden: true })
const live = h('span', { class: 'stream' })
const languageLinks = others.map(({ language, name }) => ({
  language,
  link: h('a', { class: 'language', lang: language, hreflang: language, href: `/?lang=${language}` }, name),
}))

document.body.append(
  h('a', { class: 'skip', href: '#main', click: skip }, t.skip),
  h(
    'header',
    { class: 'bar' },
    h(
      'p',
      { class: 'brand' },
      h('span', { class: 'mark', 'aria-hidden': 'true' }),
      'bnpl',
      h('span', { class: 'soft' }, ' sandbox'),
    ),
    h(
      'nav',
      { class: 'tabs', 'aria-label': t.parts },
      h(
        'ul',
        {},
        [...links.values()].map((link) => h('li', {}, link)),
      ),
    ),
    h(
      'p',
      { class: 'state' },
      ahead,
      clock,
      live,
      languageLinks.map(({ link }) => link),
    ),
  ),
  main,
  h('p', { 'data-said': '', class: 'said', role: 'status' }),
)

/** @param {Event} event */
function skip(event) {
  event.preventDefault()
  main.focus()
}

/** @returns {{ name: string, key: string }} */
function place() {
  const [, name = '', key = ''] = window.location.hash.split('/')
  const part = PARTS.find((each) => each.name === name) ?? PARTS[0]
  return { name: part?.name ?? '', key: decodeURIComponent(key) }
}

async function go() {
  const { name, key } = place()
  const part = PARTS.find((each) => each.name === name)
  if (part === undefined) return
  let view = made.get(name)
  const isNew = view === undefined
  if (view === undefined) {
    view = part.create()
    made.set(name, view)
  }
  document.title = `${part.title} · bnpl sandbox`
  for (const { language, link } of languageLinks) link.setAttribute('href', `/?lang=${language}#/${name}`)
  for (const [each, link] of links) {
    if (each === name) {
      link.setAttribute('aria-current', 'page')
      link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    } else link.removeAttribute('aria-current')
  }
  if (main.firstElementChild !== view.element) {
    main.replaceChildren(view.element)
    main.dataset.part = name
    if (!isNew) stale.add(name)
  }
  if (isNew) stale.add(name)
  await view.open(key)
  await freshen()
}

/** Parts whose tables were written after they were drawn. @type {Set<string>} */
const stale = new Set()
let busy = false

/** The shortest time between two drawings, in ms. */
const BREATH_MS = 100

/** Draws the visible part, if it is stale; the others wait until they are opened. */
async function freshen() {
  const { name } = place()
  if (busy || !stale.has(name)) return
  busy = true
  stale.delete(name)
  try {
    await made.get(name)?.refresh()
  } catch {
    stale.add(name)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  // However much is written, the reader gets time to read, and the sandbox time for other work.
  await new Promise((resolve) => setTimeout(resolve, BREATH_MS))
  busy = false
  await freshen()
}

/** @param {ReadonlySet<string> | undefined} tables */
function changed(tables) {
  for (const part of PARTS) {
    const touches = tables === undefined || tables.has('settings') || part.tables.some((table) => tables.has(table))
    if (touches) stale.add(part.name)
  }
  void freshen()
}

window.addEventListener('hashchange', () => void go())
window.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
  if (event.key === 'Escape' && !isTyping && place().key !== '') window.location.hash = `#/${place().name}`
})
await go()
startTicking((now) => {
  clock.textContent = clockTime(new Date(now).toISOString())
  ahead.hidden = moved() < 1000
  ahead.textContent = fill(t.ahead, { time: aboutTime(moved()) })
})
watchWrites(changed, (isLive) => {
  live.textContent = isLive ? t.live : t.away
  live.classList.toggle('away', !isLive)
})
