import { USUALLY_NOT_YET } from '../../../contract/not-yet.ts'
import { isRecord } from '../../../contract/reading.ts'
import { addMonths, installmentPlan } from '../../../domain/installments.ts'
import { causeOf } from '../causes.ts'
import { readRefusal } from '../refusal-body.ts'
import type { SeenCall } from '../sightings.ts'
import {
  accepted,
  type Finding,
  finding,
  joined,
  type Known,
  type Question,
  refused,
  statusAndCode,
} from './question.ts'

const PAY = 'bnpl walkthrough --record FILE'
const VERIFY = 'bnpl verify TRX --record FILE'
const EVALUATE = 'bnpl evaluate --rut R --amount N --record FILE'

/** The questions about evaluation, choice, widget and verification. */
export const PAYMENT_QUESTIONS = {
  1: { question: 'Which field of an evaluation has the pre-approval id?', find: preApproveIdField, command: EVALUATE },
  2: {
    question: 'Which steps has a loan request?',
    find: (known) => words(known, 'select', ['data.step']),
    command: 'bnpl select --installments N --trx TRX --record FILE',
  },
  3: {
    question: 'Which states do loans and installments have?',
    find: (known) => words(known, 'verifyLoan', ['data.state', 'data.installments.*.state']),
    command: VERIFY,
  },
  18: { question: 'Which amounts and numbers of installments are possible?', find: bounds, command: EVALUATE },
  19: { question: 'In which currency are amounts?', find: currency, command: PAY },
  21: { question: 'What is answered when a transaction has no loan yet?', find: notYet, command: VERIFY },
  24: {
    question: 'Is the check character of a national id checked?',
    find: checkCharacter,
    command: `${EVALUATE} --skip-rut-check`,
  },
  25: {
    question: 'What form does the widget token have?',
    find: tokenForm,
    command: 'bnpl widget-token --amount N --email M --trx TRX --record FILE',
  },
  26: { question: 'What is answered when a customer is not approved?', find: notApproved, command: EVALUATE },
  30: {
    question: 'Does a widget session need an evaluation before it?',
    find: sessionWithout,
    command: 'bnpl widget-token --amount N --email M --trx NEW --record FILE',
  },
  31: {
    question: 'What is in the answer of a widget session that is not accepted?',
    find: notAccepted,
    command: 'bnpl widget-token --amount N --email M --trx PAID --record FILE',
  },
  32: { question: 'Can a transaction be evaluated more than once?', find: again, command: `${EVALUATE} --trx TRX` },
  33: { question: 'How are installments and their dates calculated?', find: calculation, command: VERIFY },
  34: {
    question: 'With which codes are evaluations, choices and widget sessions refused?',
    find: codes,
    command: EVALUATE,
  },
  43: {
    question: 'Can a transaction be verified by its preApproveId?',
    find: byPreApproveId,
    command: 'bnpl api POST /partner/pre-approve/PREAPPROVEID/loan --record FILE',
  },
} as const satisfies Record<number, Question>

function preApproveIdField({ answers }: Known): Finding | undefined {
  const learnt = answers.get('evaluate')
  const pairing = learnt?.pairing
  if (learnt === undefined || pairing === undefined || !pairing.values.has('data.preApproveId')) return undefined
  const name = pairing.names['data.preApproveId'] ?? 'preApproveId'
  const keys = [...(learnt.manner.data ?? []), name].join('.')
  const isKnown = name === 'preApproveId' || name === 'idPreAprobacion'
  return finding(keys, learnt.calls, isKnown ? undefined : { name: 'preApproveIdField', value: name })
}

/** The words that were seen at places of an answer. */
function words({ answers }: Known, name: 'select' | 'verifyLoan', places: readonly string[]): Finding | undefined {
  const learnt = answers.get(name)
  const seen = places.flatMap((place) => learnt?.pairing?.values.get(place) ?? [])
  return finding(joined(seen.filter((word) => typeof word === 'string')), learnt?.calls ?? [])
}

