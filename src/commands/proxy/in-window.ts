import type { Context } from '../../context.ts'
import type { PassedExchange } from '../../proxy/watch.ts'
import { recordOf } from './shown-exchange.ts'

/** How long exchanges are gathered before they are sent to the window, in ms, and how often a sandbox is looked for. */
const GATHER_MS = 200
const LOOK_MS = 3000
/** Exchanges that wait at most. More are left out of the window, since the proxy waits for nobody. */
const WAITING = 1000

/** The proxy's exchanges on their way to the window of the sandbox. */
interface InWindow {
  add(exchange: PassedExchange): void
  /** Sends what waits, and looks for no sandbox any more. */
  end(): Promise<void>
}

/**
 * Shows exchanges in the window of the sandbox that runs on this state folder, whenever one runs. The proxy never waits for it, and a
 * sandbox that does not answer loses its exchanges: they are a view, not a record.
 * @param service the base address of the service; the exchanges of a sandbox itself are not shown twice
 */
export async function showInWindow({ world, clock, output }: Context, service: string): Promise<InWindow> {
  const [{ readRunning, isAnswering }, { controlOver }, { createNetwork }, { PASSED_AT_ONCE }] = await Promise.all([
    import('../../sandbox/server/running.ts'),
    import('../../sandbox/server/sandbox-client.ts'),
    import('../../client/undici.ts'),
    import('../../sandbox/service/controls/passed.ts'),
  ])
  const { transport, close } = createNetwork({ env: {} })
  const host = new URL(service).host
  let waiting: PassedExchange[] = []
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  let lookedAt = Number.NEGATIVE_INFINITY
  let control: ReturnType<typeof controlOver> | undefined

  /** Looks for a running sandbox, but not more often than every `LOOK_MS`. */
  const look = async () => {
    if (control || clock.monotonic() - lookedAt < LOOK_MS) return
    lookedAt = clock.monotonic()
    const running = await readRunning(world.stateDir)
    if (running === undefined || new URL(running.baseUrl).host === host || !(await isAnswering(running))) return
    control = controlOver(transport, running.baseUrl, running.controlToken, world.signal)
    output.note(`These calls are also in the window of the sandbox: bnpl sandbox open`)
  }
  const send = async () => {
    await look()
    const now = clock.now()
    const given = waiting.splice(0)
    for (let from = 0; control && from < given.length; from += PASSED_AT_ONCE) {
      const exchanges = given.slice(from, from + PASSED_AT_ONCE).map((exchange) => {
        const { at: _, ...shown } = recordOf(exchange)
        return { ...shown, agoMs: Math.max(0, Math.round(now - exchange.at)) }
      })
      await control('passed', { service: host, exchanges })
    }
  }
  /** Whatever fails here, the sandbox is looked for again: the proxy goes on without it. */
  const flush = () => {
    timer = undefined
    work = work.then(send).catch(() => {
      control = undefined
    })
  }
  return {
    add(exchange) {
      if (waiting.length === WAITING) return
      waiting.push(exchange)
      timer ??= setTimeout(flush, GATHER_MS)
    },
    async end() {
      clearTimeout(timer)
      if (waiting.length > 0) flush()
      await work
      waiting = []
      await close()
    },
  }
}
