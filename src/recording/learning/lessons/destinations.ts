import { LIST_ENCODINGS } from '../../../contract/form.ts'
import { isRecord } from '../../../contract/reading.ts'
import { shortened } from '../../../text/visible.ts'
import { formOf, typeOf } from '../forms.ts'
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

const ADD = 'bnpl webhooks add URL --record FILE'
const SUBSCRIBE = 'bnpl webhooks subscribe URL --event pre_approve --filter outcome=approved --project ID --record FILE'
const REMOVE = 'bnpl webhooks rm ID --record FILE'

export const DESTINATION_QUESTIONS = {
  6: { question: 'Which fields does a destination have?', find: fields, command: ADD },
  8: { question: 'How is the secret of a destination issued?', find: secret, command: ADD },
  9: { question: 'How are filters and the project of a destination written?', find: filters, command: SUBSCRIBE },
  10: {
    question: 'How is the body encoded when a destination is registered or a loan is verified?',
    find: encodings,
    command: ADD,
  },
  20: { question: 'What is the answer when a destination is deleted?', find: deletion, command: REMOVE },
  27: { question: 'How is the list of events written in a form-encoded body?', find: listEncoding, command: SUBSCRIBE },
  36: {
    question: 'With which answer is a destination refused, and can the same address be registered twice?',
    find: refusals,
    command: `${ADD}, two times`,
  },
  37: {
    question: 'With which codes does the service refuse to register a webhook destination for real-estate events?',
    find: subscriptionRefusals,
    command: SUBSCRIBE,
  },
  44: {
    question: 'Which field of an answer contains a list, and which type do ids have?',
    find: lists,
    command: 'bnpl webhooks list --record FILE',
  },
} as const satisfies Record<number, GapQuestion>

const CALLS = ['registerWebhook', 'subscribeWebhook', 'listWebhooks'] as const

function fields(known: Known): Answered | undefined {
  const learnt = CALLS.flatMap((name) => known.answers.get(name) ?? [])
  const names = learnt.flatMap(({ pairing }) => {
    if (pairing === undefined) return []
    const own = [...pairing.values.keys()].filter((place) => /^data(\.\*)?\.[^.*]+$/.test(place))
    return [...own.map((place) => pairing.names[place] ?? place), ...Object.keys(pairing.more)].map(
      (place) => place.split('.').at(-1) ?? '',
    )
  })
  return finding(
    joined(names),
    learnt.flatMap(({ calls }) => calls),
  )
}

function secret(known: Known): Answered | undefined {
  const found = (['registerWebhook', 'subscribeWebhook'] as const).flatMap((name) =>
    successesOf(known, name).map((call) => ({ ...call, places: secretsIn(call.json, '', 0) })),
  )
  const places = found.flatMap((each) => each.places)
  return finding(
    places.length > 0
      ? `in ${joined(places)} of the answer to the registration`
      : 'not in the answer to the registration',
    found,
  )
}

function secretsIn(value: unknown, place: string, depth: number): string[] {
  if (formOf(value) === 'secret') return [place]
  if (!isRecord(value) || depth > 4) return []
  return Object.entries(value).flatMap(([name, item]) =>
    secretsIn(item, place === '' ? name : `${place}.${name}`, depth + 1),
  )
}

function filters(known: Known): Answered | undefined {
  const calls = successesOf(known, 'subscribeWebhook')
  const other = (call: SeenCall) =>
    Object.keys(call.asked).filter((name) => !['url', 'eventTypes', 'filters'].includes(name))
  const projects = calls.flatMap((call) => other(call).filter((name) => isAnswered(call, call.asked[name])))
  const [project] = projects
  const written = joined(calls.flatMap((call) => call.written.filter((name) => name.startsWith('filters'))))
  const inJson = calls.some((call) => call.encoding === 'json' && isRecord(call.asked.filters))
    ? 'filters as an object'
    : ''
  const facts = [written || inJson, project && `project in ${project}`].filter(Boolean)
  const setting =
    project === undefined || project === 'projectId' ? undefined : { name: 'projectField', value: project }
  return finding(facts.join('; '), facts.length === 0 ? [] : calls, setting)
}

/** Whether the answer contains a value of the request. If so, the service did not ignore the field with this value. */
const isAnswered = ({ json }: SeenCall, value: unknown): boolean =>
  typeof value === 'string' && value !== '' && (JSON.stringify(json) ?? '').includes(JSON.stringify(value))

const BODIES = [
  ['registerWebhook', 'registration'],
  ['subscribeWebhook', 'subscription'],
  ['verifyLoan', 'verification'],
] as const

