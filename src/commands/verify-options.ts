import { addFrom, addResults, addRows, addRunReport } from './bulk/options.ts'
import type { Command, OptionsOf } from './command.ts'

/** Adds the options of `verify` to a command. */
export const addVerifyOptions = (command: Command) => {
  const own = command
    .argument('[trx...]', 'your transaction ids')
    .option(
      '--wait [duration]',
      'wait at most this long until the loan exists, or with --expect-state until the loan has that state (--wait without a value: 11m)',
    )
    .option(
      '--expect-state <state>',
      'end with exit code 10 unless the loan has this state (with --wait, the command waits for this state)',
    )
    .option('--expect-amount <units>', 'end with exit code 10 unless the loan has this amount')
    .option('--expect-periods <n>', 'end with exit code 10 unless the loan has this many installments')
  return addRunReport(addRows(addResults(addFrom(own))))
}

export type VerifyOptions = OptionsOf<ReturnType<typeof addVerifyOptions>>
