import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from '../client/client.ts'
import { createNetwork } from '../client/network.ts'
import { registered } from '../client/registered.ts'
import { LIST_SETTING } from '../contract/calls/call.ts'
import { endpointOf, KEYED_ENDPOINTS } from '../contract/endpoints.ts'
import type { VerificationScheme } from '../contract/integrations.ts'
import { type Transport, WireFailure } from '../contract/wire.ts'
import { serviceAddressProblem } from '../domain/addresses.ts'
import { type Clock, timerMs } from '../domain/clock.ts'
import { idText, isId, secretOf } from '../domain/destination.ts'
import { readSecretText } from '../domain/secret.ts'
import { config } from '../errors.ts'
import { rawNumbersAsText } from '../text/json-text.ts'

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
    if (signal?.aborted) throw new WireFailure('aborted', false, 'interrupted', signal.reason)
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

/**
 * Returns a registered destination with its id, its address and its secret, wherever the answer contains them. Throws as `registered` does.
 * @param answer the `data` of the answer to the registration
 */
export async function registeredDestination(
  api: ApiClient,
  answer: Record<string, unknown>,
  wanted: { url: string; scheme: VerificationScheme },
) {
  const { destination } = await registered(api, answer, wanted)
  const secret = secretOf(destination)
  const { id, url } = destination
  return {
    ...rawNumbersAsText(destination),
    id: isId(id) ? idText(id) : '',
    url: typeof url === 'string' ? url : wanted.url,
    ...(secret === undefined ? {} : { secret }),
  }
}

interface ClientSettings {
  baseUrl: string
  timeoutMs?: unknown
  attempts?: unknown
  paths?: object
  bodies?: object
}

/** Throws `config` for an option of a client that cannot be used, or would have no effect. */
export function refuseBadSettings(settings: ClientSettings): void {
  const problem = serviceAddressProblem(settings.baseUrl)
  if (problem !== undefined) throw config(`baseUrl cannot be used: ${problem}`, undefined, 'BAD_ADDRESS')
  refuseBadTimeout(settings.timeoutMs)
  refuseBadAttempts(settings.attempts)
  refuseUnknownSettings(settings)
}

/** Returns an API key without white space around it. Throws `config` for a key that no request can contain. */
export function keyOf(apiKey: unknown): string {
  const read = readSecretText(apiKey, 'key')
  if (read.ok) return read.secret
  throw config(
    `apiKey ${read.reason}`,
    'Pass only the key itself. If it comes from an environment variable, check that the variable is set where this program runs.',
    'BAD_KEY',
  )
}

/** Refuses a time limit that no call could keep. `Infinity` is allowed, and means no limit. */
function refuseBadTimeout(timeoutMs: unknown): void {
  if (timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0)) return
  throw config(
    `timeoutMs is ${String(timeoutMs)}, not a number of milliseconds above 0`,
    'Use a number such as 30000, or leave timeoutMs out.',
    'BAD_SETTING',
  )
}

/** Refuses a number of attempts with which a call would never end, or never begin. */
function refuseBadAttempts(attempts: unknown): void {
  if (attempts === undefined || (Number.isSafeInteger(attempts) && Number(attempts) > 0)) return
  throw config(
    `attempts is ${String(attempts)}, not a whole number above 0`,
    'Use a number such as 3, or leave attempts out.',
    'BAD_SETTING',
  )
}

/** Refuses a setting in `paths` or `bodies` that no call has. */
function refuseUnknownSettings(options: Pick<ClientSettings, 'paths' | 'bodies'>): void {
  const calls = KEYED_ENDPOINTS.map(endpointOf)
  const known = {
    paths: calls.flatMap(({ pathSetting }) => pathSetting ?? []),
    bodies: [...calls.flatMap(({ bodySetting }) => bodySetting ?? []), LIST_SETTING],
  }
  for (const option of ['paths', 'bodies'] as const) {
    for (const name of Object.keys(options[option] ?? {})) {
      if (known[option].some((each) => each === name)) continue
      throw config(
        `${option} contains “${name}”, which is not the name of a setting`,
        `Use ${known[option].join(', ')}.`,
        'BAD_SETTING',
      )
    }
  }
}
