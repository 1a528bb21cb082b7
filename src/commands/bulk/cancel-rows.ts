import { column } from '../../bulk/columns.ts'
import type { Operation } from '../../bulk/row.ts'
import type { Context } from '../../context.ts'
import { answerOf, isKnown, type ServiceDescription } from '../../contract/description.ts'
import { endpointOf } from '../../contract/endpoints.ts'
import { identifierProblem } from '../../domain/identifiers.ts'
import { BnplError, type ErrorJson } from '../../errors.ts'
import { maskFields } from '../../text/masking.ts'
import { cancelLoan, loanAfterCancel } from '../cancellation.ts'
import { agree } from '../global-options.ts'
import { verifiedRows } from '../verification.ts'
import { runFile } from './file-run.ts'
import type { BulkOptions } from './options.ts'
import type { Calls } from './prepare.ts'
import { answerFields } from './results.ts'

/**
 * `cancel --from`: verifies and cancels the loan of every row. A cancellation is never sent twice. A resumed run verifies the rows whose
 * outcome is unknown.
 */
export async function cancelFile(context: Context, from: string, options: BulkOptions): Promise<void> {
  const { environment, service } = await context.settings()
  await runFile(context, from, options, ({ api }) => ({
    operation: {
      ...cancellations(context, api, service),
      columns: [column('externalTrxId', { required: true })],
    },
    async before(rows) {
      // In production, the run itself asks before it changes something.
      if (environment.value !== 'production') await agree(context, `Cancel the loans of ${rows} rows?`)
    },
  }))
}

/**
 * Returns the error of a row that an earlier run sent, and whose loan is not in the state of a cancelled one. The service may still be
 * working on the call.
 * @param isCertain whether a loan in this state is not cancelled
 */
const notCancelledYet = (state: string, cancelledState: string, isCertain: boolean): ErrorJson => ({
  kind: 'outcome-unknown',
  code: 'NOT_CANCELLED',
  status: null,
  message: `an earlier run got no answer to this cancellation, and the loan is now ${state}, not ${cancelledState}`,
  hint: isCertain
    ? 'If that was some minutes ago, the loan was not cancelled. Send the row again with --retry-unknown.'
    : 'Ask the support of the service whether this loan is cancelled. If so, use a profile with the setting cancelledState.',
})

function cancellations(context: Context, api: Calls['api'], service: ServiceDescription): Omit<Operation, 'columns'> {
  const cancelledState = answerOf(service, 'cancelledState')
  const transactionOf = verifiedRows(context)
  const within: Context = { ...context, options: { ...context.options, quiet: true } }
  return {
    command: 'cancel',
    things: 'cancellations',
    id: 0,
    repeatable: endpointOf('cancelLoan').repeat === 'safe',
    settings: '',
    resultColumns: ['refundAmount', 'state', 'loanAmount', 'paidInstallments'],
    read([externalTrxId = '']) {
      const problem = identifierProblem(externalTrxId)
      if (problem !== undefined) return { problems: [{ column: 0, says: `it cannot be sent: ${problem}` }] }
      return {
        async send() {
          const client = await api()
          const id = await transactionOf(externalTrxId)
          if (context.options.dryRun) await client.call('cancelLoan', { params: { externalTrxId: id }, body: {} })
          try {
            const { answer, loan, paid } = await cancelLoan(within, client, id, async () => {})
            const { externalTrxId: _, ...sent } = maskFields(answer)
            const own = { loanAmount: loan.loanAmount, paidInstallments: paid.count }
            return { outcome: 'ok', state: cancelledState, ...answerFields(sent, own), ...own }
          } catch (error) {
            if (error instanceof BnplError && error.code === 'ALREADY_CANCELLED')
              return { outcome: 'already-cancelled', state: cancelledState }
            throw error
          }
        },
        async settle() {
          const found = await loanAfterCancel(within, await api(), await transactionOf(externalTrxId))
          if (found === undefined) return undefined
          const { loanAmount, state } = maskFields(found.loan)
          const own = { state, loanAmount, paidInstallments: found.paid.count }
          if (found.isCancelled) return { outcome: 'ok', refundAmount: null, ...own }
          // If the state of a cancelled loan is only assumed, another state may be that of a cancelled loan.
          const isCertain = state === 'ACTIVE' || isKnown(service.answers.cancelledState)
          return { outcome: 'unknown', ...own, error: notCancelledYet(String(state), cancelledState, isCertain) }
        },
      }
    },
    explain: () => 'the loan was already cancelled',
  }
}
