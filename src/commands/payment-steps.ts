import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import { answerOf } from '../contract/description.ts'
import type { ResponseData } from '../contract/endpoints.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../contract/time-limits.ts'
import { formatDuration, msSince1970 } from '../domain/clock.ts'
import { DATE } from '../domain/dates.ts'
import { findPreApproveId } from '../domain/identifiers.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError, config, Interrupted, usage } from '../errors.ts'
import type { TransactionRecord } from '../history/history.ts'
import { knownAnswer } from '../profiles/resolve.ts'
import { formatTime } from '../terminal/numbers.ts'
import { maskRut } from '../text/masking.ts'
import { optionWords, shellQuoted } from '../text/shell-word.ts'
import type { Command } from './command.ts'
import { nextCommand } from './global-options.ts'
import { remember, transactionOf } from './history-notes.ts'
import { ask, readAmount, readEmail, readIdentifier } from './option-values.ts'

/** An evaluation as it is printed: the fields that bnpl adds, then the other fields of `data` as the service sent them. */
export type PrintedEvaluation = ResponseData<'evaluate'> & {
  externalTrxId: string
  amount: number
  entityId: string
  preApproveId: string | null
  /** The national id that was evaluated, masked. */
  idNumber: string
}

/** Evaluates a customer, and stores the pre-approval id of the answer in the history. */
export async function evaluateCustomer(
  context: Context,
  request: { idNumber: string; amount: number; entityId: string; externalTrxId: string },
): Promise<PrintedEvaluation> {
  const { amount, entityId, externalTrxId } = request
  const settings = await context.settings()
  const api = await context.api()
  const { data } = await api.call('evaluate', { params: {}, body: request }).catch((error: unknown) => {
    const refused = notApproved(error, settings.environment.value === SANDBOX)
    if (refused !== undefined) throw refused
    return throwNaming(context, externalTrxId, error)
  })
  const found = findPreApproveId(data, knownAnswer(settings.service, 'preApproveIdField'))
  if (found.preApproveId === null) {
    context.output.warn(
      found.unusable !== undefined
        ? `the field ${found.unusable} of the answer contains no pre-approval id, so the id is not known`
        : `the answer has no known field for the pre-approval id (its fields: ${found.seen.join(', ')}); name the field with: ${nextCommand(context, 'bnpl profiles set preApproveIdField FIELD')}`,
    )
  }
  await remember(context, externalTrxId, { amount, entityId, preApproveId: found.preApproveId })
  const own = { externalTrxId, amount, entityId, preApproveId: found.preApproveId, idNumber: maskRut(request.idNumber) }
  // Own fields are spread twice, so that they are printed first and the fields of the answer cannot replace them.
  return { ...own, ...data, ...own }
}

function notApproved(error: unknown, inSandbox: boolean): BnplError | undefined {
  if (!(error instanceof BnplError) || error.code !== 'ERR_CUSTOMER_NOT_APPROVED') return undefined
  const { exchange, code } = error
  return new BnplError('refused', `The customer is not approved. (${exchange?.status ?? 422} ${code})`, {
    code,
    hint: inSandbox
      ? 'Try a test customer who is approved: --rut 11222333-9. The sandbox always refuses the customer of this command.'
      : 'Tell the customer that this purchase cannot be paid in installments. No money was lent or reserved.',
    exchange,
    cause: error,
  })
}

/**
 * Throws the error. If its hint comes from `hintOfCode`, or says how to find out the outcome, it names the transaction instead of `TRX`. The
 * error of a transaction that already has a loan says that the transaction is paid.
 */
async function throwNaming({ options }: Context, externalTrxId: string, error: unknown): Promise<never> {
  // An id with spaces becomes one word of the shell, because the hint may contain it in a command.
  const naming = (hint: string) => hint.replaceAll('TRX', () => shellQuoted(externalTrxId))
  if (error instanceof Interrupted && error.hint !== undefined)
    throw new Interrupted(error.exitCode, error.message, { hint: naming(error.hint) })
  if (!(error instanceof BnplError) || error.hint === undefined) throw error
  if (error.kind === 'outcome-unknown') throw error.withHint(naming(error.hint))
  const { hintOfCode } = await import('./hints.ts')
  const isOfCode = error.hint === hintOfCode(error.code, options.profile)
  const named = isOfCode ? error.withHint(hintOfCode(error.code, options.profile, externalTrxId) ?? error.hint) : error
  throw error.code === 'ERR_TRANSACTION_ALREADY_PAID' ? alreadyPaid(externalTrxId, named) : named
}

