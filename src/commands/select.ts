import { usage } from '../errors.ts'
import { renderFields } from '../terminal/table.ts'
import { type Define, examples } from './command.ts'
import { transactionOf } from './history-notes.ts'
import { readAmount, readIdentifier, readInstallments, readPreApproveId } from './option-values.ts'
import { linkCommand, reportSelection } from './payment-steps.ts'

export const define: Define = (command, act) => {
  command
    .requiredOption('--installments <n>', 'the number of installments that the customer chose')
    .option('--trx, --external-trx-id <id>', 'your transaction id (default: the last one of this profile)')
    .option('--pre-approve-id <id>', 'pre-approval id (default: from the history)')
    .option('--amount <units>', 'amount financed (default: from the history)')
    .action(
      act(async (context, options) => {
        const installments = readInstallments(options.installments)
        const given = options.externalTrxId === undefined ? undefined : readIdentifier('--trx', options.externalTrxId)
        const { externalTrxId, known } = await transactionOf(context, given)
        const preApproveId = options.preApproveId ?? known?.preApproveId ?? undefined
        const amount = options.amount === undefined ? (known?.amount ?? undefined) : readAmount(options.amount)
        if (preApproveId === undefined) throw missing('the pre-approval id', externalTrxId, '--pre-approve-id ID')
        if (amount === undefined) throw missing('the amount', externalTrxId, '--amount N')

        const data = await reportSelection(context, {
          externalTrxId,
          amount,
          preApproveId: readPreApproveId(context, '--pre-approve-id', preApproveId),
          installments,
        })
        await context.output.result(data, () =>
          renderFields(
            [
              ['Transaction', externalTrxId],
              ['Loan request', data.loanRequestId],
              ['Step', data.step],
              ['Pre-approval', data.preApproveId],
            ],
            context.output,
          ),
        )
        context.output.note(`Next: ${await linkCommand(context, externalTrxId)}`)
      }),
    )
  examples(command, [
    ['choose an option of the last evaluation', 'bnpl select --installments 6 -p sandbox'],
    [
      'give every value, so that no value comes from the history of this machine',
      'bnpl select --trx order-1001 --pre-approve-id PREAPPROVEID --installments 6 --amount 250000',
    ],
  ])
}

function missing(what: string, externalTrxId: string, option: string) {
  return usage(
    `${what} of ${externalTrxId} is not in the history of this machine`,
    `Add ${option}. The evaluation printed the value.`,
    'NOT_IN_HISTORY',
  )
}
