import type { Context } from '../context.ts'
import { newTransactionId } from '../domain/identifiers.ts'
import { BnplError, usage } from '../errors.ts'
import { optionWords } from '../text/shell-word.ts'
import { addFrom, addResults, addRetryUnknown, addRows, refuseMixed } from './bulk/options.ts'
import { type Define, examples } from './command.ts'
import { nextCommand } from './global-options.ts'
import { transactionOf } from './history-notes.ts'
import { ask, readAmount, readIdentifier, readRut } from './option-values.ts'
import { entityOf, evaluateCustomer, linkCommand } from './payment-steps.ts'
import { renderEvaluation } from './payment-tables.ts'

export const define: Define = (command, act) => {
  const own = command
    .option('--rut <rut>', "the customer's national id (RUT), such as 12345678-5")
    .option('--amount <units>', 'amount to finance, in whole currency units')
    .option('--entity-id <id>', 'merchant entity id (default: from the profile)')
    .option('--trx, --external-trx-id <id>', 'your transaction id (default: a new one is created)')
    .option('--skip-rut-check', 'accept a RUT with a wrong check digit')
  addRetryUnknown(addRows(addResults(addFrom(own)))).action(
    act(async (context, options) => {
      const { rut, amount: amountText, externalTrxId: given } = options
      refuseMixed(options, { rut, amount: amountText, trx: given })
      if (options.from !== undefined) {
        const { evaluateFile } = await import('./bulk/evaluate-rows.ts')
        return evaluateFile(context, options.from, options)
      }
      const { input } = context.options
      if (!input && (rut === undefined || amountText === undefined)) {
        const missing = Object.entries({ '--rut': rut, '--amount': amountText }).filter(
          ([, text]) => text === undefined,
        )
        throw usage(
          `missing ${missing.map(([option]) => option).join(' and ')}`,
          'Add the missing values, or name a file of customers: --from FILE',
        )
      }
      const readId = (text: string) => readRut(text, !options.skipRutCheck, true)
      const typed = {
        idNumber: rut === undefined ? undefined : readId(rut),
        amount: amountText === undefined ? undefined : readAmount(amountText),
      }
      const externalTrxId =
        given === undefined
          ? newTransactionId(context.clock.now(), context.world.random)
          : readIdentifier('--trx', given)
      // Before the questions, because without this setting their answers could not be sent.
      const entityId = await entityOf(context, options.entityId)
      const idNumber = typed.idNumber ?? (await ask(context, 'rut', readId))
      const amount = typed.amount ?? (await ask(context, 'amount', readAmount))
      const before = given === undefined ? undefined : await knownBefore(context, externalTrxId)
      const result = await evaluateCustomer(context, { idNumber, amount, entityId, externalTrxId }).catch((error) => {
        throw given === undefined ? withTransaction(error, externalTrxId) : error
      })
      await context.output.result(result, () => renderEvaluation(context, result))
      if (before?.preApproveId)
        context.output.note(
          `This is not the first evaluation of ${externalTrxId}. The new pre-approval replaces the earlier one.`,
        )
      if (result.installmentOptions.length === 0) {
        context.output.note('Evaluate another amount, or offer the customer another way to pay.')
        return
      }
      const trx = optionWords('--trx', externalTrxId)
      context.output.note(`Next: ${nextCommand(context, `bnpl select ${trx} --installments N`)}`)
      context.output.note(`or: ${await linkCommand(context, externalTrxId)}`)
    }),
  )
  command.addHelpText(
    'after',
    `
Columns of the file for --from: rut (or idNumber), amount (or monto),
externalTrxId (or trx, order, pedido …), entityId. Only entityId is optional: a
file needs the transaction ids, because none are created for its rows. The check
digit of the RUT may have its own column (dv). Amounts in a file have no
separators. docs/files.md lists all names.`,
  )
  examples(command, [
    ['a customer of the sandbox who is approved', 'bnpl evaluate -p sandbox --rut 11222333-9 --amount 250000'],
    [
      'use your own transaction id, in a script',
      'bnpl evaluate --rut 12345678-5 --amount 250000 --trx order-1001 --json',
    ],
    ['every customer of a file', 'bnpl evaluate --from customers.csv --out options.csv'],
  ])
}

/** Returns the error. If the outcome is unknown, its hint also names the id that this command created, which nothing else shows. */
function withTransaction(error: unknown, externalTrxId: string): unknown {
  if (!(error instanceof BnplError) || error.kind !== 'outcome-unknown') return error
  if (error.hint?.includes(externalTrxId)) return error
  const words = [`The transaction id of this call is ${externalTrxId}.`, error.hint]
  return error.withHint(words.filter((each) => each !== undefined).join(' '))
}

async function knownBefore(context: Context, externalTrxId: string) {
  if (context.options.dryRun) return undefined
  return (await transactionOf(context, externalTrxId).catch(() => undefined))?.known
}
