import { ENDPOINT_NAMES, endpointOf } from '../contract/endpoints.ts'
import { FAULT_KIND_NAMES, faultKind, type SimulatedFaultKind } from '../domain/sandbox-faults.ts'
import { DELIVERY, DOWNLOAD, type FaultPlace, PAGE_VISIT } from '../sandbox/store/fault-effect.ts'

/** The parts of a payment in which something can go wrong. These are the words of `--only`. */
export const PARTS = ['calls', 'webhooks', 'page', 'clock', 'refund'] as const
export type Part = (typeof PARTS)[number]

/** The `nth` call with this name, counted from 1. A delivery or a visit of the payment page is counted in the same way. */
export interface Place {
  name: FaultPlace
  nth: number
}

const NAMES: readonly FaultPlace[] = [...ENDPOINT_NAMES, DOWNLOAD, DELIVERY, PAGE_VISIT]

export const isSamePlace = (a: Place, b: Place): boolean => a.name === b.name && a.nth === b.nth

/** Returns the name of a place, such as `verifyLoan.2`. */
export const placeName = ({ name, nth }: Place): string => `${name}.${nth}`

/** Reads the name of a place; undefined for any other text. */
export function readPlace(text: string): Place | undefined {
  const [, word, digits] = /^([A-Za-z]+)\.([1-9]\d{0,5})$/.exec(text) ?? []
  const name = NAMES.find((each) => each === word)
  return name && { name, nth: Number(digits) }
}

/**
 * The sort of a fault. With `orders` nothing fails, but a verification or cancellation is answered only after the torture has read the
 * shop's orders. The sorts `forgery` and `visit` send something to the shop before the customer pays. With `settle`, the fault applies to the
 * first run of `--settle`. With `event`, the events reach the shop only after a loan was cancelled.
 */
type TortureSort =
  | 'call'
  | 'delivery'
  | 'page'
  | 'clock'
  | 'orders'
  | 'forgery'
  | 'visit'
  | 'settle'
  | 'restart'
  | 'event'

/** Returns the word with which `--only` selects a fault. All faults at a cancellation belong to `refund`. @param place undefined for any */
export const partOf = ({ sort, isOfCancel }: Torture, place?: Place): Part =>
  isOfCancel || place?.name === 'cancelLoan' ? 'refund' : PART_OF[sort]

const PART_OF: Readonly<Record<TortureSort, Part>> = {
  call: 'calls',
  orders: 'calls',
  settle: 'calls',
  event: 'refund',
  delivery: 'webhooks',
  forgery: 'webhooks',
  page: 'page',
  visit: 'page',
  clock: 'clock',
  restart: 'clock',
}

/** How a forged event is signed. `lost-secret` forges with the empty key and with `undefined`. */
export type Forgery = 'wrong-key' | 'empty-key' | 'undefined' | 'other-scheme' | 'lost-secret' | 'of-another'

/**
 * What is special about a fault:
 * - `lie`: verifications get false answers until the test has ended
 * - `lasting`: applies to every later call of the endpoint too, until the test has ended
 * - `silent`: every event is lost until the test has ended
 * - `obscure`: the answer does not tell the caller whether the call was carried out
 * - `survivable`: the test must end as without the fault; `asked-again`: only if the fault is at a verification
 */
type Trait = 'lie' | 'lasting' | 'silent' | 'obscure' | 'survivable' | 'asked-again'

interface Advice {
  /** What a right shop does, in the third person. */
  right: string
  /** The sentence that tells the author of a shop what to do. */
  fix: string
  traits?: readonly Trait[]
}

/** A fault that the torture applies at a place, which is one call, delivery or visit of the payment page. */
export interface Torture extends Advice {
  id: string
  sort: TortureSort
  /** What happens, and what is done and not done. */
  does: string
  /** The fault that the sandbox simulates; undefined if `bnpl sandbox torture` causes the fault itself. */
  kind?: SimulatedFaultKind
  /** The status that replaces the answer of the service after the work is done. */
  doneStatus?: number
  /** The value of `Retry-After`, in seconds. */
  retryAfter?: number
  forgery?: Forgery
  /** By how many ms the clock is moved ahead before the request is processed. */
  aheadMs?: number
  /** Whether the fault is only tried at a cancellation. */
  isOfCancel?: true
  /** How much longer the shop may take because of the fault, in ms (default: 0). */
  delayMs?: number | undefined
}

