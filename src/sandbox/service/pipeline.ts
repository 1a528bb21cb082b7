import { answerOf, isDescribed, type ServiceDescription } from '../../contract/description.ts'
import {
  type EndpointName,
  endpointOf,
  KEYED_ENDPOINTS,
  type KeyedEndpoint,
  matchEndpoint,
  type OwnPaths,
  type Params,
} from '../../contract/endpoints.ts'
import { WireFailure, type WireRequest, type WireResponse } from '../../contract/wire.ts'
import { environmentOf } from '../addresses.ts'
import type { Environment } from '../conventions.ts'
import { causedBy, type WriteCause } from '../store/changes.ts'
import type { FaultEffect } from '../store/fault-effect.ts'
import { takeFault } from '../store/faults.ts'
import { findPartner } from '../store/partners.ts'
import { callsLeft, countRequest } from '../store/requests.ts'
import { iso, type Store } from '../store/store.ts'
import type { PartnerRow } from '../store/tables.ts'
import { readBody, refuseNul } from './body.ts'
import { waitingOf } from './clock.ts'
import { answerAs, isOfWindow, limitHeaders, pathsOf, refusesForm } from './described.ts'
import { faultAfter, faultBefore } from './faults.ts'
import type { Handlers, KeyedCall, KeyedHandlers } from './handlers/handler.ts'
import { isDatabaseFailure, json, Refusal, refusalAnswer, refusalOf, refusesWrites } from './refusal.ts'
import { logRequest, requestId } from './request-log.ts'
import type { Service } from './service.ts'

interface PipelineOptions {
  handlers: Handlers
  onError(error: unknown): void
}

type Answer = WireResponse | WireFailure

interface Answered {
  response: Answer
  /** Undefined when the request was refused before the account was known. */
  partner: PartnerRow | undefined
  effect: FaultEffect | undefined
  /** The id of the request, and the sandbox's time when it arrived, in ms since 1970; undefined when the database did not answer. */
  arrived: { id: string; at: number } | undefined
}

/**
 * Returns a function that answers a request: it finds the endpoint, applies a fault, checks the key and the rate limit, runs the handler,
 * and logs the request.
 * A fault applies before the key is checked, as if a gateway in front of the service failed. Requests and answers
 * have the form that the description of the service says.
 */
export function createPipeline(
  service: Service,
  options: PipelineOptions,
): (request: WireRequest, url: URL) => Promise<Answer> {
  const described = isDescribed(service.description) ? service.description : undefined
  return async (request, url) => {
    const started = service.clock.monotonic()
    const description = described && isOfWindow(service, request) ? undefined : described
    const { response, partner, effect, arrived } = await answerRequest(request, url, service, {
      ...options,
      description,
    })
    if (arrived === undefined) return response
    const ms = service.clock.monotonic() - started
    const entry = { request, url, response, partner: partner?.name, effect, ...arrived, ms }
    note(service.store, () => logRequest(service, entry), options.onError)
    return response
  }
}

async function answerRequest(
  request: WireRequest,
  url: URL,
  service: Service,
  { handlers, onError, description }: PipelineOptions & { description: ServiceDescription | undefined },
): Promise<Answered> {
  const { store, clock } = service
  let called: EndpointName | undefined
  let partner: PartnerRow | undefined
  let effect: FaultEffect | undefined
  let arrived: Answered['arrived']
  let cause: WriteCause | undefined
  let afterwards: (() => void) | undefined
  const waiting = waitingOf(clock.sleep, request)
  const described = (own: Answer): Answer => {
    if (description === undefined || arrived === undefined) return own
    const now = arrived.at
    const answer = answerAs(description, { name: called, url: request.url, now }, own)
    if (called === undefined || partner === undefined) return answer
    return withLimitHeaders(service, description, { partnerId: partner.id, name: called, now }, answer)
  }
  const work = async (now: number): Promise<Answer> => {
    const { environment, inside } = environmentOf(url.pathname)
    const { name, params } = match(request.method, inside, description && pathsOf(description))
    called = name
    effect = takeFault(store, name)
    const instead = effect && (await faultBefore(effect, name, waiting))
    if (instead) return instead
    if (!isKeyed(name)) {
      refuseKey(request)
      refuseNul(params)
      return handlers.open[name].answer({ params: params as Params<typeof name>, environment, now }, service)
    }
    partner = authenticate(store, name, environment, request)
    limit(service, partner.id, name, now)
    handlers.keyed[name].admit?.(partner)
    refuseNul(params)
    const call = { params: params as Params<typeof name>, partner, now, request, wait: waiting.wait }
    const response = await handle(name, handlers.keyed, call, service)
    afterwards = () => handleAfterwards(name, handlers.keyed, call, service)
    return response
  }
  const done = await answered(store, () => {
    const at = clock.now()
    arrived = { at, id: requestId(at) }
    cause = { by: 'request', id: arrived.id, at: iso(at) }
    return causedBy(cause, () => work(at))
  })
  const whole = waiting.left() ?? done
  const own = effect && !(whole instanceof WireFailure) ? faultAfter(effect, whole) : whole
  const response = described(own)
  if (cause && afterwards && !(response instanceof WireFailure))
    note(store, causedBy.bind(null, cause, afterwards), onError)
  return { response, partner, effect, arrived }
}

/**
 * Runs a function that answers a request. A failure of the function becomes an answer or, if the connection breaks, a `WireFailure`. Throws
 * only the error of a database that does not work (see `refusalOf`).
 */
export async function answered(store: Store, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (caught) {
    const error = store.failure(caught)
    return error instanceof WireFailure ? error : refusalAnswer(refusalOf(error))
  }
}

