import type { OptionValues } from '@commander-js/extra-typings'
import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { BnplError, type Exchange } from '../../errors.ts'
import { withKey } from '../../profiles/keyring.ts'
import type { Profile } from '../../profiles/profile.ts'
import { countOf } from '../../terminal/numbers.ts'
import { startProgress } from '../../terminal/progress.ts'
import type { Command } from '../command.ts'
import { keyringOf } from './stored-profile.ts'

type KeyRead = { found: string } | { error: BnplError & { exchange: Exchange } }
type KeyCheck = { status: 'ok'; detail: string } | { status: 'warn' | 'fail'; detail: string; hint: string }

/**
 * Makes one read that changes nothing (the list of webhook destinations). Returns how many destinations there are, or the error of the
 * failed request. Other errors, such as `config`, are thrown.
 */
async function readWithKey(api: ApiClient): Promise<KeyRead> {
  try {
    const { data } = await api.probe('listWebhooks', { params: {}, body: {} })
    const count = Array.isArray(data) ? data.length : undefined
    if (count === undefined) return { found: 'no list of webhook destinations' }
    return { found: `${countOf(count, 'webhook destination')}` }
  } catch (error) {
    if (error instanceof BnplError && hasExchange(error)) return { error }
    throw error
  }
}

const hasExchange = (error: BnplError): error is BnplError & { exchange: Exchange } => error.exchange !== undefined

/**
 * Makes one read that changes nothing (the list of webhook destinations) to see whether the service accepts the key.
 * A failed request is returned as a result. Other errors, such as `config`, are thrown.
 * @param hint what the user can do if the key is refused
 * @param next adds the profile to a command
 */
export async function checkKey(api: ApiClient, hint: string, next: (command: string) => string): Promise<KeyCheck> {
  return judge(await readWithKey(api), hint, next)
}

function judge(read: KeyRead, hint: string, next: (command: string) => string): KeyCheck {
  if ('found' in read) return { status: 'ok', detail: `accepted (${read.found} found)` }
  const { error } = read
  const { kind, code, exchange } = error
  const answer = [exchange.status, code].filter((each) => each !== undefined).join(' ')
  if (kind === 'auth') return { status: 'fail', detail: `refused: ${answer}`, hint }
  if (exchange.status === undefined)
    return { status: 'warn', detail: error.message, hint: `Run: ${next('bnpl doctor')}` }
  if (code === 'UNEXPECTED_ANSWER')
    return {
      status: 'fail',
      detail: `not checked, because the answer (${exchange.status}) is not one of the service`,
      hint: 'Compare the base address with the one that the service gave you.',
    }
  return {
    status: 'warn',
    detail: `not checked, because the service answered ${answer} when bnpl asked for the webhook destinations`,
    hint: `Find out what the service answers to every call: ${next('bnpl smoke')}`,
  }
}

const TRY_MS = 10_000

/** Adds the option that stores a key or an address without trying it. */
export const addCheckOption = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command.option('--no-check', 'do not try the key with a read request before it replaces the earlier one')

/** Checks whether the service accepts the key of a stored profile, and tells the user. A failed check is only a warning. */
export async function tryKey(context: Context, name: string): Promise<void> {
  const { output } = context
  try {
    const { baseUrl, apiKey } = await context.settings(name)
    const read = await whileShown(context, async () =>
      readWithKey(await clientFor(context, String(baseUrl?.value), apiKey?.value)),
    )
    const next = (command: string) => `${command} -p ${name}`
    if ('error' in read && read.error.exchange.status === undefined)
      return output.warn(`The key could not be checked: ${read.error.message}. Run: ${next('bnpl doctor')}`)
    const { status, detail, ...more } = judge(read, `Store another key: bnpl profiles set-key ${name}`, next)
    if (status === 'ok') output.note(`The key is ${detail}.`)
    else output.warn(`The key: ${detail}. ${'hint' in more ? more.hint : ''}`)
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    output.warn(`The key could not be checked: ${error.message}`)
  }
}

/**
 * Tries a key at an address before both replace what a profile has. Throws the error of the read if the service does not accept the key,
 * or cannot be asked. Does nothing if the profile has no key yet, because then nothing that works can be lost.
 * @param before the profile as it is stored
 * @param next the address and the key that will be stored; without a key, the stored one is tried
 */
export async function tryBeforeReplacing(
  context: Context,
  name: string,
  before: Profile | undefined,
  next: { baseUrl: string; apiKey?: string | undefined },
): Promise<void> {
  if (before === undefined || (before.apiKey ?? before.apiKeyEntry) === undefined) return
  const apiKey = next.apiKey ?? (await storedKey(context, name, before))
  const read = await whileShown(context, async () => readWithKey(await clientFor(context, next.baseUrl, apiKey)))
  if ('found' in read) return context.output.note(`The service accepted the key (${read.found} found).`)
  const { error } = read
  const { host } = new URL(next.baseUrl)
  throw new BnplError(
    error.kind,
    error.kind === 'auth'
      ? `${host} refused the ${next.apiKey === undefined ? '' : 'new '}key (${error.exchange?.status}), so ${name} is unchanged`
      : `the key could not be tried at ${host}, so ${name} is unchanged: ${error.message}`,
    {
      code: error.code,
      exchange: error.exchange,
      hint:
        error.kind === 'auth'
          ? 'Check that the key belongs to this service and environment. To store it all the same, add --no-check.'
          : 'Run the command again when the service answers. To store the value without trying it, add --no-check.',
      cause: error,
    },
  )
}

async function storedKey({ world }: Context, name: string, profile: Profile): Promise<string | undefined> {
  if (profile.apiKeyEntry === undefined) return profile.apiKey
  return (await withKey(name, profile, keyringOf({ world }))).apiKey
}

async function whileShown<T>({ io, options }: Context, work: () => Promise<T>): Promise<T> {
  const progress = await startProgress(io, options.quiet, 'Checking the key with a read request …')
  try {
    return await work()
  } finally {
    progress.stop()
  }
}

async function clientFor(context: Context, baseUrl: string, apiKey: string | undefined): Promise<ApiClient> {
  const { clock, world, options, signal } = context
  const { createApiClient } = await import('../../client/client.ts')
  return createApiClient({
    transport: await context.network(),
    baseUrl,
    apiKey,
    clock,
    random: world.random,
    timeoutMs: Math.min(options.timeoutMs, TRY_MS),
    paths: {},
    userAgent: `bnpl/${world.version}`,
    signal,
    onAttempt: context.report,
  })
}
