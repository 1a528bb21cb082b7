import type { Context } from '../context.ts'
import { CALLS } from '../contract/calls/calls.ts'
import { usage } from '../errors.ts'
import { renderFields } from '../terminal/table.ts'
import { addFrom, addResults, addRetryUnknown, addRows, refuseMixed } from './bulk/options.ts'
import { askForCancel, type Cancelled, cancelLoan } from './cancellation.ts'
import { type Define, examples } from './command.ts'
import { nextCommand, noteOtherRequests } from './global-options.ts'
import { ask, readIdentifier } from './option-values.ts'
import { moneyOf } from './payment-tables.ts'
import { refuseWithoutCall } from './service-option.ts'
import { verifiedId } from './verification.ts'

export const define: Define = (command, act) => {
  const own = command.argument('[trx]', 'your transaction id')
  addRetryUnknown(addRows(addResults(addFrom(own)))).action(
    act(async (context, options, given) => {
      refuseMixed(options, { TRX: given })
      const { input, yes, dryRun } = context.options
      if (given === undefined && options.from === undefined && !input)
        throw usage('missing transaction id', 'Give the id as an argument, or name a file of ids: --from FILE')
      await refuseWithoutCall(context, CALLS.cancelLoan)
      noteOtherRequests(context)
      if (!input && !yes && !dryRun)
        throw usage(
          'this command asks before it cancels a loan, but this run cannot ask questions; nothing was sent',
          'Add --yes to confirm in advance.',
          'NEEDS_YES',
        )
      if (options.from !== undefined) {
        const { cancelFile } = await import('./bulk/cancel-rows.ts')
        return cancelFile(context, options.from, options)
      }
      const named =
        given === undefined
          ? await ask(context, 'trx', (text) => readIdentifier('this', text))
          : readIdentifier('TRX', given)
      const { externalTrxId } = await verifiedId(context, named)
      const api = await context.api()
      // The request that is shown is that of the cancellation, and not of the verification before it.
      if (dryRun) await api.call('cancelLoan', { params: { externalTrxId }, body: {} })
      const cancelled = await cancelLoan(context, api, externalTrxId, (loan) => askForCancel(context, loan))
      await context.output.result(cancelled.answer, () => renderCancelled(context, cancelled))
      sayMore(context, cancelled)
    }),
  )
  command.addHelpText(
    'after',
    `
The loan is verified and shown, then you are asked. --yes answers the question.
The call is sent once. If its answer is lost, the loan is verified again. The
exit code is 12 only if this does not show whether the loan is cancelled: it
cannot be verified, or the service may still be working on the call.
The specification does not have this call. The sandbox has it, and banca.me
publishes it, for 60 days after the transfer of the loan.
Columns of the file for --from: externalTrxId (or trx, order, pedido …).`,
  )
  examples(command, [
    ['cancel a loan of the sandbox', 'bnpl cancel order-1001 -p sandbox --yes'],
    ['every transaction of a file', 'bnpl cancel --from cancelled.csv --out refunds.csv -p sandbox --yes'],
  ])
}

async function renderCancelled(context: Context, { answer, loan }: Cancelled): Promise<string> {
  const money = await moneyOf(context)
  const { refundAmount } = answer
  const refund = typeof refundAmount === 'number' ? money(refundAmount) : 'not known'
  return renderFields(
    [
      ['Transaction', loan.externalTrxId],
      ['Loan', money(loan.loanAmount)],
      ['Refund', refund],
    ],
    context.output,
  )
}

function sayMore(context: Context, { externalTrxId, answer, paid, wasUnclear }: Cancelled): void {
  const { refundAmount } = answer
  const { output } = context
  if (wasUnclear)
    output.warn(
      `the answer to the cancellation was lost, so its refundAmount is not known. The loan is cancelled: its state is now ${String(answer.state)}`,
    )
  else if (typeof refundAmount !== 'number') output.warn('the answer does not say how much the customer gets back')
  else if (refundAmount !== paid.amount)
    output.warn(
      `the service gives ${refundAmount} back, but the paid installments of the loan are ${paid.amount} together`,
    )
  output.note(
    `The loan of ${externalTrxId} is cancelled. See it: ${nextCommand(context, 'bnpl verify', [externalTrxId])}`,
  )
}
