import { isAskedAgain, isLate, isLie, isWithoutEvent, type Torture, tortureOf } from './fault-table.ts'
import type { Finding } from './findings.ts'
import type { InvariantName } from './invariants.ts'

interface Rule {
  /** What the shop does wrong. */
  cause: string
  /** What the shop must do. The docs show it, and it is the fix unless the fault has a better one. */
  must: string
}

/** For each invariant, what breaks it and what the shop must do, the worst first. */
export const RULES: Readonly<Record<InvariantName, Rule>> = {
  'paid-without-loan': {
    cause: 'an order is paid although the service has no loan for it',
    must: 'Do not treat an order as paid because of the return page, or because of an event. Treat it as paid only after a verification.',
  },
  'accepted-forgery': {
    cause: 'an event without a valid signature is accepted',
    must: 'Verify the signature over the raw bytes of the body, with a secret that is set and not empty. Answer 401 to every other event.',
  },
  'fulfilled-before-loan': {
    cause: 'an order is shipped before its loan was verified',
    must: 'Ship only after a verification that names the order’s transaction, its amount and the state `ACTIVE`.',
  },
  'transaction-not-compared': {
    cause: 'the transaction of the loan is not compared with the order',
    must: 'Before you ship, compare the `externalTrxId` of the verified loan with the id of the order.',
  },
  'amount-not-compared': {
    cause: 'the amount of the loan is not compared with the order',
    must: 'Before you ship, compare the `loanAmount` of the verified loan with the amount of the order.',
  },
  'state-not-compared': {
    cause: 'the state of the loan is not checked',
    must: 'Before you ship, check that the state of the verified loan is `ACTIVE`.',
  },
  'second-loan': {
    cause: 'one purchase makes two loans',
    must: 'Make only one loan for each purchase: while an order may be paid, do not let the customer pay another one for it.',
  },
  'second-evaluation': {
    cause: 'a call that may have been carried out is sent again',
    must: 'Do not repeat an evaluation, a selection (`select`) or the start of a widget that got no clear answer, because it may have been carried out. The service has no call that tells you whether it was. Therefore cancel the order and let the customer begin again.',
  },
  'evaluated-again': {
    cause: 'a customer is evaluated again, and the order of the first evaluation is not kept',
    must: 'After an evaluation without a clear answer do not evaluate the customer again by yourself, also not with a new transaction id. Cancel the order, keep it, and let the customer begin again. Store the order before you evaluate, and let `--orders` print every order.',
  },
  'second-cancellation': {
    cause: 'a cancellation that may have been carried out is sent again',
    must: 'Store that an order is being refunded before you send the cancellation, and send it only once. If the answer is missing or unclear, verify the loan. Send the cancellation again only after a verification that still shows the loan as `ACTIVE`.',
  },
  'refunded-without-cancel': {
    cause: 'an order is refunded although its loan is not cancelled',
    must: 'Mark an order as refunded only when a verification shows its loan as cancelled, and not when you send the cancellation. If the service refuses the cancellation, leave the order paid, and tell the operator.',
  },
  'cancelled-still-paid': {
    cause: 'a loan is cancelled, and its order stays paid',
    must: 'Verify the loan after a cancellation that got no clear answer. Let the reconciliation verify every order that is being refunded, until its loan is cancelled. Do not let a late event or return make a refunded order paid again.',
  },
  'fulfilled-after-cancel': {
    cause: 'an order is shipped after its loan was cancelled',
    must: 'Before you ship an order, check in the same transaction that it is paid, and neither refunded nor being refunded.',
  },
  'fulfilled-twice': {
    cause: 'an order is shipped twice',
    must: 'Ship an order a single time, even if the return, the webhook and the reconciliation arrive in any order, at the same time, or twice. A unique key for each shipment does this.',
  },
  'loan-without-order': {
    cause: 'a customer has paid, and the order is never paid',
    must: 'Before the customer can pay, store the order with its transaction id. Leave the order open if a verification fails, and also if the customer comes back without a loan, because the customer may try again. Let a reconciliation verify every open order.',
  },
  'paid-not-fulfilled': {
    cause: 'an order is paid, and never shipped',
    must: 'Ship every paid order before the command of `--settle` ends with exit 0.',
  },
  'other-amount': {
    cause: 'an order has another amount or other installments than its loan',
    must: 'Read the amount and the installments from the loan, and store them with the order.',
  },
  leak: {
    cause: 'a key, a secret or a national id is written where others can read it',
    must: 'Never write the API key anywhere. Never write a national id or another secret to the output or to logs. Logs are files of `BNPL_RUN_DIR` that end in `.log`, `.out` or `.err`.',
  },
  'refused-delivery': {
    cause: 'a genuine event is refused',
    must: 'Check signatures on the raw bytes, as they arrived. `bnpl webhooks verify-signature` shows which form of the body or of the signature matches. If you have no order for a genuine event, answer 2xx. If the shop cannot process it now, answer 503, and never 4xx.',
  },
  'refused-duplicate': {
    cause: 'an event that arrives a second time is answered with an error',
    must: 'Answer 2xx to an event that was already received, and do nothing else.',
  },
  hang: {
    cause: 'the shop waits without end',
    must: 'Give every call a time limit, and give up after some repetitions. Limit the wait that `Retry-After` asks for.',
  },
  'not-running': {
    cause: 'the server of the shop ends, or does not start again',
    must: 'With `--restart`: do not end because of an answer of the service. Start even if a killed server left a lock or a half-written file.',
  },
  'orders-unreadable': {
    cause: 'the orders cannot be listed',
    must: 'Make sure that the program of `--orders` prints each order once, on a line of its own, after every fault. Store an order only once, also if its customer returns twice.',
  },
  'ends-otherwise': {
    cause: 'a payment is not completed after a fault that permits it',
    must: 'Complete the payment after a fault that permits it. Such faults are a failed verification, a webhook that arrives twice or never, and a new field.',
  },
}

