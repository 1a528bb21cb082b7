// A list, with one of its items open beside it. On a phone, the item replaces the list.
/** @import { ListName, Lists, Page } from '../views/rows.ts' */
/** @import { Child } from './dom.js' */
import { h, redraw, redrawInPlace, redrawList } from './dom.js'
import { sayAloud } from './said.js'
import { showList } from './server.js'
import { settled, slide } from './slide.js'
import { counted, fill, t } from './texts.js'
import { grouped } from './time.js'

/**
 * A part of the page.
 * @typedef {object} Part
 * @property {HTMLElement} element
 * @property {(isForReader?: boolean) => Promise<void>} refresh draws the part again; with `isForReader`, rows move even under the pointer
 * @property {(key: string) => Promise<void>} open shows an item; '' closes the item
 * @property {() => string} [heading] the name of the open item, '' for none
 */

/**
 * @template {ListName} Name
 * @typedef {object} PaneOptions
 * @property {Name} name of the list
 * @property {string} title
 * @property {(row: Lists[Name]['row']) => string} keyOf a row's key in the address
 * @property {(row: Lists[Name]['row']) => Child} drawRow
 * @property {(key: string) => Promise<Lists[Name]['item'] | null>} load one item; null when it does not exist any more
 * @property {(item: Lists[Name]['item']) => Child} drawItem
 * @property {() => Child} empty shown instead of an empty list
 * @property {() => object} [filter] returns the input of the view, without the number of the page
 * @property {() => boolean} [isFiltered] whether the filter hides anything
 * @property {() => void} [clearFilter]
 * @property {() => Promise<Child>} [elsewhere] where else there is something, when the filter hides every row
 * @property {(input: object) => Promise<Page<Lists[Name]['row']>>} [read] reads a page of the list; by default only calls `showList`
 * @property {string} [address] the name of the part in the address, if it is not the list's name
 * @property {HTMLElement} [top] shown above the list
 * @property {Child} [head] the names of the columns, which screen readers skip
 */