const ASK_AGAIN: Advice = {
  right: 'repeats a verification after a pause, and repeats no call that may have been carried out',
  fix: 'Repeat a failed verification a few times after a pause, and leave the order open for the reconciliation. Never repeat an evaluation, a selection or the start of the widget: cancel the order instead.',
  traits: ['asked-again'],
}
const UNREADABLE: Advice = {
  right: 'treats an answer that cannot be read as an unknown outcome',
  fix: 'Treat an answer that cannot be parsed like a missing answer: repeat a verification, and no other call.',
  traits: ['asked-again', 'obscure'],
}
const compares = (field: string, not: string): Advice => ({
  right: `compares the ${field} of the loan with its order, and does not ship`,
  fix: `Before you ship, compare the ${field} of the verified loan with ${not}. If it differs, leave the order open and verify again later.`,
  traits: ['lie'],
})
const LOOSE: Advice = {
  right: 'reads the fields that it needs by their names, and ignores the others',
  fix: 'Read fields by name, and ignore fields that you do not know. Their order has no meaning.',
  traits: ['lasting', 'survivable'],
}
const ONCE: Advice = {
  right: 'ships the order a single time',
  fix: 'Store the payment and the shipment in one transaction, with a unique key for each order, so that a second return or event ships nothing.',
  traits: ['survivable'],
}
const NO_EVENT_NEEDED: Advice = {
  right: 'verifies the order when the customer returns, and in its reconciliation',
  fix: 'Do not rely on events: verify the order when the customer returns, and verify every open order in the reconciliation.',
  traits: ['survivable'],
}
const SIGNED: Advice = {
  right: 'answers 401, and nothing else happens',
  fix: 'Verify the signature over the raw bytes of the body before you use an event, with a secret that is set and not empty. Answer 401 to every other event.',
  traits: ['survivable'],
}
const NOT_BY_RETURN: Advice = {
  right: 'verifies the order, and does not ship',
  fix: 'Let the return page decide nothing: verify the loan of your own order there, and ship only if it is ACTIVE.',
}
const NOT_PAID: Advice = {
  right: 'leaves the order unpaid, and lets the customer begin again',
  fix: 'Treat an order as paid only if the service has a loan for it.',
}
const KNOWN_TO_EXIST: Advice = {
  right: 'finds the payment through the event or the reconciliation',
  fix: 'Before the customer can pay, store the order as open. Verify open orders when an event arrives and in the reconciliation.',
}
const SETTLES_LATER: Advice = {
  right: 'leaves the order open, and ends with an exit code that is not 0',
  fix: 'In the reconciliation, leave an order open if its verification failed or does not agree with the order. End then with an exit code that is not 0, and ask again in the next run. A 404 is no failure: the order has no loan yet, so leave it open too.',
  traits: ['silent'],
}