/** The cause of a shop that breaks more than one of the invariants about comparing. */
const COMPARES_LITTLE: Rule = {
  cause: 'the verified loan is not compared with the order',
  must: 'Before you ship, compare the verified loan with the order: its `externalTrxId` with the id of the order, its `loanAmount` with the amount, and its state with `ACTIVE`. Do this after every verification: on the return, after an event, and in the reconciliation.',
}

/** The cause of a test that fails after a failed verification. */
const VERIFIES_ONCE: Rule = {
  cause: 'a verification that failed is not repeated',
  must: 'Repeat a verification a few times after a pause when it got no answer, a 5xx, a 429, or an answer that cannot be parsed. After a 429, wait as long as Retry-After says, but not longer than a few seconds. After the last attempt, leave the order open for the reconciliation. Repeat no other call.',
}

/** The cause of a shop that pays an order on the return page. Such a shop also ships before it has verified anything. */
const BELIEVES_RETURN: Rule = {
  cause: 'an order is paid because the customer came back, although no loan exists',
  must: RULES['paid-without-loan'].must,
}

/** The cause of a test that fails if the event comes late or never. */
const NEEDS_EVENT: Rule = {
  cause: 'a payment is not completed without its event',
  must: 'Do not rely on events: verify the order when the customer returns, and verify every open order in the reconciliation.',
}

/** The cause of a shop whose payment fails, for example because its server ends, after a delivery that it does not expect. */
const DISTURBED: Rule = {
  cause: 'a delivery that the shop does not expect prevents a payment',
  must: 'Handle every delivery on its own, so that an error in one never ends the server. Accept deliveries only as POST. Answer 401 if the signature is wrong. Find the order by the `externalTrxId` of the event; if you have no such order, answer 2xx and do nothing.',
}

/** Findings that the same missing behaviour of the shop explains. */
export interface Cause {
  /** What the shop does wrong. */
  cause: string
  /** What its author must do. */
  fix: string
  /** The first one is shown as the example. */
  findings: readonly Finding[]
}

const rankOf = ({ invariant }: Finding): number => Object.keys(RULES).indexOf(invariant)

/**
 * Groups findings by the missing behaviour that explains them, the worst first. In each run, a test that ended otherwise is explained by
 * the run's other findings.
 */
