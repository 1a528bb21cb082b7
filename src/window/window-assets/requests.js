/** @import { Lists, ProblemView } from '../views/rows.ts' */
/** @import { PassedCall } from '../../sandbox/store/tables.ts' */
import { h, named, seenOnOneLine } from './dom.js'
import { effectText } from './fault-effect.js'
import { keepFilter, keptFilter } from './kept.js'
import { createPane } from './pane.js'
import { command, commands, copyButton, facts, field, json, pill, section, shellWords } from './pieces.js'
import { show } from './server.js'
import { counted, fill, language, t } from './texts.js'
import { took, when, whenAgo } from './time.js'

/** Shows the calls that contain a text. @type {(text: string) => void} */
export let showCallsOf = (text) => {
  // The list reads its filter when it is made.
  keepFilter('requests', { search: text, failed: false })
  window.location.hash = '#/requests'
}

export function createRequests() {
  const path = h('input', {
    type: 'search',
    name: 'search',
    placeholder: '/partner/…',
    autocomplete: 'off',
    input: narrow,
  })
  const failed = h('input', { type: 'checkbox', name: 'failed', change: narrow })
  const kept = keptFilter('requests')
  path.value = String(kept.search ?? '')
  failed.checked = kept.failed === true
  const pane = createPane({
    name: 'requests',
    title: t.requests,
    keyOf: ({ id }) => id,
    drawRow: (row) => [
      status(row.status),
      h(
        'span',
        { class: 'main-text' },
        h(
          'span',
          { class: 'about' },
          h('strong', {}, row.endpoint ?? t.unknownEndpoint),
          ' ',
          row.about !== null && named(row.about),
        ),
        h('span', { class: 'path soft wide' }, row.method, ' ', named(row.path)),
      ),
      h(
        'span',
        { class: 'marks' },
        row.fault !== null && pill(t.faultMet, 'warn'),
        row.passed !== null && passedPill(row.passed),
      ),
      h('span', { class: 'soft wide' }, took(row.ms)),
      h('span', { class: 'soft' }, when(row.at)),
    ],
    load: (id) => show('request', { id, language }),
    drawItem,
    empty: () => [
      h('p', {}, t.noRequests),
      h('p', { class: 'soft' }, t.noRequestsHow),
      command('bnpl evaluate -p sandbox --rut 11222333-9 --amount 250000'),
    ],
    filter: () => ({ ...(path.value === '' ? {} : { search: path.value }), failed: failed.checked }),
    isFiltered: () => path.value !== '' || failed.checked,
    clearFilter() {
      path.value = ''
      failed.checked = false
      narrow()
    },
    top: h(
      'div',
      { class: 'toolbar' },
      field(t.filterPath, path),
      h('label', { class: 'check' }, failed, t.failedOnly),
      command('bnpl sandbox requests'),
    ),
  })

  function narrow() {
    keepFilter('requests', { search: path.value, failed: failed.checked })
    clearTimeout(waiting)
    waiting = window.setTimeout(() => void pane.narrowed(), 150)
  }
  let waiting = 0
  showCallsOf = (text) => {
    path.value = text
    failed.checked = false
    narrow()
    window.location.hash = '#/requests'
  }
  return pane
}

/** @param {PassedCall} passed */
const passedPill = ({ problems }) =>
  problems.length === 0 ? pill(t.passed, 'plain') : pill(counted(t.passedOff, problems.length), 'warn')

/** @param {number} code */
const status = (code) => pill(code === 0 ? t.cut : String(code), code >= 200 && code < 400 ? 'good' : 'bad')

/** @param {Lists['requests']['item']} call */
function drawItem(call) {
  const { method, path } = call
  return [
    h('header', {}, h('h2', { class: 'mono' }, method, ' ', named(path)), status(call.status)),
    facts([
      [t.time, whenAgo(call.at)],
      [t.duration, took(call.ms)],
      call.passed === null ? [t.partner, named(call.partner ?? t.none)] : [t.passedTo, named(call.passed.service)],
      [t.endpoint, call.endpoint === null ? t.none : `${call.endpoint}: ${call.summary}`],
    ]),
    call.fault !== null &&
      h('p', { class: 'met' }, pill(t.faultMet, 'warn'), ' ', fill(t.faultDid, { what: effectText(call.fault) })),
    call.problem && problem(call.status, call.problem),
    call.passed === null ? seenHere(call) : seenPassing(call.passed),
  ]
}

/** @param {PassedCall} passed */
const seenPassing = ({ problems }) => [
  section(
    t.againstContract,
    problems.length === 0
      ? h('p', {}, t.asContract)
      : h(
          'ul',
          { lang: 'en' },
          problems.map(({ where, expected, seen }) =>
            h('li', {}, h('code', {}, where), ': ', named(seen), '; ', fill(t.insteadOf, { expected })),
          ),
        ),
  ),
  h('p', { class: 'soft' }, t.passedNote),
  command('bnpl proxy --record day.ndjson'),
]

/** @param {Lists['requests']['item']} call */
function seenHere({ path, sent, answer, asCurl, asBnpl }) {
  return [
    section(
      t.repeat,
      h(
        'div',
        { class: 'buttons' },
        asCurl !== null && copyButton(asCurl, t.copyCurl, path),
        asBnpl !== null && copyButton(asBnpl, t.copyBnpl, path),
      ),
      h('p', { class: 'soft' }, t.maskedNote),
      commands(
        asCurl !== null &&
          h('pre', { class: 'line shell', tabindex: '0', role: 'group', 'aria-label': 'curl' }, shellWords(asCurl)),
        asBnpl !== null &&
          h('pre', { class: 'line shell', tabindex: '0', role: 'group', 'aria-label': 'bnpl' }, shellWords(asBnpl)),
      ),
    ),
    section(t.sent, sent === null ? h('p', { class: 'soft' }, t.nothingSent) : body(sent)),
    answer !== null && section(t.answered, body(answer)),
  ]
}

/** @param {unknown} value */
function body(value) {
  if (typeof value !== 'object' || value === null)
    return h('pre', { class: 'line', tabindex: '0', role: 'group', 'aria-label': t.body }, String(value))
  const entries = Object.entries(value)
  const isFlat = entries.every(([, item]) => typeof item !== 'object')
  if (!isFlat) return json(value)
  return facts(entries.map(([name, item]) => [seenOnOneLine(name), h('code', {}, named(String(item)))]))
}

/** @param {number} code @param {ProblemView} wrong */
function problem(code, { said, meaning, hint, documented, code: name }) {
  return h(
    'section',
    { class: 'part problem' },
    h('h3', {}, t.wrong),
    code === 0
      ? h('p', {}, t.cutMeaning)
      : [
          h('p', {}, h('strong', {}, name === null ? String(code) : `${code} ${name}`)),
          said !== null &&
            h('p', {}, h('span', { class: 'soft' }, `${t.serviceSays}: `), h('span', { lang: 'en' }, named(said))),
          h('p', {}, h('span', { class: 'soft' }, `${documented ? t.contractSays : t.contractSilent}: `), meaning),
          hint !== null && h('p', { class: 'soft' }, hint),
        ],
  )
}
