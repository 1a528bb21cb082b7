import type { EventType, VerificationScheme } from '../../contract/integrations.ts'
import type { WireRequest } from '../../contract/wire.ts'
import type { SignatureSettings } from '../../domain/signature-settings.ts'
import { headerSent } from '../verification/verifier.ts'
import { ACCEPTING, testReceiver } from './run.ts'

export interface DeliveryVector {
  /** The name of a check. Deliveries with the same name are sent in the order of the list. */
  name: string
  valid: boolean
  scheme: VerificationScheme
  secret: string
  algorithm: SignatureSettings['algorithm']
  encoding: SignatureSettings['encoding']
  headers: Readonly<Record<string, string>>
  body: string
  /** The exact bytes of `body`, because a program may encode the text differently. */
  bodyBase64: string
}

/** The secret of all vectors. It is public. */
const SECRET = 'bnpl-test-vectors-secret'

/** A check with one of these words in its name has no test vectors, because its result does not depend on a body or a header. */
const NOT_OF_ONE_DELIVERY = /address|redirect|at once/

/**
 * Returns the deliveries of the conformance test as data: genuine ones that a receiver must accept, and forged ones that it must refuse.
 * @param sample makes the `data` of an event
 */
export async function deliveryVectors(
  scheme: VerificationScheme,
  signature: SignatureSettings,
  sample: (event: EventType) => Record<string, unknown>,
): Promise<DeliveryVector[]> {
  const vectors: DeliveryVector[] = []
  const accepting = new Set(ACCEPTING.map(({ name }) => name))
  let name = ''
  let ids = 0
  const note = ({ headers, body = Buffer.alloc(0) }: WireRequest) => {
    const bytes = Buffer.from(body)
    const valid = accepting.has(name)
    if (!NOT_OF_ONE_DELIVERY.test(name))
      vectors.push({
        name,
        valid,
        scheme,
        secret: SECRET,
        algorithm: signature.algorithm,
        encoding: signature.encoding,
        headers: pick(headers, [
          'content-type',
          headerSent({ scheme, signature }),
          headerSent({ scheme: scheme === 'hmac' ? 'token' : 'hmac', signature }),
        ]),
        body: bytes.toString('utf8'),
        bodyBase64: bytes.toString('base64'),
      })
    return { status: valid ? 200 : 401, headers: {}, body: Buffer.alloc(0) }
  }
  await testReceiver({
    url: 'https://shop.example/webhooks',
    signer: { scheme, signature, secret: SECRET },
    transport: async (request) => note(request),
    clock: { now: () => 0, monotonic: () => 0, sleep: async () => {} },
    timeoutMs: 1000,
    signal: new AbortController().signal,
    sample,
    newEventId: () => `vector-${++ids}`,
    onCheck: (check) => {
      name = check
    },
  })
  return vectors
}

const pick = (headers: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
