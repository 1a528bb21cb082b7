import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { INTEGRATIONS } from '../../contract/integrations.ts'
import { type Clock, within } from '../../domain/clock.ts'
import type { Happening } from '../delivery.ts'
import { isAwayStatus } from '../forwarding/forward-attempt.ts'
import type { ArrivalFate, ForwardResult, Inbox } from '../inbox.ts'
import type { VerificationFailure } from '../verification/verifier.ts'

/** The metrics of a receiver and their meanings, without the metrics that every Node process has. `docs/production.md` shows this table. */
export const METRICS = {
  bnpl_receiver_received_total: 'Requests that arrived, whether they were accepted or refused.',
  bnpl_receiver_verified_total: 'Deliveries whose signature or token is valid.',
  bnpl_receiver_refused_total: 'Requests that were refused, by reason.',
  bnpl_receiver_recorded_total:
    'Verified deliveries that were stored and acknowledged, by event and by fate: new, duplicate, variant (another body with a known eventId) or quarantined (not an event).',
  bnpl_receiver_unacknowledged_total:
    'Verified deliveries answered with 503 because they could not be stored. A new_lead among them is lost, because the service does not repeat it.',
  bnpl_receiver_inbox_failures_total: 'Failed writes to the inbox, and failed reads of it.',
  bnpl_receiver_acknowledgement_seconds:
    'Time from the arrival of the complete body until the delivery was stored and answered.',
  bnpl_receiver_forwards_total: 'Attempts to forward an event to the handler, by result.',
  bnpl_receiver_forward_seconds: 'Time the handler took to answer.',
  bnpl_receiver_waiting_events: 'Events in the inbox that wait to be forwarded.',
  bnpl_receiver_oldest_waiting_seconds:
    'Age of the oldest event that waits to be forwarded. It is 0 when no event waits.',
  bnpl_receiver_ready: '1 if the receiver can store a delivery now, otherwise 0. /readyz reports the same.',
  bnpl_build_info: 'Always 1. The label contains the version.',
} as const

type MetricName = keyof typeof METRICS

/** The values of labels. No label contains a value from a sender. */
export const LABELS = {
  reason: [
    'signature-missing',
    'signature-wrong',
    'other-scheme',
    'host',
    'path',
    'method',
    'type',
    'size',
    'slow',
    'malformed',
    'busy',
  ],
  result: ['delivered', 'refused', 'away', 'no-answer', 'set-aside'],
} as const

/** Counts the work of a receiver for Prometheus. No label contains data that a sender chose. */
export interface Metrics {
  observe(happening: Happening): void
  forwarded(result: ForwardResult): void
  text(): Promise<{ type: string; text: string }>
}

interface MetricsOptions {
  inbox: Pick<Inbox, 'backlog'>
  clock: Clock
  version: string
  ready(): boolean
}

/** The limits of the buckets of acknowledgement times, in seconds. The last limit is 3 s, because the service waits 3 s for an answer. */
const ACK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3]
const FORWARD_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** If the inbox reports its backlog later than this, the other metrics are written without it. */
const BACKLOG_MS = 1000

/** Creates the metrics of a receiver. All counters begin at 0. */
export function createMetrics({ inbox, clock, version, ready }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Remove these gauges, because Prometheus's lint allows the ending `_total` only for counters. Other metrics contain the same values.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  const counter = <L extends string>(name: MetricName, labelNames: readonly L[] = []) =>
    new Counter<L>({ name, help: METRICS[name], labelNames, registers })
  const gauge = (name: MetricName) => new Gauge({ name, help: METRICS[name], registers })
  const histogram = (name: MetricName, buckets: number[]) =>
    new Histogram({ name, help: METRICS[name], buckets, registers })

  const received = counter('bnpl_receiver_received_total')
  const verified = counter('bnpl_receiver_verified_total')
  const refused = counter('bnpl_receiver_refused_total', ['reason'])
  const recorded = counter('bnpl_receiver_recorded_total', ['fate', 'event'])
  const unacknowledged = counter('bnpl_receiver_unacknowledged_total')
  const failures = counter('bnpl_receiver_inbox_failures_total')
  const acknowledged = histogram('bnpl_receiver_acknowledgement_seconds', ACK_BUCKETS)
  const forwards = counter('bnpl_receiver_forwards_total', ['result'])
  const forwardSeconds = histogram('bnpl_receiver_forward_seconds', FORWARD_BUCKETS)
  const waiting = gauge('bnpl_receiver_waiting_events')
  const oldest = gauge('bnpl_receiver_oldest_waiting_seconds')
  const isReady = gauge('bnpl_receiver_ready')
  const build = new Gauge({
    name: 'bnpl_build_info',
    help: METRICS.bnpl_build_info,
    labelNames: ['version'],
    registers,
  })
  build.set({ version }, 1)
  // Without a first value of 0, Prometheus cannot compute the rate at the first event.
  for (const reason of LABELS.reason) refused.inc({ reason }, 0)
  for (const result of LABELS.result) forwards.inc({ result }, 0)
  for (const event of EVENTS) for (const fate of FATES) recorded.inc({ fate, event }, 0)

  const tellBacklog = async (): Promise<void> => {
    const backlog = await within(BACKLOG_MS, inbox.backlog(), clock)
    const ageMs = backlog?.oldestAt == null ? 0 : Math.max(0, clock.now() - backlog.oldestAt)
    // NaN while the backlog is unknown, because 0 would mean that no event waits.
    waiting.set(backlog?.waiting ?? Number.NaN)
    oldest.set(backlog ? ageMs / 1000 : Number.NaN)
  }
  return {
    observe(happening) {
      switch (happening.what) {
        case 'recorded': {
          const { arrival, recorded: record, ms } = happening
          received.inc()
          verified.inc()
          recorded.inc({ fate: record.fate, event: arrival.event ?? 'unknown' })
          acknowledged.observe(ms / 1000)
          return
        }
        case 'unacknowledged':
          received.inc()
          verified.inc()
          return unacknowledged.inc()
        case 'unverified':
          received.inc()
          return refused.inc({ reason: VERIFICATION_REASONS[happening.why] })
        case 'refused':
          received.inc()
          return refused.inc({ reason: REFUSALS[happening.status] ?? 'malformed' })
        case 'not-stored':
        case 'not-read':
          return failures.inc()
      }
    },
    forwarded({ state, status, ms }) {
      const refusal = status === null ? 'no-answer' : isAwayStatus(status) ? 'away' : 'refused'
      forwards.inc({ result: state === 'delivered' ? 'delivered' : state === 'dead' ? 'set-aside' : refusal })
      if (status !== null) forwardSeconds.observe(ms / 1000)
    },
    async text() {
      await tellBacklog()
      isReady.set(ready() ? 1 : 0)
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

const EVENTS = Object.values(INTEGRATIONS).flatMap(({ events }): readonly string[] => events)
/** The fates that an event can have. `quarantined` is not one of them, because the body of a quarantined delivery is not an event. */
const FATES: readonly ArrivalFate[] = ['new', 'duplicate', 'variant']

type Reason = (typeof LABELS.reason)[number]

const VERIFICATION_REASONS: Record<VerificationFailure, Reason> = {
  missing: 'signature-missing',
  wrong: 'signature-wrong',
  'other-scheme': 'other-scheme',
}

const REFUSALS: Record<number, Reason> = {
  404: 'path',
  405: 'method',
  408: 'slow',
  413: 'size',
  415: 'type',
  421: 'host',
  503: 'busy',
}
