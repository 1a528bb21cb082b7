import type { Context } from '../context.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../contract/widget.ts'
import { optionWords } from '../domain/shell-word.ts'
import { BnplError, usage } from '../errors.ts'
import { readAmount, readEmail, readIdentifier } from './customer-options.ts'
import { entityOf } from './evaluation.ts'
import { remember, transactionOf } from './history-notes.ts'

/** What a widget token is made from; what is left out comes from the history and the settings. */
export interface TokenOptions {
  amount?: string
  email?: string
  externalTrxId?: string
  entityId?: string
}

export interface WidgetSession {
  accepted: boolean
  widgetToken: string
  /** ISO 8601, counted from the answer: the specification gives the token 10 minutes (gap 25). */
  expiresAt: string
  externalTrxId: string
  /** Ms since it was asked for, by the monotonic clock: the one on the wall may jump. */
  ageMs(): number
}

/** Throws `refused` for a token whose ten minutes are over: no page takes it any more. */
export function refuseDead({ ageMs, externalTrxId }: Pick<WidgetSession, 'ageMs' | 'externalTrxId'>): void {
  if (ageMs() < WIDGET_TOKEN_LIFE_MS) return
  throw new BnplError('refused', `the widget token is dead: it lives ${WIDGET_TOKEN_LIFE_MS / 60_000} minutes`, {
    code: 'TOKEN_EXPIRED',
    hint: `Create a new one: bnpl pay-url ${optionWords('--trx', externalTrxId)} …`,
  })
}

/**
 * Creates a widget token. Throws `usage` for what is missing, `refused` when the service does not accept the session.
 * The token is given back and kept nowhere.
 */
export async function startWidget(context: Context, options: TokenOptions): Promise<WidgetSession> {
  const given = options.externalTrxId === undefined ? undefined : readIdentifier('--trx', options.externalTrxId)
  if (options.email === undefined) {
    throw usage("the customer's e-mail is missing", 'Give it: --email name@example.com', 'MISSING_EMAIL')
  }
  const email = readEmail(options.email)
  const { externalTrxId, known } = await transactionOf(context, given)
  const amount = options.amount === undefined ? (known?.amount ?? undefined) : readAmount(options.amount)
  if (amount === undefined) {
    throw usage(
      `the amount of ${externalTrxId} is not in the history of this machine`,
      'Give it: --amount N',
      'NOT_IN_HISTORY',
    )
  }
  const entityId = await entityOf(context, options.entityId ?? known?.entityId ?? undefined)
  const api = await context.api()
  const askedAt = context.clock.monotonic()
  const { data, exchange } = await api.call('startWidget', {
    params: {},
    body: { amount, externalTrxId, entityId, email },
  })
  if (!data.accepted || !data.widgetToken) {
    throw new BnplError('refused', 'the service did not accept this widget session, so there is no token', {
      code: 'WIDGET_NOT_ACCEPTED',
      hint: 'Was the customer evaluated for this transaction and amount? bnpl history show TRX',
      exchange,
    })
  }
  const expiresAt = new Date(context.clock.now() + WIDGET_TOKEN_LIFE_MS).toISOString()
  await remember(context, externalTrxId, { amount, entityId, tokenExpiresAt: expiresAt })
  const ageMs = () => context.clock.monotonic() - askedAt
  return { accepted: true, widgetToken: data.widgetToken, expiresAt, externalTrxId, ageMs }
}
