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

/**
 * Each kind of fault with what happens, as the end of the sentence “with this fault, …”: the commands, the window, the docs and
 * `bnpl/testing` use this table. A slow call is carried out even if its caller disconnects, as at a real service. A forged delivery is sent
 * in addition to the genuine event, so a correct shop still finds its order paid. A server that listens cannot refuse single connections, so
 * `refused` resets the connection.
 */
const CALL = {
  refused: 'the connection is reset, and nothing is done',
  slow: 'the answer is 30 s late, and the call is carried out even if the caller stops waiting',
  'rate-limited': 'the answer is 429 with Retry-After, and nothing is done',
  'server-error': 'the answer is 500, and nothing is done',
  'cut-before': 'the connection is closed, and the call is not carried out',
  'cut-after': 'the call is carried out, and the connection is closed without an answer',
  'cut-within': "the connection is closed in the middle of the answer's body",
  'broken-body': 'the body of the answer is an HTML page',
  'half-body': 'the answer contains only the first half of its body, and its stated length matches that half',
  'empty-body': 'the body of the answer is empty',
  'unknown-fields': 'every object of the answer has a field that is not in the specification',
  'reordered-fields': 'the fields of every object of the answer are in reverse order',
  'other-amount': 'every amount of the answer is too low by 1',
  'other-state': 'every state of the answer is CANCELLED',
  'other-transaction': 'the answer has the externalTrxId of another transaction',
  'other-id': 'the ids of the answer are those of another evaluation',
} as const

const DELIVERY = {
  twice: 'the event is delivered twice',
  late: 'the event is delivered 2 s late',
  early: 'the event is delivered before the payment page sends the customer back',
  'out-of-order':
    'the event is delivered after the next event to its destination, or 2 s late if there is no next event',
  never: 'the event is never delivered',
  'wrong-signature': 'a copy of the event with a wrong signature is delivered first',
  'other-body': 'after the event, another event with the same eventId and other amounts is delivered',
  redirected: 'a GET without a body arrives before the event, as if a redirect had changed the POST to a GET',
  'of-another': 'an event about a transaction of another shop is delivered first',
} as const

const PAGE = {
  'no-return': 'the customer pays and does not return',
  'return-twice': 'the customer returns twice',
  'return-of-another': 'the customer returns with the parameters of another transaction',
  'return-undefined': 'the customer returns with the text “undefined” in every parameter',
  expired: 'the token expires before the customer pays',
  cancelled: 'the customer cancels',
  rejected: 'the payment is rejected',
  'second-attempt': 'the payment is first rejected. The customer returns, tries again and pays',
} as const

const BY_SORT = { call: CALL, delivery: DELIVERY, page: PAGE } satisfies Record<
  FaultSort,
  Readonly<Record<string, string>>
>

export type KindOfSort<Sort extends FaultSort> = { [Each in Sort]: keyof (typeof BY_SORT)[Each] }[Sort]

export type SimulatedFaultKind = KindOfSort<FaultSort>

const EFFECTS: Readonly<Partial<Record<SimulatedFaultKind, KindEffect>>> = {
  slow: { delayMs: 30_000 },
  'rate-limited': { status: 429 },
  'server-error': { status: 500 },
  'cut-before': { cut: true, before: true },
  'cut-after': { cut: true },
  'cut-within': { truncate: 10 },
  late: { delayMs: 2_000 },
  'out-of-order': { delayMs: 2_000 },
}

interface KindOfFault {
  at: FaultSort
  does: string
  effect: KindEffect | undefined
}

const FAULT_KINDS = Object.fromEntries(
  Object.entries(BY_SORT).flatMap(([at, kinds]) =>
    Object.entries(kinds).map(([kind, does]) => [kind, { at, does, effect: EFFECTS[kind as SimulatedFaultKind] }]),
  ),
) as Readonly<Record<SimulatedFaultKind, KindOfFault>>

export function isFaultKind(name: string): name is SimulatedFaultKind {
  return Object.hasOwn(FAULT_KINDS, name)
}

export const FAULT_KIND_NAMES: readonly SimulatedFaultKind[] = Object.keys(FAULT_KINDS).filter(isFaultKind)

export const faultKind = (kind: SimulatedFaultKind): KindOfFault => FAULT_KINDS[kind]

/** Whether a kind of fault is of the given sort, such as `delivery`. */
export const isOfSort = <Sort extends FaultSort>(
  kind: SimulatedFaultKind,
  sort: Sort,
): kind is KindOfSort<Sort> & SimulatedFaultKind => FAULT_KINDS[kind].at === sort
