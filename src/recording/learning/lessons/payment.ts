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

const EVALUATE = 'bnpl evaluate --rut R --amount N --record FILE'

export const PAYMENT_QUESTIONS = {
  1: {
    question: 'Which field of an evaluation contains the pre-approval id?',
    find: preApproveIdField,
    command: EVALUATE,
  },
  24: {
    question: 'Is the check character of a national id checked?',
    find: checkCharacter,
    command: 'bnpl evaluate --rut WRONG --skip-rut-check --amount N --record FILE',
  },
  25: {
    question: 'Which form does the widget token have?',
    find: tokenForm,
    command: 'bnpl widget-token --amount N --email M --trx TRX --record FILE',
  },
  26: { question: 'What is the answer when a customer is not approved?', find: notApproved, command: EVALUATE },
  30: {
    question: 'Does a widget session need an evaluation before it?',
    find: sessionWithout,
    command: `bnpl widget-token --amount N --email M --trx NEW --record FILE, then: ${EVALUATE} --trx NEW`,
  },
  31: {
    question: 'What is in the answer to a widget session that is not accepted?',
    find: notAccepted,
    command: 'bnpl widget-token --amount N --email M --trx PAID --record FILE',
  },
  32: {
    question: 'Can a transaction be evaluated more than once?',
    find: again,
    command: `${EVALUATE} --trx TRX, two times`,
  },
  34: {
    question: 'With which codes are evaluations, selections and widget sessions refused?',
    find: codes,
    command: EVALUATE,
  },
} as const satisfies Record<number, GapQuestion>

function preApproveIdField({ answers }: Known): Answered | undefined {
  const learnt = answers.get('evaluate')
  const pairing = learnt?.pairing
  if (learnt === undefined || pairing === undefined || !pairing.values.has('data.preApproveId')) return undefined
  const name = pairing.names['data.preApproveId'] ?? 'preApproveId'
  const keys = [...(learnt.manner.data ?? []), name].join('.')
  const isKnown = name === 'preApproveId' || name === 'idPreAprobacion'
  return finding(keys, learnt.calls, isKnown ? undefined : { name: 'preApproveIdField', value: name })
}

function checkCharacter(known: Known): Answered | undefined {
  const wrong = refused(known, 'evaluate').filter(
    (call) => causeOf('evaluate', call, known.seen.calls) === '422 ERR_INVALID_ID_NUMBER',
  )
  const [first] = wrong
  return first && finding(`yes: ${statusAndCode(first.status, readRefusal(first).code)}`, wrong)
}

function tokenForm(known: Known): Answered | undefined {
  const calls = successesOf(known, 'startWidget').filter(({ verdicts }) => verdicts.widgetToken !== undefined)
  const [first] = calls
  if (first === undefined) return undefined
  const { widgetToken, widgetTokenSeconds } = first.verdicts
  const life =
    widgetTokenSeconds === undefined ? '' : `, valid for ${widgetTokenSeconds} s according to the token itself`
  return finding(`${widgetToken}${life}`, calls)
}

function notApproved(known: Known): Answered | undefined {
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

function sessionWithout(known: Known): Answered | undefined {
  const evaluations = successesOf(known, 'evaluate')
  const before = (call: SeenCall) =>
    evaluations.some(({ asked, at }) => asked.externalTrxId === call.asked.externalTrxId && at <= call.at)
  const after = (call: SeenCall) =>
    evaluations.some(({ asked, at }) => asked.externalTrxId === call.asked.externalTrxId && at > call.at)
  // A session counts only if the evaluation of its transaction is recorded later. Otherwise, the evaluation may be older than the
  // recording.
  const without = successesOf(known, 'startWidget').filter(
    (call) => isAccepted(known, call) && !before(call) && after(call),
  )
  return finding('no', without)
}

function notAccepted(known: Known): Answered | undefined {
  const calls = successesOf(known, 'startWidget').filter((call) => !isAccepted(known, call))
  const token = known.answers.get('startWidget')?.pairing?.names['data.widgetToken'] ?? 'widgetToken'
  const has = calls.some(({ json }) => JSON.stringify(json ?? null).includes(`"${token}":"`))
  return finding(has ? 'the answer contains a token' : 'the answer contains no token', calls)
}

function again(known: Known): Answered | undefined {
  const calls = successesOf(known, 'evaluate')
  const twice = calls.filter((call) =>
    calls.some(
      (each) =>
        each !== call &&
        each.evidence.file === call.evidence.file &&
        each.asked.externalTrxId === call.asked.externalTrxId,
    ),
  )
  const paid = [...refused(known, 'evaluate'), ...refused(known, 'select')].filter(
    (call) => call.name && causeOf(call.name, call, known.seen.calls) === '409 ERR_TRANSACTION_ALREADY_PAID',
  )
  const [first] = paid
  const refusal = first && `after the transaction is paid: ${statusAndCode(first.status, readRefusal(first).code)}`
  return finding([twice.length > 0 && 'yes', refusal].filter(Boolean).join('; '), [...twice, ...paid])
}

function codes(known: Known): Answered | undefined {
  const calls = (['evaluate', 'select', 'startWidget'] as const).flatMap((name) =>
    refused(known, name)
      .filter(({ status }) => status >= 400 && status < 500 && status !== 401 && status !== 429)
      .map((call) => ({ ...call, said: `${name} ${statusAndCode(call.status, readRefusal(call).code)}` })),
  )
  return finding(joined(calls.map(({ said }) => said)), calls)
}
