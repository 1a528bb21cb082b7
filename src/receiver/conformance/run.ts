import { NEW_LEAD_TIMEOUT_MS } from '../../contract/time-limits.ts'
import { proofHeader } from '../verification/verifier.ts'
import { ACCEPTING } from './accepting.ts'
import { type ConformanceFinding, type ConformanceOptions, eventsOf, type Send } from './check.ts'
import { REFUSING } from './refusing.ts'
import { deliveryRequest, type Reply, send, testEnvelope } from './test-delivery.ts'

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
