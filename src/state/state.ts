/** The record of a transaction in the history. It never has a national id, an e-mail, a key, a token or a link. Times are ISO 8601. */
export interface TransactionRecord {
  /** The profile with which the transaction was made; if no profile was used, the origin of the base address. */
  profile: string
  externalTrxId: string
  amount: number | null
  entityId: string | null
  preApproveId: string | null
  /** The number of installments that `select` reported. */
  installments: number | null
  loanRequestId: string | null
  /** When the transaction's last widget token expires. */
  tokenExpiresAt: string | null
  /** The loan's state in the last verification. */
  loanState: string | null
  verifiedAt: string | null
  createdAt: string
  updatedAt: string
}

/** What a command learned about a transaction. Fields that are left out stay as they are. */
export type Learned = Partial<Omit<TransactionRecord, 'profile' | 'externalTrxId' | 'createdAt' | 'updatedAt'>>

/** The result of a verification. */
export interface VerifiedLoan {
  externalTrxId: string
  loanState: string
  /** ISO 8601. */
  verifiedAt: string
}

/** A report that was fetched. */
export interface FetchedReport {
  preApproveId: string
  bytes: number
  /** Lower-case hex. */
  sha256: string
}

/** The record of a report in the history. It has neither its link nor the place it was saved in. Times are ISO 8601. */
export interface ReportRecord extends FetchedReport {
  profile: string
  /** When it was first fetched with these bytes. */
  renderedAt: string
  /** When it was fetched last. */
  fetchedAt: string
}

interface HistoryQuery {
  profile?: string | undefined
  /** A part of the id, in either case. */
  contains?: string | undefined
  /** Only records changed at this time or later, ISO 8601. */
  since?: string | undefined
  limit: number
}

/** Selects transactions. A condition that is left out selects all of them. */
interface TransactionQuery extends HistoryQuery {
  externalTrxId?: string | undefined
  /** The loan's state, in either case; empty for transactions without a verified loan. */
  loanState?: string | undefined
}

/** Selects reports. A condition that is left out selects all of them. */
export interface ReportQuery extends HistoryQuery {
  preApproveId?: string | undefined
}

/** The history of this machine, one SQLite file in the state folder. Every method is safe while other processes use the file. */
export interface History {
  remember(profile: string, externalTrxId: string, learned: Learned): Promise<void>
  /** Updates the records of verified loans. Transactions without a record are skipped, and the latest transaction stays the latest. */
  noteLoans(profile: string, loans: readonly VerifiedLoan[]): Promise<void>
  find(profile: string, externalTrxId: string): Promise<TransactionRecord | undefined>
  /** The transaction whose pre-approval has this id; the latest one if there are several. */
  findByPreApproval(profile: string, preApproveId: string): Promise<TransactionRecord | undefined>
  /** The transaction of a profile that was remembered last. */
  latest(profile: string): Promise<TransactionRecord | undefined>
  /** The matching transactions, the one stored last first. */
  list(query: TransactionQuery): Promise<TransactionRecord[]>
  /** Removes the matching transactions. @returns how many */
  forget(query: { profile?: string; externalTrxId?: string }): Promise<number>
  /** Keeps the record of a fetched report. @returns the record before; undefined when it was never fetched */
  keepReport(profile: string, report: FetchedReport): Promise<ReportRecord | undefined>
  /** The matching reports, the one fetched last first. */
  listReports(query: ReportQuery): Promise<ReportRecord[]>
  /** Removes the matching reports. @returns how many */
  forgetReports(query: { profile?: string; preApproveId?: string }): Promise<number>
  close(): Promise<void>
}