function encodings(known: Known): (Answered | undefined)[] {
  return BODIES.map(([name, setting]) => {
    const calls = successesOf(known, name)
    const ways = [...new Set(calls.map(wayOf))]
    const refusals = refused(known, name).filter(({ status }) => status === 400 || status === 415)
    const denied = [...new Set(refusals.map(wayOf))].filter((way) => !ways.includes(way))
    const but = denied.length > 0 ? `; refused: ${denied.join(' and ')}` : ''
    const onlyJson = ways.length === 1 && ways[0] === 'JSON'
    const wanted = onlyJson ? { name: `bodies.${setting}`, value: 'json' } : undefined
    return finding(`${setting}: ${ways.join(' and ')}${but}`, calls, wanted)
  })
}

const wayOf = ({ encoding }: SeenCall): string =>
  encoding === 'json' ? 'JSON' : encoding === 'form' ? 'form' : encoding === undefined ? 'no body' : 'another body'

function deletion(known: Known): Answered | undefined {
  const calls = successesOf(known, 'deleteWebhook')
  return finding(
    joined(
      calls.map(({ status, json }) =>
        json === undefined ? `${status} without a body` : `${status} ${shortened(JSON.stringify(json), 80)}`,
      ),
    ),
    calls,
  )
}

function listEncoding(known: Known): Answered | undefined {
  const calls = successesOf(known, 'subscribeWebhook').filter(
    (call) => call.asked.eventTypes !== undefined && echoesEvents(call),
  )
  const ways = [
    ...new Set(
      calls.flatMap(({ encoding, written, asked }) =>
        encoding === 'json' ? ['a list in JSON'] : wayOfList(written, asked.eventTypes),
      ),
    ),
  ]
  const [way, another] = ways
  const isSetting = another === undefined && LIST_ENCODINGS.some((each) => each === way)
  return finding(
    ways.join(', '),
    calls,
    isSetting && way !== undefined && way !== 'brackets' ? { name: 'bodies.eventTypes', value: way } : undefined,
  )
}

/**
 * Returns whether the answer agrees with the events of the request. An answer that names events, but not all events of the request, shows
 * that the service could not read the list of events.
 */
function echoesEvents({ asked, json }: SeenCall): boolean {
  const events = [asked.eventTypes].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : []))
  const text = JSON.stringify(json) ?? ''
  return events.length === 0 || events.every((event) => text.includes(event)) || !/event/i.test(text)
}

function wayOfList(written: readonly string[], value: unknown): string[] {
  const names = written.filter((name) => name.startsWith('eventTypes'))
  if (names.some((name) => name.endsWith('[]'))) return ['brackets']
  if (names.some((name) => /\[\d+\]$/.test(name))) return ['indexed']
  if (names.length > 1) return ['repeated']
  return typeof value === 'string' && value.includes(',') ? ['comma'] : []
}

function refusals(known: Known): Answered | undefined {
  const calls = (['registerWebhook', 'subscribeWebhook'] as const)
    .flatMap((name) => refused(known, name))
    .filter(({ status }) => status >= 400 && status < 500 && status !== 401 && status !== 403)
  const urls = (['registerWebhook', 'subscribeWebhook'] as const).flatMap((name) => successesOf(known, name))
  // An address with a hidden part is not compared, because another address may look the same.
  const isSame = (a: SeenCall, b: SeenCall) =>
    a.name === b.name && a.session === b.session && a.asked.url === b.asked.url
  const twice = urls.filter(
    (call) => !String(call.asked.url).includes('(') && urls.some((each) => each !== call && isSame(each, call)),
  )
  const said = joined(calls.map((call) => statusAndCode(call.status, readRefusal(call).code)))
  return finding([said, twice.length > 0 && 'the same address can be registered twice'].filter(Boolean).join('; '), [
    ...calls,
    ...twice,
  ])
}

function subscriptionRefusals(known: Known): Answered | undefined {
  const calls = refused(known, 'subscribeWebhook').filter(({ status }) => status === 403 || status === 422)
  return finding(joined(calls.map((call) => statusAndCode(call.status, readRefusal(call).code))), calls)
}

function lists(known: Known): Answered | undefined {
  const learnt = (['listWebhooks', 'listLeads'] as const).flatMap((name) => {
    const answer = known.answers.get(name)
    if (answer?.manner.data === undefined) return []
    const at = [...answer.manner.data, ...(answer.manner.list?.at ?? [])].join('.')
    const id = answer.pairing?.values.get(name === 'listWebhooks' ? 'data.*.id' : 'data.*.leadId')?.[0]
    return [
      {
        calls: answer.calls,
        said: `${name}: the list is ${at === '' ? 'the whole body' : `in ${at}`}${id === undefined ? '' : `, the type of ids is ${typeOf(id)}`}`,
      },
    ]
  })
  return finding(
    learnt.map(({ said }) => said).join('; '),
    learnt.flatMap(({ calls }) => calls),
  )
}
