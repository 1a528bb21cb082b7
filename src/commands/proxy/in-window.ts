import type { Context } from '../../context.ts'
import type { PassedExchange } from '../../recording/proxy/watch.ts'
import { recordOf } from './shown-exchange.ts'

const GATHER_MS = 200
const LOOK_MS = 3000
/** The maximum number of exchanges that wait to be sent. While so many wait, new exchanges are dropped. */
const WAITING = 1000

interface InWindow {
  add(exchange: PassedExchange): void
  end(): Promise<void>
}

/**
 * Returns an object that sends exchanges to the window of a running sandbox. The proxy never waits for the sandbox.
 * @param service the address of the service. If the running sandbox is this service, it already lists the calls, so nothing is sent
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

  const look = async () => {
    if (control || clock.monotonic() - lookedAt < LOOK_MS) return
    lookedAt = clock.monotonic()
    const running = await readRunning(world.stateDir)
    if (running === undefined || new URL(running.baseUrl).host === host || !(await isAnswering(running))) return
    control = controlOver(transport, running.baseUrl, running.controlToken, world.signal)
    output.note(`These calls are also listed in the window of the sandbox: bnpl sandbox open`)
  }
  const send = async () => {
    await look()
    const now = clock.now()
    const given = waiting.splice(0)
    for (let from = 0; control && from < given.length; from += PASSED_AT_ONCE) {
      const exchanges = given.slice(from, from + PASSED_AT_ONCE).map((exchange) => {
        const { at: _, ...shown } = recordOf(exchange, world.secrets)
        return { ...shown, agoMs: Math.max(0, Math.round(now - exchange.at)) }
      })
      await control('passed', { service: host, exchanges })
    }
  }
  /** If sending fails, a running sandbox is searched for again before the next exchanges are sent. */
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
