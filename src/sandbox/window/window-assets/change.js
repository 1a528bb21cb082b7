/** @import { Change } from '../../service/changes/cause.ts' */
/** @import { Child } from './dom.js' */
import { h, named, seenOnOneLine } from './dom.js'
import { facts } from './pieces.js'
import { t } from './texts.js'
import { aboutTime, amount, clockTime } from './time.js'

const { changes: words } = t

const ENDLESS = -1

const SIGNS = { came: '+', changed: '~', went: '−' }

/** The most important field of each kind of object. @type {Record<string, string>} */
const TELLING = {
  delivery: 'state',
  token: 'outcome',
  evaluation: 'outcome',
  loan: 'amount',
  clock: 'aheadMs',
  retries: 'waits',
  account: 'name',
}

/** Returns the name of a change, such as `+ Loan: $250,000`. @param {Change} change @param {number} count shown if above 1 */
export function changeName({ kind, how, fields }, count) {
  const told = fields.find(({ name }) => name === TELLING[kind])
  const value = told === undefined ? null : (told.after ?? told.before)
  const isVerified = fields.some(({ name }) => name === 'verifiedAt')
  const about = isVerified ? words.fields.verifiedAt : value !== null && shownValue(told?.name ?? '', value, kind)
  return h(
    'span',
    { class: `change ${how}` },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[how]),
    words.kinds[kind],
    about !== false && [': ', about],
    count > 1 && ` ×${count}`,
    h('span', { class: 'unseen' }, ` (${words.hows[how]})`),
  )
}

/** Returns a change with its facts and a link to the whole object. @param {Change} change */
export function changeSection(change) {
  const { kind, about, how, fields } = change
  /** @type {[string, Child][]} */
  const pairs = fields.map(({ name, before, after }) => [
    fieldName(name),
    how === 'changed'
      ? [...was(name, before, kind), h('ins', {}, shownValue(name, after, kind))]
      : shownValue(name, after ?? before, kind),
  ])
  if (about !== '') pairs.unshift([words.about, linked(change)])
  return h('section', { class: 'part' }, h('h3', {}, changeName(change, 1)), facts(pairs))
}

/** @param {string} name @param {string | number | null} before @param {Change['kind']} kind @returns {Child[]} */
const was = (name, before, kind) => (before === null ? [] : [h('del', {}, shownValue(name, before, kind)), ' → '])

/** @type {Record<string, string>} */
const NAMES = words.fields

/** A field that has no translated name, such as a risk parameter, keeps the name from the data. @param {string} name */
const fieldName = (name) => NAMES[name] ?? seenOnOneLine(name)

/** @param {Change} change */
function linked(change) {
  const { about, how } = change
  const place = how === 'went' ? undefined : placeOf(change)
  return place === undefined ? named(about) : h('a', { href: place }, named(about))
}

/** @param {Change} change */
function placeOf({ kind, id, about, account }) {
  if (kind === 'lead') return `#/leads/${encodeURIComponent(id)}`
  if (kind === 'delivery') return `#/webhooks/${encodeURIComponent(id)}`
  // The evaluation of a lead has no transaction, only a masked customer.
  const isPayment = ['selection', 'token', 'loan'].includes(kind) || (kind === 'evaluation' && !about.includes('•'))
  if (!isPayment) return undefined
  return `#/payments/${encodeURIComponent(JSON.stringify([account, about]))}`
}

/** @type {Record<string, string>} */
const OUTCOMES = t.outcomes
/** @type {Record<string, string>} */
const ENDS = {
  ...t.outcomes,
  rejected: t.states.rejected,
  paid: t.states.paid,
  cancelled: t.states.cancelled,
  limited: t.states.limited,
}
/** @type {Record<string, string>} */
const STATES = t.deliveryStates

/** @param {string} name @param {string | number} value @param {Change['kind']} kind */
function formatted(name, value, kind) {
  if (name === 'amount') return amount(Number(value))
  if (name === 'aheadMs') return aboutTime(Number(value))
  if (name === 'expiresAt' || name === 'verifiedAt') return clockTime(String(value))
  if (name === 'outcome') return (kind === 'evaluation' ? OUTCOMES[value] : undefined) ?? ENDS[value] ?? null
  if (name === 'state') return STATES[value] ?? null
  return name === 'times' && value === ENDLESS ? t.always : null
}

/** @param {string} name @param {string | number | null} value @param {Change['kind']} kind @returns {Child} */
const shownValue = (name, value, kind) =>
  value === null ? t.none : (formatted(name, value, kind) ?? named(String(value)))
