/** What a fault of the sandbox changes: a call and its answer, the delivery of an event, or a customer's visit to the payment page. */
export type FaultSort = 'call' | 'delivery' | 'page'

/** The error code that a fault sends if no other code is known for the status of the answer. */
export const FAULT_CODE = 'ERR_SANDBOX_FAULT'

interface KindEffect {
  delayMs?: number
  status?: number
  cut?: boolean
  before?: boolean
  truncate?: number
}

interface KindOfFault {
  at: FaultSort
  /** What happens, as the end of the sentence “with this fault, …”. */
  does: string
  effect?: KindEffect
}

/**
 * Each kind of fault with its effects: the commands, the window, the docs and `bnpl/testing` use this table. A slow call is carried out
 * even if its caller disconnects, as at a real service. A forged delivery is sent in addition to the genuine event, so a correct shop still
 * finds its order paid. A server that listens cannot refuse single connections, so `refused` resets the connection.
 */
const FAULT_KINDS = {
  refused: { at: 'call', does: 'the connection is reset, and nothing is done' },
  slow: {
    at: 'call',
    does: 'the answer is 30 s late, and the call is carried out even if the caller stops waiting',
    effect: { delayMs: 30_000 },
  },
  'rate-limited': {
    at: 'call',
    does: 'the answer is 429 with Retry-After, and nothing is done',
    effect: { status: 429 },
  },
  'server-error': { at: 'call', does: 'the answer is 500, and nothing is done', effect: { status: 500 } },
  'cut-before': {
    at: 'call',
    does: 'the connection is closed, and the call is not carried out',
    effect: { cut: true, before: true },
  },
  'cut-after': {
    at: 'call',
    does: 'the call is carried out, and the connection is closed without an answer',
    effect: { cut: true },
  },
  'cut-within': {
    at: 'call',
    does: "the connection is closed in the middle of the answer's body",
    effect: { truncate: 10 },
  },
  'broken-body': { at: 'call', does: 'the body of the answer is an HTML page' },
  'half-body': {
    at: 'call',
    does: 'the answer contains only the first half of its body, and its stated length matches that half',
  },
  'empty-body': { at: 'call', does: 'the body of the answer is empty' },
  'unknown-fields': { at: 'call', does: 'every object of the answer has a field that is not in the specification' },
  'reordered-fields': { at: 'call', does: 'the fields of every object of the answer are in reverse order' },
  'other-amount': { at: 'call', does: 'every amount of the answer is too low by 1' },
  'other-state': { at: 'call', does: 'every state of the answer is CANCELLED' },
  'other-transaction': { at: 'call', does: 'the answer has the externalTrxId of another transaction' },
  'other-id': { at: 'call', does: 'the ids of the answer are those of another evaluation' },

  twice: { at: 'delivery', does: 'the event is delivered twice' },
  late: { at: 'delivery', does: 'the event is delivered 2 s late', effect: { delayMs: 2_000 } },
  early: { at: 'delivery', does: 'the event is delivered before the payment page sends the customer back' },
  'out-of-order': {
    at: 'delivery',
    does: 'the event is delivered after the next event to its destination, or 2 s late if there is no next event',
    effect: { delayMs: 2_000 },
  },
  never: { at: 'delivery', does: 'the event is never delivered' },
  'wrong-signature': { at: 'delivery', does: 'a copy of the event with a wrong signature is delivered first' },
  'other-body': {
    at: 'delivery',
    does: 'after the event, another event with the same eventId and other amounts is delivered',
  },
  redirected: {
    at: 'delivery',
    does: 'a GET without a body arrives before the event, as if a redirect had changed the POST to a GET',
  },
  'of-another': { at: 'delivery', does: 'an event about a transaction of another shop is delivered first' },

  'no-return': { at: 'page', does: 'the customer pays and does not return' },
  'return-twice': { at: 'page', does: 'the customer returns twice' },
  'return-of-another': { at: 'page', does: 'the customer returns with the parameters of another transaction' },
  'return-undefined': { at: 'page', does: 'the customer returns with the text “undefined” in every parameter' },
  expired: { at: 'page', does: 'the token expires before the customer pays' },
  cancelled: { at: 'page', does: 'the customer cancels' },
  rejected: { at: 'page', does: 'the payment is rejected' },
  'second-attempt': {
    at: 'page',
    does: 'the payment is first rejected. The customer returns, tries again and pays',
  },
} as const satisfies Readonly<Record<string, KindOfFault>>

export type SimulatedFaultKind = keyof typeof FAULT_KINDS

export type KindOfSort<Sort extends FaultSort> = {
  [Kind in SimulatedFaultKind]: (typeof FAULT_KINDS)[Kind]['at'] extends Sort ? Kind : never
}[SimulatedFaultKind]

/** Whether a text is the name of a kind of fault. */
export function isFaultKind(name: string): name is SimulatedFaultKind {
  return Object.hasOwn(FAULT_KINDS, name)
}

export const FAULT_KIND_NAMES: readonly SimulatedFaultKind[] = Object.keys(FAULT_KINDS).filter(isFaultKind)

/** Returns the description of a kind of fault. */
export const faultKind = (kind: SimulatedFaultKind): KindOfFault => FAULT_KINDS[kind]

/** Whether a kind of fault is of the given sort, such as `delivery`. */
export function isOfSort<Sort extends FaultSort>(kind: SimulatedFaultKind, sort: Sort): kind is KindOfSort<Sort> {
  return FAULT_KINDS[kind].at === sort
}
