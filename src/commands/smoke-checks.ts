import { checkLink } from '../client/fetch-pdf.ts'
import { DEFAULT_RETRY } from '../client/retry.ts'
import type { Context } from '../context.ts'
import { compareData, detailOf, placeOf } from '../contract/compare/data.ts'
import { type EndpointName, endpointOf, ofService } from '../contract/endpoints.ts'
import { wireFailureWords } from '../contract/failures/connections.ts'
import { DESTINATION_LIMIT } from '../contract/integrations.ts'
import { WireFailure } from '../contract/wire.ts'
import { isLoopback } from '../domain/addresses.ts'
import { destinationsAt, idText, isId } from '../domain/destination.ts'
import { findPreApproveId, newTransactionId } from '../domain/identifiers.ts'
import { paymentPageAddress, paymentPageUrl } from '../domain/payment-page.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError, tellable } from '../errors.ts'
import { knownAnswer } from '../profiles/resolve.ts'
import { readRunning } from '../sandbox/server/running.ts'
import type { Check } from '../terminal/checks.ts'
import { isRecord } from '../text/json-text.ts'
import { maskLink } from '../text/masking.ts'
import { shellQuoted } from '../text/shell-word.ts'
import { nextCommand } from './global-options.ts'
import { hintOf } from './hints.ts'
import { readAmount, readEmail, readPreApproveId, readPublicKey, readRut, SANDBOX_ANSWERS } from './option-values.ts'
import { entityOf } from './payment-steps.ts'
import { noLoanAnswers } from './verification.ts'
import { idOf, listDestinations } from './webhooks/destinations.ts'

const TIMEOUT = 'TIMEOUT'

const MOST_LATE = 2

/**
 * Runs the checks one after the other, because later checks use the results of earlier checks. After two checks without
 * an answer in time, the remaining checks are skipped. A failed check is a result, never an exception.
 */
export async function runChecks(context: Context, options: SmokeOptions): Promise<Check[]> {
  const run: SmokeRun = {
    context,
    options,
    isSandbox: await isSandbox(context),
    externalTrxId: `smoke-${newTransactionId(context.clock.now(), context.world.random)}`,
  }
  const checks: Check[] = []
  let late = 0
  for (const probe of probesOf(run)) {
    context.signal.throwIfAborted()
    if (late === MOST_LATE) {
      const detail = 'not run, because two earlier checks got no answer in time'
      checks.push({ name: probe.name, status: 'skipped', detail, ms: 0 })
      continue
    }
    checks.push(await runOne(context, options, probe, () => late++))
  }
  return checks
}

/**
 * Returns the checks in their order. The steps of a payment end at the payment page, so no payment is made. In a sandbox without `--pre-approve-id`, the report check comes after the payment checks, because it
 * reads the report of their evaluation.
 */
function probesOf(run: SmokeRun): Probe[] {
  const usesOwnReport = run.isSandbox && run.options.preApproveId === undefined
  const reportCheck = { name: 'report', changes: false, look: () => report(run) }
  return [
    { name: 'unknown transaction', changes: false, look: () => unknownTransaction(run) },
    { name: 'destinations', changes: false, look: () => destinations(run) },
    ...(usesOwnReport ? [] : [reportCheck]),
    { name: 'evaluation', changes: true, look: () => evaluation(run) },
    { name: 'selection', changes: true, look: () => selection(run) },
    { name: 'widget token', changes: true, look: () => widgetToken(run) },
    { name: 'payment page', changes: false, look: () => paymentPage(run) },
    ...(usesOwnReport ? [reportCheck] : []),
    { name: 'registration', changes: true, look: () => registration(run) },
  ]
}

/** Whether the settings name the sandbox, or the address of a running sandbox of this state folder (`sandbox run` sets that address). */
async function isSandbox(context: Context): Promise<boolean> {
  const { environment, baseUrl } = await context.settings()
  if (environment.value === SANDBOX) return true
  if (baseUrl === undefined || !isLoopback(new URL(baseUrl.value).hostname)) return false
  return (await readRunning(context.world.stateDir))?.baseUrl === baseUrl.value
}

