import type { Context } from '../context.ts'
import { type Check, casesOf, judge, showChecks } from '../terminal/checks.ts'
import { countOf } from '../terminal/numbers.ts'
import { shellQuoted } from '../text/shell-word.ts'
import { type Define, examples } from './command.ts'
import { noteOtherRequests } from './global-options.ts'
import { reportPlace, writeJUnit } from './report-file.ts'

export const define: Define = (command, act) => {
  command
    .option('--rut <rut>', "a test customer's national id (needed for an evaluation, except in the sandbox)")
    .option('--amount <units>', 'amount to evaluate', '100000')
    .option('--email <address>', "the customer's e-mail, for the widget token", 'smoke@example.com')
    .option('--entity-id <id>', 'merchant entity id (default: from the profile)')
    .option(
      '--pre-approve-id <id>',
      'also download the report of this pre-approval (in the sandbox, by default the pre-approval that this run creates)',
    )
    .option(
      '--webhook-url <url>',
      'also register this destination and delete it again (in the sandbox, by default an invented address)',
    )
    .option('--junit <file>', 'write a JUnit report')
    .option('--allow-production', 'with a production profile, also run the checks that change something at the service')
    .action(
      act(async (context, options) => {
        await context.untraced()
        const settings = await context.settings()
        if (settings.baseUrl === undefined) await context.api()
        const isProduction = settings.environment.value === 'production'
        const mayChange = !isProduction || options.allowProduction === true
        // With `--allow-production` the user has agreed to the whole run, so do not ask before a call.
        if (isProduction && mayChange) context.options.yes = true
        const junit = await reportPlace(context.world.cwd, options.junit)
        const startedAt = new Date(context.clock.now()).toISOString()
        noteOtherRequests(context)
        const { runChecks } = await import('./smoke-checks.ts')
        const checks = await runChecks(context, { ...options, mayChange })
        if (context.options.record !== undefined) {
          checks.push(await recordingCheck(context, context.options.record, startedAt))
        }
        if (junit !== undefined) await writeJUnit(context.world, junit, 'bnpl smoke', casesOf(checks), startedAt)
        await showChecks(context.output, checks, context.output.width)
        judge(checks)
      }),
    )
  examples(command, [
    ['check the sandbox', 'bnpl smoke -p sandbox'],
    ['in CI, on the beta account', 'bnpl smoke --rut 11222333-9 --junit smoke.xml'],
    ['record what was sent, and compare it with the contract', 'bnpl smoke --record beta.ndjson'],
    ['check production without changing anything', 'bnpl smoke -p acme-production'],
  ])
}

const NAMED = 3

/**
 * Compares the recorded exchanges of this run with the contract.
 * @param since the start of the run, ISO 8601
 */
async function recordingCheck(context: Context, file: string, since: string): Promise<Check> {
  const { compareRecordings } = await import('./contract/recordings.ts')
  const started = context.clock.monotonic()
  const { differences, checked } = await compareRecordings(context, [file], since)
  const all = [...differences.values()]
  const sum = [...checked.values()].reduce((total, each) => total + each, 0)
  const named = all
    .slice(0, NAMED)
    .map(({ endpoint, where, seen }) => `${endpoint ?? 'unknown call'} ${where}: ${seen}`)
  const more = all.length > NAMED ? [`and ${all.length - NAMED} more`] : []
  return {
    name: 'recorded exchanges',
    ms: context.clock.monotonic() - started,
    ...(all.length === 0
      ? {
          status: 'ok',
          detail: `no difference from the contract in ${countOf(sum, 'exchange')}`,
        }
      : {
          status: 'fail',
          detail: [...named, ...more].join('; '),
          hint: `See every difference and its line in the recording: bnpl contract check ${shellQuoted(file)}`,
        }),
  }
}
