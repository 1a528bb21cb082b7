import { headerIn } from '../../../contract/differences/exchange.ts'
import { type EndpointName, endpointOf } from '../../../contract/endpoints.ts'
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

const DOWNLOAD = 'bnpl informe download PREAPPROVEID --record FILE'
const LEADS =
  'bnpl profiles set paths.leads PATH (ask the support of the service for PATH), then: bnpl leads list --record FILE'

export const REPORT_QUESTIONS = {
  13: {
    question: 'Which URL path does the link to a report have?',
    find: linkPath,
    command: 'bnpl evaluations get --rut R --record FILE',
  },
  14: {
    question: 'Which paths do the lead list, a lead and its evaluation have, and how is the list divided into pages?',
    find: leadPaths,
    command: LEADS,
  },
  38: { question: 'With which codes is a report refused?', find: reportRefusals, command: DOWNLOAD },
  39: { question: 'Does the evaluation of a payment have a report?', find: paymentReport, command: DOWNLOAD },
  41: {
    question: 'What is the answer when a report link is opened with an API key?',
    find: withKey,
    command: 'bnpl proxy --record FILE, with a program that sends its API key when it opens the link',
  },
  42: { question: 'Where does the signed link of a report lead?', find: storage, command: DOWNLOAD },
} as const satisfies Record<number, GapQuestion>

/** Returns whether all parts of a path except the last one are readable. The last may be hidden, because it is a signature or an id. */
const isShown = (path: string) => !path.slice(0, path.lastIndexOf('/')).includes('(')

function linkPath({ seen, answers }: Known): Answered | undefined {
  const opened = seen.calls.filter(({ name }) => name === 'openInforme')
  const [call] = opened
  if (call !== undefined) return finding(patternOf(call.path), opened)
  for (const name of ['evaluationByRut', 'evaluationByLead'] as const) {
    const links = answers.get(name)?.pairing?.values.get('data.urlInforme') ?? []
    const link = links.find((each) => typeof each === 'string' && URL.canParse(each))
    if (typeof link === 'string') return finding(patternOf(new URL(link).pathname), answers.get(name)?.calls ?? [])
  }
  return undefined
}

function patternOf(path: string): string {
  const plain = decodeURIComponent((path.split('?')[0] ?? '').replaceAll(/%(?![\da-f]{2})/gi, '%25'))
  const parts = plain.split('/')
  return [...parts.slice(0, -1), '{signature}'].join('/')
}

const LEAD_CALLS = [
  ['listLeads', 'paths.leads'],
  ['getLead', 'paths.lead'],
  ['evaluationByLead', 'paths.evaluationByLead'],
] as const

function leadPaths(known: Known): (Answered | undefined)[] {
  return LEAD_CALLS.map(([name, setting]) => {
    const calls = successesOf(known, name)
    const [call] = calls
    const path = call && templateOf(name, call, known)
    if (call === undefined || path === undefined || !isShown(path)) return undefined
    const beside = Object.keys(known.answers.get(name)?.manner.list?.beside ?? {})
    const query = [...new URLSearchParams(call.path.split('?')[1] ?? '').keys()]
    const more = [
      beside.length > 0 && `in addition to the leads, the answer contains: ${beside.join(', ')}`,
      query.length > 0 && `query: ${joined(query)}`,
    ]
    return finding([path, ...more.filter(Boolean)].join('; '), calls, { name: setting, value: path })
  })
}

function templateOf(name: EndpointName, { path, params }: SeenCall, { seen }: Known): string | undefined {
  const plain = path.split('?')[0] ?? ''
  if (endpointOf(name).params.length === 0) return plain
  const parts = plain.split('/')
  const ids = new Set([params.leadId, ...leadIds(seen.calls)].filter((id) => id !== undefined))
  const at = parts.findLastIndex((part) => ids.has(part))
  return at < 0 ? undefined : parts.with(at, '{leadId}').join('/')
}

const leadIds = (calls: readonly SeenCall[]): string[] =>
  calls
    .filter(({ name }) => name === 'listLeads')
    .flatMap(({ json }) => [...(JSON.stringify(json) ?? '').matchAll(/"([\w-]{8,64})"/g)].map(([, id = '']) => id))

function reportRefusals(known: Known): Answered | undefined {
  const calls = refused(known, 'getInforme').filter(({ status }) => [400, 401, 403, 404].includes(status))
  return finding(joined(calls.map((call) => statusAndCode(call.status, readRefusal(call).code))), calls)
}

function paymentReport(known: Known): Answered | undefined {
  const ids = new Set((known.answers.get('evaluate')?.pairing?.values.get('data.preApproveId') ?? []).map(String))
  const asked = ({ params }: SeenCall) => ids.has(params.preApproveId ?? '')
  const yes = successesOf(known, 'getInforme').filter(asked)
  const no = refused(known, 'getInforme').filter((call) => asked(call) && call.status === 404)
  return yes.length > 0 ? finding('yes', yes) : finding('no', no)
}

function withKey(known: Known): Answered | undefined {
  const calls = known.seen.calls.filter(
    ({ name, requestHeaders, status }) =>
      name === 'openInforme' && status >= 400 && headerIn(requestHeaders, 'authorization') !== undefined,
  )
  return finding(joined(calls.map((call) => statusAndCode(call.status, readRefusal(call).code))), calls)
}

function storage({ seen }: Known): Answered | undefined {
  const files = seen.calls.filter(
    ({ name, answer }) =>
      name === undefined && answer.body !== undefined && 'omitted' in answer.body && answer.body.omitted === 'pdf',
  )
  const [file] = files
  if (file === undefined) return undefined
  const place = /^https?:/.test(file.path) ? 'another host' : 'the host of the service'
  const parts =
    headerIn(file.answer.headers, 'accept-ranges') === 'bytes'
      ? 'a report can be requested in parts (Range)'
      : 'no recording shows that a report can be requested in parts (Range)'
  return finding(`the link leads to ${place}; ${parts}`, files)
}
