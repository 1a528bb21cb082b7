import { addFrom, addResults, addRows, addRunReport } from './bulk/options.ts'
import { type Command, type Define, examples } from './command.ts'

const addOptions = (command: Command) => {
  const own = command
    .argument('[trx...]', 'your transaction ids')
    .option('--wait [duration]', 'wait until the loan exists (default: 11m)')
    .option('--expect-state <state>', 'exit 10 unless the loan has this state')
    .option('--expect-amount <units>', 'exit 10 unless the loan has this amount')
    .option('--expect-periods <n>', 'exit 10 unless the loan has this many installments')
  return addRunReport(addRows(addResults(addFrom(own))))
}

export const define: Define = (command, act) => {
  addOptions(command).action(
    act(async (context, options, given) => {
      // Completion and help need only the options.
      const { verifyTransactions } = await import('./verify-transactions.ts')
      await verifyTransactions(context, options, given)
    }),
  )
  command.addHelpText(
    'after',
    `
One transaction is printed as an object, several as a list; with -o ndjson each
is a line. Columns of a file: externalTrxId, expectedAmount, expectedState,
expectedPeriods.`,
  )
  examples(command, [
    ['one transaction, with its schedule', 'bnpl verify order-1001'],
    ['wait for the customer to pay', 'bnpl verify order-1001 --wait 10m'],
    [
      'in a script: fail unless it is as ordered',
      'bnpl verify order-1001 --expect-state ACTIVE --expect-amount 250000 -q --json',
    ],
    ['reconcile a file with your orders', 'bnpl verify --from orders.csv --out results.csv'],
  ])
}
