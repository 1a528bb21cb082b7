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

export type MetricName = keyof typeof METRICS

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
