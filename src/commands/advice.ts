import type { Advice, AdviceOf } from '../advice.ts'
import { BnplError } from '../errors.ts'

const FIND_OUT = 'Do not simply run it again. To find out:'

/** What the command line says for each piece of advice: what to do next, by which command. */
const WORDS: { readonly [Id in Advice['id']]: (advice: AdviceOf<Id>) => string } = {
  'check-key': () => 'Check the key of this profile: bnpl profiles show',
  'use-owner-account': () => 'The key was accepted; use the profile of the partner that made this evaluation.',
  'wait-for-payment': () => 'The customer may not have paid yet: `bnpl verify TRX --wait` waits for it.',
  'register-as-bnpl': () => 'A BNPL partner registers with: bnpl webhooks add URL',
  'see-destinations': () => 'See the ids with: bnpl webhooks list',
  'look-for-evaluation': () =>
    `${FIND_OUT} bnpl evaluations get --rut … (partners with evaluation reads), or ask your partner service for the transaction`,
  'verify-after-payment': () =>
    `${FIND_OUT} bnpl verify TRX after the payment; the service documents no read of a loan request`,
  'wait-for-expiry': () =>
    `${FIND_OUT} wait 10 minutes: the token that may have been created is dead by then, and a new one can be made safely`,
  'look-for-destination': () => `${FIND_OUT} bnpl webhooks list`,
}

function adviceInWords<Id extends Advice['id']>(advice: AdviceOf<Id>): string {
  return WORDS[advice.id](advice)
}

/** The hint of what names a piece of advice, or says its own: in the words of the command line where it has them. */
export function hintOf({
  hint,
  advice,
}: {
  hint?: string | undefined
  advice?: Advice | undefined
}): string | undefined {
  return advice === undefined ? hint : adviceInWords(advice)
}

/** What was thrown, with its hint in the words of the command line; as it is where it names no advice. */
export function inWords<Thrown>(thrown: Thrown): Thrown | BnplError {
  if (!(thrown instanceof BnplError) || thrown.advice === undefined) return thrown
  return thrown.withHint(adviceInWords(thrown.advice))
}
