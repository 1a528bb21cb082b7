export const STEPS: readonly string[] = [
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
  `CREATE INDEX transactions_of_profile ON transactions (profile, touched);
   CREATE INDEX transactions_by_id ON transactions (external_trx_id, touched);
   CREATE INDEX reports_of_profile ON reports (profile, touched);
   CREATE INDEX reports_by_id ON reports (pre_approve_id, touched);`,
  `CREATE INDEX transactions_by_pre_approval ON transactions (profile, pre_approve_id) WHERE pre_approve_id IS NOT NULL;`,
]

/**
 * Returns the WHERE clause for conditions that must all be true; empty if all values are undefined. A condition
 * whose value is undefined is left out, so that the database can use an index.
 * @param wanted each condition with the value for its `?`
 */
export function whereAll(wanted: Readonly<Record<string, string | undefined>>): { where: string; values: string[] } {
  const asked = Object.entries(wanted).flatMap(([condition, value]) =>
    value === undefined ? [] : [{ condition, value }],
  )
  return {
    where: asked.length === 0 ? '' : `WHERE ${asked.map(({ condition }) => condition).join(' AND ')}`,
    values: asked.map(({ value }) => value),
  }
}
