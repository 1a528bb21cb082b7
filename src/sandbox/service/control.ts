import { answerOf, givenAnswers, type ServiceDescription } from '../../contract/description.ts'
import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import { UNSEEN } from '../../text/visible.ts'
import { CLOCK_LIMIT } from '../conventions.ts'
import { dueBy, transferDateOf } from '../records/records.ts'
import { causedBy, writeCause } from '../store/changes.ts'
import { findPreApproval } from '../store/evaluations.ts'
import { findPartner, listAccounts, listPartners } from '../store/partners.ts'
import { loansToPay, payInstallments } from '../store/payments.ts'
import { KEPT_REQUESTS, listRequests, usedBuckets } from '../store/requests.ts'
import { wipe } from '../store/snapshot.ts'
import { countRows, type Db, iso } from '../store/store.ts'
import { type PartnerRow, toJsonColumn } from '../store/tables.ts'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER, controlProof, sameText } from './access.ts'
import { readJsonFields } from './body.ts'
import type { Caller } from './clock.ts'
import {
  type ControlActions,
  controlAction,
  flagInput,
  integerInput,
  textInput,
  timeInput,
} from './controls/control-action.ts'
import { deliveryControls, listenerControls } from './controls/deliveries.ts'
import { faultControls } from './controls/faults.ts'
import { passedControl } from './controls/passed.ts'
import { leadControls, paymentControls } from './controls/payments.ts'
import { snapshotControls } from './controls/snapshots.ts'
import { finishDueEvaluations } from './leads.ts'
import { INVALID_REQUEST, json, malformed, Refusal } from './refusal.ts'
import type { Service } from './service.ts'

/** Returns the name of a description, and its answers that are neither from the specification nor a convention. */
export const shownService = (description: ServiceDescription) => ({
  name: description.name,
  answers: Object.entries(givenAnswers(description)).map(([field, { text }]) => ({ field, answer: text })),
})

const status = controlAction(async (_input, { store, clock, baseUrl, rateLimit, description }) => {
  const now = clock.now()
  const names = new Map(listPartners(store.db).map(({ id, name }) => [id, name]))
  const used = usedBuckets(store.db, rateLimit, now)
  return {
    baseUrl,
    now: iso(now),
    rateLimit: {
      ...rateLimit,
      per: answerOf(description, 'rateLimitPer'),
      used: used.map(({ partnerId, name, left }) => ({ account: names.get(partnerId) ?? null, call: name, left })),
    },
    service: shownService(description),
    ...countRows(store.db),
  }
})

/** `reset`: deletes all data except the accounts and settings, and undoes every advance of the sandbox's clock. */
const reset = controlAction(async (_input, { store }) => {
  wipe(store)
  return {}
})

/** `clock {advanceMs, payDue?}`: moves the clock ahead. With `payDue`, the installments that are due then are paid. */
const clock = controlAction(async (input, service) => {
  const advanceMs = timeInput(input, 'advanceMs', CLOCK_LIMIT)
  if (advanceMs === undefined) throw malformed('advanceMs is missing')
  const payDue = flagInput(input, 'payDue')
  const now = service.clock.advance(advanceMs)
  await finishDueEvaluations(service, now)
  if (payDue) payDueInstallments(service, now)
  return { now: iso(now) }
})

function payDueInstallments({ store }: Service, now: number): void {
  const today = transferDateOf(now)
  store.transaction((db) => {
    for (const loan of loansToPay(db)) payInstallments(db, loan.id, dueBy(loan, today))
  })
}

const requests = controlAction(async (input, { store }) =>
  listRequests(store.db, Math.min(integerInput(input, 'limit', 1) ?? 50, KEPT_REQUESTS)),
)

const partners = controlAction((_input, { store }) => listAccounts(store.db))

/** `windowLink {alone?}`: a link that can open the window only one time. With `alone`, the window is first closed in every browser. */
const windowLink = controlAction(async (input, { windowKeys }) => {
  if (flagInput(input, 'alone')) windowKeys.leaveAll()
  return { url: windowKeys.link() }
})

/** Returns whether a control action has this name. */
function isControlName(name: string): name is ControlName {
  return Object.hasOwn(CONTROLS, name)
}

/** Answers a control action with `{data}`. Throws a `Refusal`: 401 without the right token, 404 for an unknown action. */
export async function answerControl(
  request: WireRequest,
  { pathname }: URL,
  { service, controlToken }: { service: Service; controlToken: string },
): Promise<WireResponse> {
  const action = pathname.slice(CONTROL_PREFIX.length + 1)
  if (action === 'hello') return hello(request, controlToken)
  if (!sameText(request.headers[CONTROL_TOKEN_HEADER] ?? '', controlToken)) {
    throw new Refusal(401, 'ERR_CONTROL_TOKEN', `${CONTROL_TOKEN_HEADER} is missing or wrong`)
  }
  onlyPost(request)
  const input = await withItsCode(async () => readJsonFields(request.body))
  return json(200, { data: await runControl(action, input, service, request) })
}

