import { buildConnector, Client, type Dispatcher } from 'undici'
import { type Answers, skipInterim } from './interim.ts'
import { openTunnel, proxyFor } from './proxy.ts'

export interface Line extends Pick<Dispatcher, 'dispatch'> {
  /** Whether the last request reused a connection, and no byte of its answer has arrived. */
  readonly stale: boolean
}

/** The connections to one origin. Each sender takes a connection (a line) for itself and returns it when the answer is complete. */
export interface Lines {
  take(): Line
  /** Takes a connection back. It is used again only if `whole` is true, which means that the answer was complete. */
  give(line: Line, whole: boolean): void
  destroy(): Promise<void>
}

export interface LineOptions {
  env: Readonly<Record<string, string | undefined>>
}

const CLIENT = { pipelining: 1, maxHeaderSize: 32_768, allowH2: false } as const

/**
 * Returns the connections to an origin. undici's own pool is not used, because it frees a connection only some time after the end of an
 * answer, and each call would take a third longer. Throws `config` when the address of the proxy is not valid.
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

/** Returns the function that opens every connection to an origin. Because one function opens them all, they share TLS sessions. */
function connector(origin: URL, env: LineOptions['env'], signal: AbortSignal): Connector {
  // undici's type does not have Node's option `signal`. Without a signal, the program could not end while a connection is being opened.
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
