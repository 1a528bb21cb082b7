import { matchEndpoint } from '../contract/endpoints.ts'
import { type Transport, WireFault, type WireRequest, type WireResponse } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'
import { BnplError } from '../errors.ts'
import { once } from '../once.ts'
import { isOutage } from '../postgres/failure.ts'
import { RATE_LIMIT } from './conventions.ts'
import { isPageAddress } from './page/addresses.ts'
import { createSandboxClock } from './service/clock.ts'
import { answerControl } from './service/control.ts'
import { CONTROL_PREFIX } from './service/control-access.ts'
import { createDeliverer, type Deliverer } from './service/deliveries/deliverer.ts'
import { createEntrance, type Entrance } from './service/entrance.ts'
import { DOWNLOAD, type Harm } from './service/faults.ts'
import { createHarmed } from './service/harmed.ts'
import { finishDueEvaluations } from './service/leads.ts'
import { isTrouble, troubleRefusal } from './service/outage.ts'
import type { Payments } from './service/payment.ts'
import { createPayments } from './service/payments.ts'
import { answerEndpoint } from './service/pipeline.ts'
import type { RateLimit } from './service/rate-limit.ts'
import { Refusal, refusalAnswer } from './service/refusal.ts'
import { createReports } from './service/reports.ts'
import { logRequest } from './service/request-log.ts'
import type { Service } from './service/service.ts'
import { seed } from './store/partners.ts'
import { noteVerified } from './store/payments.ts'
import { readSetting } from './store/settings.ts'
import type { Store } from './store/store.ts'
import type { PartnerRow } from './store/tables.ts'
import { isWindowAddress } from './window/addresses.ts'

export interface SandboxOptions {
  store: Store
  clock: Clock
  random: () => number
  /** Where it is reached, without a slash at the end: part of the links it gives out. */
  baseUrl: string
  /** What `x-sandbox-token` must be for control calls. */
  controlToken: string
  /** Destinations on loopback may be plain http. */
  allowHttp?: boolean
  rateLimit?: RateLimit
  /** Who gets into the window; one of its own unless given. */
  entrance?: Entrance
  /** Where snapshots by name are kept. */
  snapshotDir?: string | undefined
  /** Told of what went wrong where nobody waits for an answer. */
  onFault?: (error: unknown) => void
}

/** The whole partner service, as a function from request to answer. */
export interface Sandbox {
  transport: Transport
  service: Service
  payments: Payments
  deliverer: Deliverer
  /** Does what is due by the sandbox's clock; whoever serves it calls this now and then. */
  tick(): Promise<void>
}

/** Makes a sandbox on a store, with its accounts on first use. The store stays the caller's to close. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { store, random, baseUrl } = options
  await seed(store)
  const signingSecret = (await readSetting(store.db, 'signingSecret')) ?? ''
  const service: Service = {
    store,
    clock: createSandboxClock(store, options.clock),
    random,
    baseUrl,
    allowHttp: options.allowHttp ?? false,
    signingSecret,
    reports: createReports({ store, baseUrl, signingSecret }),
    entrance: options.entrance ?? createEntrance(baseUrl),
    snapshotDir: options.snapshotDir,
  }
  const payments = createPayments(service)
  const onFault = options.onFault ?? (() => {})
  const deliverer = createDeliverer(service, onFault)
  const harmed = createHarmed(store, options.clock.sleep)
  const rateLimit = options.rateLimit ?? RATE_LIMIT

  // The pages are loaded when somebody first looks at one: most commands never do.
  const pages = once(async () => {
    const { createPages } = await import('./page/pages.ts')
    return createPages(payments, { now: service.clock.now })
  })

  const window = once(async () => {
    const { createWindow } = await import('./window/window.ts')
    return createWindow(service)
  })

  /** Work that was done is answered, even if the database takes no note of it. */
  const noted = async (work: Promise<void>) => {
    try {
      await work
    } catch (error) {
      if (!isTrouble(store.failure(error))) throw error
      onFault(error)
    }
  }

  const answerPartner = async (request: WireRequest): Promise<WireResponse> => {
    const started = service.clock.monotonic()
    const now = await service.clock.now()
    let partner: PartnerRow | undefined
    const onPartner = (row: PartnerRow) => {
      partner = row
    }
    let harm: Harm | undefined
    const onHarm = (met: Harm) => {
      harm = met
    }
    const match = matchEndpoint(request.method, new URL(request.url).pathname)
    const log = (response: WireResponse) => {
      const ms = service.clock.monotonic() - started
      return logRequest(service, { request, response, partner: partner?.name, harm, now, ms })
    }
    const work = () => answered(store, () => answerEndpoint(request, now, { service, rateLimit, onPartner }))
    try {
      const response = await harmed(match?.name, request, work, onHarm)
      await noted(log(response))
      // Only an answer that goes out whole tells a merchant of a loan.
      if (match?.name === 'verifyLoan' && response.status === 200 && partner) {
        await noted(noteVerified(store.db, partner.id, match.params.externalTrxId ?? '', now))
      }
      return response
    } catch (error) {
      if (error instanceof WireFault) await noted(log(NO_ANSWER))
      throw error
    }
  }

  const answerOther = async (request: WireRequest, pathname: string): Promise<WireResponse> => {
    if (pathname.startsWith(`${CONTROL_PREFIX}/`)) {
      return answerControl(request, { service, controlToken: options.controlToken })
    }
    if (isWindowAddress(pathname)) return (await window())(request)
    if (isPageAddress(pathname)) return (await pages())(request)
    const now = await service.clock.now()
    const report = await answered(store, async () => (await service.reports.answer(request, now)) ?? notFound())
    return report.status === 404 ? report : harmed(DOWNLOAD, request, async () => report)
  }

  return {
    service,
    payments,
    deliverer,
    tick: async () => {
      await finishDueEvaluations(service, await service.clock.now())
      deliverer.kick()
    },
    transport: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith('/partner/')) return answered(store, () => answerPartner(request))
      try {
        return await answered(store, () => answerOther(request, pathname))
      } finally {
        // A payment, a lead or the clock may have made something due.
        deliverer.kick()
      }
    },
  }
}

/** Whatever goes wrong becomes an answer, except what has none: a fault of the wire, and data that cannot be used. */
async function answered(store: Store, work: () => Promise<WireResponse>): Promise<WireResponse> {
  try {
    return await work()
  } catch (caught) {
    const error = store.failure(caught)
    if (error instanceof Refusal) return refusalAnswer(error)
    if (error instanceof BnplError && isOutage(error)) return refusalAnswer(troubleRefusal(error))
    if (error instanceof WireFault || error instanceof BnplError) throw error
    const why = error instanceof Error ? error.message : String(error)
    return refusalAnswer(new Refusal(500, 'ERR_SANDBOX', `the sandbox itself failed: ${why}`))
  }
}

/** How a call that got no whole answer is kept: with status 0. */
const NO_ANSWER: WireResponse = { status: 0, headers: {}, body: new Uint8Array() }

const notFound = () => refusalAnswer(new Refusal(404, 'ERR_NOT_FOUND', 'no such address'))
