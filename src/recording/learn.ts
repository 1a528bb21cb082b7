import { isEmpty } from '../contract/compare/data.ts'
import { headerIn, mediaType } from '../contract/compare/exchange.ts'
import { answerProblem, FIELD_NAMES, FIELDS, type FieldName } from '../contract/description.ts'
import { ENDPOINT_NAMES, type EndpointName, endpointOf } from '../contract/endpoints.ts'
import { FORM_TYPE } from '../contract/form.ts'
import { isRecord } from '../text/json-text.ts'
import type { Evidence, RecordedDelivery, RecordedExchange, RecordedLine } from './lines.ts'
import { isMark } from './values.ts'

interface Seen {
  entry: RecordedExchange | RecordedDelivery
  here: Evidence
}

/** Says what a line answers to a question. @param at another line that shows it; the line itself if left out */
type Told = (field: FieldName, answer: string | number | undefined, at?: Evidence) => void

/** Reads each line of a recording in order, and says which questions the line answers. */
type Lesson = () => (seen: Seen, told: Told) => void

/** How many ids a lesson remembers from earlier lines. */
const MOST_IDS = 1_000

function remember<Value>(known: Map<string, Value>, id: string, value: Value): void {
  if (known.size >= MOST_IDS) known.delete(known.keys().next().value ?? '')
  known.set(id, value)
}

/** A call that was answered, with what is usually read of it. */
interface Call {
  name: EndpointName
  path: string
  status: number
  isSuccess: boolean
  requestType: string
  fields: readonly (readonly [name: string, value: unknown])[]
  answer: RecordedExchange['response'] & {}
  json: unknown
  data: unknown
}

const isEndpoint = (name: string | undefined): name is EndpointName => ENDPOINT_NAMES.some((each) => each === name)

/** A lesson about answered calls of the contract. */
const ofCalls =
  (lesson: () => (call: Call, told: Told, here: Evidence) => void): Lesson =>
  () => {
    const read = lesson()
    return ({ entry, here }, told) => {
      if (entry.kind !== 'exchange' || entry.response === undefined || !isEndpoint(entry.endpoint)) return
      const { request, response } = entry
      const json = response.body !== undefined && 'json' in response.body ? response.body.json : undefined
      const { body } = request
      const sent = body === undefined || !('json' in body) ? undefined : body.json
      const fields = body !== undefined && 'form' in body ? body.form : isRecord(sent) ? Object.entries(sent) : []
      const call: Call = {
        name: entry.endpoint,
        path: request.path.split('?')[0] ?? '',
        status: response.status,
        isSuccess: response.status >= 200 && response.status < 300,
        requestType: mediaType(request.headers),
        fields,
        answer: response,
        json,
        data: isRecord(json) ? json.data : undefined,
      }
      read(call, told, here)
    }
  }

