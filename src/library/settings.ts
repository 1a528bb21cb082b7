import { LIST_SETTING } from '../contract/calls/call.ts'
import { endpointOf, KEYED_ENDPOINTS } from '../contract/endpoints.ts'
import { config } from '../errors.ts'

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

/** Throws `config` for a number of attempts with which a call would never end, or never begin. */
export function refuseBadAttempts(attempts: unknown): void {
  if (attempts === undefined || (Number.isSafeInteger(attempts) && Number(attempts) > 0)) return
  throw config(
    `attempts is ${String(attempts)}, not a whole number above 0`,
    'Use a number such as 3, or leave attempts out.',
    'BAD_SETTING',
  )
}

/** Throws `config` for a setting in `paths` or `bodies` that no call has. Such a setting would have no effect. */
export function refuseUnknownSettings(options: { paths?: object; bodies?: object }): void {
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
