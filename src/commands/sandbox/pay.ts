import { BnplError } from '../../errors.ts'
import { countOf } from '../../terminal/numbers.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive } from '../global-options.ts'
import { readIdentifier, readInstallments } from '../option-values.ts'
import { evaluateFirst, UNEVALUATED } from '../payment-steps.ts'

export const define: Define = (command, act) => {
  command
    .argument('<trx>', 'your transaction id (of a transaction that was evaluated or has a widget token)')
    .option('--reject', 'reject the payment instead of paying')
    .option(
      '--installments <n>',
      'pay in this many installments (default: the number that was reported to the service, by your shop or with `bnpl select`; otherwise the first number offered)',
    )
    .option('--partner <name>', 'the account of the transaction, if two accounts use the same transaction id')
    .action(
      act(async (context, { reject = false, installments, partner }, trx) => {
        const externalTrxId = readIdentifier('TRX', trx)
        const count = installments === undefined ? undefined : readInstallments(installments)
        const account = partner === undefined ? undefined : readIdentifier('--partner', partner)
        const sandbox = await sandboxToDrive(context)
        const paid = await sandbox
          .control('pay', { externalTrxId, reject, installments: count, partner: account })
          .catch((error) => Promise.reject(withNextStep(error, externalTrxId)))
        // Payments of some test customers are always rejected. Then this command fails, so that a script does not go on
        // without the expected payment.
        const asWanted = reject ? paid.outcome === 'rejected' : paid.outcome === 'paid'
        if (!asWanted) {
          const unevaluated = paid.preApproveId === null
          throw new BnplError(
            'refused',
            unevaluated
              ? `the payment of ${externalTrxId} was rejected: ${UNEVALUATED}`
              : `the payment of ${externalTrxId} was ${paid.outcome}, because payments of this test customer are always rejected`,
            {
              code: 'PAYMENT_NOT_AS_WANTED',
              hint: unevaluated
                ? `Before you pay again, run: ${evaluateFirst(externalTrxId)}`
                : 'See what happens to each test customer: bnpl sandbox customers',
            },
          )
        }
        const { style } = context.output
        await context.output.result(paid, () =>
          paid.outcome === 'paid'
            ? `${style.green('✓')} ${externalTrxId} is paid in ${countOf(paid.installments ?? 0, 'installment')}`
            : `${style.red('✗')} the payment of ${externalTrxId} was rejected`,
        )
        if (paid.outcome === 'paid') context.output.note(`Next: ${verifyPaid(externalTrxId)}`)
      }),
    )
  examples(command, [
    ['after bnpl evaluate … --trx order-1001', 'bnpl sandbox pay order-1001'],
    ['see what your error page shows', 'bnpl sandbox pay order-1001 --reject'],
  ])
}

function withNextStep(error: unknown, externalTrxId: string): unknown {
  if (!(error instanceof BnplError)) return error
  if (error.code === 'ERR_TRANSACTION_NOT_FOUND')
    return error.withHint(`Evaluate the transaction first: ${evaluateFirst(externalTrxId)}`)
  return error.code === 'ERR_TRANSACTION_ALREADY_PAID'
    ? error.withHint(`See its loan: ${verifyPaid(externalTrxId)}`)
    : error
}

const verifyPaid = (externalTrxId: string) => commandLine('bnpl verify', [externalTrxId], '-p sandbox')
