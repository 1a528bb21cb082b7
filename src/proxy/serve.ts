import type { OwnPaths } from '../contract/endpoints.ts'
import type { Clock } from '../domain/clock.ts'
import { openByteDoor } from '../http/byte-door.ts'
import type { Door } from '../http/door.ts'
import { type PassPlan, passConnection } from './connection.ts'
import { connectToService } from './service-socket.ts'
import type { PassedExchange } from './watch.ts'

export interface ProxyOptions {
  port: number
  baseUrl: string
  apiKey: string | undefined
  strict: boolean
  paths: OwnPaths
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  /**
   * Prints an exchange. While many exchanges wait to be printed, no further request is read. If none is printed for a second, requests are
   * read again, because a paused terminal must not stop the program that calls the service.
   */
  passed(exchange: PassedExchange): Promise<void>
  onFailure(error: unknown): void
  notHttp: PassPlan['notHttp']
}

const MOST_WAITING = 500
const PATIENCE_MS = 1000

/** The interface on which the proxy listens. Only programs on this machine can reach it. */
export const PROXY_HOST = '127.0.0.1'

/** Starts a proxy for the service at `baseUrl`. Throws `config` when the port cannot be bound. */
export async function serveProxy(options: ProxyOptions): Promise<Door> {
  const base = new URL(options.baseUrl)
  const line = createLine(options)
  const plan: PassPlan = {
    destination: { host: base.host, prefix: base.pathname.replace(/\/+$/, ''), apiKey: options.apiKey },
    connect: (signal) => connectToService(base, options.env, signal),
    strict: options.strict,
    paths: options.paths,
    clock: options.clock,
    passed: line.add,
    busy: line.busy,
    notHttp: options.notHttp,
  }
  return openByteDoor({
    host: PROXY_HOST,
    port: options.port,
    serve: (socket, names) => passConnection(socket, names, plan),
  })
}

function createLine({ passed, onFailure, clock }: ProxyOptions): Pick<PassPlan, 'busy'> & { add: PassPlan['passed'] } {
  let waiting = 0
  let movedAt = 0
  let free = Promise.withResolvers<void>()
  const done = () => {
    waiting--
    movedAt = clock.monotonic()
    if (waiting !== MOST_WAITING) return
    free.resolve()
    free = Promise.withResolvers<void>()
  }
  return {
    add(exchange) {
      if (waiting++ === 0) movedAt = clock.monotonic()
      passed(exchange).catch(onFailure).finally(done)
    },
    busy() {
      const patienceMs = movedAt + PATIENCE_MS - clock.monotonic()
      if (waiting <= MOST_WAITING || patienceMs <= 0) return undefined
      return Promise.race([free.promise, clock.sleep(patienceMs)])
    },
  }
}
