/**
 * The SQL condition of an event `e` that still has to be forwarded. An event can be finished before an earlier one, because
 * `events replay` delivers any event. So the progress of its destination does not say this alone.
 */
export const IS_WAITING = `e.forward = 1 AND NOT EXISTS
  (SELECT 1 FROM forwards done WHERE done.seq = e.seq AND done.state IN ('delivered', 'dead'))`
