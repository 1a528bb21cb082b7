/** @import { Child } from './dom.js' */
/** @import { DeliveryView, DestinationsView, Lists, Views } from '../views/rows.ts' */
import { commandLine, optionWords } from './command-line.js'
import { h, named, redraw, seenOnOneLine } from './dom.js'
import { scheduleText } from './durations.js'
import { createPane } from './pane.js'
import { button, command, commands, copyButton, facts, json, pill, section, shortId } from './pieces.js'
import { retryBar } from './retries.js'
import { act, show, showList } from './server.js'
import { counted, fill, t } from './texts.js'
import { countingDown, took, when, whenAgo } from './time.js'

/** @type {Partial<Record<DeliveryView['state'], string>>} */
const LOOKS = { delivered: 'good', pending: 'warn', sending: 'live', cancelled: 'plain' }

const LATE_MS = 4000

const WAYS = [
  { label: t.again, how: {}, option: '' },
  { label: t.duplicate, how: { duplicate: true }, option: '--duplicate' },
  { label: t.delay, how: { delayMs: LATE_MS }, option: `--delay ${LATE_MS / 1000}s` },
  { label: t.corrupt, how: { corruptSignature: true }, option: '--corrupt-signature' },
]

export function createWebhooks() {
  const cards = h('div', { class: 'destinations' })
  const retries = retryBar()
  const summary = h('summary', {}, t.destinations)
  return createPane({
    name: 'deliveries',
    title: t.deliveries,
    keyOf: ({ deliveryId }) => deliveryId,
    drawRow: (delivery) => [
      pill(t.deliveryStates[delivery.state], LOOKS[delivery.state] ?? 'bad'),
      h(
        'span',
        { class: 'main-text' },
        h('strong', {}, delivery.type),
        h('span', { class: 'soft' }, named(delivery.subject)),
      ),
      h('span', { class: 'soft to' }, named(delivery.url ?? t.destinationGone)),
      tries(delivery),
      h('span', { class: 'soft' }, when(delivery.createdAt)),
    ],
    load: (id) => show('delivery', { id }),
    drawItem,
    empty: () => [
      h('p', {}, t.noDeliveries),
      h('p', { class: 'soft' }, t.noDeliveriesHow),
      command('bnpl webhooks listen -p sandbox'),
    ],
    top: h('details', { class: 'settings' }, summary, cards, retries.element),
    address: 'webhooks',
    async read(input) {
      const [deliveries, destinations] = await Promise.all([showList('deliveries', input), show('destinations')])
      drawTop(destinations)
      return deliveries
    },
  })

  /** @param {Views['destinations']} shown */
  function drawTop({ partners, stepsMs }) {
    retries.refresh(stepsMs)
    redraw(cards, partners, () => partners.map(destinationCard))
    const count = partners.reduce((sum, { destinations }) => sum + destinations.length, 0)
    summary.textContent = `${counted(t.destinationCount, count)} · ${t.retriesAfter} ${scheduleText(stepsMs).replaceAll(',', ', ')}`
  }
}

/** @param {DestinationsView} partner */
function destinationCard({ partner, limit, destinations }) {
  const taken = destinations.length
  return h(
    'article',
    { class: 'card' },
    h('header', {}, h('h2', {}, named(partner)), h('span', { class: 'soft' }, fill(t.slots, { taken, limit }))),
    h(
      'div',
      { class: 'slots', 'aria-hidden': 'true' },
      Array.from({ length: limit }, (_, i) => h('span', { class: i < taken ? 'taken' : '' })),
    ),
    taken === 0
      ? h('p', { class: 'soft' }, t.noDestination)
      : h(
          'ul',
          {},
          destinations.map(({ url, scheme, events, filters, projectId, secret }) =>
            h(
              'li',
              {},
              h('code', {}, named(url)),
              h(
                'span',
                { class: 'soft' },
                [scheme, ...events, ...Object.entries(filters ?? {}).map((pair) => pair.join('=')), projectId ?? '']
                  .filter((word) => word !== '')
                  .map((word, i) => [i > 0 && ' · ', named(word)]),
              ),
              copyButton(secret, t.secret, url),
            ),
          ),
        ),
  )
}

