import type { InstallmentOption } from '../../domain/installments.ts'

/** What a widget token stands for, as the payment page shows it. Amounts are integers in currency units. */
export interface PaymentSession {
  externalTrxId: string
  merchantName: string
  amount: number
  options: readonly InstallmentOption[]
  /** The option reported with the selection step; the page then offers no choice. */
  selected: InstallmentOption | undefined
  preApproveId: string | undefined
  /** When the token dies: ISO 8601, and ms from now by the sandbox's clock. */
  expiresAt: string
  remainingMs: number
}

/** Why a token opens no payment. */
export type TokenProblem = 'missing' | 'forged' | 'expired' | 'used' | 'wrong-key'

/** `externalTrxId` is known where the token is genuine but opens nothing any more (expired, used). */
export type SessionResult =
  | { ok: true; session: PaymentSession }
  | { ok: false; problem: TokenProblem; externalTrxId?: string }

/** How a payment ended. `preApproveId` is undefined where there is none (gap 22). */
export type PaymentEnd =
  | { ok: true; outcome: 'paid' | 'rejected' | 'cancelled'; externalTrxId: string; preApproveId: string | undefined }
  | { ok: false; problem: TokenProblem | 'bad-option' }

/** What the payment page asks of the service behind it. A token pays once; of two confirmations at once one wins. */
export interface Payments {
  session(widgetToken: string, publicKey: string): Promise<SessionResult>
  confirm(widgetToken: string, publicKey: string, installments: number): Promise<PaymentEnd>
  cancel(widgetToken: string, publicKey: string): Promise<PaymentEnd>
}
