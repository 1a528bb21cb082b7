import { headerIn } from '../../../contract/differences/exchange.ts'
import { shortened } from '../../../text/visible.ts'
import { causeOf, isMalformed } from '../causes.ts'
import { readRefusal } from '../refusal-body.ts'
import { isRefusal } from '../refusals.ts'
import type { SeenCall } from '../sightings.ts'
import { type Answered, finding, type GapQuestion, joined, type Known, statusAndCode } from './question.ts'

const SMOKE = 'bnpl smoke --record FILE'
const WITHOUT_KEY = 'BNPL_API_KEY=wrong bnpl webhooks list --record FILE'

export const SERVICE_QUESTIONS = {
  15: { question: 'Which form do errors have, and which codes does each call have?', find: errors, command: SMOKE },
  16: { question: 'With which status is a missing or wrong key refused?', find: wrongKey, command: WITHOUT_KEY },
  17: {
    question: 'What is the answer to too many calls?',
    find: limits,
    command: 'bnpl evaluate --from CUSTOMERS --rate N/s --record FILE',
  },
  23: { question: 'Does the service have versions?', find: versions, command: SMOKE },
  29: {
    question: 'What is the answer to a body that is not as expected?',
    find: malformedBody,
    command: 'bnpl api POST /partner/widget/start --record FILE',
  },
  35: { question: 'What is the answer to an inactive account?', find: inactive, command: SMOKE },
  40: {
    question: 'Which codes are sent for an object that does not exist, and for a temporary failure?',
    find: missing,
    command: 'bnpl webhooks rm UNKNOWN --record FILE',
  },
  46: { question: 'With which status does each call answer when it succeeds?', find: successes, command: SMOKE },
  48: { question: 'Which content type do answers have?', find: contentTypes, command: SMOKE },
} as const satisfies Record<number, GapQuestion>

const refusalsOf = ({ seen }: Known): (SeenCall & { code: string | undefined; cause: string | undefined })[] =>
  seen.calls.flatMap((call) => {
    const { name } = call
    if (name === undefined || call.status < 400 || !isRefusal(name, call)) return []
    return [{ ...call, code: readRefusal(call).code, cause: causeOf(name, call, seen.calls) }]
  })

function errors(known: Known): Answered | undefined {
  const calls = refusalsOf(known).filter(({ json }) => json !== undefined)
  const shapes = calls.map((call) => shortened(JSON.stringify(readRefusal(call).body), 160))
  const codes = calls.flatMap(({ name, status, code }) => (code === undefined ? [] : [`${name} ${status} ${code}`]))
  return finding([joined(shapes, ' or '), joined(codes)].filter((each) => each !== '').join('; '), calls)
}

function wrongKey(known: Known): Answered | undefined {
  const calls = refusalsOf(known).filter(({ cause }) => cause?.endsWith(' ERR_UNAUTHORIZED'))
  return finding(joined(calls.map(({ status, code }) => statusAndCode(status, code))), calls)
}

const RATE_HEADER = /^(x-)?rate-?limit(-[a-z-]+)?$/

function limits({ seen }: Known): Answered | undefined {
  const calls = seen.calls.filter(
    ({ status, answer }) => status === 429 || answer.headers.some(([name]) => RATE_HEADER.test(name)),
  )
  const facts = calls.flatMap((call) => {
    const wait = headerIn(call.answer.headers, 'retry-after')
    const shown = call.answer.headers
      .filter(([name]) => RATE_HEADER.test(name))
      .map(([name, value]) => `${name}: ${value}`)
    const refusal =
      call.status === 429
        ? [
            `${statusAndCode(429, readRefusal(call).code)}${wait === undefined ? ', without Retry-After' : `, Retry-After: ${wait}`}`,
          ]
        : []
    return [...refusal, ...(call.status === 429 ? shown : shown.filter((each) => /limit(-limit)?:/.test(each)))]
  })
  return finding(joined(facts.slice(0, 8)), calls)
}

function versions({ seen }: Known): Answered | undefined {
  const calls = seen.calls.filter(({ name }) => name !== undefined)
  const headers = calls.flatMap((call) =>
    call.answer.headers
      .filter(([name]) => /(^|-)version$/.test(name))
      .map(([name, value]) => `header ${name}: ${value}`),
  )
  const paths = seen.sessions
    .flatMap(({ baseUrl }) => /\/v\d{1,2}(?=\/|$)/.exec(baseUrl ?? '')?.[0] ?? [])
    .map((part) => `${part} in the base address`)
  const facts = joined([...headers, ...paths])
  return finding(facts || 'no header and no path shows a version', calls)
}

function malformedBody(known: Known): Answered | undefined {
  const calls = refusalsOf(known).filter(
    (call) =>
      call.name && (isMalformed(call.name, call) || call.status === 415) && !call.cause?.includes('UNAUTHORIZED'),
  )
  return finding(joined(calls.map(({ name, status, code }) => `${name} ${statusAndCode(status, code)}`)), calls)
}

function inactive(known: Known): Answered | undefined {
  const calls = refusalsOf(known).filter(
    ({ cause, name }) => cause === '403 ERR_PARTNER_INACTIVE' && name !== 'getInforme',
  )
  return finding(joined(calls.map(({ status, code }) => statusAndCode(status, code))), calls)
}

const ABSENT = /_NOT_FOUND$/

function missing(known: Known): Answered | undefined {
  const calls = refusalsOf(known).filter(
    ({ cause, name, status }) => (ABSENT.test(cause ?? '') && name !== 'verifyLoan') || status >= 500 || status === 405,
  )
  return finding(joined(calls.map(({ name, status, code }) => `${name} ${statusAndCode(status, code)}`)), calls)
}

function successes({ answers }: Known): Answered | undefined {
  const learnt = [...answers].filter(([, { manner }]) => manner.status !== undefined)
  const byStatus = new Map<number, string[]>()
  for (const [name, { manner }] of learnt)
    byStatus.set(manner.status ?? 0, [...(byStatus.get(manner.status ?? 0) ?? []), name])
  const said = [...byStatus].map(([status, names]) => `${status}: ${names.join(', ')}`).join('; ')
  return finding(
    said,
    learnt.flatMap(([, { calls }]) => calls),
  )
}

function contentTypes({ answers, seen }: Known): Answered | undefined {
  const types = [...answers.values()].flatMap(({ manner }) => manner.contentType ?? [])
  const errors = seen.calls
    .filter(({ name, status }) => name !== undefined && status >= 400)
    .flatMap(({ answer }) => headerIn(answer.headers, 'content-type') ?? [])
  const other = errors.filter((type) => !types.includes(type))
  const said = joined(types) + (other.length > 0 ? `; errors ${joined(other)}` : '')
  return finding(
    said,
    [...answers.values()].flatMap(({ calls }) => calls),
  )
}