/**
 * Calls `work`, which uses the input of a control action. If `work` refuses the input, throws a refusal with the code ERR_CONTROL_INPUT,
 * because the hint of ERR_INVALID_REQUEST leads to the fields of the partner API.
 */
async function withItsCode<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.code === INVALID_REQUEST)
      throw new Refusal(400, 'ERR_CONTROL_INPUT', error.message)
    throw error
  }
}

/**
 * `hello {nonce}`: proves that this sandbox knows the control token. The caller does not send the token. The answer does not need the
 * database.
 */
function hello(request: WireRequest, controlToken: string): WireResponse {
  onlyPost(request)
  const { nonce } = readJsonFields(request.body)
  if (typeof nonce !== 'string' || !/^[\w-]{16,100}$/.test(nonce)) throw malformed('nonce is missing')
  return json(200, { data: { proof: controlProof(controlToken, new URL(request.url).origin, nonce) } })
}

function onlyPost({ method }: WireRequest): void {
  if (method === 'POST') return
  throw new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', 'a control action must be sent with POST', { allow: 'POST' })
}

/** Runs a control action. Throws a `Refusal`: 404 for an unknown action, 400 for input that the action does not accept. */
export async function runControl(
  action: string,
  input: Record<string, unknown>,
  service: Service,
  caller: Caller,
): Promise<unknown> {
  if (!isControlName(action)) {
    throw new Refusal(
      404,
      'ERR_NO_SUCH_ACTION',
      `this control action does not exist; the actions are: ${Object.keys(CONTROLS).join(', ')}`,
    )
  }
  const by = action === 'reset' || action === 'snapshotLoad' ? 'state' : 'control'
  return withItsCode(() =>
    causedBy(writeCause(by, service.clock.now()), () => CONTROLS[action](input, service, caller)),
  )
}

const ACCOUNT_NAME = 'partner'

/**
 * `revise {preApproveId, parameters}`: changes risk parameters of an evaluation, so that its report is rendered again. With `partner` in
 * `parameters`, the account of the evaluation is renamed. The new value of a numeric parameter must be a number. The new value of
 * any other parameter is stored as text. Throws a 404 `Refusal` for an unknown evaluation, and a 400 `Refusal` for an unknown parameter or
 * a wrong value.
 */
const revise = controlAction(async (input, { store }) => {
  const preApproveId = textInput(input, 'preApproveId')
  if (preApproveId === undefined) throw malformed('preApproveId is missing')
  const { parameters } = input
  if (typeof parameters !== 'object' || parameters === null || Object.keys(parameters).length === 0)
    throw malformed(
      'the field “parameters” is missing; send an object with the names of parameters and their new values',
    )
  return store.transaction((db) => {
    const evaluated = findPreApproval(db, preApproveId)
    if (evaluated === undefined) {
      throw new Refusal(404, 'ERR_PRE_APPROVAL_NOT_FOUND', 'the sandbox has no pre-approval with this id')
    }
    const account = findPartner(db, 'id', evaluated.partnerId)
    const before: Readonly<Record<string, unknown>> = { ...evaluated.details, [ACCOUNT_NAME]: account?.name }
    const after: Record<string, unknown> = Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, revised(name, before, value)]),
    )
    const changed = Object.keys(after).filter((name) => after[name] !== before[name])
    const { [ACCOUNT_NAME]: accountName, ...ofEvaluation } = after
    const details = toJsonColumn({ ...evaluated.details, ...ofEvaluation })
    db.run('update preApprovals set details = ? where id = ?', details, preApproveId)
    if (account && changed.includes(ACCOUNT_NAME)) rename(db, account, String(accountName))
    return { preApproveId, parameters: after, changed }
  })
})

function rename(db: Db, account: PartnerRow, name: string): void {
  if (name.trim() === '' || name.length > 100 || name.search(UNSEEN) >= 0)
    throw malformed(`${ACCOUNT_NAME} must be a name of 1 to 100 visible characters`)
  if (findPartner(db, 'name', name)) throw malformed(`another account already has the name ${name}`)
  db.run('update partners set name = ? where name = ?', name, account.name)
}

function revised(name: string, known: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const before = Object.hasOwn(known, name) ? known[name] : undefined
  if (before === undefined)
    throw malformed(`there is no parameter ${name}; the parameters are: ${Object.keys(known).join(', ')}`)
  if (typeof before !== 'number') return String(value)
  const number = String(value).trim() === '' ? Number.NaN : Number(value)
  if (Number.isFinite(number)) return number
  throw malformed(`${name} must be a number`)
}

const reviseControl = { revise } satisfies ControlActions

const CONTROLS = {
  status,
  reset,
  ...paymentControls,
  ...reviseControl,
  ...leadControls,
  clock,
  requests,
  partners,
  windowLink,
  ...deliveryControls,
  ...listenerControls,
  ...faultControls,
  ...passedControl,
  ...snapshotControls,
} satisfies ControlActions

export type ControlName = keyof typeof CONTROLS

export type ControlResult<Name extends ControlName> = Awaited<ReturnType<(typeof CONTROLS)[Name]>>