const field = ({ fields }: Call, name: string): string | undefined => {
  const value = fields.find(([each]) => each === name)?.[1]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && !isMark(value) ? value : undefined

const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** gap 1: the field of an evaluation whose value a later call sends as `preApproveId`. */
const preApproveIdField = ofCalls(() => {
  const seen = new Map<string, { name: string; at: Evidence }>()
  return (call, told, here) => {
    if (call.name === 'evaluate' && call.isSuccess && isRecord(call.data)) {
      const { data } = call
      const usual = ['preApproveId', 'idPreAprobacion'].find((name) => text(data[name]) !== undefined)
      if (usual !== undefined) return told('preApproveIdField', usual)
      for (const [name, value] of Object.entries(data)) {
        const id = text(typeof value === 'number' ? String(value) : value)
        if (id !== undefined) remember(seen, id, { name, at: here })
      }
    }
    const later = field(call, 'preApproveId') ?? (call.name === 'getInforme' ? call.path.split('/').at(-2) : undefined)
    const found = later === undefined ? undefined : seen.get(later)
    if (found) told('preApproveIdField', found.name, found.at)
  }
})

/** gap 10 and 27: the encodings of bodies that the service accepted. */
const bodies = ofCalls(() => (call, told) => {
  const { bodySetting } = endpointOf(call.name)
  if (bodySetting === undefined || !call.isSuccess) return
  const isForm = call.requestType === FORM_TYPE
  if (isForm || call.requestType === 'application/json') told(bodySetting, isForm ? 'form' : 'json')
  const names = call.fields.map(([name]) => name).filter((name) => /^eventTypes\b/.test(name))
  if (!isForm || names.length === 0) return
  if (names.some((name) => /^eventTypes\[\d+\]$/.test(name))) told('bodies.eventTypes', 'indexed')
  else if (names.includes('eventTypes[]')) told('bodies.eventTypes', 'brackets')
  else told('bodies.eventTypes', field(call, 'eventTypes')?.includes(',') ? 'comma' : 'repeated')
})

/** gap 9: the only field of an accepted subscription that the specification does not name. */
const projectField = ofCalls(() => (call, told) => {
  if (call.name !== 'subscribeWebhook' || !call.isSuccess) return
  const others = new Set(call.fields.map(([name]) => name).filter((name) => !/^(url|eventTypes|filters)\b/.test(name)))
  const [only, another] = others
  if (only !== undefined && another === undefined) told('projectField', only)
})

/** gaps 13 and 14: the paths of calls that were answered. */
const paths = ofCalls(() => (call, told) => {
  const { name, path, isSuccess, status } = call
  const parts = path.split('/')
  const before = parts.slice(0, -1).join('/')
  if (before.includes('(')) return
  if (name === 'openInforme' && status === 302) told('paths.openInforme', `${before}/{signature}`)
  const { pathSetting } = endpointOf(name)
  if (pathSetting === undefined || !isSuccess) return
  const [parameter] = endpointOf(name).params
  if (parameter === undefined) return path.includes('(') ? undefined : told(pathSetting, path)
  const of = endpointOf(name).path.split('/')
  const at = parts.length - (of.length - of.indexOf(`{${parameter.name}}`))
  told(pathSetting, parts.with(at, `{${parameter.name}}`).join('/'))
})

const NOT_ABOUT_A_LOAN = [401, 403, 429]

/** gap 21: how a verification was answered before the loan of the transaction was there. */
const notYet = ofCalls(() => {
  const waiting = new Map<string, { status: number; at: Evidence }>()
  return ({ name, path, status, isSuccess, data }, told, here) => {
    if (name !== 'verifyLoan') return
    if (isSuccess && isEmpty(data)) return told('notYet', 'empty')
    const before = waiting.get(path)
    if (isSuccess && before) told('notYet', before.status, before.at)
    else if (status === 404) told('notYet', status)
    else if (status >= 400 && status < 500 && !NOT_ABOUT_A_LOAN.includes(status))
      remember(waiting, path, { status, at: here })
  }
})

const tellLoan = (loan: Record<string, unknown>, told: Told): void => {
  const date = text(loan.transferDate)
  if (date !== undefined) told('loanDates', date.includes('T') ? 'date-time' : 'day')
  told('loanStates', text(loan.state))
  for (const { state } of records(loan.installments)) told('installmentStates', text(state))
}

/** gap 3: states, and the form of dates, of loans. */
const loans: Lesson = () => {
  const ofCall = ofCalls(() => ({ name, isSuccess, data }, told) => {
    if (name === 'verifyLoan' && isSuccess && isRecord(data)) tellLoan(data, told)
  })()
  return (seen, told) => {
    ofCall(seen, told)
    const body = seen.entry.kind === 'delivery' ? seen.entry.request.body : undefined
    const json = body !== undefined && 'json' in body ? body.json : undefined
    if (isRecord(json) && isRecord(json.data) && 'transferDate' in json.data) tellLoan(json.data, told)
  }
}

/** gaps 2, 18, 25 and 31: what the answers of a payment show. */
const payment = ofCalls(() => ({ name, isSuccess, data, json }, told) => {
  if (!isSuccess) return
  const own = isRecord(data) ? data : isRecord(json) ? json : {}
  if (name === 'select') told('steps', text(own.step))
  if (name === 'evaluate')
    for (const { installments } of records(own.installmentOptions))
      if (typeof installments === 'number') told('installmentOptions', installments)
  if (name !== 'startWidget' || own.widgetToken === undefined || own.widgetToken === null) return
  told('accepted', 'accepted' in own ? 'yes' : 'no')
  told('validUntil', 'validUntil' in own ? 'yes' : 'no')
})

/** gaps 50 and 51: which calls and fields a service has that the specification does not have, and the state after a cancellation. */
const published = ofCalls(() => {
  const cancelled = new Set<string>()
  return (call, told) => {
    const { name, path, isSuccess, data } = call
    if (!isSuccess) return
    if (name === 'startWidget' && field(call, 'preApproveId') !== undefined) told('widgetPreApproveId', 'yes')
    if (name === 'addEntity' || name === 'listEntities' || name === 'setEntity') told('entities', 'yes')
    if (name === 'cancelLoan') {
      told('cancel', 'yes')
      if (cancelled.size < MOST_IDS) cancelled.add(path.replace(/\/cancel$/, ''))
    }
    if (name === 'verifyLoan' && cancelled.has(path) && isRecord(data)) told('cancelledState', text(data.state))
  }
})

const ABOUT_A_KEY = /AUTH|KEY|CREDENTIAL/

/** gaps 15, 16 and 17: how the service refuses. */
const refusals = ofCalls(() => ({ name, status, json, answer }, told) => {
  if (status < 400 || status >= 500) return
  const inside = isRecord(json) ? json : undefined
  const code = text(inside?.code) ?? (isRecord(inside?.error) ? text(inside.error.code) : undefined)
  if (isRecord(inside?.error)) told('errorForm', 'error')
  else if (isRecord(inside?.data) && 'status' in inside.data) told('errorForm', 'data')
  else if (inside !== undefined && 'code' in inside) told('errorForm', 'flat')
  else if (/^text\/plain/.test(mediaType(answer.headers))) told('errorForm', 'text')
  if (name !== 'getInforme' && (status === 401 || (code !== undefined && ABOUT_A_KEY.test(code))))
    told('wrongKeyStatus', status)
  if (status !== 429) return
  const wait = headerIn(answer.headers, 'retry-after')
  told('retryAfter', wait === undefined ? 'absent' : /^\d+$/.test(wait) ? 'seconds' : 'date')
})

/** gap 7, 8 and 45: how deliveries are signed and written. */
const deliveries: Lesson = () => (seen, told) => {
  if (seen.entry.kind !== 'delivery') return
  const { signature, request } = seen.entry
  const type = headerIn(request.headers, 'content-type')
  if (type !== undefined && !type.includes('(')) told('deliveryType', type)
  const isProved = signature?.valid === true || signature?.algorithm !== undefined
  if (signature?.header === undefined) return
  if (signature.scheme === 'token') return told('tokenHeader', signature.header)
  if (!isProved) return
  told('signatureHeader', signature.header)
  told('hmacAlgorithm', signature.algorithm)
  told('hmacEncoding', signature.encoding)
  const isTimed = signature.bodyForm?.startsWith('with its timestamp') === true
  told('signatureForm', isTimed ? 'timestamp' : signature.bodyForm === 'as given' ? 'body' : undefined)
}

/** All lessons. A lesson is about one question, or about questions that one answer shows. */
const LESSONS: readonly Lesson[] = [
  preApproveIdField,
  bodies,
  projectField,
  paths,
  notYet,
  loans,
  payment,
  published,
  refusals,
  deliveries,
]

interface Attempt {
  /** When the delivery arrived, in ms since 1970. */
  at: number
  ms: number
  cutMs: number | undefined
  status: number
  evidence: Evidence
}

/** Deliveries of an event with a shorter wait between them are for two destinations, and a longer wait is between two recordings. */
const SHORTEST_WAIT_MS = 5
const LONGEST_WAIT_MS = 7 * 86_400_000

/** A connection that the service closed earlier was closed for another reason. */
const SHORTEST_TIMEOUT_MS = 500

const MOST_EVENTS = 200
const MOST_ATTEMPTS = 21

/** Learns from the times of repeated deliveries how often and after which waits the service repeats a delivery. */
function learnRetries() {
  const events = new Map<string, Attempt[]>()
  return {
    add({ request, response, at, ms, cutMs, session }: RecordedDelivery, evidence: Evidence): void {
      const json = request.body !== undefined && 'json' in request.body ? request.body.json : undefined
      const id = isRecord(json) ? json.eventId : undefined
      if (typeof id !== 'string' && typeof id !== 'number') return
      const key = `${session} ${request.path} ${id}`
      const attempts = events.get(key) ?? []
      if (!events.has(key) && events.size >= MOST_EVENTS) dropSingle(events)
      events.set(key, attempts)
      if (attempts.length < MOST_ATTEMPTS)
        attempts.push({ at: Date.parse(at), ms, cutMs, status: response.status, evidence })
    },
    answers() {
      const longest = [...events.values()].reduce<Attempt[]>((a, b) => (b.length > a.length ? b : a), [])
      const waits = waitsBetween(longest)
      const cut = [...events.values()]
        .flat()
        .filter(({ cutMs }) => cutMs !== undefined && cutMs >= SHORTEST_TIMEOUT_MS)
        .sort((a, b) => (a.cutMs ?? 0) - (b.cutMs ?? 0))
      const middle = cut[Math.floor(cut.length / 2)]
      const seconds = (ms: number) => `${Math.round(ms) / 1000}s`
      return [
        ...(waits.length === 0
          ? []
          : [
              {
                field: 'deliveryRetries' as const,
                answer: waits.map(seconds).join(','),
                evidence: longest.map(({ evidence }) => evidence),
              },
            ]),
        ...(middle?.cutMs === undefined
          ? []
          : [
              {
                field: 'deliveryTimeout' as const,
                answer: seconds(100 * Math.round(middle.cutMs / 100)),
                evidence: cut.map(({ evidence }) => evidence),
              },
            ]),
      ]
    },
  }
}

/** Returns the waits between the end of each attempt and the beginning of the next; none if the attempts are not one series. */
function waitsBetween(attempts: readonly Attempt[]): number[] {
  const waits = attempts.slice(1).map(({ at }, i) => {
    const before = attempts[i]
    return at - (before?.at ?? at) - Math.min(before?.ms ?? 0, before?.cutMs ?? Number.POSITIVE_INFINITY)
  })
  const isSeries = waits.every((wait) => wait >= SHORTEST_WAIT_MS && wait <= LONGEST_WAIT_MS)
  // A delivery that was repeated although the receiver accepted it was sent by somebody else, or again by hand.
  const isRefused = attempts.slice(0, -1).every(({ status, cutMs }) => status >= 300 || cutMs !== undefined)
  return isSeries && isRefused ? waits.slice(0, 20) : []
}

/** Forgets an event that was delivered once. If there is none, forgets the oldest. */
function dropSingle(events: Map<string, Attempt[]>): void {
  const single = [...events].find(([, attempts]) => attempts.length === 1)?.[0]
  events.delete(single ?? events.keys().next().value ?? '')
}

/** One question that recordings answer. */
export interface LearntAnswer {
  field: FieldName
  gap: number | null
  answer: string
  /** Some of the lines that show the answer, the first first. */
  evidence: readonly Evidence[]
}

export interface Learnt {
  exchanges: number
  deliveries: number
  answers: readonly LearntAnswer[]
}

const MOST_EVIDENCE = 5

/** Different answers to one question. A recording from elsewhere could contain any number of them. */
const MOST_ANSWERS = 64

interface Votes {
  count: number
  evidence: Evidence[]
}

/**
 * Learns from recordings how a service answers the open questions. If lines differ, the answer of most lines is taken. If an answer is a
 * list, such as the states of a loan, it contains every part that a line shows. The memory that is used does not depend on the length of
 * the recordings.
 */
export async function learn(lines: AsyncIterable<RecordedLine>): Promise<Learnt> {
  const votes = new Map<FieldName, Map<string, Votes>>()
  const tell = (field: FieldName, answer: string, ...evidence: readonly Evidence[]) => {
    if (answerProblem(field, answer) !== undefined) return
    const answers = votes.get(field) ?? new Map<string, Votes>()
    votes.set(field, answers)
    const known = answers.get(answer) ?? { count: 0, evidence: [] }
    if (!answers.has(answer) && answers.size >= MOST_ANSWERS) return
    answers.set(answer, known)
    known.count += evidence.length
    known.evidence.push(...evidence.slice(0, MOST_EVIDENCE - known.evidence.length))
  }
  const counts = { exchanges: 0, deliveries: 0 }
  const lessons = LESSONS.map((lesson) => lesson())
  const retries = learnRetries()
  for await (const { file, line, entry } of lines) {
    if (entry.kind !== 'exchange' && entry.kind !== 'delivery') continue
    counts[entry.kind === 'exchange' ? 'exchanges' : 'deliveries']++
    const here = { file, line }
    const told: Told = (field, answer, at = here) => {
      if (answer !== undefined) tell(field, String(answer), at)
    }
    for (const lesson of lessons) lesson({ entry, here } satisfies Seen, told)
    if (entry.kind === 'delivery') retries.add(entry, here)
  }
  for (const { field, answer, evidence } of retries.answers()) tell(field, answer, ...evidence)
  return { ...counts, answers: FIELD_NAMES.flatMap((field) => answerOf(field, votes.get(field))) }
}

/** Fields whose answer is a list of everything that was seen. */
const LISTS: readonly FieldName[] = ['steps', 'loanStates', 'installmentStates', 'installmentOptions', 'notYet']

function answerOf(field: FieldName, votes: ReadonlyMap<string, Votes> | undefined): LearntAnswer[] {
  const sorted = [...(votes ?? [])].sort(([, a], [, b]) => b.count - a.count)
  const [best] = sorted
  if (best === undefined) return []
  const { gap } = FIELDS[field]
  if (!LISTS.includes(field)) return [{ field, gap, answer: best[0], evidence: best[1].evidence }]
  const items = sorted.map(([item]) => item)
  const numbers = field === 'installmentOptions' ? items.sort((a, b) => Number(a) - Number(b)) : items
  const all = sorted.flatMap(([, each]) => each.evidence.slice(0, 1))
  const evidence = all.filter((each, i) => all.indexOf(each) === i).slice(0, MOST_EVIDENCE)
  return [{ field, gap, answer: numbers.join(','), evidence }]
}
