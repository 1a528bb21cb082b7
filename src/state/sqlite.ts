import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { watchDatabase } from '../disk/database-place.ts'
import { KEPT_FILES } from '../disk/kept-files.ts'
import type { Notice } from '../disk/private.ts'
import { openDatabase } from '../disk/sqlite.ts'
import { sqliteFailure } from '../disk/sqlite-failure.ts'
import type { Clock } from '../domain/clock.ts'
import { config } from '../errors.ts'
import { forgetReports, keepReportRecord, listReports } from './reports.ts'
import type { History, Learned, TransactionRecord, VerifiedLoan } from './state.ts'
import { STEPS, whereAll } from './tables.ts'

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
export async function openState(stateDir: string, clock: Clock, notice: Notice = () => {}): Promise<History> {
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
  db.exec('BEGIN IMMEDIATE')
  try {
    for (const { externalTrxId, loanState, verifiedAt } of loans)
      note.run(loanState, verifiedAt, now, profile, externalTrxId)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
