import { setTimeout as sleep } from 'node:timers/promises'
import { createNetwork } from '../client/undici.ts'
import { type Transport, WireFault } from '../contract/wire.ts'
import { type Clock, timerMs } from '../domain/clock.ts'

interface ConnectionOptions {
  transport?: Transport
  env?: Readonly<Record<string, string | undefined>>
}

/** Returns a client's `transport` (the network, or its replacement in a test), and `close`, which closes the network's connections. */
export function connectionOf({ transport, env = {} }: ConnectionOptions): ReturnType<typeof createNetwork> {
  return transport ? { transport: unlessAborted(transport), close: async () => {} } : createNetwork({ env })
}

/** Returns a transport that does not send a request whose signal is already aborted, even if the given transport ignores the signal. */
function unlessAborted(transport: Transport): Transport {
  return async (request) => {
    const { signal } = request
    if (signal?.aborted) throw new WireFault('aborted', false, 'interrupted', signal.reason)
    return transport(request)
  }
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await sleep(timerMs(ms), undefined, signal ? { signal } : {})
    } catch {
      throw signal?.reason
    }
  },
}
