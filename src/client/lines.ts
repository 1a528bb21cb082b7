import { buildConnector, Client, type Dispatcher } from 'undici'
import { type Answers, skipInterim } from './interim.ts'
import { proxyFor } from './proxy.ts'
import { openTunnel } from './tunnel.ts'

/** The connection on which a request is sent. */
export interface Line extends Pick<Dispatcher, 'dispatch'> {
  /** Whether the connection was used for an earlier answer, and no byte of the present answer has arrived. */
  readonly stale: boolean
}

/** The connections to one origin. Each sender takes a connection (a line) for itself and returns it when the answer is complete. */
export interface Lines {
  take(): Line
  /** @param whole false if the answer was not complete; then the line is not used again */
  give(line: Line, whole: boolean): void
  /** Ends every connection, including those that are still being made. */
  destroy(): Promise<void>
}

export interface LineOptions {
  /**
   * The environment with the proxy settings. Requests to https addresses are sent through https_proxy (by CONNECT). Requests to this
   * machine never use a proxy.
   */
  env: Readonly<Record<string, string | undefined>>
}

const CLIENT = { pipelining: 1, maxHeaderSize: 32_768, allowH2: false } as const

/**
 * Returns the lines to an origin. A new line is opened only when no line is free, and the line that was returned last is taken first.
 * undici's own pool is not used, because it does not count a connection as free at the moment when an answer ends. A run sends its next row
 * at that moment, so undici's pool would open another connection or queue the request. A call would take a third longer. Throws `config`
 * when the address of the proxy is not valid.
 */
export function linesTo(origin: URL, { env }: LineOptions): Lines {
  const end = new AbortController()
  const connect = connector(origin, env, end.signal)
  const free: OwnLine[] = []
  const all = new Set<OwnLine>()
  return {
    take() {
      const known = free.pop()
      known?.begin()
      if (known) return known
      const made = lineBy(origin, connect)
      all.add(made)
      return made
    },
    give(line, whole) {
      const own = line as OwnLine
      if (whole) return void free.push(own)
      all.delete(own)
      void own.destroy()
    },
    async destroy() {
      const over = Promise.all(Array.from(all, (each) => each.destroy()))
      end.abort()
      await over
    },
  }
}

type Connector = ReturnType<typeof buildConnector>

/** Makes one connector for all lines, so that they share TLS sessions. */
function connector(origin: URL, env: LineOptions['env'], signal: AbortSignal): Connector {
  // `signal` is an option of Node's sockets that is missing in undici's type. Without it, the program could not end while a connection is
  // being opened.
  const direct = buildConnector({ timeout: 0, signal, allowH2: false } as { timeout: number })
  const proxy = proxyFor(origin, env)
  if (proxy === undefined) return direct
  return (options, done) => {
    openTunnel(proxy, options.hostname, Number(options.port || 443), signal).then(
      (httpSocket) => direct({ ...options, httpSocket }, done),
      (error: Error) => done(error, null),
    )
  }
}

interface OwnLine extends Line {
  /** Called before each request except the first. */
  begin(): void
  destroy(): Promise<void>
}

function lineBy(origin: URL, connect: Connector): OwnLine {
  let answers: Answers | undefined
  let isUsed = false
  const client = new Client(origin.origin, {
    ...CLIENT,
    connect(options, done) {
      connect(options, (...made) => {
        // There is no socket in `made` if connecting failed.
        if (made[1]) answers = skipInterim(made[1])
        isUsed = false
        done(...made)
      })
    },
  })
  return {
    dispatch: (options, handler) => client.dispatch(options, handler),
    begin() {
      isUsed = true
      answers?.expect()
    },
    get stale() {
      return isUsed && answers?.silent === true
    },
    destroy: () => client.destroy(),
  }
}
