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
  /** Only records that were changed at this time (ISO 8601) or later. */
  since?: string | undefined
  limit: number
}

/** Which transactions are wanted. A field that is left out does not limit them. */
interface TransactionQuery extends HistoryQuery {
  externalTrxId?: string | undefined
  /** The loan's state, in upper or lower case. An empty text selects the transactions whose loan was never verified. */
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
  /** Finds the transaction whose pre-approval has this id. If there are several, returns the one that was stored last. */
  findByPreApproval(profile: string, preApproveId: string): Promise<TransactionRecord | undefined>
  /** Finds the transaction of a profile that was stored last. */
  latest(profile: string): Promise<TransactionRecord | undefined>
  /** Returns the matching transactions. The transaction that was stored last is the first. */
  list(query: TransactionQuery): Promise<TransactionRecord[]>
  /** Removes the matching transactions. @returns how many were removed */
  forget(query: { profile?: string; externalTrxId?: string }): Promise<number>
  /** Stores the record of a fetched report. @returns the record that it replaces; undefined when the report was never fetched before */
  keepReport(profile: string, report: FetchedReport): Promise<ReportRecord | undefined>
  /** Returns the matching reports. The report that was fetched last is the first. */
  listReports(query: ReportQuery): Promise<ReportRecord[]>
  /** Removes the matching reports. @returns how many were removed */
  forgetReports(query: { profile?: string; preApproveId?: string }): Promise<number>
  close(): Promise<void>
}
