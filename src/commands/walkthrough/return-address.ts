import { randomBytes } from 'node:crypto'
import { type Landing, readLanding } from '../../domain/payment-page.ts'
import type { HttpVisit } from '../../http/door.ts'
import type { shopPage as ShopPage } from '../../sandbox/page/shop-page.ts'

const OUTCOMES = ['success', 'error'] as const

type Return = Landing & { landedOn: (typeof OUTCOMES)[number] }

interface ReturnAddress {
  successUrl: string
  errorUrl: string
  arrival: Promise<Return>
  close(): Promise<void>
}

/** Times are in ms. */
const LIMITS = { headersMs: 5000, requestMs: 10_000, checkMs: 1000, keepAliveMs: 5000, headBytes: 16_384 } as const

/**
 * Serves a return address on this machine, under a path that nobody can guess. Waits for the first browser that
 * opens the address.
 */
export async function catchReturn(): Promise<ReturnAddress> {
  const secret = randomBytes(12).toString('hex')
  const { promise, resolve, reject } = Promise.withResolvers<Return>()
  // The server may fail before any code awaits this promise. Without this handler, the rejection would end the
  // process.
  promise.catch(() => {})
  const [{ openDoor }, { shopPage }] = await Promise.all([
    import('../../http/door.ts'),
    import('../../sandbox/page/shop-page.ts'),
  ])
  const door = await openDoor({
    host: '127.0.0.1',
    port: 0,
    hosts: [],
    limits: LIMITS,
    handle: (visit) => answer(visit, secret, shopPage, resolve),
    onFault: reject,
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