/** The advice for each fault that the sandbox simulates. */
const OF_KIND: Readonly<Record<SimulatedFaultKind, Advice>> = {
  refused: ASK_AGAIN,
  slow: {
    right: 'gives the call a time limit, and treats the outcome as unknown',
    fix: 'Give every call a time limit of a few seconds. After it, the call may still be carried out.',
  },
  'rate-limited': {
    right: 'waits as long as Retry-After says, but not without limit, and sends the call again',
    fix: 'After 429 wait as long as Retry-After says, with an upper limit, and send the call again: it was not carried out.',
    traits: ['asked-again'],
  },
  'server-error': ASK_AGAIN,
  'cut-before': ASK_AGAIN,
  'cut-after': ASK_AGAIN,
  'cut-within': ASK_AGAIN,
  'broken-body': UNREADABLE,
  'half-body': UNREADABLE,
  'empty-body': UNREADABLE,
  'unknown-fields': LOOSE,
  'reordered-fields': LOOSE,
  'other-amount': compares('amount', 'the amount of the order'),
  'other-state': compares('state', 'ACTIVE'),
  'other-transaction': compares('transaction', 'the id of the order'),
  'other-id': {
    right: 'does not depend on the ids of an evaluation to find its order',
    fix: 'Find an order by your own externalTrxId, and not by an id of an answer.',
  },
  twice: ONCE,
  late: ONCE,
  early: ONCE,
  'out-of-order': ONCE,
  never: NO_EVENT_NEEDED,
  'wrong-signature': SIGNED,
  'other-body': {
    right: 'verifies the loan, and believes neither the second event nor its amounts',
    fix: 'Use an event only as a reason to verify: read the amount from the verified loan.',
    traits: ['survivable'],
  },
  redirected: {
    right: 'accepts deliveries only as POST',
    fix: 'Accept deliveries only as POST, and never redirect them.',
    traits: ['survivable'],
  },
  'of-another': {
    right: 'answers 2xx, and changes no order',
    fix: 'Find the order by the externalTrxId of the event. If you have no such order, answer 2xx and do nothing.',
    traits: ['survivable'],
  },
  'no-return': KNOWN_TO_EXIST,
  'return-twice': ONCE,
  'return-of-another': NOT_BY_RETURN,
  'return-undefined': NOT_BY_RETURN,
  expired: NOT_PAID,
  cancelled: NOT_PAID,
  rejected: NOT_PAID,
  'second-attempt': {
    right: 'keeps the order open after the first return, so that the second payment pays it',
    fix: 'Do not close an order because its customer returned without a loan: the customer may try again with the same address.',
  },
}

const DAY_MS = 86_400_000

const NO_EVENT = 'no event is delivered until the test has ended'

const done = (status: number): Torture => ({
  id: `done-${status}`,
  sort: 'call',
  does: `the call is carried out, and then the answer is ${status}`,
  doneStatus: status,
  ...ASK_AGAIN,
  right: 'treats 5xx as an unknown outcome: it repeats a verification, and no other call',
  fix: `A ${status} does not mean that nothing was done. Repeat a verification; after any other call cancel the order, and let the customer begin again.`,
  traits: ['asked-again', 'obscure'],
})

const forged = (id: string, forgery: Forgery, how: string): Torture => ({
  id,
  sort: 'forgery',
  forgery,
  does: `before the customer pays, ${how} says that the order is paid`,
  delayMs: 5_000,
  ...SIGNED,
})

const atSettle = (id: string, kind: SimulatedFaultKind, how: string): Torture => ({
  id,
  sort: 'settle',
  kind,
  does: `the customer pays and does not return, ${NO_EVENT}, and during the first run of --settle ${how}`,
  delayMs: 5_000,
  ...SETTLES_LATER,
})

