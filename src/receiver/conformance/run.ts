import { EVENTS } from '../../contract/events.ts'
import { NEW_LEAD_TIMEOUT_MS } from '../../contract/time-limits.ts'
import { headerSent, proofHeader } from '../verification/verifier.ts'
import {
  accepted,
  adviceFor,
  type ConformanceCheck,
  type ConformanceFinding,
  type ConformanceOptions,
  deliveryRequest,
  eventsOf,
  failFinding,
  mustAccept,
  mustRefuse,
  okFinding,
  type Reply,
  type Send,
  saying,
  send,
  skippedFinding,
  testEnvelope,
  text,
} from './check.ts'

const HALF_EMOJI =
  'Replace such escapes by \\ufffd before you parse the body, but after you have verified it. A program that cuts a text in the middle of an emoji sends them (unpaired surrogates). They are valid JSON, but the JSON parsers of PHP, Rust and .NET refuse them.'

/** Returns the body of a delivery of a sample event with other or further fields. */
const bodyWith = ({ signer, newEventId, sample }: ConformanceOptions, fields: Record<string, unknown>) =>
  text({ eventId: newEventId(), data: { ...sample(eventsOf(signer)[0]), ...fields } })

/** Checks of a receiver's address, and of deliveries that it must accept. The first delivery shows whether the receiver can be reached. */
export const ACCEPTING: readonly ConformanceCheck[] = [
  {
    name: 'the service can deliver to the address',
    async run({ options }) {
      return new URL(options.url).protocol === 'https:'
        ? okFinding('https')
        : { status: 'warn', detail: 'plain http is fine for a test, but destinations must use https' }
    },
  },
  {
    name: 'a delivery is accepted with 2xx within 3 s',
    async run({ send }) {
      const reply = await send()
      return mustAccept(
        reply,
        reply.fault === 'refused' || reply.fault === 'dns'
          ? 'Start the receiver, or check the address.'
          : (adviceFor(reply) ?? 'Answer 2xx to a delivery of the service. Check the secret (or the token).'),
      )
    },
  },
  {
    name: 'the answer is not a redirect',
    async run({ send }) {
      const reply = await send()
      const { status } = reply
      if (status === null) return failFinding(saying(reply))
      if (status < 300 || status >= 400) return okFinding(`answered ${status}`)
      return {
        status: 'warn',
        detail: `answered ${status}`,
        hint: adviceFor(reply) ?? 'Answer 2xx, because 304 is not an answer to a delivery.',
      }
    },
  },
  {
    name: 'a repeated delivery is accepted',
    async run({ send, body }) {
      const bytes = body()
      const first = await send({ body: bytes })
      if (!accepted(first)) return mustAccept(first)
      return mustAccept(
        await send({ body: bytes }),
        'Answer 2xx to a retry, which has the same eventId, and do not process it again.',
      )
    },
  },
  {
    name: 'a body with unusual spacing is accepted, because its raw bytes are verified',
    async run({ options: { signer, newEventId, sample }, send }) {
      const [event] = eventsOf(signer)
      const spaced = `{\r\n  "data" : ${JSON.stringify(sample(event), null, '\t')},\r\n  "eventId" : "${newEventId()}"\r\n}\r\n`
      return mustAccept(
        await send({ body: Buffer.from(spaced) }),
        'Verify the raw bytes before you parse them, because JSON that was parsed and written again differs from the signed bytes.',
      )
    },
  },
  {
    name: 'a large body is accepted',
    async run({ options, send }) {
      const body = bodyWith(options, { observaciones: 'x'.repeat(256 * 1024) })
      return mustAccept(await send({ body }), 'Accept bodies of up to 1 MiB.')
    },
  },
  {
    name: 'any text in a field is accepted',
    async run({ options, send }) {
      return mustAccept(
        await send({ body: bodyWith(options, { nombres: 'Ñandú 😀 \u202e\u0000\u2028 "\\/</script>' }) }),
        'Accept any text, because names can contain accents, emoji and control characters.',
      )
    },
  },
  {
    name: 'half of an emoji, as an escape such as \\ud83d, is accepted',
    async run({ options, send }) {
      const reply = await send({ body: bodyWith(options, { nombres: 'Ana \ud83d' }) })
      if (accepted(reply) || reply.status === null || reply.status >= 500) return mustAccept(reply, HALF_EMOJI)
      return { status: 'warn', detail: saying(reply), hint: HALF_EMOJI }
    },
  },
  {
    name: 'unknown fields are accepted',
    async run({ options: { signer, newEventId, sample }, send }) {
      const [event] = eventsOf(signer)
      const data = { ...sample(event), campoNuevo: { lista: [1, null, 'x'] } }
      return mustAccept(
        await send({ body: text({ eventId: newEventId(), data, version: 2 }) }),
        'Read the fields that you know and ignore the rest, because the service may add fields.',
      )
    },
  },
  {
    name: 'an event of the destination’s second event type is accepted',
    async run({ options: { signer, newEventId, sample }, send }) {
      const other = eventsOf(signer).find((event) => EVENTS[event].own !== undefined)
      if (other === undefined) return skippedFinding('this integration has only one event type')
      return mustAccept(
        await send({ body: text({ eventId: newEventId(), data: sample(other) }) }),
        `Handle both events at one address. A body with ${EVENTS[other].own?.[0]} is the event ${other}.`,
      )
    },
  },
  {
    name: '20 deliveries at once are accepted within 3 s each',
    async run({ send }) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => send()))
      const worst = replies.find((reply) => !accepted(reply))
      if (worst)
        return failFinding(
          saying(worst),
          'Answer before you process the event, so that one event does not wait for another.',
        )
      return okFinding(`the slowest took ${Math.round(Math.max(...replies.map(({ ms }) => ms)))} ms`)
    },
  },
]