function alreadyPaid(externalTrxId: string, { kind, code, exchange, hint, cause }: BnplError): BnplError {
  return new BnplError(kind, `${externalTrxId} is already paid. (${exchange?.status ?? 409} ${code})`, {
    code,
    hint,
    exchange,
    cause,
  })
}

/** Returns the given entity id, otherwise the entity id in the settings. Throws `config` when neither is set. */
export async function entityOf(context: Context, given: string | undefined): Promise<string> {
  const settings = await context.settings()
  const entityId = given === undefined ? settings.entityId?.value : readIdentifier('--entity-id', given)
  if (entityId !== undefined) return entityId
  // If no service is configured, let `api` throw its own error, because the user must configure the service first.
  if (settings.baseUrl === undefined) await context.api()
  throw config(
    'no entity id is set',
    `Add --entity-id, set BNPL_ENTITY_ID, or run: ${nextCommand(context, 'bnpl profiles set entityId …')}`,
    'NO_ENTITY_ID',
  )
}

/** Tells the service how many installments a customer chose. Returns the loan request as the service sent it. */
export async function reportSelection(
  context: Context,
  choice: { externalTrxId: string; amount: number; preApproveId: string; installments: number },
): Promise<ResponseData<'select'>> {
  const { externalTrxId, amount, preApproveId, installments } = choice
  const api = await context.api()
  const { data } = await api
    .call('select', { params: {}, body: { preApproveId, installmentOption: installments, externalTrxId, amount } })
    .catch((error: unknown) => throwNaming(context, externalTrxId, error))
  await remember(context, externalTrxId, {
    amount,
    installments,
    preApproveId: data.preApproveId,
    loanRequestId: data.loanRequestId,
  })
  return data
}

interface TokenRequest {
  email: string
  amount?: number | undefined
  externalTrxId?: string | undefined
  entityId?: string | undefined
  /** The evaluation to which the session belongs: its id, `false` for none, or undefined for that in the history. */
  preApproveId?: string | false | undefined
}

/** Adds the options that say to which evaluation a widget session belongs. */
export const addPreApproval = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option(
      '--pre-approve-id <id>',
      'the evaluation to which the session belongs, if the service knows this field (default: from the history)',
    )
    .option('--no-pre-approve-id', 'send no evaluation with the session')

/**
 * Reads the options of the commands that create a token, and asks for a missing e-mail. Throws `usage` for a value
 * that is not valid.
 */
export async function readTokenRequest(
  context: Context,
  options: {
    email?: string
    amount?: string
    externalTrxId?: string
    entityId?: string
    preApproveId?: string | boolean
  },
): Promise<TokenRequest> {
  const { email, amount, externalTrxId, entityId, preApproveId } = options
  if (email === undefined && !context.options.input)
    throw usage("the customer's e-mail is missing", 'Add --email name@example.com', 'MISSING_EMAIL')
  return {
    email: email === undefined ? await ask(context, 'email', readEmail) : readEmail(email),
    amount: amount === undefined ? undefined : readAmount(amount),
    externalTrxId: externalTrxId === undefined ? undefined : readIdentifier('--trx', externalTrxId),
    entityId,
    preApproveId: preApproveId === true ? undefined : preApproveId && readIdentifier('--pre-approve-id', preApproveId),
  }
}

export interface IssuedToken {
  /** What is printed: `validUntil` is as the service sent it, if it did. */
  session: { accepted: true; widgetToken: string; expiresAt: string; validUntil?: unknown }
  widgetToken: string
  /** When the token expires, ISO 8601: at `validUntil` or, if the service sends none, 10 minutes after the answer. */
  expiresAt: string
  /** How long the token is valid after the answer, in ms. */
  lifeMs: number
  externalTrxId: string
  amount: number
  /** Returns the time since the token was requested, in ms. Uses the monotonic clock, because the system clock may be changed. */
  ageMs(): number
}

/**
 * Creates a widget token, which is stored nowhere. If neither the request nor the history has the amount, asks for the amount, or throws
 * `usage` when no question can be asked. Throws `refused` when the service answers `accepted: false`, and `service` when its answer has no
 * token.
 */
