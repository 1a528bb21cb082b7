import type { ApiClient } from '../client/client.ts'
import { BnplError, type Exchange } from '../errors.ts'

type KeyCheck = { status: 'ok'; detail: string } | { status: 'warn' | 'fail'; detail: string; hint: string }

/**
 * Makes one read that changes nothing (the list of webhook destinations). Returns how many destinations there are, or the error of the
 * failed request. Other errors, such as `config`, are thrown.
 */
export async function readWithKey(
  api: ApiClient,
): Promise<{ found: string } | { error: BnplError & { exchange: Exchange } }> {
  try {
    const { data } = await api.probe('listWebhooks', { params: {}, body: {} })
    const count = Array.isArray(data) ? data.length : undefined
    if (count === undefined) return { found: 'no list of webhook destinations' }
    return { found: `${count} webhook destination${count === 1 ? '' : 's'}` }
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
  const read = await readWithKey(api)
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
