import { answerOf, type ServiceDescription, SPECIFICATION } from '../contract/description.ts'
import { type Transport, WireFailure, type WireRequest, type WireResponse } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'
import { once } from '../lifetime.ts'
import { environmentOf, isPageAddress, isWindowAddress } from './addresses.ts'
import type { Environment } from './conventions.ts'
import { createWindowKeys, isControlAddress, type WindowKeys } from './service/access.ts'
import { createSandboxClock, waitingOf } from './service/clock.ts'
import { answerControl } from './service/control.ts'
import { createDeliverer, type Deliverer } from './service/deliveries/deliverer.ts'
import { visitMerchant } from './service/deliveries/post.ts'
import { callAddresses } from './service/described.ts'
import { faultAfter, faultBefore } from './service/faults.ts'
import { HANDLERS } from './service/handlers/handlers.ts'
import { finishDueEvaluations } from './service/leads.ts'
import { createPayments, type Payments } from './service/payments.ts'
import { answered, createPipeline, NO_CALL } from './service/pipeline.ts'
import { Refusal } from './service/refusal.ts'
import { createReports, isStorageAddress } from './service/reports.ts'
import type { Service } from './service/service.ts'
import { causedBy, writeCause } from './store/changes.ts'
import { hasEarlyDelivery } from './store/deliveries.ts'
import { DOWNLOAD } from './store/fault-effect.ts'
import { takeFault } from './store/faults.ts'
import { readSetting, seed } from './store/partners.ts'
import type { RateLimit } from './store/requests.ts'
import type { Store } from './store/store.ts'

export interface SandboxOptions {
  store: Store
  clock: Clock
  random: () => number
  /** The address at which other programs reach the sandbox, without a slash at the end. Links begin with it. */
  baseUrl: string
  /** The value of `x-sandbox-token` that allows control actions. */
  controlToken: string
  /** Whether destinations on this machine (loopback) may use plain http. */
  allowHttp?: boolean
  /**
   * Whether only one program uses the sandbox, such as a test. Then `allowHttp` is true by default, and all destinations of an account have
   * the same signing secret.
   */
  isPrivate?: boolean
  /** Whether the payment page decides for the customer, so that a test needs no browser. */
  customer?: boolean
  rateLimit?: RateLimit
  /** Called after an attempt to deliver, before its result is stored. If this function returns true, the answer is treated as lost. */
  losesAnswer?: ((deliveryId: string) => Promise<boolean>) | undefined
  windowKeys?: WindowKeys
  /**
   * Makes the window, which is the page at `/` that shows what happens in the sandbox. Called when the window is first opened. Without this
   * function, the window's addresses do not exist.
   */
  window?: WindowOpener | undefined
  /** The service that the sandbox is. The default is the specification with the conventions of the sandbox. */
  description?: ServiceDescription | undefined
  snapshotDir?: string | undefined
  onError?: (error: unknown) => void
}

/** Returns the function that answers the requests for the window of a sandbox. */
type WindowOpener = (service: Service) => Promise<Transport>

/** A simulation of the whole partner service. `transport` answers requests. */
export interface Sandbox {
  transport: Transport
  service: Service
  payments: Payments
  deliverer: Deliverer
  /** Finishes evaluations and sends deliveries that are due by the sandbox's clock. Call this regularly. */
  tick(): Promise<void>
}

