import { NEW_LEAD_TIMEOUT_MS } from '../../contract/integrations.ts'
import { deliveryRequest, envelopeOf, proofOf, send } from '../deliver.ts'
import { ACCEPTING } from './accepting.ts'
import { type ConformanceOptions, eventsOf, type Finding, type Send } from './check.ts'
import { REFUSING } from './refusing.ts'

/**
 * Tests a receiver as the service will use it and as others will abuse it. Every delivery has an eventId of its own, but for the
 * check that repeats one. When the receiver is not there, the checks after the first are skipped.
 */
export async function testReceiver(options: ConformanceOptions): Promise<Finding[]> {
  const { signer, clock } = options
  const [event] = eventsOf(signer)
  const body = () => envelopeOf({ event, eventId: options.newEventId(), data: options.sample(event) })
  const sendOne: Send = (given = {}) => {
    const bytes = given.body ?? body()
    const proof = given.proof ?? proofOf(bytes, signer)
    return send(deliveryRequest(options.url, bytes, proof, NEW_LEAD_TIMEOUT_MS), options.transport, clock)
  }
  const findings: Finding[] = []
  let absent = false
  for (const { name, run } of [...ACCEPTING, ...REFUSING]) {
    if (absent) {
      findings.push({ name, status: 'skipped', detail: 'the receiver is not there', ms: 0 })
      continue
    }
    options.onCheck?.(name)
    const started = clock.monotonic()
    let gone = false
    const watched: Send = async (given) => {
      const reply = await sendOne(given)
      gone ||= reply.fault === 'refused' || reply.fault === 'dns' || reply.fault === 'tls'
      return reply
    }
    const finding = await run({ options, send: watched, body })
    findings.push({ name, ...finding, ms: Math.round(clock.monotonic() - started) })
    absent = gone
  }
  return findings
}
