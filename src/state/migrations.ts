/**
 * The migrations of the history's database, the oldest first. To change the tables, append SQL: a database is migrated when it is opened,
 * and its version is the number of migrations it has had. Never edit a migration that was released.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE transactions (
     profile TEXT NOT NULL,
     external_trx_id TEXT NOT NULL,
     amount INTEGER,
     entity_id TEXT,
     pre_approve_id TEXT,
     installments INTEGER,
     loan_request_id TEXT,
     token_expires_at TEXT,
     loan_state TEXT,
     verified_at TEXT,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     touched INTEGER NOT NULL,
     PRIMARY KEY (profile, external_trx_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX transactions_by_touch ON transactions (touched);`,
  `CREATE TABLE reports (
     profile TEXT NOT NULL,
     pre_approve_id TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     sha256 TEXT NOT NULL,
     rendered_at TEXT NOT NULL,
     fetched_at TEXT NOT NULL,
     touched INTEGER NOT NULL,
     PRIMARY KEY (profile, pre_approve_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX reports_by_touch ON reports (touched);`,
  // Indexes for the latest record of a profile, and for a record whose profile is not known.
  `CREATE INDEX transactions_of_profile ON transactions (profile, touched);
   CREATE INDEX transactions_by_id ON transactions (external_trx_id, touched);
   CREATE INDEX reports_of_profile ON reports (profile, touched);
   CREATE INDEX reports_by_id ON reports (pre_approve_id, touched);`,
]
