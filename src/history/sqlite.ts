import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { watchDatabase } from '../disk/database-place.ts'
import { KEPT_FILES } from '../disk/kept-files.ts'
import type { Notice } from '../disk/private.ts'
import { inTransaction, openDatabase, sqliteFailure } from '../disk/sqlite.ts'
import type { Clock } from '../domain/clock.ts'
import { config } from '../errors.ts'
import type {
  FetchedReport,
  History,
  Learned,
  ReportQuery,
  ReportRecord,
  TransactionRecord,
  VerifiedLoan,
} from './history.ts'

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
function whereAll(wanted: Readonly<Record<string, string | undefined>>): { where: string; values: string[] } {
  const asked = Object.entries(wanted).flatMap(([condition, value]) =>
    value === undefined ? [] : [{ condition, value }],
  )
  return {
    where: asked.length === 0 ? '' : `WHERE ${asked.map(({ condition }) => condition).join(' AND ')}`,
    values: asked.map(({ value }) => value),
  }
}

const COLUMNS = [
  ['amount', 'amount'],
  ['entityId', 'entity_id'],
  ['preApproveId', 'pre_approve_id'],
  ['installments', 'installments'],
  ['loanRequestId', 'loan_request_id'],
  ['tokenExpiresAt', 'token_expires_at'],
  ['loanState', 'loan_state'],
  ['verifiedAt', 'verified_at'],
] as const satisfies [keyof Learned, string][]

const SELECT = `SELECT profile, external_trx_id AS externalTrxId, ${COLUMNS.map(
  ([name, column]) => `${column} AS ${name}`,
).join(', ')}, created_at AS createdAt, updated_at AS updatedAt FROM transactions`

const STATE = { name: KEPT_FILES.state.name, steps: STEPS, synchronous: 'NORMAL' } as const

/**
 * Opens the history of this machine, and creates it on first use (mode 0600). Throws `config`, and does not change
 * the file, when the file cannot be used.
 * @param notice reports that a file mode was corrected
 */
export async function openHistory(stateDir: string, clock: Clock, notice: Notice = () => {}): Promise<History> {
  const { db, path } = await openDatabase(stateDir, STATE, notice)
  const loss = watchDatabase(path)
  const guarded = <T>(work: () => T): T => {
    const what = loss()
    if (what !== undefined) throw config(`${what} during this command`, 'Run the command again.', 'STATE_LOST')
    try {
      return work()
    } catch (error) {
      throw sqliteFailure(path, error)
    }
  }
  return {
    remember: async (profile, externalTrxId, learned) =>
      guarded(() => upsert(db, profile, externalTrxId, learned, new Date(clock.now()).toISOString())),
    noteLoans: async (profile, loans) =>
      guarded(() => noteLoans(db, profile, loans, new Date(clock.now()).toISOString())),
    find: async (profile, externalTrxId) =>
      guarded(() => rows(db, 'WHERE profile = ? AND external_trx_id = ?', profile, externalTrxId)[0]),
    findByPreApproval: async (profile, preApproveId) =>
      guarded(
        () =>
          rows(db, 'WHERE profile = ? AND pre_approve_id = ? ORDER BY touched DESC LIMIT 1', profile, preApproveId)[0],
      ),
    latest: async (profile) => guarded(() => rows(db, 'WHERE profile = ? ORDER BY touched DESC LIMIT 1', profile)[0]),
    list: async ({ profile, externalTrxId, contains, loanState, since, limit }) => {
      const { where, values } = whereAll({
        'profile = ?': profile,
        'external_trx_id = ?': externalTrxId,
        'instr(lower(external_trx_id), lower(?)) > 0': contains,
        "lower(coalesce(loan_state, '')) = lower(?)": loanState,
        'updated_at >= ?': since,
      })
      return guarded(() => rows(db, `${where} ORDER BY touched DESC LIMIT ?`, ...values, limit))
    },
    forget: async ({ profile, externalTrxId }) => {
      const { where, values } = whereAll({ 'profile = ?': profile, 'external_trx_id = ?': externalTrxId })
      return guarded(() => Number(db.prepare(`DELETE FROM transactions ${where}`).run(...values).changes))
    },
    keepReport: async (profile, report) =>
      guarded(() => keepReportRecord(db, profile, report, new Date(clock.now()).toISOString())),
    listReports: async (query) => guarded(() => listReports(db, query)),
    forgetReports: async (query) => guarded(() => forgetReports(db, query)),
    close: async () => db.close(),
  }
}

