import { USUALLY_NOT_YET } from '../../../contract/not-yet.ts'
import { isRecord } from '../../../contract/reading.ts'
import { addMonths, installmentPlan } from '../../../domain/installments.ts'
import { causeOf } from '../causes.ts'
import { readRefusal } from '../refusal-body.ts'
import type { SeenCall } from '../sightings.ts'
import {
  type Answered,
  finding,
  type GapQuestion,
  joined,
  type Known,
  refused,
  statusAndCode,
  successesOf,
} from './question.ts'

const VERIFY = 'bnpl verify TRX --record FILE'
const EVALUATE = 'bnpl evaluate --rut R --amount N --record FILE'
const PAY = 'bnpl walkthrough --record FILE'

export const LOAN_QUESTIONS = {
  2: {
    question: 'Which steps can a loan request have?',
    find: (known) => words(known, 'select', ['data.step']),
    command: 'bnpl select --installments N --trx TRX --record FILE',
  },
  3: {
    question: 'Which states can loans and installments have?',
    find: (known) => words(known, 'verifyLoan', ['data.state', 'data.installments.*.state']),
    command: VERIFY,
  },
  18: { question: 'Which amounts and numbers of installments are possible?', find: bounds, command: EVALUATE },
  19: { question: 'In which currency are the amounts?', find: currency, command: PAY },
  21: { question: 'What is the answer when a transaction has no loan yet?', find: notYet, command: VERIFY },
  33: { question: 'How are installments and their dates calculated?', find: calculation, command: VERIFY },
  43: {
    question: 'Can a transaction be verified by its preApproveId?',
    find: byPreApproveId,
    command: 'bnpl api POST /partner/pre-approve/ID/loan --record FILE',
  },
} as const satisfies Record<number, GapQuestion>

function words({ answers }: Known, name: 'select' | 'verifyLoan', places: readonly string[]): Answered | undefined {
  const learnt = answers.get(name)
  const seen = places.flatMap((place) => learnt?.pairing?.values.get(place) ?? [])
  return finding(joined(seen.filter((word) => typeof word === 'string')), learnt?.calls ?? [])
}

function bounds(known: Known): Answered | undefined {
  const calls = successesOf(known, 'evaluate')
  const amounts = calls.map(({ asked }) => Number(asked.amount)).filter((amount) => amount > 0)
  const offered = known.answers.get('evaluate')?.pairing?.values.get('data.installmentOptions.*.installments') ?? []
  if (amounts.length === 0) return undefined
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
  const periods = [...new Set(offered.map(Number))].sort((a, b) => a - b)
  const range = least === most ? `${least}` : `from ${least} to ${most}`
  return finding(`accepted amounts: ${range}; offered installments: ${periods.join(', ') || 'unknown'}`, calls)
}

function currency({ seen }: Known): Answered | undefined {
  const found = seen.calls.flatMap((call) => currenciesIn(call.json, 0).map((value) => ({ ...call, value })))
  const values = [...new Set(found.map(({ value }) => value))]
  const [only, another] = values
  const setting = another === undefined && only !== undefined && /^[A-Z]{3}$/.test(only)
  if (found.length > 0)
    return finding(joined(values), found, setting && only ? { name: 'currency', value: only } : undefined)
  const loans = seen.calls.filter(({ name, status }) => (name === 'verifyLoan' || name === 'evaluate') && status < 300)
  return finding('no field shows the currency', loans)
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

function notYet(known: Known): Answered | undefined {
  const calls = refused(known, 'verifyLoan').filter(
    (call) => causeOf('verifyLoan', call, known.seen.calls) === '404 ERR_LOAN_NOT_FOUND',
  )
  const paid = new Set(successesOf(known, 'verifyLoan').map(({ params }) => params.externalTrxId))
  // A status such as 400 may mean something else than “no loan yet”. It counts only if the recording also shows a loan of the transaction.
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

function calculation(known: Known): Answered | undefined {
  const values = known.answers.get('verifyLoan')?.pairing?.values
  const first = (field: string): unknown => values?.get(`data.${field}`)?.[0]
  const [amount, rate, periods, each] = ['loanAmount', 'interestRate', 'periods', 'installmentAmount'].map((field) =>
    Number(first(field)),
  )
  const loans = successesOf(known, 'verifyLoan')
  const facts: string[] = []
  if (amount && rate && periods && each && periods < 500 && rate < 1) {
    const monthly = Math.abs(installmentPlan(amount, periods, rate).installmentAmount - each) <= 2
    const yearly = Math.abs(installmentPlan(amount, periods, rate / 12).installmentAmount - each) <= 2
    if (monthly) facts.push('interestRate is monthly; equal installments (annuity)')
    else
      facts.push(
        yearly
          ? 'interestRate is yearly; equal installments (annuity)'
          : 'the installments are not an annuity, neither with a monthly nor with a yearly interestRate',
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

function byPreApproveId(known: Known): Answered | undefined {
  const ids = new Set((known.answers.get('evaluate')?.pairing?.values.get('data.preApproveId') ?? []).map(String))
  const asked = ({ params }: SeenCall) => ids.has(params.externalTrxId ?? '')
  const yes = successesOf(known, 'verifyLoan').filter(asked)
  return yes.length > 0 ? finding('yes', yes) : undefined
}

const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
