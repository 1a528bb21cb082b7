import { accessSync, constants } from 'node:fs'
import { kindOfCode } from '../contract/failures/connections.ts'
import { WireFailure, type WireFailureFacts, type WireFailureKind } from '../contract/wire.ts'
import { codeOf } from '../errors.ts'

interface Beside {
  begun?: boolean
  env?: Readonly<Record<string, string | undefined>>
}

/** Turns an error of Node or undici into a failure. `sent` is true if any byte of the request was written before the error. */
export function wireFailureFrom(error: unknown, sent: boolean, { begun = false, env }: Beside = {}): WireFailure {
  if (error instanceof WireFailure) return error
  const kind = begun && endsEarly(error) ? 'reset' : kindOf(error)
  const facts = kind === 'tls' ? unreadableAuthorities(env?.NODE_EXTRA_CA_CERTS) : {}
  return new WireFailure(kind, sent, messageOf(error), error, facts)
}

/**
 * Returns the path of the file of certificate authorities if the file cannot be read. Node itself only prints a warning about such a file.
 */
function unreadableAuthorities(path: string | undefined): WireFailureFacts {
  if (!path) return {}
  try {
    accessSync(path, constants.R_OK)
    return {}
  } catch {
    return { missingAuthorities: path }
  }
}

/** Returns whether undici reports this error when an answer with `Connection: close` ends in the middle of its body. */
function endsEarly(error: unknown): boolean {
  return (
    codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
    (error instanceof Error && /\(Invalid EOF state\)/.test(error.message))
  )
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return errorCode(error.errors[0])
  return codeOf(error) ?? ('cause' in error ? errorCode(error.cause) : '')
}

function kindOf(error: unknown): WireFailureKind {
  const known = kindOfCode(errorCode(error))
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  // If a proxy refuses to connect, undici reports the same codes as for an answer that is not HTTP. Only the message names the proxy.
  const unclear = known === undefined || known === 'tls' || known === 'garbled'
  if (unclear && /proxy/i.test(message)) return 'proxy'
  return known ?? (name === 'HTTPParserError' ? 'garbled' : 'reset')
}

/** Returns the code of an error, or fixed words. The message of the error is not used, because it may contain addresses. */
function messageOf(error: unknown): string {
  const code = errorCode(error)
  return code === '' ? 'the connection failed' : code
}
