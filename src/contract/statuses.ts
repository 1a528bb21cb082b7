import type { Call, StatusMeaning } from './calls/call.ts'

/** What a status means where the endpoint documents nothing for it (gaps 15 and 16): the general sense of HTTP, said with care. */
const GENERAL: Readonly<Record<number, StatusMeaning>> = {
  400: { outcome: 'refused', meaning: 'the service did not accept the request' },
  401: {
    outcome: 'auth',
    meaning: 'the service did not accept the API key',
    hint: 'Check the key of this profile: bnpl profiles show',
  },
  403: {
    outcome: 'auth',
    meaning: 'the API key may not do this',
    hint: 'Check the key of this profile: bnpl profiles show',
  },
  404: { outcome: 'not-found', meaning: 'no such thing' },
  429: { outcome: 'rate-limited', meaning: 'rate limit exceeded' },
}

/** A code that says the same wherever it comes (the informe endpoint documents the meaning, and none of them a code: gap 15). */
const INACTIVE = {
  meaning: 'the partner is inactive',
  hint: 'Ask your partner service to activate the account.',
}

/**
 * The meaning of an error status on an endpoint: as documented there, else its general sense.
 * @param code of the answer: where the endpoint documents codes for the status, or what they speak of, another one says something else
 */
export function statusMeaning(
  endpoint: Pick<Call, 'statuses'> | undefined,
  status: number,
  code?: string,
): StatusMeaning & { documented: boolean } {
  const own = endpoint?.statuses[status]
  const isOther =
    code !== undefined &&
    ((own?.codes !== undefined && !Object.hasOwn(own.codes, code)) ||
      (own?.codeNames !== undefined && !code.includes(own.codeNames)))
  if (own && !isOther) return { ...own, documented: true }
  const general = GENERAL[status]
  if (general) {
    const words = status === 403 && code?.includes('INACTIVE') ? INACTIVE : {}
    return { ...general, ...words, outcome: own?.outcome ?? general.outcome, documented: false }
  }
  if (status >= 400 && status < 500)
    return { outcome: 'refused', meaning: 'the service refused the request', documented: false }
  if (status >= 300 && status < 400) {
    return {
      outcome: 'service',
      meaning: 'the service answered with a redirect, which is never followed',
      documented: false,
    }
  }
  return { outcome: 'service', meaning: 'the service failed', documented: false }
}
