import type { Context } from '../context.ts'
import { answerOf } from '../contract/description.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { optionWords } from '../text/shell-word.ts'

export const UNEVALUATED = 'the sandbox rejects payments without an evaluation'

/**
 * Returns the command that evaluates a transaction in the sandbox, with the RUT of the test customer whose payments are approved.
 * @param amount undefined if it is not known
 */
export const evaluateFirst = (externalTrxId: string, amount?: number): string =>
  `bnpl evaluate ${optionWords('--trx', externalTrxId)} --rut 11222333-9 --amount ${amount ?? 250_000} -p ${SANDBOX}`

/** In the sandbox, warns that the payment will be rejected because the customer was not evaluated. */
export async function warnUnevaluated(context: Context, externalTrxId: string, amount?: number): Promise<void> {
  const { environment, service } = await context.settings()
  if (context.options.quiet || environment.value !== SANDBOX || !answerOf(service, 'needsEvaluation')) return
  const { evaluated } = await (await context.sandbox()).control('payment', { externalTrxId })
  if (evaluated) return
  context.output.warn(
    `${externalTrxId} was not evaluated, and ${UNEVALUATED}. Before you repeat your command, run: ${evaluateFirst(externalTrxId, amount)}`,
  )
}
