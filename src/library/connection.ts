import { setTimeout as sleep } from 'node:timers/promises'
import { createNetwork } from '../client/undici.ts'
import { type Transport, WireFault } from '../contract/wire.ts'
import { type Clock, timerMs } from '../domain/clock.ts'
import { config } from '../errors.ts'

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

/** Throws `config` for an API key that no request can contain. */
export function refuseBadKey(apiKey: unknown): void {
  if (typeof apiKey !== 'string' || apiKey === '') throw config('apiKey is missing or empty', undefined, 'BAD_KEY')
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw config(
      'apiKey contains a character that is not allowed in a key (a space, a line break or a non-ASCII letter)',
      undefined,
      'BAD_KEY',
    )
}

/** Throws `config` for a time limit that no call could keep. `Infinity` is allowed, and means no limit. */
export function refuseBadTimeout(timeoutMs: unknown): void {
  if (timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0)) return
  throw config(
    `timeoutMs is ${String(timeoutMs)}, not a number of milliseconds above 0`,
    'Use a number such as 30000, or leave timeoutMs out.',
    'BAD_SETTING',
  )
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
