import type { Part } from '../../../torture/fault-table.ts'
import type { Command, OptionsOf } from '../../command.ts'
import { addServiceOptions } from '../../service-option.ts'

/** The words that `--only` accepts. */
export const PART_WORDS: readonly Part[] = ['calls', 'webhooks', 'page', 'clock']

/** Adds the options of `bnpl sandbox torture`. */
export const addTortureOptions = (command: Command) =>
  addServiceOptions(command, 'be this service')
    .argument('<command...>', 'the command and its arguments, after --; the command must make at least one payment')
    .option('--orders <command>', 'a shell command that prints the orders of the shop as NDJSON')
    .option(
      '--settle <command>',
      'a shell command that runs the shop’s own reconciliation. bnpl runs the reconciliation after the command, and then lists the orders again',
    )
    .option(
      '--restart <command>',
      'a shell command that starts the server of the shop, so that bnpl can kill and restart the server',
    )
    .option(
      '--customer',
      'let the payment page pay or reject by itself, depending on the test customer, so that a test needs no browser',
    )
    .option('--only <parts>', `try only the faults of these parts: ${PART_WORDS.join(',')} (default: all)`)
    .option(
      '--seed <n>',
      'a number that decides which faults are tried with --limit, and which ids the sandboxes create',
      '1',
    )
    .option('--limit <n>', 'try only this many faults; --seed decides which ones')
    .option('--jobs <n>', 'make this many runs at the same time (default: one for each processor)')
    .option(
      '--time-limit <duration>',
      'time limit for the command; the same limit applies to --settle and to --orders (default: derived from the run without a fault)',
    )
    .option('--run <id>', 'repeat only the run with this id, such as cut-after@evaluate.1; each finding shows its id')
    .option('--junit <file>', 'also write the runs as a JUnit report')

export type TortureOptions = OptionsOf<ReturnType<typeof addTortureOptions>>