const REFUSING: readonly ConformanceCheck[] = [
  {
    name: 'a body that was tampered with is refused',
    async run({ options: { signer }, send, body }) {
      if (signer.scheme === 'token') return skippedFinding('a static token does not protect the body')
      const bytes = body()
      const proof = proofHeader(bytes, signer)
      return mustRefuse(
        await send({ body: Buffer.concat([bytes.subarray(0, -1), Buffer.from(',"more":1}')]), proof }),
        'Compute the HMAC over the raw bytes of the body, and compare it with the received signature.',
      )
    },
  },
  {
    name: 'a delivery without a signature is refused',
    run: async ({ options, send }) =>
      mustRefuse(await send({ proof: {} }), `Answer 401 when the ${headerSent(options.signer)} header is missing.`),
  },
  {
    name: 'a delivery with an empty signature is refused',
    run: async ({ options, send }) =>
      mustRefuse(
        await send({ proof: { [headerSent(options.signer)]: '' } }),
        `Refuse an empty ${headerSent(options.signer)} header, even if the receiver’s own secret is empty.`,
      ),
  },
  {
    name: 'a delivery with a wrong signature is refused',
    async run({ options: { signer }, send, body }) {
      const bytes = body()
      const proof = proofHeader(bytes, { ...signer, secret: `${signer.secret}x` })
      return mustRefuse(await send({ body: bytes, proof }), 'Compare the whole header, in constant time.')
    },
  },
  {
    name: 'a delivery with only the beginning of the right signature is refused',
    async run({ options: { signer }, send, body }) {
      const bytes = body()
      const [[name = '', value = ''] = []] = Object.entries(proofHeader(bytes, signer))
      return mustRefuse(
        await send({ body: bytes, proof: { [name]: value.slice(0, Math.ceil(value.length / 2)) } }),
        'Compare the whole header, because a signature that was cut short is not valid.',
      )
    },
  },
  {
    name: 'a malformed signature is refused',
    async run({ options: { signer }, send }) {
      const name = headerSent(signer)
      for (const value of ['zz', 'abc', `v1=${'0'.repeat(64)}`, 'null', '\u00e9'.repeat(8)]) {
        const finding = mustRefuse(await send({ proof: { [name]: value } }), 'Answer 401.')
        if (finding.status !== 'ok') return finding
      }
      return okFinding('five malformed signatures were refused')
    },
  },
  {
    name: 'a delivery with the header of the other scheme is refused',
    async run({ options: { signer }, send, body }) {
      const bytes = body()
      const scheme = signer.scheme === 'hmac' ? 'token' : 'hmac'
      return mustRefuse(
        await send({ body: bytes, proof: proofHeader(bytes, { ...signer, scheme }) }),
        `Accept only the ${headerSent(signer)} header, because the service always sends this header to this destination.`,
      )
    },
  },
]

/**
 * Tests a receiver with deliveries like those of the service, and with deliveries that an attacker may send. The remaining checks are
 * skipped if the receiver cannot be reached or never answers in time.
 * @throws the signal's reason when the signal is aborted
 */
export async function testReceiver(options: ConformanceOptions): Promise<ConformanceFinding[]> {
  const { signer, clock, signal, timeoutMs } = options
  const limitMs = Math.min(NEW_LEAD_TIMEOUT_MS, timeoutMs)
  const [event] = eventsOf(signer)
  const body = () => testEnvelope({ event, eventId: options.newEventId(), data: options.sample(event) })
  const replies: Reply[] = []
  const sendOne: Send = async (given = {}) => {
    const bytes = given.body ?? body()
    const proof = given.proof ?? proofHeader(bytes, signer)
    const request = { ...deliveryRequest(options.url, bytes, proof, limitMs), signal }
    const reply = await send(request, options.transport, clock)
    replies.push(reply)
    return { ...reply, limitMs }
  }
  const findings: ConformanceFinding[] = []
  let pointless: string | undefined
  for (const { name, run } of [...ACCEPTING, ...REFUSING]) {
    if (pointless !== undefined) {
      findings.push({ name, status: 'skipped', detail: pointless, ms: 0 })
      continue
    }
    options.onCheck?.(name)
    const started = clock.monotonic()
    const before = replies.length
    const finding = await run({ options, send: sendOne, body })
    findings.push({ name, ...finding, ms: Math.round(clock.monotonic() - started) })
    if (replies.slice(before).some(isGone)) pointless = 'the receiver cannot be reached'
    // A receiver that is too slow for a valid delivery may still refuse an unsigned delivery at once. If it answers neither, skip the
    // remaining checks.
    else if (replies.length === 1 && replies[0]?.fault === 'timeout' && (await sendOne({ proof: {} })).status === null)
      pointless = 'the receiver does not answer in time'
  }
  return findings
}

const isGone = ({ fault }: Reply) => fault === 'refused' || fault === 'dns' || fault === 'tls'
