import { endpointOf, matchEndpoint } from '../../contract/endpoints.ts'
import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import type { PartnerRow } from '../store/tables.ts'
import { authenticate } from './authenticate.ts'
import { readBody, refuseNul } from './body.ts'
import type { Handler } from './handlers/handler.ts'
import { ADMISSIONS, HANDLERS, type KeyedEndpoint } from './handlers/handlers.ts'
import { openInforme } from './handlers/informe.ts'
import { finishDueEvaluations } from './leads.ts'
import { limitRate, type RateLimit } from './rate-limit.ts'
import { json, Refusal } from './refusal.ts'
import type { Service } from './service.ts'

export interface Answering {
  service: Service
  rateLimit: RateLimit
  /** Told who calls, once that is known. */
  onPartner(partner: PartnerRow): void
}

/** Answers a call of the partner interface. Throws a `Refusal` for every no. */
export async function answerEndpoint(
  request: WireRequest,
  now: number,
  { service, rateLimit, onPartner }: Answering,
): Promise<WireResponse> {
  const { pathname } = new URL(request.url)
  const match = matchEndpoint(request.method, pathname)
  if (match === undefined) throw noSuchEndpoint(request.method, pathname)
  const { name, params } = match
  refuseNul(params)
  if (name === 'openInforme') {
    if (request.headers.authorization !== undefined) {
      throw new Refusal(400, 'ERR_API_TOKEN_NOT_ACCEPTED', 'this link carries its own signature: send no Authorization')
    }
    const location = await openInforme(params.signature ?? '', now, service)
    return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: new Uint8Array() }
  }
  const partner = await authenticate(service.store.db, name, request.headers.authorization)
  onPartner(partner)
  await limitRate(service.store, partner.id, rateLimit, now)
  ADMISSIONS[name]?.(partner)
  const endpoint = endpointOf(name)
  const body = readBody(endpoint, request.headers['content-type'], request.body)
  await finishDueEvaluations(service, now)
  // The handler map pairs every name with a handler of its own types; the pairing is lost on a name known only at run time.
  const handler = HANDLERS[name] as unknown as Handler<KeyedEndpoint>
  const data = await handler({ params, body, partner, now, request } as never, service)
  return json(endpoint.success.status, { data })
}

function noSuchEndpoint(method: string, pathname: string): Refusal {
  const allowed = ['GET', 'POST', 'DELETE'].filter((other) => matchEndpoint(other, pathname) !== undefined)
  if (allowed.length === 0) return new Refusal(404, 'ERR_NOT_FOUND', 'no such address')
  const allow = allowed.join(', ')
  return new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', `${method} is not possible here; use ${allow}`, { allow })
}
