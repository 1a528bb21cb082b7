// The page with its header and its parts (tabs). This script also keeps the visible part up to date.
import { h } from './dom.js'
import { keepLanguage } from './kept.js'
import { PARTS, place } from './parts.js'
import { ACTED, command } from './pieces.js'
import { saidBox } from './said.js'
import { watchWrites } from './stream.js'
import { fill, others, t } from './texts.js'
import { aboutTime, clockTime, moved, startTicking } from './time.js'

/** @import { Part } from './pane.js' */
/** @import { PartPlan } from './parts.js' */
/** @type {Map<string, Part>} */
const made = new Map()
const links = new Map(PARTS.map(({ name, title }) => [name, h('a', { href: `#/${name}` }, title)]))
const main = h('main', { id: 'main', tabindex: '-1' })
const clock = h('time', { class: 'clock', title: t.clock })
const ahead = h('span', { class: 'ahead', hidden: true })
const live = h('span', { class: 'stream', role: 'status' })
const pause = h('button', { type: 'button', class: 'small', 'aria-pressed': 'false', click: togglePause }, t.pause)
const away = h(
  'div',
  { class: 'notice', role: 'status', hidden: true },
  h('p', {}, t.awayHow),
  command('bnpl sandbox start'),
)
const languageLinks = others.map(({ language, name }) => ({
  language,
  link: h(
    'a',
    {
      class: 'language',
      lang: language,
      hreflang: language,
      href: `/?lang=${language}`,
      click: () => keepLanguage(language),
    },
    name,
  ),
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
      h('span', { class: 'times' }, ahead, clock),
      live,
      pause,
      languageLinks.map(({ link }) => link),
    ),
  ),
  away,
  main,
  ...saidBox(),
)

/** @param {Event} event */
function skip(event) {
  event.preventDefault()
  main.focus()
}

/** @param {PartPlan} part */
async function viewOf({ name, load }) {
  const known = made.get(name)
  if (known !== undefined) return known
  const create = await load()
  // Another call of `viewOf` may have created the view while this one loaded the script.
  const view = made.get(name) ?? create()
  made.set(name, view)
  return view
}

async function go() {
  const { part, key } = place()
  const { name } = part
  for (const { language, link } of languageLinks)
    link.setAttribute('href', `/?lang=${language}#/${name}${key === '' ? '' : `/${encodeURIComponent(key)}`}`)
  for (const [each, link] of links) {
    if (each === name) {
      link.setAttribute('aria-current', 'page')
      show(link)
    } else link.removeAttribute('aria-current')
  }
  const view = await viewOf(part).catch(() => undefined)
  // The script was not loaded, because the sandbox did not answer. Try again later.
  if (view === undefined) return void setTimeout(go, AGAIN_MS)
  if (place().part !== part) return
  if (main.firstElementChild !== view.element) {
    isOwed = true
    main.replaceChildren(view.element)
    window.scrollTo(0, 0)
    main.dataset.part = name
    stale.add(name)
  }
  await view.open(key).catch(() => stale.add(name))
  document.title = [view.heading?.() ?? '', part.title, 'bnpl sandbox'].filter((words) => words !== '').join(' · ')
  await freshen()
}

/** Scrolls a tab into view. `scrollIntoView` would also change which element the Tab key reaches next. @param {HTMLElement} link */
function show(link) {
  const tabs = link.closest('nav')
  if (tabs === null) return
  const [seen, own] = [tabs.getBoundingClientRect(), link.getBoundingClientRect()]
  if (own.left < seen.left) tabs.scrollLeft -= seen.left - own.left
  else if (own.right > seen.right) tabs.scrollLeft += own.right - seen.right
}

addEventListener('resize', () => {
  for (const [, link] of links) if (link.hasAttribute('aria-current')) show(link)
})

/** Whether the user paused the page. A paused page only changes after an action of the user. */
let isPaused = false
/** Whether the page must be drawn again even if it is paused, because the user has acted or the last drawing failed. */
let isOwed = true

function togglePause() {
  isPaused = !isPaused
  pause.setAttribute('aria-pressed', String(isPaused))
  pause.textContent = isPaused ? t.resume : t.pause
  if (!isPaused) void freshen()
}

/** @type {Set<string>} */
const stale = new Set()
let busy = false

const AGAIN_MS = 1000

/** The shortest wait after a drawing. After a slow drawing, the wait is three times the duration of that drawing. */
const BREATH_MS = 100
let breathe = () => {}

async function freshen() {
  const { name } = place().part
  const view = made.get(name)
  if (busy && isOwed) breathe()
  if (busy || view === undefined || !stale.has(name) || (isPaused && !isOwed)) return
  busy = true
  const began = performance.now()
  stale.delete(name)
  try {
    const forReader = isOwed
    isOwed = false
    await view.refresh(forReader)
    loadAll()
  } catch {
    stale.add(name)
    isOwed = true
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
  // Wait even if the data changes all the time, so that the user has time to read, and the sandbox has time for other work.
  const breath = Math.max(BREATH_MS, 3 * (performance.now() - began))
  await new Promise((resolve) => {
    breathe = () => resolve(undefined)
    setTimeout(breathe, breath)
  })
  busy = false
  await freshen()
}

let isLoading = false

/** Loads the scripts of all parts early, so that each part opens at once, even when the sandbox does not answer. */
function loadAll() {
  if (isLoading) return
  isLoading = true
  for (const { load } of PARTS) load().catch(() => {})
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
  if (event.key === 'Escape' && !isTyping && place().key !== '') window.location.hash = `#/${place().part.name}`
})
document.addEventListener(ACTED, () => {
  isOwed = true
  changed(undefined)
})
startTicking((now) => {
  clock.textContent = clockTime(new Date(now).toISOString())
  ahead.hidden = !(moved() >= 1000)
  ahead.textContent = fill(t.ahead, { time: aboutTime(moved()) })
})
void go()
watchWrites(changed, (isLive) => {
  live.textContent = isLive ? t.live : t.away
  live.classList.toggle('away', !isLive)
  away.hidden = isLive
})
