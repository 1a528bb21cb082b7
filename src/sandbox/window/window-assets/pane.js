// A list with one of its items open beside it (on a phone: in its place).
import { h, redraw, redrawList } from './dom.js'
import { show } from './server.js'
import { t } from './texts.js'

/**
 * @typedef {object} PaneOptions
 * @property {string} name of the part of the page, as in its address
 * @property {string} title
 * @property {(row: any) => string} keyOf what stands for a row in the address
 * @property {(row: any) => import('./dom.js').Child} drawRow
 * @property {(key: string) => Promise<any>} load one item; null when it is gone
 * @property {(item: any) => import('./dom.js').Child} drawItem
 * @property {() => import('./dom.js').Child} empty what stands where there is nothing yet
 * @property {() => object} [filter] what is asked for besides the page
 * @property {string} [address] of the part, where it is not its name
 * @property {HTMLElement} [top] stands above the list
 */

/**
 * @param {PaneOptions} options
 * @returns {{ element: HTMLElement, refresh: () => Promise<void>, open: (key: string) => Promise<void> }}
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
  const pager = h('nav', { class: 'pager', 'aria-label': t.pages(title) }, newer, count, older)
  const detail = h('section', { class: 'detail', 'aria-label': t.details, hidden: true })
  const element = h(
    'div',
    { class: 'pane' },
    h('h1', { class: 'unseen' }, title),
    h('section', { class: 'list', 'aria-label': title }, top, list, nothing, pager),
    detail,
  )

  async function refresh() {
    const shown = await show(name, { page, ...filter() })
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
    count.textContent = t.range(first + 1, first + shown.rows.length, shown.total)
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
      // Where the item takes the list's place, who reads goes with it.
      const heading = detail.querySelector('h2')
      if (heading !== null && list.offsetParent === null) {
        heading.tabIndex = -1
        heading.focus()
      }
    },
  }
}