const OWN: readonly Torture[] = [
  {
    id: 'outage',
    sort: 'call',
    does: 'from this call on, every connection to the service is reset, and nothing is done until the test has ended',
    delayMs: 5_000,
    right: 'leaves an order open that the customer may have paid, and settles it later',
    fix: 'Never conclude from a missing answer that an order has no loan. Leave the order open after the last attempt, and let the reconciliation ask again.',
  },
  done(500),
  done(502),
  done(503),
  done(504),
  {
    id: 'no-answer',
    sort: 'call',
    does: 'the call is carried out, and its answer never arrives, although the connection stays open',
    delayMs: 5_000,
    right: 'gives up after its own time limit, and treats the outcome as unknown',
    fix: 'Give every call a time limit of a few seconds, and treat the outcome as unknown after it.',
    traits: ['obscure'],
  },
  {
    id: 'retry-after-hour',
    sort: 'call',
    kind: 'rate-limited',
    retryAfter: 3_600,
    does: 'the answer is 429 with a Retry-After of one hour, and nothing is done',
    delayMs: 5_000,
    right: 'does not keep the customer waiting, and asks again later',
    fix: 'Limit the wait that Retry-After asks for to a few seconds while a customer waits. Otherwise give up, and let the reconciliation ask again.',
  },
  {
    id: 'orders-read',
    sort: 'orders',
    does: `the shop’s orders are read before a verification or a cancellation is answered, and ${NO_EVENT}`,
    delayMs: 5_000,
    right: 'ships and refunds only after it has read the answer',
    fix: 'Ship only after a verification has named the order, its amount and the state ACTIVE. Mark an order as refunded only after a verification has shown its loan as cancelled.',
    traits: ['silent', 'survivable'],
  },
  atSettle('settle-outage', 'refused', 'every connection to the service is reset'),
  atSettle('settle-error', 'server-error', 'every verification is answered with 500'),
  atSettle('settle-unreadable', 'broken-body', 'every verification is answered with an HTML page'),
  atSettle('settle-amount', 'other-amount', 'verifications show an amount that is too low by 1'),
  atSettle('settle-transaction', 'other-transaction', 'verifications show the externalTrxId of another transaction'),
  forged('forged', 'wrong-key', 'a delivery with a wrong signature'),
  forged('forged-empty-key', 'empty-key', 'a delivery signed with an empty secret'),
  forged('forged-undefined', 'undefined', 'a delivery signed with the word “undefined” as its secret'),
  forged(
    'forged-scheme',
    'other-scheme',
    'a delivery with a wrong proof of the other scheme (a token for HMAC, HMAC for a token)',
  ),
  {
    id: 'secret-lost',
    sort: 'forgery',
    forgery: 'lost-secret',
    kind: 'cut-after',
    does: 'the destination is registered, but the answer with its secret is lost. Before the customer pays, a delivery signed with an empty secret, and one signed with “undefined”, say that the order is paid',
    right: 'answers 401 as long as it has no secret, and registers a new destination',
    fix: 'Refuse every event while no secret is set. If the answer to a registration was lost, delete the destination and register it again.',
    delayMs: 5_000,
  },
  {
    id: 'event-of-another',
    sort: 'forgery',
    forgery: 'of-another',
    does: 'before the customer pays, a genuine event about the transaction of another shop arrives',
    delayMs: 5_000,
    ...OF_KIND['of-another'],
  },
  {
    id: 'opened-unpaid',
    sort: 'visit',
    does: 'before the customer pays, the success address is opened with the parameters of this transaction, and then with those of another',
    delayMs: 5_000,
    ...NOT_BY_RETURN,
    traits: ['survivable'],
  },
  {
    id: 'outage-after',
    sort: 'call',
    isOfCancel: true,
    does: 'the cancellation is carried out, its answer is lost, and every later connection to the service is reset until the test has ended',
    delayMs: 5_000,
    right: 'stores that the order is being refunded, and lets the reconciliation verify it',
    fix: 'Before you send a cancellation, store that the order is being refunded. In the reconciliation, verify every such order until its loan is cancelled.',
    traits: ['obscure'],
  },
  {
    id: 'event-after-cancel',
    sort: 'event',
    isOfCancel: true,
    does: 'the event of the payment arrives only after the loan was cancelled, and then the success address is opened again',
    delayMs: 5_000,
    right: 'answers 2xx, and leaves the order refunded',
    fix: 'Use an event and a return only as a reason to verify. An order that is refunded, or is being refunded, is never paid again.',
    traits: ['silent', 'survivable'],
  },
  {
    id: 'months-pass',
    sort: 'clock',
    isOfCancel: true,
    does: '61 days pass before the cancellation, so the service refuses it',
    aheadMs: 61 * DAY_MS,
    right: 'leaves the order paid, and tells the operator',
    fix: 'If the service refuses a cancellation, leave the order paid, and tell the operator why. Only a loan that is cancelled is refunded.',
  },
  {
    id: 'minutes-pass',
    sort: 'clock',
    does: '11 minutes pass before the call, so tokens expire and retries become due',
    aheadMs: 11 * 60_000,
    right: 'starts again with a new token if the old one has expired',
    fix: 'Expect that tokens and links expire: request a new one, and keep the order.',
    traits: ['asked-again'],
  },
  {
    id: 'day-passes',
    sort: 'clock',
    does: 'a day passes before the call, so every link expires',
    aheadMs: DAY_MS,
    right: 'starts again with a new link if the old one has expired',
    fix: 'Expect that tokens and links expire: request a new one, and keep the order.',
    traits: ['asked-again'],
  },
  {
    id: 'killed',
    sort: 'restart',
    does: 'the shop is killed and started again',
    delayMs: 10_000,
    right: 'finds every order on its disk as it was, and settles the open ones',
    fix: 'Store each step on the disk before you act on it, in one transaction with what it causes. Start even if a killed server left a lock or a half-written file.',
  },
]