function rows(db: DatabaseSync, where: string, ...values: SQLInputValue[]): TransactionRecord[] {
  const found = db.prepare(`${SELECT} ${where}`).all(...values)
  return found.map((row) => ({
    profile: String(row.profile),
    externalTrxId: String(row.externalTrxId),
    amount: numberOf(row.amount),
    entityId: textOf(row.entityId),
    preApproveId: textOf(row.preApproveId),
    installments: numberOf(row.installments),
    loanRequestId: textOf(row.loanRequestId),
    tokenExpiresAt: textOf(row.tokenExpiresAt),
    loanState: textOf(row.loanState),
    verifiedAt: textOf(row.verifiedAt),
    createdAt: String(row.createdAt),
    updatedAt: String(row.updatedAt),
  }))
}

const textOf = (value: unknown) => (value === null ? null : String(value))
const numberOf = (value: unknown) => (value === null ? null : Number(value))

/** Stores a transaction with one statement, so that nothing is lost when two processes store the same transaction at the same time. */
function upsert(db: DatabaseSync, profile: string, externalTrxId: string, learned: Learned, now: string): void {
  const known = COLUMNS.flatMap(([name, column]) => {
    const value = learned[name]
    return value === undefined ? [] : [{ column, value }]
  })
  const columns = known.map(({ column }) => column)
  const names = ['profile', 'external_trx_id', 'created_at', 'updated_at', ...columns]
  db.prepare(
    `INSERT INTO transactions (${names.join(', ')}, touched)
     VALUES (${names.map(() => '?').join(', ')}, (SELECT coalesce(max(touched), 0) + 1 FROM transactions))
     ON CONFLICT (profile, external_trx_id) DO UPDATE SET
       ${['updated_at', 'touched', ...columns].map((column) => `${column} = excluded.${column}`).join(', ')}`,
  ).run(profile, externalTrxId, now, now, ...known.map(({ value }) => value))
}

function noteLoans(db: DatabaseSync, profile: string, loans: readonly VerifiedLoan[], now: string): void {
  const note = db.prepare(
    'UPDATE transactions SET loan_state = ?, verified_at = ?, updated_at = ? WHERE profile = ? AND external_trx_id = ?',
  )
  inTransaction(db, () => {
    for (const { externalTrxId, loanState, verifiedAt } of loans)
      note.run(loanState, verifiedAt, now, profile, externalTrxId)
  })
}

const SELECT_REPORTS = `SELECT profile, pre_approve_id AS preApproveId, bytes, sha256, rendered_at AS renderedAt, fetched_at AS fetchedAt FROM reports`

type Query = { profile?: string; preApproveId?: string }

/**
 * Stores the record of a report. Reads and replaces the old record in one transaction, so that no other process can write in between.
 * @param now ISO 8601
 * @returns the record that was replaced, if there was one
 */
function keepReportRecord(
  db: DatabaseSync,
  profile: string,
  report: FetchedReport,
  now: string,
): ReportRecord | undefined {
  return inTransaction(db, () => {
    const [before] = listReports(db, { profile, preApproveId: report.preApproveId, limit: 1 })
    const renderedAt = before?.sha256 === report.sha256 ? before.renderedAt : now
    db.prepare(
      `INSERT OR REPLACE INTO reports (profile, pre_approve_id, bytes, sha256, rendered_at, fetched_at, touched)
       VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM reports))`,
    ).run(profile, report.preApproveId, report.bytes, report.sha256, renderedAt, now)
    return before
  })
}

/** Returns the matching reports, most recently fetched first. */
function listReports(db: DatabaseSync, { profile, preApproveId, contains, since, limit }: ReportQuery): ReportRecord[] {
  const { where, values } = whereAll({
    'profile = ?': profile,
    'pre_approve_id = ?': preApproveId,
    'instr(lower(pre_approve_id), lower(?)) > 0': contains,
    'fetched_at >= ?': since,
  })
  const found = db.prepare(`${SELECT_REPORTS} ${where} ORDER BY touched DESC LIMIT ?`).all(...values, limit)
  return found.map((row) => ({
    profile: String(row.profile),
    preApproveId: String(row.preApproveId),
    bytes: Number(row.bytes),
    sha256: String(row.sha256),
    renderedAt: String(row.renderedAt),
    fetchedAt: String(row.fetchedAt),
  }))
}

/** Removes the reports with this profile and this id, and returns their number. A profile or an id that is left out matches every report. */
function forgetReports(db: DatabaseSync, { profile, preApproveId }: Query): number {
  const { where, values } = whereAll({ 'profile = ?': profile, 'pre_approve_id = ?': preApproveId })
  return Number(db.prepare(`DELETE FROM reports ${where}`).run(...values).changes)
}
