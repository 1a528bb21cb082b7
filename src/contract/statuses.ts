import type { Call, StatusMeaning } from './calls/call.ts'
import { guidance } from './failures/advice.ts'

/** The code of the error for a success with nothing in `data`. */
export const EMPTY_DATA = 'EMPTY_DATA'

/** The general HTTP meanings of statuses, for endpoints that do not document them (gaps 15 and 16). */
export const GENERAL = {
  /** The specification shows this status for a bad key on one endpoint, and no status for a bad key on the others (gap 16). */
  400: {
    outcome: 'refused',
    meaning: 'the service did not accept the request',
    ...guidance({ id: 'check-request-and-key' }),
  },
  /** A 400 with a code that is not about the key. */
  invalid: { outcome: 'refused', meaning: 'the service did not accept the request' },
  401: {
    outcome: 'auth',
    meaning: 'the service did not accept the API key',
    ...guidance({ id: 'check-key' }),
  },
  403: {
    outcome: 'auth',
    meaning: 'the API key has no permission for this call',
    ...guidance({ id: 'check-key' }),
  },
  404: { outcome: 'not-found', meaning: 'the path or the object does not exist' },
  429: { outcome: 'rate-limited', meaning: 'rate limit exceeded' },
  /** A 403 with a code that means that the merchant's account is inactive, on any endpoint (gap 15). */
  inactive: {
    outcome: 'auth',
    meaning: 'your account is inactive',
    hint: 'Ask the support of the service to activate your account.',
  },
  otherRefusal: { outcome: 'refused', meaning: 'the service refused the request' },
  redirect: { outcome: 'service', meaning: 'the service answered with a redirect, which is never followed' },
  failure: { outcome: 'service', meaning: 'the service failed' },
} as const satisfies Record<number | string, StatusMeaning>

export type GeneralMeanings = Readonly<Record<keyof typeof GENERAL, StatusMeaning>>

/** Returns the meaning of an error status on an endpoint. A status or code that the endpoint does not document has its general meaning. */
export function statusMeaning(
  endpoint: Pick<Call, 'statuses'> | undefined,
  status: number,
  code?: string,
  general: GeneralMeanings = GENERAL,
): StatusMeaning & { documented: boolean } {
  const own = endpoint?.statuses[status]
  const isOther =
    code === undefined
      ? own?.onlyWithCode === true
      : (own?.codes !== undefined && !Object.hasOwn(own.codes, code)) ||
        (own?.codeNames !== undefined && !code.includes(own.codeNames))
  if (own && !isOther) return { ...own, documented: true }
  const meant = general[generalKind(status, code)]
  return { ...meant, outcome: own?.outcome ?? meant.outcome, documented: false }
}

const ABOUT_A_KEY = /AUTH|KEY|TOKEN|CREDENTIAL/

function generalKind(status: number, code: string | undefined): keyof GeneralMeanings {
  switch (status) {
    case 400:
      return code === undefined || ABOUT_A_KEY.test(code) ? status : 'invalid'
    case 401:
    case 404:
    case 429:
      return status
    case 403:
      return code?.includes('INACTIVE') ? 'inactive' : status
  }
  if (status >= 400 && status < 500) return 'otherRefusal'
  return status >= 300 && status < 400 ? 'redirect' : 'failure'
}