/** Every fault. The docs, the help and the reports take their texts from this table. */
export const TORTURES: readonly Torture[] = [
  ...FAULT_KIND_NAMES.map((kind): Torture => {
    const { at, does, effect } = faultKind(kind)
    const advice = OF_KIND[kind]
    const all = advice.traits?.includes('lie') ? `${does}, and ${NO_EVENT}` : does
    return { id: kind, sort: at, does: all, kind, delayMs: effect?.delayMs, ...advice }
  }),
  ...OWN,
]

const isCall = (name: FaultPlace) => name !== DELIVERY && name !== PAGE_VISIT

/** Returns whether a caller may repeat a call; undefined for a place that is not a call of the partner interface. */
export function repeatOf(name: FaultPlace) {
  const endpoint = ENDPOINT_NAMES.find((each) => each === name)
  return endpoint && endpointOf(endpoint).repeat
}

/** Whether a fault can be used at a place. */
export function isOfPlace(torture: Torture, { name, nth }: Place): boolean {
  if (torture.isOfCancel && name !== 'cancelLoan') return false
  switch (torture.sort) {
    case 'orders':
      return name === 'verifyLoan' || name === 'cancelLoan'
    case 'call':
      // Falsify only the answers to verifications. After a false answer to another call, the verification still tells the shop the truth.
      if (isLie(torture)) return name === 'verifyLoan'
      if (torture.id === 'outage') return isCall(name) && nth === 1
      // The other statuses differ from 500 only for a shop that distinguishes them in order to repeat a call.
      if (torture.doneStatus !== undefined && torture.doneStatus !== 500)
        return ![undefined, 'safe'].includes(repeatOf(name))
      return isCall(name)
    case 'delivery':
      return name === DELIVERY
    case 'forgery':
      return name === (torture.forgery === 'lost-secret' ? 'registerWebhook' : PAGE_VISIT)
    case 'page':
    case 'visit':
    case 'settle':
      return name === PAGE_VISIT
    case 'clock':
      return isCall(name)
    case 'restart':
    case 'event':
      return true
  }
}

const has = ({ traits }: Torture, trait: Trait): boolean => traits?.includes(trait) ?? false

/** Whether this fault gives verifications false answers until the shop's test has ended. */
export const isLie = (torture: Torture): boolean => has(torture, 'lie')

/** Whether the fault applies not only to one call of an endpoint, but to every later call too, until the shop's test has ended. */
export const isLasting = (torture: Torture): boolean => isLie(torture) || has(torture, 'lasting')

/** Whether the sandbox loses every event until the shop's test has ended, so that only a verification can show a loan to the shop. */
export const isSilent = (torture: Torture): boolean => isLie(torture) || has(torture, 'silent')

/** Whether the event of this fault comes after its time, so that the shop may have ended by then. */
export const isLate = ({ kind }: Torture): boolean => kind === 'late' || kind === 'out-of-order'

/** Whether no event reaches the shop, so that a customer who does not return leaves the order to `--settle`. */
export const isWithoutEvent = (torture: Torture): boolean => isSilent(torture) || torture.kind === 'never'

/** Whether a right shop or its customer waits for seconds because of the fault. */
export const isLong = (torture: Torture): boolean =>
  torture.delayMs !== undefined || isSilent(torture) || torture.sort === 'page'

/** Whether the caller cannot learn from the body of the answer whether the request was processed. */
export const isObscure = (torture: Torture): boolean => has(torture, 'obscure')

/** Whether a shop survives the fault at a verification by repeating the verification. */
export const isAskedAgain = (torture: Torture): boolean => torture.sort === 'call' && has(torture, 'asked-again')

/** Whether the command must end in the same way as without the fault. */
export const isSurvivable = (torture: Torture, name: FaultPlace): boolean =>
  has(torture, 'survivable') || (has(torture, 'asked-again') && name === 'verifyLoan')

/** Returns the fault with an id; undefined for the run without a fault. */
export const tortureOf = (id: string): Torture | undefined => TORTURES.find((each) => each.id === id)
