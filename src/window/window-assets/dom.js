// Creates elements without parsing HTML, so that no text from the service, a file or a person can become markup.
import { UNSEEN } from './command-line.js'

/** @typedef {Node | string | number | null | undefined | false | readonly Child[]} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>} Attributes */

/** @param {Element} element @param {Attributes} attributes */
function give(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name, value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
}

/**
 * Returns a text with its invisible characters made visible: `\u001b`, `\u202e`. Line ends and tabs stay, because our own texts use them.
 * @param {string} text
 */
export const seen = (text) =>
  text.replace(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : spelled(character)))

/**
 * Returns a text with its invisible characters and line ends made visible. A shell runs a command at each line end of a pasted text.
 * @param {string} text
 */
export const seenOnOneLine = (text) => text.replace(UNSEEN, spelled)

/** Wraps a text that somebody else chose (an id, a name, an address), so that it cannot reorder the text around it. @param {string} text */
export const named = (text) => h('bdi', {}, seenOnOneLine(text))

/** @type {Record<string, string>} */
const LINE_ENDS = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Returns the escape of a character, such as `\u001b`. Few fonts have symbols for control characters. @param {string} character */
const spelled = (character) => LINE_ENDS[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** @param {Node} parent @param {Child} child */
function put(parent, child) {
  if (child === null || child === undefined || child === false) return
  if (Array.isArray(child)) for (const each of child) put(parent, each)
  else parent.appendChild(child instanceof Node ? child : document.createTextNode(seen(String(child))))
}

/**
 * Creates an element. An attribute that is a function becomes a listener.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {Child[]} children @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  give(element, attributes)
  put(element, children)
  return element
}

/** @param {string} tag @param {Attributes} [attributes] @param {Child[]} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  give(element, attributes)
  put(element, children)
  return element
}

/** @type {WeakMap<Element, string>} */
const drawnFrom = new WeakMap()

/**
 * Draws an element again if its data has changed. Folded details stay folded. The focus stays on the child with the same `data-key`.
 * @param {HTMLElement} element @param {unknown} from @param {() => Child} draw
 */
export function redraw(element, from, draw) {
  const now = JSON.stringify(from)
  if (drawnFrom.get(element) === now) return
  drawnFrom.set(element, now)
  const active = document.activeElement
  const key = active instanceof HTMLElement && element.contains(active) ? active.dataset.key : undefined
  const foldable = (/** @type {HTMLDetailsElement} */ each) => each.dataset.key ?? each.className
  const before = new Map([...element.querySelectorAll('details')].map((each) => [foldable(each), each.open]))
  element.replaceChildren()
  put(element, draw())
  for (const each of element.querySelectorAll('details')) each.open = before.get(foldable(each)) ?? each.open
  if (key !== undefined) {
    for (const each of element.querySelectorAll('[data-key]')) {
      if (each instanceof HTMLElement && each.dataset.key === key) each.focus({ preventScroll: true })
    }
  }
}

/**
 * Shows items in a list, and keeps the elements of the rows that the list already has.
 * @template T
 * @param {HTMLElement} list @param {readonly T[]} items @param {(item: T) => string} keyOf @param {(item: T) => Child} draw
 */
export function redrawList(list, items, keyOf, draw) {
  const known = new Map([...list.children].map((row) => [row instanceof HTMLElement ? row.dataset.row : '', row]))
  const rows = items.map((item) => {
    const key = keyOf(item)
    const found = known.get(key)
    const row = found instanceof HTMLElement ? found : h('li', { 'data-row': key })
    redraw(row, item, () => draw(item))
    return row
  })
  /** @type {Set<Element>} */
  const wanted = new Set(rows)
  for (const row of [...list.children]) if (!wanted.has(row)) row.remove()
  let at = list.firstElementChild
  for (const row of rows) {
    if (row === at) at = at.nextElementSibling
    else list.insertBefore(row, at)
  }
}

/**
 * Draws again the items that a list already shows, without moving a row. Returns the number of items that the list does not show.
 * @template T
 * @param {HTMLElement} list @param {readonly T[]} items @param {(item: T) => string} keyOf @param {(item: T) => Child} draw
 */
export function redrawInPlace(list, items, keyOf, draw) {
  const known = new Map([...list.children].map((row) => [row instanceof HTMLElement ? row.dataset.row : '', row]))
  let unknown = 0
  for (const item of items) {
    const row = known.get(keyOf(item))
    if (row instanceof HTMLElement) redraw(row, item, () => draw(item))
    else unknown++
  }
  return unknown
}