/** Creates a list with its items. @template {ListName} Name @param {PaneOptions<Name>} options */
export function createPane({
  name,
  title,
  keyOf,
  drawRow,
  load,
  drawItem,
  empty,
  filter = () => ({}),
  isFiltered = () => false,
  clearFilter = () => {},
  elsewhere = async () => null,
  top,
  head = null,
  address = name,
  read = (input) => showList(name, input),
}) {
  let page = 0
  let opened = ''
  const list = h('ul', { class: `rows ${name}-rows`, 'data-list': name })
  const nothing = h('div', { class: 'empty', hidden: true }, empty())
  const unmatched = h(
    'div',
    { class: 'empty', hidden: true },
    h('p', {}, t.noMatch),
    h('button', { type: 'button', click: clearFilter }, t.clearFilter),
    h('div', { class: 'elsewhere' }),
  )
  const waiting = h('button', { type: 'button', class: 'waiting', hidden: true, click: () => void refresh(true) })
  const count = h('p', { class: 'count' })
  const turn = (/** @type {number} */ by) => () => {
    page = Math.max(0, page + by)
    list.scrollIntoView({ block: 'nearest' })
    void refresh(true)
  }
  const newer = h('button', { type: 'button', class: 'small', click: turn(-1) }, t.newer)
  const older = h('button', { type: 'button', class: 'small', click: turn(1) }, t.older)
  const pager = h('nav', { class: 'pager', hidden: true, 'aria-label': fill(t.pages, { title }) }, newer, count, older)
  const detail = h('section', { class: 'detail', 'aria-label': t.details, hidden: true })
  const element = h(
    'div',
    { class: 'pane' },
    h('h1', { class: 'unseen', tabindex: '-1' }, title),
    h(
      'section',
      { class: 'list', 'aria-label': title },
      top,
      h('div', { class: 'waiting-place' }, waiting),
      h('div', { class: `table ${name}-table` }, head, list),
      nothing,
      unmatched,
      pager,
    ),
    detail,
  )
  // While the pointer or the focus is in the list, new rows are only counted. They are shown when pointer and focus have left the list.
  list.addEventListener('pointerleave', letIn)
  list.addEventListener('focusout', letIn)

  /** Whether the pointer or the focus is in the list. Then the rows must not move, so that a click opens the row under the pointer. */
  const isHeld = () => (canHover.matches && list.matches(':hover')) || list.contains(document.activeElement)

  function letIn() {
    // While the focus moves from one row to the next, no element has the focus for a moment. So check later.
    setTimeout(() => {
      if (!waiting.hidden && !isHeld()) void refresh(true)
    })
  }

  let drawnTotal = 0

  let asked = 0

  /** @param {boolean} [isForReader] */
  async function refresh(isForReader = false) {
    if (isForReader) asked++
    const own = asked
    const shown = await read({ page, ...filter() })
    if (!isForReader) await settled(list)
    if (own !== asked) return
    if (!isForReader && list.childElementCount > 0 && isHeld()) {
      const unknown = redrawInPlace(list, shown.rows, keyOf, rowOf)
      const more = Math.max(unknown, shown.total - drawnTotal)
      waiting.hidden = unknown === 0
      waiting.textContent = counted(t.newRows, more)
      mark()
      if (opened !== '') await refreshDetail()
      return
    }
    waiting.hidden = true
    drawnTotal = shown.total
    const pages = Math.max(1, Math.ceil(shown.total / shown.pageRows))
    if (page >= pages) {
      page = pages - 1
      return refresh(isForReader)
    }
    const draw = () => redrawList(list, shown.rows, keyOf, rowOf)
    if (isForReader) draw()
    else slide(list, draw)
    mark()
    nothing.hidden = shown.total > 0 || isFiltered()
    unmatched.hidden = shown.total > 0 || !isFiltered()
    pager.hidden = shown.total === 0
    newer.hidden = pages === 1
    older.hidden = pages === 1
    newer.disabled = page === 0
    older.disabled = page >= pages - 1
    const first = page * shown.pageRows
    count.textContent = fill(t.range, {
      from: first + 1,
      to: first + shown.rows.length,
      total: grouped(shown.total),
    })
    if (opened !== '') await refreshDetail()
  }

  /** @param {Lists[Name]['row']} row */
  const rowOf = (row) => {
    const key = keyOf(row)
    return h('a', { class: 'row', href: `#/${address}/${encodeURIComponent(key)}`, 'data-key': key }, drawRow(row))
  }

  function mark() {
    for (const link of list.querySelectorAll('a.row')) {
      if (link instanceof HTMLElement && link.dataset.key === opened) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }

  async function refreshDetail() {
    const key = opened
    const item = await load(key)
    if (key !== opened) return
    detail.dataset.of = `#/${address}/${encodeURIComponent(key)}`
    const hadFocus = document.activeElement === detail.querySelector('h2')
    redraw(detail, [key, item], () => [
      h('a', { class: 'close', href: `#/${address}`, 'data-key': 'close', 'aria-label': t.close }, '×'),
      item === null ? h('h2', { class: 'gone' }, t.gone) : drawItem(item),
    ])
    const heading = detail.querySelector('h2')
    if (heading === null) return
    heading.tabIndex = -1
    if (hadFocus) heading.focus({ preventScroll: true })
  }

  /**
   * Sets the focus to the item that was opened, or to the row of the item that was closed.
   * @param {string} closed the key of the item that was open before
   */
  function follow(closed) {
    const row = [...list.querySelectorAll('a.row')].find(
      (each) => each instanceof HTMLElement && each.dataset.key === closed,
    )
    const target = opened === '' ? (row ?? element.querySelector('h1')) : detail.querySelector('h2')
    if (!(target instanceof HTMLElement)) return
    target.focus({ preventScroll: opened !== '' })
    // On a phone the detail takes the place of the list, which may have been scrolled.
    if (opened !== '' && isNarrow.matches) window.scrollTo({ top: 0 })
  }

  let isFirst = true
  return {
    element,
    refresh,
    /** Draws the list after its filter has changed, and lets a screen reader say how many rows there are. */
    async narrowed() {
      page = 0
      await refresh(true)
      const others = drawnTotal === 0 && isFiltered() ? await elsewhere() : null
      unmatched.querySelector('.elsewhere')?.replaceChildren(...(others instanceof Node ? [others] : []))
      sayAloud(drawnTotal === 0 ? t.noMatch : counted(t.found, drawnTotal))
    },
    heading: () => (opened === '' ? '' : (detail.querySelector('h2')?.textContent ?? '')),
    /** @param {string} key */
    async open(key) {
      const before = opened
      const isAtStart = isFirst
      isFirst = false
      if (key === before) return
      opened = key
      element.classList.toggle('opened', key !== '')
      detail.hidden = key === ''
      mark()
      if (key !== '') {
        await refreshDetail()
        detail.scrollTop = 0
      }
      if (!isAtStart) follow(before)
    },
  }
}

const isNarrow = window.matchMedia('(width < 62.5em)')

const canHover = window.matchMedia('(hover: hover)')
