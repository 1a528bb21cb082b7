import type { Command, OptionsOf } from '../../command.ts'

/** Adds the options of `sandbox torture`. */
export const addTortureOptions = (command: Command) =>
  command
    .argument('<command...>', 'the command and its arguments, after --: it makes at least one payment')
    .option('--orders <command>', 'a line for the shell that prints the orders of the shop as NDJSON')
    .option('--settle <command>', 'a line for the shell that runs the shop’s own reconciliation, before --orders')
    .option(
      '--restart <command>',
      'a line for the shell that starts the server of the shop, which is killed at every place',
    )
    .option('--customer', 'the payment page decides by itself and leads back at once, so that a test needs no browser')
    .option('--only <parts>', 'some of calls,webhooks,page,clock (default: all)')
    .option('--seed <n>', 'which runs --limit takes, and the ids that the sandboxes draw', '1')
    .option('--limit <n>', 'a sample of so many faults')
    .option('--jobs <n>', 'runs at the same time (default: one for each processor)')
    .option('--time-limit <duration>', 'time of each program (default: from the run without a fault)')
    .option('--run <id>', 'only the run of a finding, such as cut-after@evaluate.1')
    .option('--junit <file>', 'also write the runs as a JUnit report')

export type TortureOptions = OptionsOf<ReturnType<typeof addTortureOptions>>
