import { type Define, examples } from './command.ts'
import { addVerifyOptions } from './verify-options.ts'

export const define: Define = (command, act) => {
  addVerifyOptions(command).action(
    act(async (context, options, given) => {
      const { verifyTransactions } = await import('./verify-transactions.ts')
      await verifyTransactions(context, options, given)
    }),
  )
  command.addHelpText(
    'after',
    `
With --json, one transaction is printed as an object, and several as a list.
With -o ndjson, each transaction is a line. Columns of the file for --from:
externalTrxId (or trx, order, pedido …), and what is compared with the loan:
amount (or monto, loanAmount …), state (or estado …), periods (or cuotas …),
installmentAmount, lastInstallmentAmount, interestRate, transferDate, or names
such as expectedAmount. The run says which columns of the file are compared.
docs/files.md lists all names.`,
  )
  examples(command, [
    ['one transaction, with its schedule', 'bnpl verify order-1001'],
    ['wait for the customer to pay', 'bnpl verify order-1001 --wait 10m'],
    [
      'in a script: fail unless the loan is as ordered',
      'bnpl verify order-1001 --expect-state ACTIVE --expect-amount 250000 -q --json',
    ],
    ['compare the loans with the orders in a file', 'bnpl verify --from orders.csv --out results.csv'],
  ])
}