async function runOne(
  context: Context,
  options: SmokeOptions,
  { name, changes, look }: Probe,
  onLate: () => void,
): Promise<Check> {
  if (changes && !options.mayChange) {
    return {
      name,
      status: 'skipped',
      detail: 'this check would change something on production',
      hint: 'Add --allow-production to run the check.',
      ms: 0,
    }
  }
  const started = context.clock.monotonic()
  try {
    const seen = await look()
    return { name, ...seen, ms: Math.round(context.clock.monotonic() - started) }
  } catch (error) {
    const ms = Math.round(context.clock.monotonic() - started)
    if (error instanceof WireFailure) {
      if (error.kind === 'aborted') throw context.signal.reason
      if (error.kind === 'timeout') onLate()
      return {
        name,
        status: 'fail',
        detail: `no answer: ${wireFailureWords(error.kind)}`,
        hint: `Find out why: ${nextCommand(context, 'bnpl doctor')}`,
        ms,
      }
    }
    if (!(error instanceof BnplError)) throw error
    if (error.code === TIMEOUT) onLate()
    const hint = hintOf(error, context.options.profile)
    return { name, status: 'fail', detail: error.message, ...(hint === undefined ? {} : { hint }), ms }
  }
}

const record = (data: unknown): Record<string, unknown> => (isRecord(data) ? { ...data } : {})

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
  const seen = await compared(context, 'evaluate', data, 'installment options as specified', odd)
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
  return compared(context, 'select', data, `step ${String(record(data).step)}`, odd)
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
  const seen = await compared(context, 'startWidget', data, 'accepted', odd)
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

/** Verifies a transaction that does not exist. The answer “no loan” also proves that the service accepts the key. */
async function unknownTransaction({ context, externalTrxId }: SmokeRun): Promise<Seen> {
  const api = await context.api()
  const input = { params: { externalTrxId }, body: {} }
  const { mayBeNotYet } = await noLoanAnswers(context)
  const answer = await api.probe('verifyLoan', input).catch((error: unknown) => {
    if (error instanceof BnplError && (error.kind === 'not-found' || mayBeNotYet(error))) return error
    throw error
  })
  if (answer instanceof BnplError)
    return {
      status: 'ok',
      detail: `the key is accepted, and no loan was found (${answer.exchange?.status} ${answer.code})`,
    }
  return { status: 'fail', detail: 'a loan was found for a transaction that does not exist' }
}

async function destinations({ context }: SmokeRun): Promise<Seen> {
  const api = await context.api()
  const { data, odd } = await api.probe('listWebhooks', { params: {}, body: {} })
  return compared(context, 'listWebhooks', data, `${Array.isArray(data) ? data.length : 0} registered`, odd)
}

async function report({ context, options, isSandbox, preApproveId: own }: SmokeRun): Promise<Seen> {
  const given = options.preApproveId && readPreApproveId(context, '--pre-approve-id', options.preApproveId)
  const preApproveId = given ?? (isSandbox ? own : undefined)
  if (preApproveId === undefined)
    return skippedCheck(isSandbox ? 'the evaluation check found no pre-approval' : '--pre-approve-id is missing')
  const api = await context.api()
  const { data, odd } = await api.probe('getInforme', { params: { preApproveId }, body: {} })
  const seen = await compared(context, 'getInforme', data, 'a link was issued', odd)
  const url = isRecord(data) && typeof data.url === 'string' ? data.url : undefined
  if (seen.status === 'fail' || url === undefined) return seen
  // The request has no key, because the link contains its own credentials.
  const request = {
    method: 'GET',
    url: checkLink(url, api.baseUrl),
    headers: { 'accept-encoding': 'identity' },
    timeoutMs: context.options.timeoutMs,
    maxBytes: 100 * 1024 * 1024,
    freshSocket: true,
    signal: context.signal,
  }
  const pdf = await context.visit(request, maskLink(request.url))
  if (pdf.status === 200 && Buffer.from(pdf.body.subarray(0, 5)).toString('latin1') === '%PDF-') {
    return { ...seen, detail: `downloadable, ${pdf.body.length} bytes` }
  }
  return { status: 'fail', detail: `the link does not lead to a PDF (status ${pdf.status})` }
}

/** The beginning of the address that is registered in a sandbox. The destination is deleted at once, so nothing is delivered. */
const SANDBOX_URL = 'https://smoke.example/webhooks'

async function registration(run: SmokeRun): Promise<Seen> {
  const { options, isSandbox } = run
  const url = options.webhookUrl ?? (isSandbox ? `${SANDBOX_URL}/${run.externalTrxId}` : undefined)
  if (url === undefined) return skippedCheck('--webhook-url is missing')
  const api = await run.context.api()
  const before = await listDestinations(api)
  if (options.webhookUrl === undefined && before.length >= DESTINATION_LIMIT)
    return skippedCheck(`the account has ${before.length} destinations, so no other can be registered`)
  if (destinationsAt(before, url).length > 0)
    return skippedCheck('this address was already registered, so it was not changed')
  let answered = false
  try {
    const { data } = await api.probe('registerWebhook', { params: {}, body: { url } })
    answered = true
    const made = destinationsAt(await listDestinations(api), url)
    for (const each of made) await api.call('deleteWebhook', { params: { id: idOf(each) }, body: {} })
    if (made.length > 0) return compared(run.context, 'listWebhooks', made, 'registered, listed, and deleted again')
    await removeMade(run, url, idIn(data))
    return { status: 'fail', detail: 'the registration was accepted, but the destination is not in the list' }
  } catch (error) {
    if (answered || !leavesNothing(error)) await removeMade(run, url)
    throw error
  }
}