/** Makes a sandbox on a store, which the caller closes. If the store is new, creates the accounts. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { store, random, baseUrl, description = SPECIFICATION } = options
  seed(store)
  const signingSecret = readSetting(store.db, 'signingSecret') ?? ''
  const service: Service = {
    store,
    clock: createSandboxClock(store, options.clock),
    random,
    baseUrl,
    allowHttp: options.allowHttp ?? options.isPrivate ?? false,
    isPrivate: options.isPrivate ?? false,
    customer: options.customer ?? false,
    signingSecret,
    rateLimit: options.rateLimit ?? answerOf(description, 'rateLimit'),
    reports: createReports({ store, baseUrl, signingSecret }),
    windowKeys: options.windowKeys ?? createWindowKeys(baseUrl, options.clock),
    losesAnswer: options.losesAnswer,
    description,
    snapshotDir: options.snapshotDir,
  }
  const { onError = () => {} } = options
  const payments = { beta: createPayments(service, 'beta'), production: createPayments(service, 'production') }
  const deliverer = createDeliverer(service, onError)
  const answerPartner = createPipeline(service, { handlers: HANDLERS, onError })
  const isCallAddress = callAddresses(description)
  const answerOther = createOtherAnswers(service, payments, options)
  return {
    service,
    payments: payments.beta,
    deliverer,
    tick: async () => {
      await finishDueEvaluations(service, service.clock.now())
      deliverer.kick()
    },
    transport: async (request) => {
      const url = new URL(request.url)
      if (isCallAddress(environmentOf(url.pathname).inside)) return thrown(await answerPartner(request, url))
      try {
        return thrown(await answered(store, () => answerOther(request, url)))
      } finally {
        deliverer.kick()
        // An event with the fault `early` must be delivered before this answer, which can send the customer back to the shop. If the
        // database fails, send the answer without waiting.
        if (isEarlyDeliveryDue(store)) await deliverer.idle(answerOf(description, 'deliveryTimeout'))
      }
    },
  }
}

/** Returns false if the database fails, so that the answer is sent without waiting. */
function isEarlyDeliveryDue({ db }: Store): boolean {
  try {
    return hasEarlyDelivery(db)
  } catch {
    return false
  }
}

function createOtherAnswers(
  service: Service,
  payments: Record<Environment, Payments>,
  { controlToken, window: openWindow }: SandboxOptions,
) {
  // Load the pages and the window when they are first opened, because most commands never open them.
  const pages = once(async () => {
    const { createPages } = await import('./page/pages.ts')
    const pagesOf = (environment: Environment) =>
      createPages(payments[environment], {
        now: service.clock.now,
        environment,
        customer: service.customer,
        visitMerchant: (address) => visitMerchant(service, address),
      })
    return { beta: pagesOf('beta'), production: pagesOf('production') }
  })
  const window = once(async () => openWindow?.(service))
  return async (request: WireRequest, url: URL): Promise<WireResponse | WireFailure> => {
    const { pathname } = url
    if (isControlAddress(pathname)) return answerControl(request, url, { service, controlToken })
    if (isWindowAddress(pathname)) {
      const answer = await window()
      if (answer !== undefined) return answer(request)
    }
    const { environment, inside } = environmentOf(pathname)
    if (isPageAddress(inside)) return (await pages())[environment](request, inside)
    if (isStorageAddress(pathname)) return answerDownload(request, url, service)
    throw new Refusal(404, 'ERR_NOT_FOUND', NO_CALL)
  }
}

async function answerDownload(request: WireRequest, url: URL, service: Service): Promise<WireResponse | WireFailure> {
  const { store, clock, reports } = service
  // Simulated faults of downloads apply only to GET, because every other method is refused anyway.
  if (request.method !== 'GET') return reports.answer(request, url, clock.now())
  const effect = causedBy(writeCause('request', clock.now()), () => takeFault(store, DOWNLOAD))
  const waiting = waitingOf(clock.sleep, request)
  const instead = effect && (await faultBefore(effect, DOWNLOAD, waiting))
  const done = instead ?? (await reports.answer(request, url, clock.now()))
  const answer = waiting.left() ?? done
  if (answer instanceof WireFailure) return answer
  return effect ? faultAfter(effect, answer) : answer
}

function thrown(answer: WireResponse | WireFailure): WireResponse {
  if (answer instanceof WireFailure) throw answer
  return answer
}

/** Starts `tick` every `ms` milliseconds, except while the previous `tick` is still running. @param tick must not throw */
export function tickEvery(ms: number, tick: () => Promise<void>) {
  let working: Promise<void> | undefined
  const timer = setInterval(() => {
    working ??= tick().finally(() => {
      working = undefined
    })
  }, ms)
  return {
    unref: () => void timer.unref(),
    async stop() {
      clearInterval(timer)
      await working
    },
  }
}
