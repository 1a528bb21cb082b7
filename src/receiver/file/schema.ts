/** The SQL statements that create and change the tables of the inbox, oldest first. A released statement is never edited. */
export const INBOX_MIGRATIONS: readonly string[] = [
  `CREATE TABLE destinations (
     id INTEGER PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     forwarded_up_to INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE events (
     seq INTEGER PRIMARY KEY,
     destination INTEGER NOT NULL,
     scheme TEXT NOT NULL,
     fate TEXT NOT NULL,
     event_id TEXT,
     event TEXT,
     odd TEXT,
     variant_of INTEGER,
     body BLOB NOT NULL,
     content_type TEXT,
     signature TEXT,
     received_at INTEGER NOT NULL,
     forward INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX events_to_forward ON events (destination, seq) WHERE forward = 1;
   CREATE INDEX variants ON events (variant_of) WHERE variant_of IS NOT NULL;
   CREATE TABLE seen (
     key TEXT PRIMARY KEY,
     seq INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE forwards (
     seq INTEGER PRIMARY KEY,
     state TEXT NOT NULL,
     attempts INTEGER NOT NULL,
     status INTEGER,
     error TEXT,
     ms INTEGER NOT NULL,
     at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE facts (
     name TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  'CREATE INDEX events_by_time ON events (received_at)',
  // The hash of a pruned event's body, so that a different body with the same eventId is recognised.
  'ALTER TABLE seen ADD COLUMN body TEXT',
  `CREATE TABLE confirmations (
     seq INTEGER PRIMARY KEY,
     agrees INTEGER NOT NULL,
     differences TEXT NOT NULL,
     at INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE stretches (
     last INTEGER PRIMARY KEY,
     earliest INTEGER NOT NULL,
     latest INTEGER NOT NULL
   ) STRICT;
   INSERT INTO stretches (last, earliest, latest)
     SELECT max(seq), min(received_at), max(received_at) FROM events GROUP BY seq / 1000;
   DROP INDEX events_by_time`,
  'ALTER TABLE forwards ADD COLUMN answer TEXT',
  // Keep the highest number of a pruned event, because an event number must never be used again. After this step, an older version of bnpl
  // refuses the file. Otherwise, it would give used numbers to new events, and would neither print nor forward the new events.
  `INSERT INTO facts (name, value) VALUES ('pruned_up_to', '0')`,
  // The index finds events by their time. It costs about 1.5 µs of processor time an event.
  'CREATE INDEX events_by_time ON events (received_at); DROP TABLE stretches',
]

/**
 * The SQL condition of an event `e` that still has to be forwarded. An event can be finished before an earlier one, because
 * `events replay` delivers any event. So the progress of its destination does not say this alone.
 */
export const IS_WAITING = `e.forward = 1 AND NOT EXISTS
  (SELECT 1 FROM forwards done WHERE done.seq = e.seq AND done.state IN ('delivered', 'dead'))`