function bounds(known: Known): Finding | undefined {
  const calls = accepted(known, 'evaluate')
  const amounts = calls.map(({ asked }) => Number(asked.amount)).filter((amount) => amount > 0)
  const offered = known.answers.get('evaluate')?.pairing?.values.get('data.installmentOptions.*.installments') ?? []
  if (amounts.length === 0) return undefined
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
  const periods = [...new Set(offered.map(Number))].sort((a, b) => a - b)
  const range = least === most ? `at least ${least}` : `at least from ${least} to ${most}`
  return finding(`amounts ${range}; installments ${periods.join(', ') || 'unknown'}`, calls)
}

function currency({ seen }: Known): Finding | undefined {
  const found = seen.calls.flatMap((call) => currenciesIn(call.json, 0).map((value) => ({ ...call, value })))
  const values = [...new Set(found.map(({ value }) => value))]
  const [only, another] = values
  const setting = another === undefined && only !== undefined && /^[A-Z]{3}$/.test(only)
  if (found.length > 0)
    return finding(joined(values), found, setting && only ? { name: 'currency', value: only } : undefined)
  const loans = seen.calls.filter(({ name, status }) => (name === 'verifyLoan' || name === 'evaluate') && status < 300)
  return finding('no field says it', loans)
}

function currenciesIn(value: unknown, depth: number): string[] {
  if (depth > 8) return []
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((item) => currenciesIn(item, depth + 1))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    /currency|moneda|divisa/i.test(name) && typeof item === 'string' && item !== '' && !item.startsWith('(')
      ? [item]
      : currenciesIn(item, depth + 1),
  )
}

function notYet(known: Known): Finding | undefined {
  const calls = refused(known, 'verifyLoan').filter(
    (call) => causeOf('verifyLoan', call, known.seen.calls) === '404 ERR_LOAN_NOT_FOUND',
  )
  const paid = new Set(accepted(known, 'verifyLoan').map(({ params }) => params.externalTrxId))
  // Another refusal, such as of the body, has a status of this kind too. It counts if the same transaction was verified later.
  const sure = calls.filter(
    ({ status, params }) => status < 400 || [404, 409, 422].includes(status) || paid.has(params.externalTrxId),
  )
  const word = ({ status }: SeenCall) => (status < 400 ? 'empty' : String(status))
  const seen = [...new Set(sure.map(word))].sort()
  const usual = USUALLY_NOT_YET.split(',')
  const unusual = seen.filter((each) => !usual.includes(each) && each !== 'empty' && /^4(?!01|03|29)\d\d$/.test(each))
  const answer = [
    ...new Set(
      sure.map((call) =>
        call.status < 400 ? `${call.status} with nothing in data` : statusAndCode(call.status, readRefusal(call).code),
      ),
    ),
  ]
  const wanted = unusual.length > 0 || seen.some((each) => each === '409' || each === '422')
  return finding(answer.join(', '), sure, wanted ? { name: 'notYet', value: seen.join(',') } : undefined)
}

function checkCharacter(known: Known): Finding | undefined {
  const wrong = refused(known, 'evaluate').filter(
    (call) => causeOf('evaluate', call, known.seen.calls) === '422 ERR_INVALID_ID_NUMBER',
  )
  const [first] = wrong
  return first && finding(`yes: ${statusAndCode(first.status, readRefusal(first).code)}`, wrong)
}

function tokenForm(known: Known): Finding | undefined {
  const calls = accepted(known, 'startWidget').filter(({ verdicts }) => verdicts.widgetToken !== undefined)
  const [first] = calls
  if (first === undefined) return undefined
  const { widgetToken, widgetTokenSeconds } = first.verdicts
  const life = widgetTokenSeconds === undefined ? '' : `, valid for ${widgetTokenSeconds} s by its own words`
  return finding(`${widgetToken}${life}`, calls)
}

function notApproved(known: Known): Finding | undefined {
  const calls = refused(known, 'evaluate').filter(
    (call) => causeOf('evaluate', call, known.seen.calls) === '422 ERR_CUSTOMER_NOT_APPROVED',
  )
  const [first] = calls
  if (first === undefined) return undefined
  const answer =
    first.status < 400 ? `${first.status} with no options` : statusAndCode(first.status, readRefusal(first).code)
  return finding(answer, calls)
}