export function causesOf(findings: readonly Finding[]): Cause[] {
  const sorted = findings.toSorted((a, b) => rankOf(a) - rankOf(b))
  const byRun = Map.groupBy(sorted, ({ id }) => id)
  const shipsUnverified = findings.some((finding) => finding.invariant === 'fulfilled-before-loan')
  const notCompared = findings.filter((finding) => isComparison(finding) && !(shipsUnverified && isOfLie(finding)))
  const whole = {
    shipsUnverified,
    believesReturn: findings.some((finding) => finding.invariant === 'paid-without-loan' && isOfReturn(finding)),
    comparesLittle: new Set(notCompared.map(({ invariant }) => invariant)).size > 1,
  }
  const grouped = new Map<string, Cause & { findings: Finding[] }>()
  for (const finding of sorted) {
    const [worst = finding] = byRun.get(finding.id) ?? []
    const main = finding.invariant === 'ends-otherwise' ? worst : finding
    const { key, cause, fix } = reasonFor(main, whole)
    const group = grouped.get(key)
    if (group === undefined) grouped.set(key, { cause, fix, findings: [finding] })
    else group.findings.push(finding)
  }
  return [...grouped.values()]
}

const isComparison = ({ invariant }: Finding): boolean => invariant.endsWith('-not-compared')

function isOfLie({ fault }: Finding): boolean {
  const torture = tortureOf(fault)
  return torture !== undefined && isLie(torture)
}

const isOfReturn = ({ fault }: Finding): boolean => ['page', 'visit'].includes(tortureOf(fault)?.sort ?? '')

/** Whether the fault sends a delivery that has nothing to do with a payment of the shop, or that is wrong. */
const isUnexpected = ({ sort, kind }: Torture): boolean =>
  sort === 'forgery' || ['wrong-signature', 'other-body', 'redirected', 'of-another'].includes(kind ?? '')

/** What all findings together say about the shop. */
interface Whole {
  shipsUnverified: boolean
  believesReturn: boolean
  comparesLittle: boolean
}

function reasonFor(finding: Finding, whole: Whole): { key: string; cause: string; fix: string } {
  const torture = tortureOf(finding.fault)
  const { invariant } = finding
  const because = ({ cause, must }: Rule, key = cause) => ({ key, cause, fix: plain(must) })
  const rule = (name: InvariantName) => because(RULES[name], name)
  const ofFault = (cause: string, { fix }: Torture) => ({ key: `${invariant} ${fix}`, cause, fix })
  if (invariant === 'paid-without-loan' && torture !== undefined) {
    if (isForged(torture)) return rule('accepted-forgery')
    if (torture.sort === 'forgery') return ofFault('an order is paid by an event about another transaction', torture)
    return isOfReturn(finding) ? because(BELIEVES_RETURN) : rule(invariant)
  }
  // A shop that ships before it reads an answer does not compare anything either.
  const isUnverified = isComparison(finding) && whole.shipsUnverified && isOfLie(finding)
  if (isUnverified || invariant === 'fulfilled-before-loan')
    return whole.believesReturn && torture?.sort !== 'settle' ? because(BELIEVES_RETURN) : rule('fulfilled-before-loan')
  if (isComparison(finding) && whole.comparesLittle) return because(COMPARES_LITTLE)
  if (invariant === 'loan-without-order' && torture?.sort === 'settle')
    return ofFault('the reconciliation closes an order that it could not verify, or says that it succeeded', torture)
  if (invariant !== 'ends-otherwise' || torture === undefined) return rule(invariant)
  if (isAskedAgain(torture)) return because(VERIFIES_ONCE)
  if (isWithoutEvent(torture) || isLate(torture)) return because(NEEDS_EVENT)
  return isUnexpected(torture) ? because(DISTURBED) : ofFault(RULES[invariant].cause, torture)
}

const isForged = ({ sort, forgery, kind }: Torture): boolean =>
  (sort === 'forgery' && forgery !== 'of-another') || kind === 'wrong-signature'

/** Removes the marks of Markdown. */
const plain = (text: string): string => text.replaceAll('`', '')
