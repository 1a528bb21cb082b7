import type { Context } from '../context.ts'
import { formatDuration } from '../domain/clock.ts'
import { type Landing, paymentPageUrl, readLanding } from '../domain/payment-page.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError, config, Interrupted } from '../errors.ts'
import type { HttpVisit } from '../http-server/door.ts'
import type { Settings } from '../profiles/resolve.ts'
import type { shopPage as ShopPage } from '../sandbox/page/shop-page.ts'
import { startProgress, waitShown } from '../terminal/progress.ts'
import { nextCommand } from './global-options.ts'
import { noteOtherWay, seeOff, servePage, visitPage } from './payment-page-visit.ts'
import { type IssuedToken, refuseExpired, sandboxPayment } from './payment-steps.ts'

export type PaymentStep = 'paid' | 'rejected' | 'pending'

/**
 * Makes the payment on the payment page. Without a terminal, a payment in the sandbox ends at once, and a payment of a
 * real account stays pending. Throws `config` when the payment address or the public key is missing, and
 * `refused` for an expired token.
 */
export async function makePayment(
  context: Context,
  session: IssuedToken,
  asked: { reject: boolean; wait: boolean },
): Promise<PaymentStep> {
  const settings = await context.settings()
  if (!context.options.input && settings.environment.value === SANDBOX) {
    const sandbox = await context.sandbox()
    const paid = await sandbox.control('pay', { externalTrxId: session.externalTrxId, reject: asked.reject })
    return paid.outcome === 'paid' ? 'paid' : 'rejected'
  }
  // Without a terminal and without --wait, this process ends before the payment, so it could not serve the return address.
  if (!context.options.input && !asked.wait) return 'pending'
  const { paymentUrl, publicKey } = pageSettings(context, settings)
  const back = await catchReturn()
  context.onClose(back.close)
  const place = context.options.input ? await servePage(context, paymentUrl.value) : undefined
  refuseExpired(context, session)
  const url = paymentPageUrl(place?.paymentUrl ?? paymentUrl.value, {
    widgetToken: session.widgetToken,
    publicKey: publicKey.value,
    successReturnUrl: back.successUrl,
    errorReturnUrl: back.errorUrl,
  })
  if (place === undefined) {
    context.output.say(`Payment page: ${url}`)
    return 'pending'
  }
  await visitPage(context, url)
  await noteOtherWay(context, session.externalTrxId)
  return customerEnds(context, back.arrival, session, place)
}

/** Returns the settings that the payment page needs. Throws `config` when one is missing. */
export function pageSettings(context: Context, { paymentUrl, publicKey }: Settings) {
  if (paymentUrl && publicKey) return { paymentUrl, publicKey }
  throw config(
    `no ${paymentUrl ? 'public key' : 'payment address'} is set, so no page can be opened`,
    `Set both settings: ${nextCommand(context, 'bnpl profiles set paymentUrl https://…')} and ${nextCommand(context, 'bnpl profiles set publicKey …')}`,
    'NO_PAYMENT_URL',
  )
}

/** The time between two checks for the loan, in ms. Checks are necessary, because a customer may close the page after paying. */
const LOOK_MS = 5000

async function customerEnds(
  context: Context,
  arrival: Awaited<ReturnType<typeof catchReturn>>['arrival'],
  session: IssuedToken,
  place: Parameters<typeof seenPaid>[2],
): Promise<PaymentStep> {
  const over = new AbortController()
  const returned = arrival.then(({ landedOn }) => (landedOn === 'success' ? ('paid' as const) : ('rejected' as const)))
  try {
    return await Promise.race([
      returned,
      seenPaid(context, session, place, AbortSignal.any([context.signal, over.signal])),
    ])
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    const next = nextCommand(context, 'bnpl verify', [session.externalTrxId], ['--wait'])
    throw new Interrupted(error.exitCode, `Interrupted, but the customer can still pay. Continue with: ${next}`)
  } finally {
    over.abort()
  }
}

async function seenPaid(
  context: Context,
  session: IssuedToken,
  { mayBeOpen }: { mayBeOpen(): boolean },
  signal: AbortSignal,
): Promise<PaymentStep> {
  const { clock, io, options } = context
  const api = await context.api()
  const left = () => session.lifeMs - session.ageMs()
  const progress = await startProgress(io, options.quiet, 'Waiting for the customer to pay …')
  try {
    while (left() > 0) {
      const pause = Math.min(LOOK_MS, left())
      const words = () => `Waiting for the customer to pay · the token is valid for ${formatDuration(left())} more`
      await waitShown(clock, progress, pause, words, signal)
      const params = { externalTrxId: session.externalTrxId }
      const loan = await api.call('verifyLoan', { params, body: {} }).catch((error: unknown) => {
        if (!(error instanceof BnplError)) throw error
      })
      if (loan === undefined) {
        // Rejected or cancelled from another terminal. A customer on the page returns to the error address, or tries again.
        const { state } = mayBeOpen() ? {} : ((await sandboxPayment(context, session.externalTrxId)) ?? {})
        if (state === 'rejected' || state === 'cancelled') return 'rejected'
        continue
      }
      // This process serves the return address.
      progress.stop()
      await seeOff(context, 'paid', { mayBeOpen }, signal)
      return 'paid'
    }
    return 'pending'
  } finally {
    progress.stop()
  }
}

const OUTCOMES = ['success', 'error'] as const

type Return = Landing & { landedOn: (typeof OUTCOMES)[number] }

/** Times are in ms. */
const LIMITS = { headersMs: 5000, requestMs: 10_000, checkMs: 1000, keepAliveMs: 5000, headBytes: 16_384 } as const

/**
 * Serves a return address on this machine, under a path that nobody can guess. Waits for the first browser that
 * opens the address.
 */
export async function catchReturn() {
  const { randomBytes } = await import('node:crypto')
  const secret = randomBytes(12).toString('hex')
  const { promise, resolve, reject } = Promise.withResolvers<Return>()
  // The server may fail before any code awaits this promise. Without this handler, the rejection would end the
  // process.
  promise.catch(() => {})
  const [{ openDoor }, { shopPage }] = await Promise.all([
    import('../http-server/door.ts'),
    import('../sandbox/page/shop-page.ts'),
  ])
  const door = await openDoor({
    host: '127.0.0.1',
    port: 0,
    hosts: [],
    limits: LIMITS,
    handle: (visit) => answer(visit, secret, shopPage, resolve),
    onError: reject,
  })
  const base = `http://127.0.0.1:${door.port}/${secret}`
  return {
    successUrl: `${base}/success`,
    errorUrl: `${base}/error`,
    arrival: promise,
    close: () => door.close(),
  }
}

function answer(
  { request, response, hostRefusal }: HttpVisit,
  secret: string,
  pageOf: typeof ShopPage,
  onArrival: (found: Return) => void,
): void {
  if (hostRefusal !== 0) {
    response.writeHead(hostRefusal, { connection: 'close' }).end()
    return
  }
  // `URL.parse` returns null for a path such as `//`, which any program on this machine can send.
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1')
  const landedOn = OUTCOMES.find((each) => url?.pathname === `/${secret}/${each}`)
  if (request.method !== 'GET' || url === null || landedOn === undefined) {
    response.writeHead(404, { connection: 'close' }).end()
    return
  }
  const found = { landedOn, ...readLanding(url) }
  const { markup, policy } = pageOf(found, request.headers['accept-language'] ?? '')
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(markup, () => onArrival(found))
}
