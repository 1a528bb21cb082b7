import {
  accepted,
  type ConformanceCheck,
  eventsOf,
  failFinding,
  mustAccept,
  okFinding,
  saying,
  skippedFinding,
  text,
} from './check.ts'

/** The checks of deliveries that a receiver must accept. The first delivery shows whether it can be reached. */
export const ACCEPTING: readonly ConformanceCheck[] = [
  {
    name: 'the address is one the service delivers to',
    async run({ options }) {
      return new URL(options.url).protocol === 'https:'
        ? okFinding('https')
        : { status: 'warn', detail: 'plain http: fine for a test, but destinations are https only' }
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
          : 'Answer 2xx to a delivery of the service. Is the secret (or the token) the right one?',
      )
    },
  },
  {
    name: 'no redirect is answered',
    async run({ send }) {
      const reply = await send()
      const { status } = reply
      if (status === null) return failFinding(saying(reply))
      if (status < 300 || status >= 400) return okFinding(`answered ${status}`)
      return {
        status: 'warn',
        detail: `answered ${status}`,
        hint: 'Redirects are not followed; register the address that it points to.',
      }
    },
  },
  {
    name: 'the same delivery again is accepted',
    async run({ send, body }) {
      const bytes = body()
      const first = await send({ body: bytes })
      // A delivery that was not accepted once cannot be a duplicate.
      if (!accepted(first)) return mustAccept(first)
      return mustAccept(
        await send({ body: bytes }),
        'A retry carries the same eventId: answer 2xx, and do nothing a second time.',
      )
    },
  },
  {
    name: 'a body in another form is accepted, verified on its bytes',
    async run({ options: { signer, newEventId, sample }, send }) {
      const [event] = eventsOf(signer)
      const spaced = `{\r\n  "data" : ${JSON.stringify(sample(event), null, '\t')},\r\n  "eventId" : "${newEventId()}"\r\n}\r\n`
      return mustAccept(
        await send({ body: Buffer.from(spaced) }),
        'Verify the raw bytes before parsing: JSON that is written again differs from the signed bytes.',
      )
    },
  },
  {
    name: 'a large body is accepted',
    async run({ options: { signer, newEventId, sample }, send }) {
      const [event] = eventsOf(signer)
      const data = { ...sample(event), observaciones: 'x'.repeat(256 * 1024) }
      return mustAccept(await send({ body: text({ eventId: newEventId(), data }) }), 'Allow bodies of 1 MiB.')
    },
  },
  {
    name: 'any text in a field is accepted',
    async run({ options: { signer, newEventId, sample }, send }) {
      const [event] = eventsOf(signer)
      const odd = 'Ñandú 😀 \u202e\u0000\u2028 "\\/</script> \ud83d'
      const escaped = JSON.stringify({ eventId: newEventId(), data: { ...sample(event), nombres: odd } })
      return mustAccept(await send({ body: Buffer.from(escaped) }), 'Names have accents, emoji and worse.')
    },
  },
  {
    name: 'fields that are not known are accepted',
    async run({ options: { signer, newEventId, sample }, send }) {
      const [event] = eventsOf(signer)
      const data = { ...sample(event), campoNuevo: { lista: [1, null, 'x'] } }
      return mustAccept(
        await send({ body: text({ eventId: newEventId(), data, version: 2 }) }),
        'The service may add fields; read the ones you know and ignore the rest.',
      )
    },
  },
  {
    name: 'the other event of the destination is accepted',
    async run({ options: { signer, newEventId, sample }, send }) {
      const [, other] = eventsOf(signer)
      if (other === undefined) return skippedFinding('this integration has one event')
      return mustAccept(
        await send({ body: text({ eventId: newEventId(), data: sample(other) }) }),
        `Both events come to one address: a body with idPreAprobacion is ${other}.`,
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
          'Answer before the work is done, so that one event does not wait for another.',
        )
      return okFinding(`the slowest took ${Math.round(Math.max(...replies.map(({ ms }) => ms)))} ms`)
    },
  },
]