/** @param {DeliveryView} delivery */
function tries({ attempts, nextAttemptAt }) {
  return h(
    'span',
    { class: 'tries' },
    attempts
      .slice(-8)
      .map((attempt) =>
        h('span', { class: `try ${lookOf(attempt)}`, role: 'img', 'aria-label': attemptName(attempt) }),
      ),
    h('span', { class: 'soft' }, counted(t.attempts, attempts.length)),
    nextAttemptAt !== null && h('span', { class: 'soft' }, ' · ', untilNext(nextAttemptAt)),
  )
}

/** @param {DeliveryView} delivery */
const nextTry = ({ nextAttemptAt }) =>
  nextAttemptAt !== null && h('p', { class: 'soft next-try' }, untilNext(nextAttemptAt))

/** @param {string} nextAttemptAt @returns {Child[]} */
const untilNext = (nextAttemptAt) => [t.nextIn, ' ', countingDown(nextAttemptAt, h('time', {}))]

/** @param {DeliveryView['attempts'][number]} attempt */
const attemptName = ({ status }) => (status === null ? t.noAnswer : String(status))

/** @param {DeliveryView['attempts'][number]} attempt */
const lookOf = ({ status }) => (status !== null && status >= 200 && status < 300 ? 'good' : 'bad')

/** @param {Lists['deliveries']['item']} delivery */
function drawItem(delivery) {
  const { eventId, type, subject, url, destinations, state, attempts, deadlineMs, headers, body, createdAt } = delivery
  const here = { to: url ?? undefined }
  const toHere = url === null ? '' : optionWords('--to', url)
  const again = (/** @type {object} */ how) => async () => {
    const sent = await act('deliver', { eventId, ...how })
    const results = sent.flatMap((each) => each.results)
    return fill(t.sentAgain, { results: results.map(({ status, error }) => status ?? error).join(', ') || t.none })
  }
  return [
    h('header', {}, h('h2', {}, type, ' · ', named(subject)), pill(t.deliveryStates[state], LOOKS[state] ?? 'bad')),
    facts([
      [t.to, url === null ? t.destinationGone : h('code', {}, named(url))],
      [t.event, shortId(eventId, t.event)],
      [t.created, whenAgo(createdAt)],
    ]),
    url !== null &&
      section(
        t.actions,
        h(
          'div',
          { class: 'buttons' },
          WAYS.map(({ label, how }) => button(label, again({ ...here, ...how }))),
          destinations > 1 && button(fill(t.againToAll, { count: destinations }), again({ all: true })),
        ),
        commands(
          ...[...WAYS.map(({ option }) => `${toHere} ${option}`.trim()), ...(destinations > 1 ? ['--all'] : [])].map(
            (options) => command(commandLine('bnpl sandbox deliver', [eventId], options)),
          ),
        ),
      ),
    section(t.attemptsTitle, attemptList(attempts, deadlineMs), nextTry(delivery)),
    section(t.headers, facts(headers.map(({ name, value }) => [seenOnOneLine(name), h('code', {}, named(value))]))),
    section(t.body, json(JSON.parse(body)), copyButton(body, t.copy, t.body)),
  ]
}

/**
 * Draws a bar for each attempt. A full bar means that the receiver took all the time that it has for an answer.
 * @param {DeliveryView['attempts']} attempts @param {number} deadlineMs
 */
function attemptList(attempts, deadlineMs) {
  if (attempts.length === 0) return h('p', { class: 'soft' }, t.noAttempts)
  return h(
    'ol',
    { class: 'attempts' },
    attempts.map((attempt, i) => {
      const { at, status, ms, error, answer, chaos } = attempt
      const bar = h('span', { class: `took ${lookOf(attempt)}`, 'aria-hidden': 'true' })
      bar.style.inlineSize = `${Math.min(100, Math.max(1, (ms / deadlineMs) * 100))}%`
      return h(
        'li',
        {},
        h(
          'p',
          {},
          h('span', { class: 'soft' }, `${i + 1}`),
          pill(status === null ? t.noAnswer : String(status), lookOf(attempt)),
          h('span', {}, took(ms)),
          h('span', { class: 'soft' }, fill(t.deadline, { within: took(deadlineMs) })),
          h('span', { class: 'soft' }, when(at)),
          chaos !== null && pill(chaos, 'warn'),
        ),
        h('span', { class: 'track' }, bar),
        error !== null && h('p', { class: 'soft', lang: 'en' }, error),
        answer !== '' && h('pre', { class: 'line', tabindex: '0', role: 'group', 'aria-label': t.answered }, answer),
      )
    }),
  )
}