/** Whether a failed registration certainly created no destination, because the request was not sent or was refused. */
function leavesNothing(error: unknown): boolean {
  if (!(error instanceof BnplError)) return false
  const { exchange } = error
  return exchange === undefined || exchange.outcome === 'not_sent' || Math.floor(Number(exchange.status) / 100) === 4
}

/** Returns the id in the answer to the registration; undefined if that answer, which the specification does not show, has no id. */
const idIn = (data: unknown): string | undefined => (isRecord(data) && isId(data.id) ? idText(data.id) : undefined)

/** The time limit for removing the destination, in ms. The removal also runs after Ctrl-C. */
const REMOVE_MS = 10_000

/**
 * Removes the destination that the check registered. If this fails, prints the command with which the user can remove
 * the destination. Never throws.
 */
async function removeMade({ context }: SmokeRun, url: string, known?: string): Promise<void> {
  try {
    const api = await context.apiFor({
      signal: AbortSignal.timeout(REMOVE_MS),
      pacing: { ready: () => undefined, pause: () => {} },
      retry: DEFAULT_RETRY,
      onWait: () => {},
      what: 'delete the destination of this check',
    })
    const ids = known === undefined ? destinationsAt(await listDestinations(api), url).map(idOf) : [known]
    for (const id of ids) await api.call('deleteWebhook', { params: { id }, body: {} })
  } catch (error) {
    const command = nextCommand(context, `bnpl webhooks rm --url ${shellQuoted(url)}`)
    const why = error instanceof BnplError ? tellable(error) : `no answer within ${REMOVE_MS / 1000} s`
    context.output.say(
      `The destination ${url} may still be registered (${why}). Remove the destination with: ${command}`,
    )
  }
}

interface SmokeOptions {
  rut?: string
  amount: string
  email: string
  entityId?: string
  preApproveId?: string
  webhookUrl?: string
  mayChange: boolean
}

interface SmokeRun {
  context: Context
  options: SmokeOptions
  /** Whether the service is a sandbox of this machine. Its test customer and its report are known, so no option has to name them. */
  isSandbox: boolean
  externalTrxId: string
  preApproveId?: string
  installments?: number
  widgetToken?: string
}

type Seen = Omit<Check, 'name' | 'ms'>

interface Probe {
  name: string
  changes: boolean
  look(): Promise<Seen>
}

/** Returns the result of a check that was not run. @param detail the reason */
const skippedCheck = (detail: string): Seen => ({ status: 'skipped', detail })

/** The specification does not show these fields, but the program knows them, so they are not reported as new. */
const EXPECTED_NEW = /^data\.(preApproveId|idPreAprobacion|0\.(eventTypes|filters|projectId|createdAt))$/

/**
 * Returns the result of a check that compares an answer with the contract of the service in use. A missing field or a wrong type is a failure. A new field, or a
 * shape that the specification leaves open, is a warning.
 * @param detail what to say when the answer is as specified
 * @param odd how the shape of a readable answer differs from the contract; undefined if it does not differ
 */
async function compared(
  context: Context,
  name: EndpointName,
  data: unknown,
  detail: string,
  odd?: string,
): Promise<Seen> {
  const endpoint = ofService(endpointOf(name), (await context.settings()).service)
  const { differences } = compareData(endpoint, data, 'strict')
  const wrong = differences
    .filter(({ kind }) => kind !== 'new')
    .map((each) => `${placeOf(each)}: ${detailOf(each, data)}`)
  const news = differences
    .filter(({ kind }) => kind === 'new')
    .map(placeOf)
    .filter((place) => !EXPECTED_NEW.test(place))
  const newFields = news.length === 0 ? [] : [`new: ${news.join(', ')}`]
  if (wrong.length > 0) {
    return {
      status: 'fail',
      detail: [...wrong, ...newFields].join('; '),
      hint: `Report this to the operator of the service, because the answer differs from the specification (${endpoint.section}).`,
    }
  }
  if (odd !== undefined) {
    return {
      status: 'warn',
      detail: [detail, odd, ...newFields].join('; '),
      hint: 'Make sure that your own program reads this shape too. Every bnpl command reads it.',
    }
  }
  return news.length === 0
    ? { status: 'ok', detail }
    : {
        status: 'warn',
        detail: [detail, ...newFields].join('; '),
        hint: 'Do not depend on the fields after “new:”, which the specification does not show.',
      }
}
