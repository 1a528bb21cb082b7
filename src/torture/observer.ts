import { setTimeout as pause } from 'node:timers/promises'
import { matchEndpoint } from '../contract/endpoints.ts'
import { formEntries } from '../contract/form.ts'
import type { Transport, WireRequest, WireResponse } from '../contract/wire.ts'
import { environmentOf, PAGE_PATHS } from '../sandbox/addresses.ts'
import { isStorageAddress } from '../sandbox/service/reports.ts'
import { DOWNLOAD, type FaultPlace, PAGE_VISIT } from '../sandbox/store/fault-effect.ts'
import { isRecord } from '../text/json-text.ts'
import type { CallFact } from './facts.ts'
import type { Place } from './fault-table.ts'

export interface Observer {
  around(transport: Transport): Transport
  calls: CallFact[]
  places: Place[]
  /** The visits of the payment page. */
  visits: Place[]
  /** Everything that was asked of the service, in its order. */
  steps: Step[]
  nationalIds: Set<string>
  /** The transactions whose customer came back, if `followsReturns`. */
  returned: Set<string>
  /** Each time that the payment page sent a customer back to the shop, if `followsReturns`. */
  returns: readonly SentBack[]
}

interface SentBack {
  to: string
  externalTrxId: string
  /** Whether the customer followed. */
  isBack: boolean
}

/** A request of a run, for its timeline. */
interface Step {
  /** The time of the sandbox, in ms since 1970. */
  at: number
  place: Place
  /** The status of the answer; 0 when the caller got no complete answer. */
  status: number
}

interface Stops {
  before(place: Place, fields: URLSearchParams): Promise<unknown>
  /** Returns the answer that the caller gets. */
  after(place: Place, answer: WireResponse, signal: AbortSignal | undefined): Promise<WireResponse>
  /** The time of the sandbox, in ms since 1970. */
  now(): number
  /** Waits for the deliveries before the payment page sends the customer back, so that webhooks reach the shop before the customer does. */
  settled(): Promise<unknown>
}

const RETURN_PATH = '/_torture/return'

/**
 * Returns a recorder of requests. It waits for `before` before it passes a request on, and for `after` before it returns the answer.
 * @param followsReturns whether a customer is sent back to the shop through an address of the sandbox, so that it knows who came back
 */
export function createObserver(
  { customerDecides, followsReturns }: { customerDecides: boolean; followsReturns: boolean },
  { before, after, settled, now }: Stops,
): Observer {
  const counts = new Map<FaultPlace, number>()
  const calls: CallFact[] = []
  const places: Place[] = []
  const visits: Place[] = []
  const steps: Step[] = []
  const nationalIds = new Set<string>()
  const returned = new Set<string>()
  const returns: SentBack[] = []
  const throughUs = (answer: WireResponse, origin: string): WireResponse => {
    const to = answer.headers.location
    if (!followsReturns || !customerDecides || to === undefined || !URL.canParse(to)) return answer
    const externalTrxId = new URL(to).searchParams.get('externalTrxId') ?? ''
    const at = returns.push({ to, externalTrxId, isBack: false }) - 1
    return { ...answer, headers: { ...answer.headers, location: `${origin}${RETURN_PATH}/${at}` } }
  }
  const count = (name: FaultPlace): Place => {
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    return { name, nth }
  }
  const around =
    (transport: Transport): Transport =>
    async (request) => {
      const url = new URL(request.url)
      const { inside } = environmentOf(url.pathname)
      const fields = fieldsOf(request, url)
      const passedOn = async (place: Place) => {
        const step = { at: now(), place, status: 0 }
        steps.push(step)
        await before(place, fields)
        const answer = await after(place, await transport(request), request.signal)
        // If the caller no longer waits, it did not receive the answer, so the status stays 0.
        if (request.signal?.aborted !== true) step.status = answer.status
        return { answer, status: step.status }
      }
      if (inside === PAGE_PATHS.hosted && request.method === (customerDecides ? 'GET' : 'POST')) {
        const visit = count(PAGE_VISIT)
        visits.push(visit)
        const { answer } = await passedOn(visit)
        await settled()
        return throughUs(answer, url.origin)
      }
      const back = url.pathname.startsWith(`${RETURN_PATH}/`)
        ? returns[Number(url.pathname.split('/').at(-1))]
        : undefined
      if (back !== undefined) {
        back.isBack = true
        returned.add(back.externalTrxId)
        return { status: 303, headers: { location: back.to, 'cache-control': 'no-store' }, body: new Uint8Array() }
      }
      const found = inside.startsWith('/partner/') ? matchEndpoint(request.method, inside) : undefined
      const name = found?.name ?? (request.method === 'GET' && isStorageAddress(url.pathname) ? DOWNLOAD : undefined)
      if (name === undefined) return transport(request)
      const place = count(name)
      const idNumber = fields.get('idNumber')
      if (idNumber !== null) nationalIds.add(idNumber)
      const externalTrxId = found?.params.externalTrxId ?? fields.get('externalTrxId') ?? undefined
      const buyer = name === 'evaluate' ? `${idNumber} ${fields.get('amount')}` : undefined
      const call = { name, nth: place.nth, externalTrxId, status: 0, isTrue: true, buyer }
      calls.push(call)
      places.push(place)
      const { answer, status } = await passedOn(place)
      call.status = status
      return answer
    }
  return { around, calls, places, visits, steps, nationalIds, returned, returns }
}

const LOOK_MS = 10

/**
 * If the call at a place is the first one about its transaction, waits until there is a second one. A shop that learns of a payment from the
 * event and from the customer verifies twice only if the later of them comes before the first verification is done, which is chance.
 * @param calls the calls of the run, to which later calls are added
 * @param ends ends the wait when one of these is aborted
 */
export async function untilSecondCall(
  calls: readonly CallFact[],
  { name, nth }: Place,
  limitMs: number,
  ends: readonly AbortSignal[],
): Promise<void> {
  const transaction = calls.find((call) => call.name === name && call.nth === nth)?.externalTrxId
  const its = () => calls.filter((call) => call.name === name && call.externalTrxId === transaction)
  if (transaction === undefined || its()[0]?.nth !== nth) return
  const until = performance.now() + limitMs
  while (its().length < 2 && performance.now() < until && ends.every(({ aborted }) => !aborted)) await pause(LOOK_MS)
}

function fieldsOf({ headers, body }: WireRequest, { searchParams }: URL): URLSearchParams {
  const text = new TextDecoder().decode(body)
  if (!(headers['content-type'] ?? '').includes('json'))
    return new URLSearchParams([...searchParams, ...formEntries(text)])
  try {
    const parsed: unknown = JSON.parse(text)
    const fields = new URLSearchParams(searchParams)
    for (const [name, value] of Object.entries(isRecord(parsed) ? parsed : {})) fields.set(name, String(value))
    return fields
  } catch {
    return searchParams
  }
}
