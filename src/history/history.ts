/**
 * The record of a transaction in the history. It never contains a national id, an e-mail, a key, a token or a link.
 * Times are ISO 8601.
 */
export interface TransactionRecord {
  /** The profile of the transaction, or the origin of the base address when no profile was used. */
  profile: string
  externalTrxId: string
  amount: number | null
  entityId: string | null
  preApproveId: string | null
  installments: number | null
  loanRequestId: string | null
  tokenExpiresAt: string | null
  loanState: string | null
  verifiedAt: string | null
  createdAt: string
  updatedAt: string
}

/** What a command learned about a transaction. Fields that are left out are not changed. */
export type Learned = Partial<Omit<TransactionRecord, 'profile' | 'externalTrxId' | 'createdAt' | 'updatedAt'>>

export interface VerifiedLoan {
  externalTrxId: string
  loanState: string
  /** ISO 8601. */
  verifiedAt: string
}

export interface FetchedReport {
  preApproveId: string
  bytes: number
  /** Lower-case hex. */
  sha256: string
}

/** The record of a report in the history. It contains neither the link nor the path of the saved file. Times are ISO 8601. */
export interface ReportRecord extends FetchedReport {
  profile: string
  /** When the report was first fetched with its present content (`sha256`). */
  renderedAt: string
  fetchedAt: string
}

interface HistoryQuery {
  profile?: string | undefined
  /** A part of the wanted id, in upper or lower case. */
  contains?: string | undefined
  /** Selects only records that were last changed at or after this time (ISO 8601). */
  since?: string | undefined
  limit: number
}

interface TransactionQuery extends HistoryQuery {
  externalTrxId?: string | undefined
  /** The loan's state, in upper or lower case. An empty text selects the transactions whose loan was never verified. */
  loanState?: string | undefined
}

export interface ReportQuery extends HistoryQuery {
  preApproveId?: string | undefined
}

/** The history of this machine, one SQLite file in the state folder. Other processes may use the file at the same time. */
export interface History {
  remember(profile: string, externalTrxId: string, learned: Learned): Promise<void>
  /** Stores the states of verified loans, without changing the order of `list`. Transactions without a record are skipped. */
  noteLoans(profile: string, loans: readonly VerifiedLoan[]): Promise<void>
  find(profile: string, externalTrxId: string): Promise<TransactionRecord | undefined>
  /** Finds the transaction with this pre-approval id. If there are several, returns the one that `remember` stored last. */
  findByPreApproval(profile: string, preApproveId: string): Promise<TransactionRecord | undefined>
  latest(profile: string): Promise<TransactionRecord | undefined>
  list(query: TransactionQuery): Promise<TransactionRecord[]>
  forget(query: { profile?: string; externalTrxId?: string }): Promise<number>
  /** Stores the record of a report. Returns the record that it replaces; undefined for the first fetch of the report. */
  keepReport(profile: string, report: FetchedReport): Promise<ReportRecord | undefined>
  listReports(query: ReportQuery): Promise<ReportRecord[]>
  forgetReports(query: { profile?: string; preApproveId?: string }): Promise<number>
  close(): Promise<void>
}
