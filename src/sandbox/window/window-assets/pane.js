// A list with one of its items open beside it (on a phone: instead of it).
/** @import { ListName, Lists } from '../views/rows.ts' */
/** @import { Child } from './dom.js' */
import { h, redraw, redrawList } from './dom.js'
import { showList } from './server.js'
import { fill, t } from './texts.js'
import { amount } from './time.js'

/** @typedef {{ element: HTMLElement, refresh: () => Promise<void>, open: (key: string) => Promise<void> }} Part a part of the page */

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
 * @property {() => object} [filter] input besides the page
 * @property {string} [address] of the part, if it is not the list's name
 * @property {HTMLElement} [top] shown above the list
 */

/**
 * Makes a list with its items.
 * @template {ListName} Name
 * @param {PaneOptions<Name>} options
 * @returns {Part}
 */
export function createPane({
  name,
  title,
  keyOf,
  drawRow,
  load,
  drawItem,
  empty,
  filter = () => ({}),
  top,
  address = name,
}) {
  let page = 0
  let opened = ''
  const list = h('ul', { class: `rows ${name}-rows`, 'data-list': name })
  const nothing = h('div', { class: 'empty', hidden: true }, empty())
  const count = h('p', { class: 'count' })
  const turn = (/** @type {number} */ by) => () => {
    page = Math.max(0, page + by)
    list.scrollIntoView({ block: 'nearest' })
    void refresh()
  }
  const newer = h('button', { type: 'button', class: 'small', click: turn(-1) }, t.newer)
  const older = h('button', { type: 'button', class: 'small', click: turn(1) }, t.older)
  const pager = h('nav', { class: 'pager', 'aria-label': fill(t.pages, { title }) }, newer, count, older)
  const detail = h('section', { class: 'detail', 'aria-label': t.details, hidden: true })
  const element = h(
    'div',
    { class: 'pane' },
    h('h1', { class: 'unseen' }, title),
    h('section', { class: 'list', 'aria-label': title }, top, list, nothing, pager),
    detail,
  )

  async function refresh() {
    const shown = await showList(name, { page, ...filter() })
    const pages = Math.max(1, Math.ceil(shown.total / shown.pageRows))
    if (page >= pages) {
      page = pages - 1
      return refresh()
    }
    redrawList(list, shown.rows, keyOf, (row) =>
      h(
        'a',
        { class: 'row', href: `#/${address}/${encodeURIComponent(keyOf(row))}`, 'data-key': keyOf(row) },
        drawRow(row),
      ),
    )
    mark()
    nothing.hidden = shown.total > 0
    pager.hidden = shown.total === 0
    newer.disabled = page === 0
    older.disabled = page >= pages - 1
    const first = page * shown.pageRows
    count.textContent = fill(t.range, {
      from: first + 1,
      to: first + shown.rows.length,
      total: amount(shown.total),
    })
    if (opened !== '') await refreshDetail()
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
    redraw(detail, [key, item], () => [
      h('a', { class: 'close', href: `#/${address}`, 'data-key': 'close', 'aria-label': t.close }, '×'),
      item === null ? h('p', { class: 'empty' }, t.gone) : drawItem(item),
    ])
  }

  return {
    element,
    refresh,
    async open(key) {
      const isOther = key !== opened
      opened = key
      element.classList.toggle('opened', key !== '')
      detail.hidden = key === ''
      mark()
      if (key === '' || !isOther) return
      await refreshDetail()
      detail.scrollTop = 0
      // On a phone the item replaces the list, so the focus follows it.
      const heading = detail.querySelector('h2')
      if (heading !== null && list.offsetParent === null) {
        heading.tabIndex = -1
        heading.focus()
      }
    },
  }
}
