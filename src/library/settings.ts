import { LIST_SETTING } from '../contract/calls/call.ts'
import { endpointOf, KEYED_ENDPOINTS } from '../contract/endpoints.ts'
import { serviceAddressProblem } from '../domain/origin.ts'
import { config } from '../errors.ts'

interface ClientSettings {
  baseUrl: string
  apiKey: unknown
  timeoutMs?: unknown
  attempts?: unknown
  paths?: object
  bodies?: object
}

/** Throws `config` for an option of a client that cannot be used, or would have no effect. */
export function refuseBadSettings(settings: ClientSettings): void {
  const problem = serviceAddressProblem(settings.baseUrl)
  if (problem !== undefined) throw config(`baseUrl cannot be used: ${problem}`, undefined, 'BAD_ADDRESS')
  refuseBadKey(settings.apiKey)
  refuseBadTimeout(settings.timeoutMs)
  refuseBadAttempts(settings.attempts)
  refuseUnknownSettings(settings)
}

/** Refuses an API key that no request can contain. */
function refuseBadKey(apiKey: unknown): void {
  if (typeof apiKey !== 'string' || apiKey === '') throw config('apiKey is missing or empty', undefined, 'BAD_KEY')
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw config(
      'apiKey contains a character that is not allowed in a key (a space, a line break or a non-ASCII letter)',
      undefined,
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
