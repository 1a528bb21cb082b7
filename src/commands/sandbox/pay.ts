import { BnplError } from '../../errors.ts'
import { countOf } from '../../terminal/numbers.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive } from '../global-options.ts'
import { readCount, readIdentifier, readInstallments, readRut } from '../option-values.ts'
import { evaluateFirst } from '../payment-steps.ts'

export const define: Define = (command, act) => {
  command
    .argument('<trx>', 'your transaction id (of a transaction that was evaluated or has a widget token)')
    .option('--rut <rut>', 'the national id that the customer types on the page, if the transaction was not evaluated')
    .option('--reject', 'reject the payment instead of paying')
    .option(
      '--installments <n>',
      'pay in this many installments (default: the number that was reported to the service, by your shop or with `bnpl select`; otherwise the first number offered)',
    )
    .option('--partner <name>', 'the account of the transaction, if two accounts use the same transaction id')
    .action(
      act(async (context, { reject = false, installments, partner, rut }, trx) => {
        const externalTrxId = readIdentifier('TRX', trx)
        const count = installments === undefined ? undefined : readInstallments(installments)
        const account = partner === undefined ? undefined : readIdentifier('--partner', partner)
        const idNumber = rut === undefined ? undefined : readRut(rut, true)
        const sandbox = await sandboxToDrive(context)
        const { step, reason, ...paid } = await sandbox
          .control('pay', { externalTrxId, reject, installments: count, partner: account, rut: idNumber })
          .catch((error) => Promise.reject(withNextStep(error, externalTrxId)))
        // Some test customers never pay. Then this command fails, so that a script does not go on without the expected payment.
        const asWanted = reject ? paid.outcome === 'rejected' : paid.outcome === 'paid'
        if (!asWanted) {
          throw new BnplError(
            'refused',
            paid.outcome === 'open'
              ? `the payment of ${externalTrxId} is open at the step ${step}, because this test customer leaves the page there`
              : `the payment of ${externalTrxId} was ${paid.outcome} (${reason}), because payments of this test customer are always rejected`,
            {
              code: 'PAYMENT_NOT_AS_WANTED',
              hint: 'See what happens to each test customer: bnpl sandbox customers',
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
    ['without an evaluation, after bnpl pay-url … --trx order-1001', 'bnpl sandbox pay order-1001 --rut 11222333-9'],
    ['see what your error page shows', 'bnpl sandbox pay order-1001 --reject'],
  ])
}

export const defineInstallment: Define = (command, act) => {
  command
    .argument('<trx>', 'your transaction id (of a transaction with a loan)')
    .argument('<n>', 'the number of the installment, from 1. Earlier installments that are open are paid too')
    .requiredOption('--paid', 'mark the installment as paid')
    .option('--partner <name>', 'the account of the transaction, if two accounts use the same transaction id')
    .action(
      act(async (context, { partner }, trx, n) => {
        const externalTrxId = readIdentifier('TRX', trx)
        const period = readCount('N', n)
        const account = partner === undefined ? undefined : readIdentifier('--partner', partner)
        const sandbox = await sandboxToDrive(context)
        const result = await sandbox
          .control('installment', { externalTrxId, period, partner: account })
          .catch((error) => Promise.reject(withNextStep(error, externalTrxId)))
        const { paidInstallments, periods, paidAmount } = result
        const { style, inLanguage } = context.output
        const sum = context.numbers.amount(paidAmount, undefined)
        await context.output.result(
          result,
          () =>
            `${style.green('✓')} ${inLanguage(`${paidInstallments} of ${countOf(periods, 'installment')} of ${externalTrxId} ${paidInstallments === 1 ? 'is' : 'are'} paid: ${sum}`)}`,
        )
      }),
    )
  examples(command, [['the customer has paid two installments', 'bnpl sandbox installment order-1001 2 --paid']])
}

function withNextStep(error: unknown, externalTrxId: string): unknown {
  if (!(error instanceof BnplError)) return error
  if (error.code === 'ERR_TRANSACTION_NOT_FOUND')
    return error.withHint(`Evaluate the transaction first: ${evaluateFirst(externalTrxId)}`)
  if (error.code === 'ERR_LOAN_NOT_FOUND')
    return error.withHint(`Pay the transaction first: ${commandLine('bnpl sandbox pay', [externalTrxId])}`)
  if (error.code === 'ERR_ID_NUMBER_NEEDED')
    return error.withHint(
      `Add --rut with the national id that the customer types: ${commandLine('bnpl sandbox pay', [externalTrxId], '--rut 11222333-9')}`,
    )
  return error.code === 'ERR_TRANSACTION_ALREADY_PAID'
    ? error.withHint(`See its loan: ${verifyPaid(externalTrxId)}`)
    : error
}

const verifyPaid = (externalTrxId: string) => commandLine('bnpl verify', [externalTrxId], '-p sandbox')
