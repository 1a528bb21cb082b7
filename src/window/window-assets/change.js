/** @import { Change } from '../../sandbox/service/cause.ts' */
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
  fault: 'fault',
  retries: 'waits',
  account: 'name',
}

/** Returns the name of a change, such as `+ Loan: $250,000`. @param {Change} change @param {number} count shown if above 1 */
export function changeName({ kind, how, fields }, count) {
  const told = fields.find(({ name }) => name === TELLING[kind])
  const value = told === undefined ? null : (told.after ?? told.before)
  const isVerified = fields.some(({ name }) => name === 'verifiedAt')
  const about = isVerified ? words.fields.verifiedAt : value !== null && shownValue(kind, told?.name ?? '', value)
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
      ? [...was(kind, name, before), h('ins', {}, shownValue(kind, name, after))]
      : shownValue(kind, name, after ?? before),
  ])
  if (about !== '') pairs.unshift([words.about, linked(change)])
  return h('section', { class: 'part' }, h('h3', {}, changeName(change, 1)), facts(pairs))
}

/** @param {Change['kind']} kind @param {string} name @param {string | number | null} before @returns {Child[]} */
const was = (kind, name, before) => (before === null ? [] : [h('del', {}, shownValue(kind, name, before)), ' → '])

/** @type {Record<string, string>} */
const NAMES = words.fields

/**
 * Returns the name of a field. A field without a translated name, such as a risk parameter, keeps its name from the data.
 * @param {string} name
 */
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
  // The evaluation of a lead has no transaction. Its `about` is a masked customer, which contains `•`.
  const isPayment = ['selection', 'token', 'loan'].includes(kind) || (kind === 'evaluation' && !about.includes('•'))
  if (!isPayment) return undefined
  return `#/payments/${encodeURIComponent(JSON.stringify([account, about]))}`
}

/** How an evaluation ended. @type {Record<string, string>} */
const EVALUATIONS = { ...t.outcomes, limited: t.states.limited }
/** How a payment ended. @type {Record<string, string>} */
const PAYMENTS = t.states
/** @type {Record<string, string>} */
const STATES = t.deliveryStates

/** @param {Change['kind']} kind @param {string} name @param {string | number} value */
function formatted(kind, name, value) {
  if (name === 'amount') return amount(Number(value))
  if (name === 'aheadMs') return aboutTime(Number(value))
  if (name === 'expiresAt' || name === 'verifiedAt') return clockTime(String(value))
  if (name === 'outcome') return (kind === 'evaluation' ? EVALUATIONS : PAYMENTS)[value] ?? null
  if (name === 'state') return STATES[value] ?? null
  return name === 'times' && value === ENDLESS ? t.always : null
}

/** @param {Change['kind']} kind @param {string} name @param {string | number | null} value @returns {Child} */
const shownValue = (kind, name, value) =>
  value === null ? t.none : (formatted(kind, name, value) ?? named(String(value)))
