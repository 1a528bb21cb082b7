import { type Command, Option } from 'commander'
import { repeatable } from '../commands/command.ts'
import type { GlobalOptions } from '../context.ts'
import { parseDuration } from '../domain/clock.ts'
import { usage } from '../errors.ts'
import type { Io } from '../terminal/io.ts'
import type { OutputFormat } from '../terminal/output.ts'

export interface GlobalFlags {
  profile?: string
  output: OutputFormat
  json?: true
  dryRun?: true
  timeout: string
  record?: string
  recordKeep?: string[]
  input: boolean
  yes?: true
  verbose?: true
  quiet?: true
  color: boolean
}

/** Adds the options that every command has. */
export function addGlobalFlags(program: Command): void {
  program
    .option('-p, --profile <name>', 'the profile to use; `sandbox` is always available')
    .addOption(
      new Option('-o, --output <format>', 'format of the result')
        .choices(['table', 'json', 'ndjson', 'csv'])
        .default('table'),
    )
    .option('--json', 'short for --output json')
    .option('--dry-run', 'print the request as a curl command and send nothing')
    .option('--timeout <duration>', 'time limit of each call; all attempts of the call share it', '30s')
    .option('--record <file>', 'append every request and answer to this file, without secrets and personal data')
    .addOption(
      new Option(
        '--record-keep <field>',
        'also record this field, which is left out by default because bnpl does not know what it contains; repeatable',
      ).argParser(repeatable),
    )
    .option('--no-input', 'never ask questions')
    .option('-y, --yes', 'answer yes to every confirmation')
    .option('--verbose', 'show requests and answers on stderr, with secrets masked')
    .option('-q, --quiet', 'print no notes on stderr')
    .option('--no-color', 'use no colours')
}

/**
 * Returns the options that every command has, converted to the values that the commands use. Throws `usage` for a time-out that is not a
 * duration.
 * @param isFormGiven whether the command line contains `--output`, even with the default value `table`
 */
export function globalOptions(
  flags: GlobalFlags,
  io: Pick<Io, 'stdinIsTty' | 'stderrIsTty'>,
  isFormGiven: boolean,
): GlobalOptions {
  const timeoutMs = parseDuration(flags.timeout)
  if (timeoutMs === undefined || timeoutMs === 0)
    throw usage(
      `--timeout ${flags.timeout} is not a duration above zero`,
      'Write it as 500ms, 30s, 2m or 1h. A number without a unit means seconds.',
    )
  if (flags.record === '') throw usage('--record needs a file', 'Name a file, such as --record day.ndjson.')
  if (flags.recordKeep !== undefined && flags.record === undefined)
    throw usage(
      '--record-keep cannot be used without --record, because nothing is recorded then',
      'Name the file of the recording too, such as --record day.ndjson.',
    )
  return {
    profile: flags.profile,
    output: flags.json ? 'json' : flags.output,
    wantsTable: isFormGiven && !flags.json && flags.output === 'table',
    dryRun: flags.dryRun === true,
    timeoutMs,
    record: flags.record,
    recordKeep: flags.recordKeep ?? [],
    // Look for a terminal only when a command reads `input`, because looking takes as long as running a small command.
    get input() {
      return flags.input && io.stderrIsTty && io.stdinIsTty
    },
    yes: flags.yes === true,
    verbose: flags.verbose === true,
    quiet: flags.quiet === true,
  }
}
