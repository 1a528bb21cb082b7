import { ofCommandLine } from '../contract/failures/advice.ts'
import { hintOfAnswerCode } from '../contract/failures/codes.ts'
import { type Advice, BnplError, Interrupted } from '../errors.ts'
import { shellQuoted } from '../text/shell-word.ts'

const endOf = (profile: string | undefined): string => (profile === undefined ? '' : ` -p ${shellQuoted(profile)}`)

/**
 * Returns an error's hint, worded for the command line: with the `bnpl` command to run, if there is one. Without advice, returns the given
 * hint unchanged.
 * @param profile the name given with `-p`, which the commands in the hint repeat
 */
export function hintOf(
  { hint, advice }: { hint?: string | undefined; advice?: Advice | undefined },
  profile?: string,
): string | undefined {
  return advice === undefined ? hint : (ofCommandLine(advice, endOf(profile)) ?? hint)
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
  return code === undefined ? undefined : hintOfAnswerCode(code, endOf(profile), externalTrxId)
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
