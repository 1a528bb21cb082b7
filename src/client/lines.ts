import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { proxyFor } from './proxy.ts'

/** What a request goes out by. */
export type Line = Pick<Dispatcher, 'dispatch'>

/** The connections to one origin: whoever sends takes a line of its own, and gives it back when the answer is whole. */
export interface Lines {
  take(): Line
  /** @param whole false where there was no whole answer: nobody else goes by that line */
  give(line: Line, whole: boolean): void
  /** Ends what stands and what is still being connected. */
  destroy(): Promise<void>
}

export interface LineOptions {
  /** Proxy settings of the environment; an https address goes through HTTPS_PROXY by CONNECT, loopback never. */
  env: Readonly<Record<string, string | undefined>>
}

const CLIENT = { pipelining: 1, maxHeaderSize: 32_768, allowH2: false } as const

/**
 * Lines to an origin, as many as are taken at once; the one that was given back last is taken first. A pool of undici's would do, but
 * what is begun when an answer ends (as the next row of a run is) finds its connections not free yet: it opens more of them, or
 * queues the request, which costs a third of the call. Throws `config` for a proxy that is none.
 */
export function linesTo(origin: URL, { env }: LineOptions): Lines {
  const end = new AbortController()
  // The type leaves out what the sockets of the runtime take; a connection that is still being made would keep the program alive.
  const connecting = { timeout: 0, signal: end.signal } as { timeout: number }
  const proxy = proxyFor(origin, env)
  if (proxy) {
    const agent = new EnvHttpProxyAgent({
      ...CLIENT,
      connect: connecting,
      httpsProxy: proxy.url,
      httpProxy: '',
      noProxy: proxy.except,
      connectTimeout: 0,
      proxyTls: { signal: end.signal } as object,
      requestTls: { signal: end.signal } as object,
    })
    return { take: () => agent, give() {}, destroy: () => ended(end, [agent]) }
  }
  // One for all lines, so that they share TLS sessions.
  const connect = buildConnector({ ...connecting, allowH2: false })
  const free: Client[] = []
  const all = new Set<Client>()
  return {
    take() {
      const known = free.pop()
      if (known) return known
      const made = new Client(origin.origin, { ...CLIENT, connect })
      all.add(made)
      return made
    },
    give(line, whole) {
      const client = line as Client
      if (whole) return void free.push(client)
      all.delete(client)
      void client.destroy()
    },
    destroy: () => ended(end, all),
  }
}

async function ended(end: AbortController, dispatchers: Iterable<Dispatcher>): Promise<void> {
  const over = Promise.all(Array.from(dispatchers, (each) => each.destroy()))
  end.abort()
  await over
}
