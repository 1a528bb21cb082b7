/** What this machine remembers of a transaction. No national id, e-mail, key, token or link is ever part of it. Times are ISO 8601. */
export interface TransactionRecord {
  /** The profile it was made with; the base address's origin where everything came from the environment. */
  profile: string
  externalTrxId: string
  amount: number | null
  entityId: string | null
  preApproveId: string | null
  /** The option that was reported with `select`. */
  installments: number | null
  loanRequestId: string | null
  /** When the last widget token made for it dies. */
  tokenExpiresAt: string | null
  /** The loan's state when it was last verified. */
  loanState: string | null
  verifiedAt: string | null
  createdAt: string
  updatedAt: string
}

/** What a command learned of a transaction; what is left out stays as it was. */
export type Learned = Partial<Omit<TransactionRecord, 'profile' | 'externalTrxId' | 'createdAt' | 'updatedAt'>>

/** What a verification says of a transaction. */
export interface VerifiedLoan {
  externalTrxId: string
  loanState: string
  /** ISO 8601. */
  verifiedAt: string
}

/** A report as it was fetched. */
export interface FetchedReport {
  preApproveId: string
  bytes: number
  /** Lower-case hex. */
  sha256: string
}

/** What this machine remembers of a report: never its link, never where it was saved. Times are ISO 8601. */
export interface ReportRecord extends FetchedReport {
  profile: string
  /** When it was first fetched with these bytes. */
  renderedAt: string
  /** When it was fetched last. */
  fetchedAt: string
}

/** The memory of this machine, one SQLite file under the state directory. Every method is safe beside other processes. */
export interface State {
  remember(profile: string, externalTrxId: string, learned: Learned): Promise<void>
  /** Keeps the state of loans that were verified, where their transactions are remembered already; none becomes the one touched last. */
  noteLoans(profile: string, loans: readonly VerifiedLoan[]): Promise<void>
  find(profile: string, externalTrxId: string): Promise<TransactionRecord | undefined>
  /** The transaction of a profile that was touched last. */
  latest(profile: string): Promise<TransactionRecord | undefined>
  /** Those that fit, the one touched last first. */
  list(query: { profile?: string; externalTrxId?: string; limit: number }): Promise<TransactionRecord[]>
  /** Forgets those that fit. @returns how many that were */
  forget(query: { profile?: string; externalTrxId?: string }): Promise<number>
  /** Keeps what a report was when it was fetched. @returns what it was the time before; undefined when it was never fetched */
  keepReport(profile: string, report: FetchedReport): Promise<ReportRecord | undefined>
  /** The reports that fit, the one fetched last first. */
  listReports(query: { profile?: string; preApproveId?: string; limit: number }): Promise<ReportRecord[]>
  /** Forgets the reports that fit. @returns how many that were */
  forgetReports(query: { profile?: string; preApproveId?: string }): Promise<number>
  close(): Promise<void>
}
