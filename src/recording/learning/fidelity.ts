import { headerIn } from '../../contract/differences/exchange.ts'
import { ENDPOINT_NAMES, type EndpointName, endpointOf } from '../../contract/endpoints.ts'
import { INTEGRATIONS } from '../../contract/integrations.ts'
import type { CallManner, Manner } from '../../contract/manner.ts'
import { DEFAULT_SIGNATURE } from '../../domain/signature-settings.ts'
import { causeOf } from './causes.ts'
import { eventSeen, prefixOf } from './deliveries.ts'
import { comparable, type Shown, shownBy, shownLike } from './facts.ts'
import { readRefusal } from './refusal-body.ts'
import { isRefusal } from './refusals.ts'
import type { SeenCall, Sightings } from './sightings.ts'
import { DELIVERED, SANDBOX_TYPE, SPECIMENS } from './specimens.ts'

/**
 * How many of the facts in recorded answers a sandbox shows too. A fact is a status, a content type, a code, or a field with its place and
 * type.
 */
export interface Fidelity {
  endpoint: EndpointName | 'delivery'
  /** The number of facts that the service, the sandbox or both show. */
  facts: number
  same: number
  missing: readonly string[]
}

const MOST_NAMED = 20

/**
 * Returns how closely a sandbox imitates the recorded service, by call.
 * @param manner the behaviour that the sandbox imitates. Without it, the sandbox uses its own conventions
 */
export function fidelityOf(seen: Sightings, manner?: Manner): Fidelity[] {
  const calls = ENDPOINT_NAMES.flatMap((name) => {
    const own = seen.calls.filter((call) => call.name === name)
    return own.length === 0 ? [] : [compared(name, ofCalls(name, own, seen.calls, manner?.calls[name]))]
  })
  return seen.deliveries.length === 0 ? calls : [...calls, compared('delivery', ofDeliveries(seen, manner))]
}

interface Both {
  service: Set<string>
  sandbox: Set<string>
}

function compared(endpoint: Fidelity['endpoint'], { service, sandbox }: Both): Fidelity {
  const missing = [...service].filter((fact) => !sandbox.has(fact))
  const more = [...sandbox].filter((fact) => !service.has(fact))
  const same = service.size - missing.length
  return { endpoint, facts: service.size + more.length, same, missing: missing.slice(0, MOST_NAMED) }
}

function ofCalls(
  name: EndpointName,
  own: readonly SeenCall[],
  all: readonly SeenCall[],
  manner: CallManner | undefined,
): Both {
  const both: Both = { service: new Set(), sandbox: new Set() }
  const { service, sandbox } = both
  const successes = own.filter((call) => !isRefusal(name, call))
  for (const call of successes) addHead('success', call, service)
  if (successes.length > 0) {
    const { status = endpointOf(name).success.status, contentType, isEmpty } = manner?.success ?? {}
    sandbox.add(`success ${status}`)
    const hasBody = name !== 'openInforme' && isEmpty !== true
    if (hasBody) {
      sandbox.add(`success ${contentType ?? SANDBOX_TYPE.answer}`)
      addBodies(shownBy(successes.map(({ json }) => json)), shownLike(SPECIMENS[name], manner?.success), '', both)
    }
  }
  for (const call of own.filter((each) => isRefusal(name, each))) addRefusal(name, call, all, manner, both)
  return both
}

function addBodies(ofService: Shown, ofSandbox: Shown, before: string, { service, sandbox }: Both): void {
  const facts = comparable(ofService, ofSandbox)
  for (const fact of facts.service) service.add(before + fact)
  for (const fact of facts.sandbox) sandbox.add(before + fact)
}

function addHead(what: string, { status, answer }: SeenCall, facts: Set<string>): void {
  facts.add(`${what} ${status}`)
  const type = headerIn(answer.headers, 'content-type')
  if (type !== undefined && answer.body !== undefined) facts.add(`${what} ${type}`)
}

function addRefusal(
  name: EndpointName,
  call: SeenCall,
  all: readonly SeenCall[],
  manner: CallManner | undefined,
  { service, sandbox }: Both,
): void {
  const cause = causeOf(name, call, all)
  const what = cause ?? 'a refusal for an unknown reason'
  addHead(what, call, service)
  const { code, body } = readRefusal(call)
  if (code !== undefined) service.add(`${what} ${code}`)
  const retryAfter = headerIn(call.answer.headers, 'retry-after')
  if (retryAfter !== undefined) service.add(`${what} Retry-After`)
  if (body !== undefined) service.add(`${what} ${JSON.stringify(body)}`)
  if (cause === undefined) return
  const [status = '', ownCode = ''] = cause.split(' ')
  const learnt = manner?.refusals?.[cause] ?? {
    status: Number(status),
    code: ownCode,
    body: { error: { code: '$code', message: '$message' } },
  }
  sandbox.add(`${cause} ${learnt.status}`)
  if (retryAfter !== undefined && (learnt.retryAfter !== undefined || status === '429'))
    sandbox.add(`${what} Retry-After`)
  if (learnt.body !== undefined) {
    sandbox.add(`${cause} ${learnt.contentType ?? SANDBOX_TYPE.answer}`)
    sandbox.add(`${cause} ${JSON.stringify(learnt.body)}`)
  }
  if (learnt.code !== undefined) sandbox.add(`${cause} ${learnt.code}`)
}

function ofDeliveries({ deliveries }: Sightings, manner: Manner | undefined): Both {
  const both: Both = { service: new Set(), sandbox: new Set() }
  const { service, sandbox } = both
  const own = manner?.deliveries
  for (const each of deliveries) {
    const { headers, body, signature } = each
    const type = headerIn(headers, 'content-type')
    if (type !== undefined) service.add(`content-type ${type}`)
    sandbox.add(`content-type ${own?.contentType ?? SANDBOX_TYPE.delivery}`)
    const { scheme, header, algorithm, encoding } = signature ?? {}
    if (header !== undefined) {
      service.add(`${scheme} in ${header}`)
      const usual = scheme === 'hmac' ? INTEGRATIONS.bnpl.header : INTEGRATIONS['real-estate'].header
      sandbox.add(`${scheme} in ${(scheme === 'hmac' ? own?.signature?.header : own?.token?.header) ?? usual}`)
    }
    if (algorithm !== undefined && encoding !== undefined) {
      service.add(`${prefixOf(headerIn(headers, header ?? ''))}${algorithm} ${encoding}`)
      const made = { prefix: '', ...(own?.signature ?? DEFAULT_SIGNATURE) }
      sandbox.add(`${made.prefix}${made.algorithm} ${made.encoding}`)
    }
    const event = eventSeen(each)
    if (event === undefined) continue
    const { names, types, more, fewer } = own ?? {}
    const inside = own?.events?.[event] ?? {}
    const joined = {
      names: { ...names, ...inside.names },
      types: { ...types, ...inside.types },
      more: { ...more, ...inside.more },
      fewer: [...(fewer ?? []), ...(inside.fewer ?? [])],
      ...(inside.words && { words: inside.words }),
    }
    addBodies(shownBy([body]), shownLike(DELIVERED[event], joined, ''), `${event} `, both)
  }
  return both
}
