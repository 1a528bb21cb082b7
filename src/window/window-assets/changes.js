// Changes since a snapshot, by cause.
/** @import { Change, SinceView } from '../../sandbox/service/cause.ts' */
/** @import { CauseView, Page } from '../views/rows.ts' */
/** @import { Child } from './dom.js' */
import { changeName, changeSection } from './change.js'
import { commandLine, optionWords } from './command-line.js'
import { h, named, redraw } from './dom.js'
import { keepFilter, keptFilter } from './kept.js'
import { createPane } from './pane.js'
import { button, command, commands, facts, field, pill, select, shortId } from './pieces.js'
import { actQuietly, show } from './server.js'
import { goBackButton } from './snapshots.js'
import { counted, fill, t } from './texts.js'
import { clockTime, sandboxNow } from './time.js'

const { changes: words } = t

const MARK = 'mark'

const NAMED = 6

export function createChanges() {
  const heading = h('h2', {})
  const sum = h('p', { class: 'soft' })
  const back = h('span', { class: 'buttons' })
  const line = h('div', {})
  const chosen = select([], { name: 'since', change: narrow })
  const choice = field(words.since, chosen)
  const onlyChanges = h('input', { type: 'checkbox', name: 'only-changes', change: narrow })
  const nothing = h('div', { class: 'nothing' })
  const kept = keptFilter('changes')
  onlyChanges.checked = kept.onlyChanges === true
  let since = String(kept.since ?? MARK)
  /** @type {readonly CauseView[]} */
  let rows = []

  const mark = async () => {
    await actQuietly('snapshotSave', { name: MARK })
    since = MARK
    return fill(words.marked, { time: clockTime(new Date(sandboxNow()).toISOString()) })
  }
  const filter = h('label', { class: 'check' }, onlyChanges, words.onlyChanges)
  const top = h(
    'div',
    { class: 'toolbar since' },
    h('div', { class: 'since-when' }, heading, sum),
    button(words.mark, mark, { kind: 'primary' }),
    back,
    choice,
    filter,
    line,
  )
  const input = () => ({ since, onlyChanges: onlyChanges.checked })
  const pane = createPane({
    name: 'changes',
    title: words.title,
    keyOf: ({ id }) => id,
    drawRow,
    read: async (asked) => {
      const shown = await show('changes', asked)
      drawTop(shown)
      rows = shown.rows
      return shown
    },
    load: async (id) => rows.find((row) => row.id === id) ?? show('change', { id, since }),
    drawItem,
    empty: () => nothing,
    filter: input,
    isFiltered: () => onlyChanges.checked,
    clearFilter() {
      onlyChanges.checked = false
      narrow()
    },
    top,
  })

  function narrow() {
    since = chosen.value === '' ? MARK : chosen.value
    keepFilter('changes', { since, onlyChanges: onlyChanges.checked })
    void pane.narrowed()
  }

  /** @param {Page<CauseView> & SinceView} shown */
  function drawTop({ since: from, snapshots, requests, changes, problem }) {
    const time = from === null ? '' : clockTime(from.at)
    heading.textContent = from === null ? words.title : fill(words.sinceTime, { time })
    const [calls, count] = [counted(words.requestCount, requests), counted(words.changeCount, changes)]
    sum.textContent = from === null ? '' : fill(words.sum, { requests: calls, changes: count })
    for (const part of [sum, back]) part.hidden = from === null
    filter.hidden = from === null
    choice.hidden = names(snapshots).length === 1
    redraw(chosen, [snapshots, since], () => names(snapshots).map(([value, label]) => option(value, label)))
    redraw(back, from, () =>
      from === null
        ? null
        : goBackButton(
            from.name,
            fill(words.goBack, { time }),
            fill(words.goBackSure, { time }),
            fill(t.loaded, { name: time }),
          ),
    )
    redraw(line, since, () =>
      commands(
        command(`bnpl sandbox snapshot save ${MARK} --force`),
        command(commandLine('bnpl sandbox changes', [], since === MARK ? '' : optionWords('--since', since))),
        command(commandLine('bnpl sandbox snapshot load', [since])),
      ),
    )
    redraw(nothing, [from === null, problem], () => [
      h('p', {}, problem === null ? (from === null ? words.noMark : words.nothing) : words.problems[problem]),
      from === null && problem === null && h('p', { class: 'soft' }, words.noMarkHow),
    ])
  }

  /** @param {readonly string[]} snapshots @returns {[string, string][]} */
  const names = (snapshots) => [
    [MARK, words.theMark],
    ...snapshots.filter((name) => name !== MARK).map((name) => /** @type {[string, string]} */ ([name, name])),
  ]
  /** @param {string} value @param {string} label */
  const option = (value, label) => h('option', { value, selected: value === since }, label)

  return pane
}

/** @param {CauseView} cause */
const drawRow = (cause) => [
  lookOf(cause),
  h('span', { class: 'main-text' }, h('span', {}, titleOf(cause)), made(cause)),
  h('span', { class: 'soft' }, clockTime(cause.at)),
]

/** @param {CauseView} cause */
function lookOf({ by, request }) {
  if (request === null) return pill(words.causes[by], 'plain')
  const { status } = request
  return pill(status === 0 ? t.cut : String(status), status >= 200 && status < 400 ? 'good' : 'bad')
}

/** @param {CauseView} cause @returns {Child} */
function titleOf({ by, about, lead, request, changes: [first] }) {
  const subject = lead ?? (about === null ? null : shortened(about))
  if (request !== null)
    return [h('strong', {}, request.endpoint ?? t.unknownEndpoint), ' ', subject !== null && named(subject)]
  if (subject !== null) return h('strong', {}, named(subject))
  return h('strong', {}, by === 'control' && first ? words.kinds[first.kind] : words.causes[by])
}

/** @param {string} text */
const shortened = (text) => (/^[\da-f]{8}-[\da-f-]{27}$/.test(text) ? `${text.slice(0, 8)}…${text.slice(-4)}` : text)

/** @param {CauseView} cause */
function made({ changes, more }) {
  const all = Map.groupBy(changes, changeKey)
  const shown = [...all.values()].slice(0, NAMED)
  const left = changes.length - shown.flat().length + more
  return h(
    'span',
    { class: 'made soft' },
    shown.map((same) => same[0] && changeName(same[0], same.length)),
    left > 0 && h('span', {}, fill(words.more, { count: left })),
  )
}

/** @param {Change} change */
const changeKey = (change) => changeName(change, 1).textContent

/** @param {CauseView} cause */
function drawItem(cause) {
  const { by, at, account, about, lead, request, changes, more } = cause
  return [
    h('header', {}, h('h2', {}, titleOf(cause)), lookOf(cause)),
    facts([
      [words.cause, words.causesHow[by]],
      [t.time, clockTime(at)],
      [t.partner, named(account ?? t.none)],
      ...(lead === null || about === null ? [] : [leadFact(about)]),
      ...(request === null ? [] : [requestFact(request)]),
    ]),
    changes.length === 0 && h('p', { class: 'soft' }, words.changedNothing),
    changes.map(changeSection),
    more > 0 && h('p', { class: 'soft' }, fill(words.more, { count: more })),
  ]
}

/** @param {string} id @returns {[string, Child]} */
const leadFact = (id) => [t.leadId, shortId(id, t.leadId)]

/** @param {NonNullable<CauseView['request']>} request @returns {[string, Child]} */
const requestFact = ({ id, method, path }) => [
  words.causes.request,
  h('a', { href: `#/requests/${encodeURIComponent(id)}` }, h('code', {}, method, ' ', named(path))),
]
