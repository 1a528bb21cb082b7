import { headerSent, proofHeader } from '../verification/verifier.ts'
import { type ConformanceCheck, mustRefuse, okFinding, skippedFinding } from './check.ts'

export const REFUSING: readonly ConformanceCheck[] = [
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