/**
 * Stores data about a request that was already processed. A failure of the database is only reported, because the caller must still receive
 * the answer.
 */
function note(store: Store, work: () => void, onError: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    if (!isDatabaseFailure(store.failure(error))) throw error
    onError(error)
  }
}

/** Tells the developer of a shop that the path is wrong. The text does not repeat the path, because a path may contain a national id. */
export const NO_CALL =
  'no such address: the path of every call begins with /partner/. `bnpl contract openapi` lists all calls'

function match(method: string, pathname: string, paths: OwnPaths = {}) {
  const found = matchEndpoint(method, pathname, paths)
  if (found) return found
  const allowed = ['GET', 'POST', 'PATCH', 'DELETE'].filter(
    (other) => matchEndpoint(other, pathname, paths) !== undefined,
  )
  if (allowed.length === 0) throw new Refusal(404, 'ERR_NOT_FOUND', NO_CALL)
  const allow = allowed.join(', ')
  throw new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', `this address does not accept ${method}; use ${allow}`, { allow })
}

const KEYED: readonly EndpointName[] = KEYED_ENDPOINTS

function isKeyed(name: EndpointName): name is KeyedEndpoint {
  return KEYED.includes(name)
}

/** Refuses a request with an API key. An open endpoint needs no key, because its links contain a signature (gap 41). */
function refuseKey({ headers }: WireRequest): void {
  if (headers.authorization === undefined) return
  throw new Refusal(
    400,
    'ERR_API_TOKEN_NOT_ACCEPTED',
    'this link contains its own signature; send the request without Authorization',
  )
}

/**
 * Throws a `Refusal` with the status that the endpoint documents, when the key is missing, is wrong, or belongs to another environment.
 * Throws a 403 `Refusal` for an inactive account.
 */
function authenticate(
  { db }: Store,
  name: KeyedEndpoint,
  environment: Environment,
  { headers }: WireRequest,
): PartnerRow {
  const key = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  const partner = key === undefined ? undefined : findPartner(db, 'apiKey', key)
  if (partner === undefined) {
    const message =
      key === undefined ? 'the API key is missing; send Authorization: Bearer <API_KEY>' : 'the API key is not known'
    throw new Refusal(statusWithoutKey(name), 'ERR_UNAUTHORIZED', message)
  }
  if (partner.environment !== environment) {
    const message = `this API key is for ${partner.environment}, but this address belongs to ${environment}`
    throw new Refusal(statusWithoutKey(name), 'ERR_UNAUTHORIZED', message)
  }
  if (partner.active !== 1) throw new Refusal(403, 'ERR_PARTNER_INACTIVE', 'your account is inactive')
  return partner
}

function statusWithoutKey(name: KeyedEndpoint): number {
  const documented = Object.entries(endpointOf(name).statuses).find(([, { outcome }]) => outcome === 'auth')
  return Number(documented?.[0] ?? 401)
}

/** Returns the limit to which a call counts: that of the call, or that of the key (gap 17). */
const bucketOf = ({ description }: Service, partnerId: string, name: EndpointName) => ({
  partnerId,
  name: answerOf(description, 'rateLimitPer') === 'key' ? '*' : name,
})

/** Throws a 429 `Refusal` with `Retry-After` when an account has sent too many requests (gap 17). */
function limit(service: Service, partnerId: string, name: KeyedEndpoint, now: number): void {
  const { store, rateLimit } = service
  let waitMs = 0
  try {
    waitMs = countRequest(store.db, bucketOf(service, partnerId, name), rateLimit, now)
  } catch (error) {
    // If the database refuses writes, do not count the request, because a request that only reads can still be answered. A request that
    // writes is refused later, when its own write fails.
    if (!refusesWrites(store.failure(error))) throw error
  }
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1_000)
  throw new Refusal(429, 'ERR_RATE_LIMIT_EXCEEDED', `too many calls; wait ${seconds} s`, {
    'retry-after': String(seconds),
  })
}

/** Returns an answer with the headers about the rate limit of the described service. */
function withLimitHeaders(
  service: Service,
  description: ServiceDescription,
  { partnerId, name, now }: { partnerId: string; name: EndpointName; now: number },
  answer: Answer,
): Answer {
  if (answer instanceof WireFailure || answerOf(description, 'rateHeaders') === 'absent') return answer
  const { store, rateLimit } = service
  try {
    const left = callsLeft(store.db, bucketOf(service, partnerId, name), rateLimit, now)
    return {
      ...answer,
      headers: { ...answer.headers, ...limitHeaders(description, { limit: rateLimit.burst, ...left }) },
    }
  } catch (error) {
    if (!isDatabaseFailure(store.failure(error))) throw error
    return answer
  }
}

async function handle<N extends KeyedEndpoint>(
  name: N,
  handlers: KeyedHandlers,
  call: KeyedCall<N>,
  service: Service,
): Promise<WireResponse> {
  const handler = handlers[name]
  if (refusesForm(service.description, name, call.request.headers['content-type']))
    throw new Refusal(415, 'ERR_UNSUPPORTED_MEDIA_TYPE', 'this service takes JSON for this call; send application/json')
  const body = readBody(name, call.request.headers['content-type'], call.request.body)
  const data = await handler.answer({ ...call, body }, service)
  return json(endpointOf(name).success.status, { data })
}

function handleAfterwards<N extends KeyedEndpoint>(
  name: N,
  handlers: KeyedHandlers,
  call: KeyedCall<N>,
  service: Service,
): void {
  handlers[name].afterwards?.(call, service)
}