export async function issueToken(context: Context, request: TokenRequest): Promise<IssuedToken> {
  const { externalTrxId, known } = await transactionOf(context, request.externalTrxId)
  const kept = request.amount ?? known?.amount ?? undefined
  const amount = kept ?? (context.options.input ? await ask(context, 'amount', readAmount) : undefined)
  if (amount === undefined) {
    throw usage(
      `the amount of ${externalTrxId} is not in the history of this machine`,
      'Add --amount N.',
      'NOT_IN_HISTORY',
    )
  }
  const entityId = await entityOf(context, request.entityId ?? known?.entityId ?? undefined)
  const preApproveId = await evaluationOf(context, request.preApproveId, known)
  const api = await context.api()
  const askedAt = context.clock.monotonic()
  const body = { amount, externalTrxId, entityId, email: request.email, ...(preApproveId && { preApproveId }) }
  const { data, implied, exchange } = await api.call('startWidget', { params: {}, body }).catch((error: unknown) => {
    // An order of an earlier sandbox, or of another account, has an entity that this service does not know.
    if (
      error instanceof BnplError &&
      error.code === 'ERR_ENTITY_NOT_FOUND' &&
      request.entityId === undefined &&
      known?.entityId
    )
      throw error.withHint(
        `The entity id is that of ${externalTrxId} in the history of this machine. Use a new transaction, or add --entity-id.`,
      )
    return throwNaming(context, externalTrxId, error)
  })
  if (data.accepted && !data.widgetToken) {
    throw new BnplError('service', 'the service accepted this widget session, but its answer has no widgetToken', {
      code: 'NO_WIDGET_TOKEN',
      hint: 'The service may have created a token. Wait 10 minutes until this token has expired, then run the command again. If the result is the same, ask the support of the service.',
      exchange: exchange(),
    })
  }
  if (!data.accepted || !data.widgetToken) {
    const loan = known?.loanState
    const isPaid = loan === 'ACTIVE' || (await sandboxPayment(context, externalTrxId))?.state === 'paid'
    throw new BnplError(
      'refused',
      isPaid
        ? `${externalTrxId} ${!loan || loan === 'ACTIVE' ? 'is already paid' : `has a loan already (${loan})`}, so no token was created`
        : `the service did not accept a widget session for ${externalTrxId}, so no token was created`,
      {
        code: 'WIDGET_NOT_ACCEPTED',
        hint: isPaid
          ? `See its loan: ${nextCommand(context, 'bnpl verify', [externalTrxId])}`
          : whyNotAccepted(context, externalTrxId, known),
        exchange: exchange(),
      },
    )
  }
  const { service } = await context.settings()
  if (implied?.includes('accepted') && answerOf(service, 'accepted') === 'yes')
    context.output.note(
      'The answer does not say whether the session was accepted. It contains a token, so the session counts as accepted.',
    )
  const lifeMs = lifeOf(context, data.validUntil)
  const expiresAt = new Date(context.clock.now() + lifeMs).toISOString()
  await remember(context, externalTrxId, { amount, entityId, tokenExpiresAt: expiresAt })
  const ageMs = () => context.clock.monotonic() - askedAt
  const { widgetToken, validUntil } = data
  const session = { accepted: true, widgetToken, expiresAt, ...(validUntil !== undefined && { validUntil }) } as const
  return { session, widgetToken, expiresAt, lifeMs, externalTrxId, amount, ageMs }
}

/**
 * Returns the pre-approval id to send with a session: the given one or, if the description of the service knows the field, that of the
 * transaction in the history. Throws `usage` for a given id that the service does not know.
 */
async function evaluationOf(
  context: Context,
  given: string | false | undefined,
  known: TransactionRecord | undefined,
): Promise<string | undefined> {
  if (given === false) return undefined
  const { service } = await context.settings()
  if (answerOf(service, 'widgetPreApproveId')) return given ?? known?.preApproveId ?? undefined
  if (given === undefined) return undefined
  throw usage(
    `--pre-approve-id cannot be sent, because the description of this service (${service.name}) has no preApproveId in a widget session`,
    `Leave the option out. If the service knows the field, run: ${nextCommand(context, 'bnpl profiles set widgetPreApproveId yes')}`,
    'NOT_OF_THE_SERVICE',
  )
}

/** The clocks of the service and of this machine may differ by this time, in ms. */
const CLOCKS_DIFFER_MS = 60_000

/** Returns how long a token is valid from now, in ms. Warns if the service says another time than ten minutes. */
function lifeOf({ clock, output }: Context, validUntil: unknown): number {
  if (validUntil === undefined || validUntil === null) return WIDGET_TOKEN_LIFE_MS
  const until = momentOf(validUntil)
  const minutes = WIDGET_TOKEN_LIFE_MS / 60_000
  if (until === undefined) {
    output.warn(`validUntil in the answer is not a time, so the token counts as valid for ${minutes} minutes`)
    return WIDGET_TOKEN_LIFE_MS
  }
  const lifeMs = until - clock.now()
  if (Math.abs(lifeMs - WIDGET_TOKEN_LIFE_MS) <= CLOCKS_DIFFER_MS) return lifeMs
  const shown = formatTime(until)
  if (lifeMs > 0) {
    output.warn(
      `the service says that the token is valid until ${shown}, which is in ${formatDuration(lifeMs)} and not in ${minutes} minutes; check the clock of this machine`,
    )
    return lifeMs
  }
  output.warn(
    `the service says that the token was valid until ${shown}, which is over; check the clock of this machine. The token counts as valid for ${minutes} minutes`,
  )
  return WIDGET_TOKEN_LIFE_MS
}

