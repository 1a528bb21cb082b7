import type { Advice, AdviceOf } from '../advice.ts'
import { BnplError, Interrupted } from '../errors.ts'
import { commandLine, shellQuoted } from '../text/shell-word.ts'
import { GAP_HINTS } from './explain/gap-hints.ts'
import { OWN_CODES } from './explain/own-codes.ts'

const FIND_OUT = 'Do not run the command again yet. Find out what happened:'

type End = ` -p ${string}` | ''

const endOf = (profile: string | undefined): End => (profile === undefined ? '' : ` -p ${shellQuoted(profile)}`)

const asItIs = (_: Advice, __: End, hint: string) => hint

const WORDS: { readonly [Id in Advice['id']]: (advice: AdviceOf<Id>, end: End, hint: string) => string } = {
  'check-key': (_, end) => `Check the key of this profile: bnpl profiles show${end}`,
  'check-request-and-key': (_, end) =>
    `Check the request, then the key of this profile (a wrong key may be refused with 400): bnpl profiles show${end}`,
  'use-owner-account': () => 'Use the profile of the account that made this evaluation. The key itself was accepted.',
  'wait-for-payment': (_, end) =>
    `Wait for the payment with \`bnpl verify TRX --wait${end}\`, because the customer may not have paid yet.`,
  'register-as-bnpl': (_, end) =>
    `If this is a BNPL account, register the destination with: bnpl webhooks add URL${end}`,
  'see-destinations': (_, end) => `List the ids with: bnpl webhooks list${end}`,
  'look-for-evaluation': (_, end) => `${FIND_OUT} bnpl evaluations get --rut …${end}, or ask the support about TRX`,
  'verify-after-payment': (_, end) =>
    `Do not run the command again yet. After the customer has paid, find out what happened: bnpl verify TRX${end}`,
  'wait-for-expiry': () =>
    'Do not run the command again yet. Wait 10 minutes: then a token that may have been created has expired, and you can create another one safely',
  'look-for-destination': (_, end) => `${FIND_OUT} bnpl webhooks list${end}`,
  'set-key': (_, end) =>
    `Set BNPL_API_KEY, or ${end === '' ? 'add a profile: bnpl profiles add NAME' : `store a key in the profile: bnpl profiles set-key${end}`}`,
  'set-path': ({ setting, method, path }, end) =>
    `Set the path: ${commandLine('bnpl profiles set', [setting, path], end.trim())}. Or use: bnpl api ${method} PATH${end}`,
  'correct-path': ({ setting, path }, end) =>
    `Set a valid path: ${commandLine('bnpl profiles set', [setting, path], end.trim())}`,
  'check-address': (_, end) => `Check the base address and that the service is up: bnpl doctor${end}`,
  'check-name-service': (_, end) => `Check the base address and the DNS: bnpl doctor${end}`,
  'check-base-address': (_, end) => `Check the base address: bnpl doctor${end}`,
  'check-certificate': ({ problem }, end, hint) => {
    if (problem === 'unknown')
      return `Check the base address: bnpl doctor${end}. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.`
    return problem === 'unknown-authority'
      ? `Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority that signed the server’s certificate; see bnpl doctor${end}.`
      : hint
  },
  'check-proxy': ({ proxy, status }, end, hint) => {
    if (status !== undefined) return hint
    return proxy === undefined
      ? `Check HTTPS_PROXY and NO_PROXY: bnpl doctor${end}`
      : `Check HTTPS_PROXY and that the proxy is up: bnpl doctor${end}. Nothing was sent.`
  },
  repeat: () => 'Run the command again. That is safe.',
  'allow-more-time': () => 'Run the command again, which is safe. Add --timeout 60s to wait longer.',
  wait: asItIs,
  'see-raw-answer': ({ method, path }, end) =>
    `Check the base address, or see the raw answer: ${commandLine('bnpl api', [method, path], `--include${end}`)}`,
}

function adviceInWords<Id extends Advice['id']>(
  advice: AdviceOf<Id>,
  profile: string | undefined,
  hint: string,
): string {
  return WORDS[advice.id](advice, endOf(profile), hint)
}

/**
 * Returns an error's hint, worded for the command line: with the `bnpl` command to run, if there is one. Without advice, returns the given
 * hint unchanged.
 * @param profile the name given with `-p`, which the commands in the hint repeat
 */
export function hintOf(
  { hint, advice }: { hint?: string | undefined; advice?: Advice | undefined },
  profile?: string,
): string | undefined {
  return advice === undefined ? hint : adviceInWords(advice, profile, hint ?? '')
}

/**
 * Returns what to do about an answer with this code; undefined if `bnpl explain` does not know the code, or has no hint for it.
 * @param profile the name given with `-p`, which the commands in the hint repeat
 * @param externalTrxId the transaction of the call, if it is known
 */
export function hintOfCode(
  code: string | undefined,
  profile: string | undefined,
  externalTrxId = 'TRX',
): string | undefined {
  if (code === undefined) return undefined
  const ofGap = Object.hasOwn(GAP_HINTS, code) ? GAP_HINTS[code] : undefined
  return ofGap?.(endOf(profile), externalTrxId) ?? OWN_CODES.find((own) => own.code === code)?.hint
}

/**
 * Returns the error with its hint worded for the command line. An error with neither advice nor a hint gets the hint of its code, if there
 * is one. Any other error is returned unchanged.
 * @param profile the name given with `-p`, which the commands in the hint repeat
 */
export function failureInWords<Failure extends BnplError | undefined>(failure: Failure, profile?: string) {
  if (failure === undefined) return failure
  if (failure.advice === undefined) {
    const hint = failure.hint === undefined ? hintOfCode(failure.code, profile) : undefined
    return hint === undefined ? failure : failure.withHint(hint)
  }
  return failure.withHint(hintOf(failure, profile) ?? '', failure.advice)
}

/** Returns the thrown value. The advice of an error or of an interruption becomes a hint that is worded for the command line. */
export function inCommandWords(thrown: unknown, profile?: string): unknown {
  if (thrown instanceof BnplError) return failureInWords(thrown, profile)
  if (!(thrown instanceof Interrupted) || thrown.advice === undefined) return thrown
  const { exitCode, message, advice } = thrown
  return new Interrupted(exitCode, message, { hint: hintOf(thrown, profile), advice })
}
