/** The record of a transaction in the history. It never contains a national id, an e-mail, a key, a token or a link. Times are ISO 8601. */
export interface TransactionRecord {
  /** The profile with which the transaction was made, or the origin of the base address when no profile was used. */
  profile: string
  externalTrxId: string
  amount: number | null
  entityId: string | null
  preApproveId: string | null
  /** The number of installments that `select` reported. */
  installments: number | null
  loanRequestId: string | null
  /** When the last widget token for the transaction expires. */
  tokenExpiresAt: string | null
  /** The loan's state in the last verification. */
  loanState: string | null
  verifiedAt: string | null
  createdAt: string
  updatedAt: string
}

/** What a command learned about a transaction. Fields that are left out are not changed. */
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

/** The record of a report in the history. It contains neither the link nor the path of the saved file. Times are ISO 8601. */
export interface ReportRecord extends FetchedReport {
  profile: string
  /** When the report was first fetched with these bytes. */
  renderedAt: string
  /** When the report was last fetched. */
  fetchedAt: string
}

interface HistoryQuery {
  profile?: string | undefined
  /** A part of the wanted id, in upper or lower case. */
  contains?: string | undefined
  /** Only records changed at this time or later, ISO 8601. */
  since?: string | undefined
  limit: number
}

/** Which transactions are wanted. A field that is left out does not limit them. */
interface TransactionQuery extends HistoryQuery {
  externalTrxId?: string | undefined
  /** The loan's state, in upper or lower case; empty for transactions without a verified loan. */
  loanState?: string | undefined
}

/** Which reports are wanted. A field that is left out does not limit them. */
export interface ReportQuery extends HistoryQuery {
  preApproveId?: string | undefined
}

/** The history of this machine, one SQLite file in the state folder. Every method is safe while other processes use the file. */
export interface History {
  remember(profile: string, externalTrxId: string, learned: Learned): Promise<void>
  /** Updates the records of verified loans. Transactions without a record are skipped. The order of the transactions does not change. */
  noteLoans(profile: string, loans: readonly VerifiedLoan[]): Promise<void>
  find(profile: string, externalTrxId: string): Promise<TransactionRecord | undefined>
  /** The transaction whose pre-approval has this id; the latest one if there are several. */
  findByPreApproval(profile: string, preApproveId: string): Promise<TransactionRecord | undefined>
  /** The transaction of a profile that was stored last. */
  latest(profile: string): Promise<TransactionRecord | undefined>
  /** The matching transactions. The one that was stored last comes first. */
  list(query: TransactionQuery): Promise<TransactionRecord[]>
  /** Removes the matching transactions. @returns how many were removed */
  forget(query: { profile?: string; externalTrxId?: string }): Promise<number>
  /** Stores the record of a fetched report. @returns the record before; undefined when the report was never fetched */
  keepReport(profile: string, report: FetchedReport): Promise<ReportRecord | undefined>
  /** The matching reports. The one that was fetched last comes first. */
  listReports(query: ReportQuery): Promise<ReportRecord[]>
  /** Removes the matching reports. @returns how many were removed */
  forgetReports(query: { profile?: string; preApproveId?: string }): Promise<number>
  close(): Promise<void>
}
