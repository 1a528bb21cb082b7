import { ENDPOINT_NAMES } from '../contract/endpoints.ts'
import { FAULT_KIND_NAMES, faultKind, type SimulatedFaultKind } from '../domain/sandbox-faults.ts'
import { DELIVERY, DOWNLOAD, type FaultPlace, PAGE_VISIT } from '../sandbox/store/fault-effect.ts'

/** The parts of a payment in which something can go wrong. These are the words of `--only`. */
export const PARTS = ['calls', 'webhooks', 'page', 'clock'] as const
export type Part = (typeof PARTS)[number]

/** The `nth` call with this name, counted from 1. A delivery or a visit of the payment page is counted in the same way. */
export interface Place {
  name: FaultPlace
  nth: number
}

const NAMES: readonly FaultPlace[] = [...ENDPOINT_NAMES, DOWNLOAD, DELIVERY, PAGE_VISIT]

/** Returns the name of a place, such as `verifyLoan.2`. */
export const placeName = ({ name, nth }: Place): string => `${name}.${nth}`

/** Reads the name of a place; undefined for any other text. */
export function readPlace(text: string): Place | undefined {
  const [, word, digits] = /^([A-Za-z]+)\.([1-9]\d{0,5})$/.exec(text) ?? []
  const name = NAMES.find((each) => each === word)
  return name && { name, nth: Number(digits) }
}

/** The sort of a fault. With `orders` nothing fails, but a verification is answered only after the torture has read the shop's orders. */
type TortureSort = 'call' | 'delivery' | 'page' | 'clock' | 'orders' | 'forgery' | 'restart'

/** The word with which `--only` selects each sort of fault. */
export const PART_OF: Readonly<Record<TortureSort, Part>> = {
  call: 'calls',
  orders: 'calls',
  delivery: 'webhooks',
  forgery: 'webhooks',
  page: 'page',
  clock: 'clock',
  restart: 'clock',
}

/** A fault that the torture applies at a place, which is one call, delivery or visit of the payment page. */
export interface Torture {
  id: string
  sort: TortureSort
  does: string
  /** The fault that the sandbox simulates; undefined if `bnpl sandbox torture` causes the fault itself. */
  kind?: SimulatedFaultKind
  /** By how many ms the clock is moved ahead before the request is processed. */
  aheadMs?: number
  /** How much longer the shop may take because of the fault, in ms. */
  delayMs: number
}

const LIES: readonly SimulatedFaultKind[] = ['other-amount', 'other-state', 'other-transaction']

/** With these faults, the body of the answer does not tell the caller whether the request was processed. */
const OBSCURE: readonly SimulatedFaultKind[] = ['broken-body', 'half-body', 'empty-body']

const HARMLESS: readonly SimulatedFaultKind[] = ['unknown-fields', 'reordered-fields']

/** If a verification fails because of one of these faults, a second verification finds the loan. */
const ASKED_AGAIN: readonly SimulatedFaultKind[] = [
  'refused',
  'rate-limited',
  'server-error',
  'cut-before',
  'cut-after',
  'cut-within',
  ...OBSCURE,
]

/** With these faults of a delivery or the page, the shop can still find out that the order is paid. */
const OTHER_WAYS: readonly SimulatedFaultKind[] = [
  'twice',
  'late',
  'early',
  'out-of-order',
  'never',
  'wrong-signature',
  'other-body',
  'redirected',
  'of-another',
  'return-twice',
]

const DAY_MS = 86_400_000

const NO_EVENT = 'no event is delivered until the test has ended'

const OWN: readonly Torture[] = [
  {
    id: 'orders-read',
    sort: 'orders',
    does: `bnpl reads the shop’s orders before the verification is answered, and ${NO_EVENT}`,
    delayMs: 5_000,
  },
  {
    id: 'forged',
    sort: 'forgery',
    does: 'before the customer pays, a delivery with a wrong signature says that the order is paid',
    delayMs: 5_000,
  },
  {
    id: 'minutes-pass',
    sort: 'clock',
    does: '11 minutes pass before the call, so tokens expire and retries become due',
    aheadMs: 11 * 60_000,
    delayMs: 0,
  },
  {
    id: 'day-passes',
    sort: 'clock',
    does: 'a day passes before the call, so every link expires',
    aheadMs: DAY_MS,
    delayMs: 0,
  },
  {
    id: 'killed',
    sort: 'restart',
    does: 'the shop is killed and started again',
    delayMs: 10_000,
  },
]

export const TORTURES: readonly Torture[] = [
  ...FAULT_KIND_NAMES.map((kind): Torture => {
    const { at, does, harm } = faultKind(kind)
    const all = LIES.includes(kind) ? `${does}, and ${NO_EVENT}` : does
    return { id: kind, sort: at, does: all, kind, delayMs: harm?.delayMs ?? 0 }
  }),
  ...OWN,
]

/** Whether a fault can be used at a place. */
export function isOfPlace({ sort, kind }: Torture, { name }: Place): boolean {
  const isCall = name !== DELIVERY && name !== PAGE_VISIT
  switch (sort) {
    case 'orders':
      return name === 'verifyLoan'
    case 'call':
      // Falsify only the answers to verifications. After a false answer to another call, the verification still tells the shop the truth.
      return isCall && (kind === undefined || !LIES.includes(kind) || name === 'verifyLoan')
    case 'delivery':
      return name === DELIVERY
    case 'page':
    case 'forgery':
      return name === PAGE_VISIT
    case 'clock':
      return isCall
    case 'restart':
      return true
  }
}

/** Whether this fault gives verifications false answers until the shop's test has ended. */
export const isLie = ({ kind }: Torture): boolean => kind !== undefined && LIES.includes(kind)

/** Whether the fault applies not only to one call of an endpoint, but to every later call too, until the shop's test has ended. */
export const isLasting = (torture: Torture): boolean =>
  isLie(torture) || (torture.kind !== undefined && HARMLESS.includes(torture.kind))

/** Whether the sandbox loses every event until the shop's test has ended, so that only a verification can show a loan to the shop. */
export const isSilent = (torture: Torture): boolean => torture.sort === 'orders' || isLie(torture)

/** Whether the event of this fault comes after its time, so that the shop may have ended by then. */
export const isLate = ({ kind }: Torture): boolean => kind === 'late' || kind === 'out-of-order'

/** Whether no event reaches the shop, so that a customer who does not return leaves the order to `--settle`. */
export const isWithoutEvent = (torture: Torture): boolean => isSilent(torture) || torture.kind === 'never'

/** Whether the caller cannot learn from the body of the answer whether the request was processed. */
export const isObscure = ({ kind }: Torture): boolean => kind !== undefined && OBSCURE.includes(kind)

/** Whether the command must end in the same way as without the fault. */
export function isSurvivable({ sort, kind }: Torture, name: FaultPlace): boolean {
  if (sort === 'orders' || sort === 'forgery') return true
  if (sort === 'clock') return name === 'verifyLoan'
  if (kind === undefined) return false
  if (HARMLESS.includes(kind) || OTHER_WAYS.includes(kind)) return true
  return name === 'verifyLoan' && ASKED_AGAIN.includes(kind)
}
