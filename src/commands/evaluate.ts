import { newTransactionId } from '../domain/identifiers.ts'
import { optionWords } from '../domain/shell-word.ts'
import { usage } from '../errors.ts'
import { addFrom, addResults, addRetryUnknown, addRows, refuseMixed } from './bulk/options.ts'
import { type Define, examples } from './command.ts'
import { readAmount, readIdentifier, readRut } from './customer-options.ts'
import { entityOf, evaluateCustomer } from './evaluation.ts'
import { nextCommand } from './next-command.ts'
import { renderOptions } from './options-table.ts'

export const define: Define = (command, act) => {
  const own = command
    .option('--rut <rut>', "the customer's national id, as 12345678-5")
    .option('--amount <units>', 'amount to finance, in whole currency units')
    .option('--entity-id <id>', 'merchant entity id (else from the profile)')
    .option('--trx, --external-trx-id <id>', 'your transaction id (else one is made)')
    .option('--skip-rut-check', 'accept a check character that does not fit')
  addRetryUnknown(addRows(addResults(addFrom(own)))).action(
    act(async (context, options) => {
      const { rut, amount: sum, externalTrxId: given } = options
      refuseMixed(options, { rut, amount: sum, trx: given })
      if (options.from !== undefined) {
        const { evaluateFile } = await import('./bulk/evaluate.ts')
        return evaluateFile(context, options.from, options)
      }
      if (rut === undefined || sum === undefined)
        throw usage(`missing ${rut === undefined ? '--rut' : '--amount'}`, 'Or name a file of customers: --from FILE')
      const idNumber = readRut(rut, !options.skipRutCheck)
      const amount = readAmount(sum)
      const externalTrxId =
        given === undefined
          ? newTransactionId(context.clock.now(), context.world.random)
          : readIdentifier('--trx', given)
      const entityId = await entityOf(context, options.entityId)
      const result = await evaluateCustomer(context, { idNumber, amount, entityId, externalTrxId })
      await context.output.result(result, () => renderOptions(context, result))
      const trx = optionWords('--trx', externalTrxId)
      context.output.note(`Next: ${nextCommand(context, `bnpl select ${trx} --installments N`)}`)
      const pay = `bnpl pay-url ${trx} --email … --success-url … --error-url …`
      context.output.note(`or: ${nextCommand(context, pay)}`)
    }),
  )
  examples(command, [
    ['a customer of the sandbox who is approved', 'bnpl evaluate -p sandbox --rut 11111111-1 --amount 250000'],
    ['for a script', 'bnpl evaluate --rut 12345678-5 --amount 250000 --trx order-1001 --json'],
    ['a file: columns rut, amount, externalTrxId', 'bnpl evaluate --from customers.csv --out options.csv'],
  ])
}
