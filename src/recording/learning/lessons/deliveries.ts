import { headerIn } from '../../../contract/differences/exchange.ts'
import { isRecord } from '../../../contract/reading.ts'
import { DEFAULT_SIGNATURE } from '../../../domain/signature-settings.ts'
import { usual } from '../answers.ts'
import { typeOf } from '../forms.ts'
import { type Answered, finding, type GapQuestion, joined, type Known } from './question.ts'

const LISTEN = 'bnpl webhooks listen --public-url URL --until 1 --record FILE'

export const DELIVERY_QUESTIONS = {
  7: {
    question: 'With which algorithm and encoding is a delivery signed, and which bytes are signed?',
    find: signature,
    command: LISTEN,
  },
  11: { question: 'Which fields does the data of each event have?', find: fields, command: LISTEN },
  12: {
    question: 'How long does the service wait for an answer, and when and how often does it send a delivery again?',
    find: (known) => [retries(known), timeout(known)],
    command:
      'bnpl webhooks listen --database URL --public-url URL --record FILE. Stop the database during some deliveries, so that bnpl answers with 503',
  },
  45: { question: 'Which content type do deliveries have?', find: contentType, command: LISTEN },
  47: { question: 'Which answers of a receiver mean that it received the delivery?', find: received, command: LISTEN },
  49: { question: 'Which type does eventId have?', find: eventId, command: LISTEN },
} as const satisfies Record<number, GapQuestion>

function signature({ seen }: Known): (Answered | undefined)[] {
  const signed = seen.deliveries.filter((each) => each.signature?.algorithm !== undefined)
  const bodies = joined(
    signed.flatMap((each) => each.signature?.bodyForm ?? []),
    ' or ',
  )
  const headers = joined(
    signed.flatMap((each) => each.signature?.header ?? []),
    ' or ',
  )
  const algorithm = usual(signed.flatMap((each) => each.signature?.algorithm ?? []))
  const encoding = usual(signed.flatMap((each) => each.signature?.encoding ?? []))
  const others = joined(
    signed
      .flatMap(({ signature: found }) =>
        [found?.secretForm, found?.signatureForm].filter((each) => each !== undefined && each !== 'as given'),
      )
      .map(String),
  )
  if (algorithm === undefined || encoding === undefined) return []
  const tail = [headers && `in ${headers}`, bodies && `over the body ${bodies}`, others].filter(Boolean).join(', ')
  return [
    finding(
      `algorithm ${algorithm}, ${tail}`,
      signed,
      algorithm === DEFAULT_SIGNATURE.algorithm ? undefined : { name: 'hmacAlgorithm', value: algorithm },
    ),
    finding(
      `encoding ${encoding}`,
      signed,
      encoding === DEFAULT_SIGNATURE.encoding ? undefined : { name: 'hmacEncoding', value: encoding },
    ),
  ]
}

function fields({ deliveries }: Known): (Answered | undefined)[] {
  return [...deliveries.events].map(([event, { deliveries: own }]) => {
    const bodies = own.flatMap(({ body }) => (isRecord(body) ? [body] : []))
    const data = bodies.flatMap((body) =>
      isRecord(body.data) ? [body.data] : Object.values(body).filter(isRecord).slice(0, 1),
    )
    const names = [...new Set(data.flatMap((each) => Object.keys(each)))]
    const shown = names.slice(0, 60).join(', ')
    return finding(`${event}: ${names.length} fields: ${shown}`, own)
  })
}

function retries({ deliveries: { retries: learnt } }: Known): Answered | undefined {
  if (learnt.waitsMs.length === 0) return undefined
  const waits = learnt.waitsMs.map((ms) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`).join(', ')
  return {
    answer: `${learnt.isReceived ? 'at least ' : ''}${learnt.most} attempts, with waits of ${waits}`,
    evidence: learnt.evidence,
  }
}

function timeout({ deliveries: { retries: learnt } }: Known): Answered | undefined {
  if (learnt.timeout === undefined) return undefined
  const { ms, isMeasured, longestMs, tooLateMs, evidence } = learnt.timeout
  const seconds = (each: number) => `${(each / 1000).toFixed(1)} s`
  const answer = isMeasured
    ? `the service waits ${seconds(ms)} for an answer`
    : `an answer after ${seconds(longestMs)} is in time, and one after ${seconds(tooLateMs)} is too late`
  return { answer, evidence }
}

function contentType({ seen }: Known): Answered | undefined {
  const types = seen.deliveries.flatMap(({ headers }) => headerIn(headers, 'content-type') ?? [])
  return finding(joined(types), seen.deliveries)
}

function received({ deliveries: { retries: learnt }, seen }: Known): Answered | undefined {
  const repeated = new Set(learnt.repeated)
  const final = learnt.final.filter((status) => !repeated.has(status) && status < 300)
  const facts = [
    learnt.repeated.length > 0 && `sent again after the answers ${learnt.repeated.join(', ')}`,
    final.length > 0 && `not sent again after the answers ${final.join(', ')}`,
  ].filter(Boolean)
  return learnt.repeated.length === 0 ? undefined : finding(facts.join('; '), seen.deliveries)
}

function eventId({ seen }: Known): Answered | undefined {
  const ids = seen.deliveries.flatMap(({ body }) =>
    isRecord(body) && body.eventId !== undefined ? [body.eventId] : [],
  )
  return finding(joined(ids.map((id) => typeOf(id))), seen.deliveries)
}
