import { findPreApproveId } from '../../domain/identifiers.ts'
import { paymentPageAddress, paymentPageUrl } from '../../domain/payment-page.ts'
import { knownAnswer } from '../../profiles/resolve.ts'
import { SANDBOX_ANSWERS } from '../asking.ts'
import { readAmount, readEmail, readPublicKey, readRut } from '../option-values.ts'
import { entityOf } from '../payment-steps.ts'
import { heldAgainst, type Probe, type Seen, type SmokeRun, skippedCheck } from './run.ts'

/** Returns the checks for the steps of a payment up to the payment page. No payment is made. */
export function paymentChecks(run: SmokeRun): Probe[] {
  return [
    { name: 'evaluation', changes: true, look: () => evaluation(run) },
    { name: 'selection', changes: true, look: () => selection(run) },
    { name: 'widget token', changes: true, look: () => widgetToken(run) },
    { name: 'payment page', changes: false, look: () => paymentPage(run) },
  ]
}

const record = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : {}

async function evaluation(run: SmokeRun): Promise<Seen> {
  const { context, options, isSandbox, externalTrxId } = run
  const settings = await context.settings()
  const rut = options.rut ?? (isSandbox ? SANDBOX_ANSWERS.rut : undefined)
  if (rut === undefined) return skippedCheck('--rut of a test customer is missing')
  const api = await context.api()
  const amount = readAmount(options.amount)
  const body = {
    idNumber: readRut(rut, true),
    amount,
    entityId: await entityOf(context, options.entityId),
    externalTrxId,
  }
  const { data, odd } = await api.probe('evaluate', { params: {}, body })
  const seen = heldAgainst('evaluate', data, 'installment options as specified', odd)
  if (seen.status === 'fail') return seen
  const given = record(data).installmentOptions
  const installmentOptions: readonly unknown[] = Array.isArray(given) ? given : []
  const found = findPreApproveId(record(data), knownAnswer(settings.service, 'preApproveIdField'))
  if (found.preApproveId !== null) run.preApproveId = found.preApproveId
  const { installments } = record(installmentOptions[0])
  if (typeof installments === 'number') run.installments = installments
  return { ...seen, detail: `${installmentOptions.length} options; ${seen.detail}` }
}

async function selection({ context, options, externalTrxId, preApproveId, installments }: SmokeRun): Promise<Seen> {
  if (preApproveId === undefined || installments === undefined)
    return skippedCheck('the evaluation check found no option to select')
  const api = await context.api()
  const body = { preApproveId, installmentOption: installments, externalTrxId, amount: readAmount(options.amount) }
  const { data, odd } = await api.probe('select', { params: {}, body })
  return heldAgainst('select', data, `step ${String(record(data).step)}`, odd)
}

async function widgetToken(run: SmokeRun): Promise<Seen> {
  const { context, options, externalTrxId, preApproveId } = run
  if (preApproveId === undefined) return skippedCheck('the evaluation check found no pre-approval to pay')
  const api = await context.api()
  const body = {
    amount: readAmount(options.amount),
    externalTrxId,
    entityId: await entityOf(context, options.entityId),
    email: readEmail(options.email),
  }
  const { data, odd } = await api.probe('startWidget', { params: {}, body })
  const seen = heldAgainst('startWidget', data, 'accepted', odd)
  const { accepted, widgetToken: token } = record(data)
  if (seen.status === 'fail') return seen
  if (accepted !== true) return { status: 'fail', detail: 'the session was not accepted' }
  if (typeof token !== 'string')
    return { status: 'fail', detail: 'the session was accepted, but the answer has no widgetToken' }
  run.widgetToken = token
  return seen
}

async function paymentPage({ context, widgetToken: token }: SmokeRun): Promise<Seen> {
  const { paymentUrl, publicKey } = await context.settings()
  if (paymentUrl === undefined || publicKey === undefined)
    return skippedCheck('the payment address or the public key is not set')
  if (token === undefined) return skippedCheck('the page was not opened, because no widget token was created')
  const back = 'https://example.com/'
  const url = paymentPageUrl(paymentUrl.value, {
    widgetToken: token,
    publicKey: readPublicKey(publicKey.value),
    successReturnUrl: back,
    errorReturnUrl: back,
  })
  const { timeoutMs } = context.options
  const request = {
    method: 'GET',
    url,
    headers: { accept: 'text/html' },
    timeoutMs,
    maxBytes: 10_000_000,
    freshSocket: true,
    signal: context.signal,
  }
  const page = await context.visit(request, paymentPageAddress(paymentUrl.value).href)
  if (page.status === 200) return { status: 'ok', detail: `reachable (${page.headers['content-type'] ?? 'no type'})` }
  return { status: 'fail', detail: `the page answers with status ${page.status}` }
}