/** Returns a time that a service wrote in ms or seconds since 1970, or in ISO 8601, as ms since 1970. */
function momentOf(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d{9,14}$/.test(value)
  const number = isDigits ? Number(value) : value
  const ms =
    typeof number === 'number'
      ? msSince1970(number)
      : typeof value === 'string' && DATE.test(value)
        ? Date.parse(value)
        : Number.NaN
  return Number.isNaN(new Date(ms).getTime()) ? undefined : ms
}

/** Returns how a payment ended in the sandbox; undefined for a real service, which has no call for this. */
export async function sandboxPayment(
  context: Context,
  externalTrxId: string,
): Promise<{ state: string; evaluated: boolean; step: string | null; reason: string | null } | undefined> {
  if ((await context.settings()).environment.value !== SANDBOX) return undefined
  const link = await context.sandbox()
  return link.control('payment', { externalTrxId }).catch(() => undefined)
}

/** Returns the command that makes a link for a transaction, with the options that the settings do not give. */
export async function linkCommand(context: Context, externalTrxId: string): Promise<string> {
  const { successUrl, errorUrl } = await context.settings()
  const options = ['--email …', ...(successUrl ? [] : ['--success-url …']), ...(errorUrl ? [] : ['--error-url …'])]
  return nextCommand(context, `bnpl pay-url ${optionWords('--trx', externalTrxId)} ${options.join(' ')}`)
}

/** Returns the hint for a session that was not accepted. The answer contains no reason, so the hint names the two likely ones. */
function whyNotAccepted(context: Context, externalTrxId: string, known: TransactionRecord | undefined): string {
  const verify = nextCommand(context, 'bnpl verify', [externalTrxId])
  if (known?.loanState)
    return `Verify the transaction, because it probably has a loan already (${known.loanState} in the history of this machine): ${verify}`
  const evaluation =
    known === undefined
      ? `evaluate the customer for this transaction and amount: ${nextCommand(context, 'bnpl evaluate', [], [optionWords('--trx', externalTrxId)])}`
      : `check whether the customer was evaluated for this transaction and amount: ${nextCommand(context, 'bnpl history show', [externalTrxId])}`
  return `Check whether the transaction already has a loan: ${verify}. If it has none, ${evaluation}`
}

/** Throws `refused` for a token that is older than its time, because the payment page no longer accepts it. */
export function refuseExpired(
  context: Context,
  { ageMs, externalTrxId, lifeMs }: Pick<IssuedToken, 'ageMs' | 'externalTrxId' | 'lifeMs'>,
): void {
  if (ageMs() < lifeMs) return
  throw new BnplError('refused', `the widget token has expired, because it was valid for ${formatDuration(lifeMs)}`, {
    code: 'TOKEN_EXPIRED',
    hint: `Create a new token: ${nextCommand(context, `bnpl pay-url ${optionWords('--trx', externalTrxId)} …`)}`,
  })
}

export const UNEVALUATED = 'the sandbox rejects payments without an evaluation'

/**
 * Returns the command that evaluates a transaction in the sandbox, with the RUT of the test customer whose payments are approved.
 * @param amount undefined if it is not known
 */
export const evaluateFirst = (externalTrxId: string, amount?: number): string =>
  `bnpl evaluate ${optionWords('--trx', externalTrxId)} --rut 11222333-9 --amount ${amount ?? 250_000} -p ${SANDBOX}`

/** In the sandbox, warns that the payment will be rejected because the customer was not evaluated. */
export async function warnUnevaluated(context: Context, externalTrxId: string, amount?: number): Promise<void> {
  const { environment, service } = await context.settings()
  if (context.options.quiet || environment.value !== SANDBOX || !answerOf(service, 'needsEvaluation')) return
  const { evaluated } = await (await context.sandbox()).control('payment', { externalTrxId })
  if (evaluated) return
  context.output.warn(
    `${externalTrxId} was not evaluated, and ${UNEVALUATED}. Before you repeat your command, run: ${evaluateFirst(externalTrxId, amount)}`,
  )
}
