import type { Advice, AdviceOf } from '../advice.ts'
import { BnplError } from '../errors.ts'
import { commandLine } from '../text/shell-word.ts'

const FIND_OUT = 'Do not simply run it again. To find out:'

/** The hint of the client, if a command adds nothing. */
const asItIs = (_: Advice, hint: string) => hint

/** The words of the command line for each piece of advice: what to do next, with which command. */
const WORDS: { readonly [Id in Advice['id']]: (advice: AdviceOf<Id>, hint: string) => string } = {
  'check-key': () => 'Check the key of this profile: bnpl profiles show',
  'check-request-and-key': () =>
    'Check the request, then the key of this profile (a wrong key may be refused with 400): bnpl profiles show',
  'use-owner-account': () => 'The key was accepted; use the profile of the partner that made this evaluation.',
  'wait-for-payment': () => 'The customer may not have paid yet: `bnpl verify TRX --wait` waits for it.',
  'register-as-bnpl': () => 'A BNPL partner registers with: bnpl webhooks add URL',
  'see-destinations': () => 'List the ids with: bnpl webhooks list',
  'look-for-evaluation': () =>
    `${FIND_OUT} bnpl evaluations get --rut … (partners with evaluation reads), or ask the support of the service about the transaction`,
  'verify-after-payment': () =>
    `${FIND_OUT} bnpl verify TRX after the payment; the service documents no read of a loan request`,
  'wait-for-expiry': () =>
    `${FIND_OUT} wait 10 minutes: a token that may have been created has expired by then, and you can create a new one safely`,
  'look-for-destination': () => `${FIND_OUT} bnpl webhooks list`,
  'set-key': () => 'Set BNPL_API_KEY, or add a profile: bnpl profiles add NAME',
  'set-path': ({ setting, method, path }) =>
    `Set it: ${commandLine('bnpl profiles set', [setting, path])}. Or use: bnpl api ${method} PATH`,
  'correct-path': ({ setting, path }) => `Set it: ${commandLine('bnpl profiles set', [setting, path])}`,
  'check-address': () => 'Check the base address and that the service is up: bnpl doctor',
  'check-name-service': () => 'Check the base address and the DNS: bnpl doctor',
  'check-base-address': () => 'Check the base address: bnpl doctor',
  'check-certificate': ({ problem }, hint) => {
    if (problem === 'unknown') return 'For a private certificate authority set NODE_EXTRA_CA_CERTS; see bnpl doctor.'
    return problem === 'unknown-authority'
      ? 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority (PEM); see bnpl doctor.'
      : hint
  },
  'check-proxy': ({ proxy, status }, hint) => {
    if (status !== undefined) return hint
    return proxy === undefined
      ? 'Check HTTPS_PROXY and NO_PROXY: bnpl doctor'
      : 'Nothing was sent. Check HTTPS_PROXY and that the proxy is up: bnpl doctor'
  },
  repeat: () => 'Run it again: that is safe.',
  'allow-more-time': () => 'Run it again: that is safe. --timeout 60s allows more time.',
  wait: asItIs,
  'see-raw-answer': ({ method, path }) =>
    `Check the base address, or see the raw answer: ${commandLine('bnpl api', [method, path], '--include')}`,
}

function adviceInWords<Id extends Advice['id']>(advice: AdviceOf<Id>, hint: string): string {
  return WORDS[advice.id](advice, hint)
}

/** The hint of an error or a meaning in the words of the command line; without advice its own hint. */
export function hintOf({
  hint,
  advice,
}: {
  hint?: string | undefined
  advice?: Advice | undefined
}): string | undefined {
  return advice === undefined ? hint : adviceInWords(advice, hint ?? '')
}

/**
 * An error with its hint in the words of the command line; an error without advice is returned unchanged. A second call changes nothing.
 */
export function inCommandWords<Thrown>(thrown: Thrown): Thrown | BnplError {
  if (!(thrown instanceof BnplError) || thrown.advice === undefined) return thrown
  return thrown.withHint(adviceInWords(thrown.advice, thrown.hint ?? ''), thrown.advice)
}