const isAccepted = (known: Known, { json }: SeenCall): boolean => {
  const name = known.answers.get('startWidget')?.pairing?.names['data.accepted'] ?? 'accepted'
  return JSON.stringify(json ?? null).includes(`"${name}":true`)
}

function sessionWithout(known: Known): Finding | undefined {
  const evaluations = accepted(known, 'evaluate')
  const before = (call: SeenCall) =>
    evaluations.some(({ asked, at }) => asked.externalTrxId === call.asked.externalTrxId && at <= call.at)
  const after = (call: SeenCall) =>
    evaluations.some(({ asked, at }) => asked.externalTrxId === call.asked.externalTrxId && at > call.at)
  // A transaction may have been evaluated before the recording began, unless it is evaluated for the first time later.
  const without = accepted(known, 'startWidget').filter(
    (call) => isAccepted(known, call) && !before(call) && after(call),
  )
  return finding('no', without)
}

function notAccepted(known: Known): Finding | undefined {
  const calls = accepted(known, 'startWidget').filter((call) => !isAccepted(known, call))
  const token = known.answers.get('startWidget')?.pairing?.names['data.widgetToken'] ?? 'widgetToken'
  const has = calls.some(({ json }) => JSON.stringify(json ?? null).includes(`"${token}":"`))
  return finding(has ? 'there is a token all the same' : 'there is no token', calls)
}

function again(known: Known): Finding | undefined {
  const calls = accepted(known, 'evaluate')
  const twice = calls.filter((call) =>
    calls.some((each) => each !== call && each.asked.externalTrxId === call.asked.externalTrxId),
  )
  const paid = [...refused(known, 'evaluate'), ...refused(known, 'select')].filter(
    (call) => call.name && causeOf(call.name, call, known.seen.calls) === '409 ERR_TRANSACTION_ALREADY_PAID',
  )
  const [first] = paid
  const refusal = first && `once it is paid: ${statusAndCode(first.status, readRefusal(first).code)}`
  return finding([twice.length > 0 && 'yes', refusal].filter(Boolean).join('; '), [...twice, ...paid])
}

function calculation(known: Known): Finding | undefined {
  const values = known.answers.get('verifyLoan')?.pairing?.values
  const first = (field: string): unknown => values?.get(`data.${field}`)?.[0]
  const [amount, rate, periods, each] = ['loanAmount', 'interestRate', 'periods', 'installmentAmount'].map((field) =>
    Number(first(field)),
  )
  const loans = accepted(known, 'verifyLoan')
  const facts: string[] = []
  if (amount && rate && periods && each && periods < 500 && rate < 1) {
    const monthly = Math.abs(installmentPlan(amount, periods, rate).installmentAmount - each) <= 2
    const yearly = Math.abs(installmentPlan(amount, periods, rate / 12).installmentAmount - each) <= 2
    if (monthly) facts.push('interestRate is monthly; equal installments (annuity)')
    else
      facts.push(
        yearly
          ? 'interestRate is yearly; equal installments (annuity)'
          : 'no annuity at the rate of interestRate, monthly or yearly',
      )
  }
  const [transfer, due] = [first('transferDate'), first('installments.*.expirationDate')]
  if (isDate(transfer) && isDate(due))
    facts.push(
      due === addMonths(transfer, 1)
        ? 'the first installment is due a month after transferDate'
        : 'the first installment is not due a month after transferDate',
    )
  return finding(facts.join('; '), loans)
}

const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

function codes(known: Known): Finding | undefined {
  const calls = (['evaluate', 'select', 'startWidget'] as const).flatMap((name) =>
    refused(known, name)
      .filter(({ status }) => status >= 400 && status < 500 && status !== 401 && status !== 429)
      .map((call) => ({ ...call, said: `${name} ${statusAndCode(call.status, readRefusal(call).code)}` })),
  )
  return finding(joined(calls.map(({ said }) => said)), calls)
}

function byPreApproveId(known: Known): Finding | undefined {
  const ids = new Set((known.answers.get('evaluate')?.pairing?.values.get('data.preApproveId') ?? []).map(String))
  const asked = ({ params }: SeenCall) => ids.has(params.externalTrxId ?? '')
  const yes = accepted(known, 'verifyLoan').filter(asked)
  return yes.length > 0 ? finding('yes', yes) : undefined
}
