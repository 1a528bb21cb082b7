import { isRecord } from '../../text/record.ts'
import { INTEGRATIONS } from '../integrations.ts'
import type { Difference, PlainBody, PlainRequest } from './exchange.ts'
import { timesIn, whyUnread } from './exchange.ts'
import { collector, kindSeen, shownName } from './words.ts'

/** The number of fields in the `data` of each event of the real-estate integration (specification: "Webhook events"). */
const FIELDS = { new_lead: 11, pre_approve: 51 } as const

const NAMED = ['idPreAprobacion', 'urlInforme']

/**
 * Returns how a delivery of the service differs from the contract in its method, header, envelope, or number of fields in `data`. Of the
 * field names, only `idPreAprobacion` and `urlInforme` are compared, because the specification shows no others (gap 11).
 */
export function holdDelivery({ method, headers, body }: PlainRequest): Difference[] {
  const { problems, add } = collector()
  if (method !== 'POST') add('delivery method', 'POST', ['GET', 'PUT'].includes(method) ? method : 'another method')
  const { bnpl, 'real-estate': estate } = INTEGRATIONS
  const isSigned = timesIn(headers, bnpl.header) > 0
  const hasToken = timesIn(headers, estate.header) > 0
  if (isSigned === hasToken)
    add('delivery headers', `${bnpl.header} or ${estate.header}`, isSigned ? 'both of them' : 'none of them')
  if (whyUnread(body) !== undefined) return problems
  const json = body !== undefined && 'json' in body ? body.json : undefined
  if (!isRecord(json)) {
    add('delivery body', ENVELOPE, json === undefined ? bodyKind(body) : kindSeen(json))
    return problems
  }
  for (const name of Object.keys(json).filter((each) => each !== 'eventId' && each !== 'data'))
    add(`delivery ${shownName(name)}`, ENVELOPE, 'one more key')
  const { eventId, data } = json
  if (eventId === undefined || eventId === null || eventId === '') add('delivery eventId', 'an id', kindSeen(eventId))
  if (!isRecord(data)) add('delivery data', 'an object', kindSeen(data))
  else if (hasToken && !isSigned) holdEvent(data, add)
  return problems
}

const ENVELOPE = 'an object whose only keys are eventId and data'

function holdEvent(data: Record<string, unknown>, add: ReturnType<typeof collector>['add']): void {
  const named = NAMED.filter((name) => Object.hasOwn(data, name))
  const event = named.length > 0 ? 'pre_approve' : 'new_lead'
  for (const name of event === 'pre_approve' ? NAMED : [])
    if (!named.includes(name)) add(`delivery data.${name}`, 'text', 'nothing')
  const count = Object.keys(data).length
  if (count !== FIELDS[event]) add('delivery data', `${FIELDS[event]} fields of a ${event}`, `${count} fields`)
}

function bodyKind(body: PlainBody | undefined): string {
  if (body === undefined) return 'nothing'
  if ('form' in body) return 'a form'
  return 'text' in body ? 'text' : `a body that is not JSON`
}
