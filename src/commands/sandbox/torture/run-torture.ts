import { availableParallelism } from 'node:os'
import type { Context } from '../../../context.ts'
import { formatDuration } from '../../../domain/clock.ts'
import { BnplError } from '../../../errors.ts'
import type { JUnitCase } from '../../../terminal/junit.ts'
import { countOf } from '../../../terminal/numbers.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { measureFor, wrapWords } from '../../../terminal/wrap.ts'
import { maskWords } from '../../../text/masking.ts'
import { visible } from '../../../text/visible.ts'
import type { Finding } from '../../../torture/findings.ts'
import type { Part } from '../../../torture/place.ts'
import type { Shop } from '../../../torture/stage.ts'
import type { Case, TortureReport } from '../../../torture/torture.ts'
import { writeJUnit } from '../../report-file.ts'
import { noteService, readServiceOption } from '../../service-option.ts'
import { privateEnvironment, withoutAccount } from '../environment.ts'
import type { TortureOptions } from './options.ts'

interface Given {
  words: readonly string[]
  options: TortureOptions
  seed: number
  limit: number | undefined
  jobs: number | undefined
  limitMs: number | undefined
  only: readonly Part[]
  junit: string | undefined
}

/** Runs the user's command many times, each time with a different fault of the sandbox, and shows the report. */
export async function runTorture(context: Context, given: Given): Promise<void> {
  const { clock, signal, output, io } = context
  const { options, seed } = given
  const { torture } = await import('../../../torture/torture.ts')
  const jobs = given.jobs ?? availableParallelism()
  const description = await readServiceOption(context, options)
  if (description) noteService(output, description)
  output.note(`Seed ${seed}, ${jobs === 1 ? 'one run' : `${jobs} runs`} at a time`)
  const startedAt = clock.now()
  const progress = await startProgress(io, context.options.quiet, 'the run without a fault')
  const started = clock.monotonic()
  let first = 0
  const report = await torture({
    shop: shopOf(context, given),
    clock,
    seed,
    customer: options.customer ?? false,
    description,
    only: given.only,
    limit: given.limit,
    onlyRun: options.run,
    jobs,
    limitMs: given.limitMs,
    signal,
    line: { command: given.words, options: repeated(given) },
    onFault: (error) => output.warn(`a sandbox failed: ${error instanceof Error ? error.name : typeof error}`),
    onFailure: ({ stdout, stderr }) => {
      const said = lastLines(stderr.trim() === '' ? stdout : stderr)
      if (said.length > 0) output.say('The last lines of the output of the command:', ...said)
    },
    onProgress(done, all, findings) {
      const elapsed = clock.monotonic() - started
      if (done === 1) first = elapsed
      const left = done === 1 ? undefined : ((elapsed - first) / (done - 1)) * (all - done)
      const parts = [`${done}/${all} runs`, ...(left === undefined ? [] : [`${formatDuration(left)} left`])]
      progress.update([...parts, `${findings} findings`].join(' · '))
    },
  }).finally(() => progress.stop())
  await showReport(context, report, given.junit, startedAt)
}

function shopOf({ world }: Context, { words, options }: Given): Shop {
  return {
    command: words,
    orders: options.orders,
    settle: options.settle,
    restart: options.restart,
    cwd: world.cwd,
    pid: world.pid,
    environment: async ({ baseUrl, paymentUrl, accounts, service }, { folder, stateDir, port }) => ({
      ...withoutAccount(world.env),
      ...(await privateEnvironment({ baseUrl, paymentUrl, partners: accounts, description: service.description })),
      BNPL_STATE_DIR: stateDir,
      BNPL_RUN_DIR: folder,
      BNPL_RUN_PORT: port === undefined ? undefined : String(port),
    }),
    killGroup: world.killGroup,
  }
}

function repeated({ options, seed }: Given): string[] {
  const { orders, settle, restart, customer, timeLimit, service, like } = options
  const named = service ?? like
  return [
    ...(customer ? ['--customer'] : []),
    ...(named === undefined ? [] : ['--service', named]),
    ...(orders === undefined ? [] : ['--orders', orders]),
    ...(settle === undefined ? [] : ['--settle', settle]),
    ...(restart === undefined ? [] : ['--restart', restart]),
    ...(timeLimit === undefined ? [] : ['--time-limit', timeLimit]),
    '--seed',
    String(seed),
  ]
}

const LINES = 12
const LINE_CHARACTERS = 500

const lastLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .slice(-LINES)
    .map((line) => maskWords(line, LINE_CHARACTERS))

/**
 * Shows what `bnpl sandbox torture` found. Throws `check-failed` if the tested command broke an invariant, or the reason if a
 * signal or a failure ended the runs early.
 */
async function showReport(
  context: Context,
  report: TortureReport,
  junit: string | undefined,
  startedAt: number,
): Promise<void> {
  const { output, world, signal, options } = context
  const { runs, faults, findings, notReached } = report
  if (junit !== undefined)
    await writeJUnit(world, junit, 'bnpl sandbox torture', report.cases.map(asJUnit), new Date(startedAt).toISOString())
  const rows = options.output === 'json' ? { runs, faults, findings, notReached } : findings
  await output.result(rows, () => renderReport(context, report))
  const { alike, forged, hasLoan, unheld, unsteady } = report
  if (unheld.length > 0) output.note(`Without --orders these invariants could not be checked: ${unheld.join(', ')}.`)
  if (alike > 0)
    output.note(
      `${alike} more ${alike === 1 ? 'finding is' : 'findings are'} not shown, because the run without a fault breaks the same invariant. Correct the shop until that run has no finding.`,
    )
  if (notReached.length > 0)
    output.note(
      `${countOf(notReached.length, 'fault')} did not happen, or reached no running shop, so ${notReached.length === 1 ? 'it says' : 'they say'} nothing about it: ${notReached.join(', ')}. If the test ends before a late event arrives, start the shop’s server with --restart.`,
    )
  if (unsteady.length > 0)
    output.note(
      `The command does not always make the same number of calls, so the fault was not used in some runs: ${unsteady.map(({ place, missed, runs }) => `${place} (${missed} of ${countOf(runs, 'run')})`).join(', ')}.`,
    )
  if (forged.length > 0)
    output.note(
      `The shop answered 2xx to an event with a wrong signature, in ${countOf(forged.length, 'run')}: ${forged.join(', ')}. This is not a finding, because a shop can verify the loan before it uses an event. But anybody can send such events. Make the shop answer 401 to a wrong signature. Then test the shop with: bnpl webhooks test URL`,
    )
  if (!hasLoan) output.note('The run without a fault made no payment, so few faults could be tried.')
  if (!report.isWhole) signal.throwIfAborted()
  if (report.failure !== undefined) throw report.failure
  if (findings.length === 0) {
    if (runs === 1 || notReached.length < runs - 1) return
    throw new BnplError('check-failed', 'no fault reached the shop, so nothing was checked', {
      code: 'NOTHING_TO_CHECK',
      hint: 'Start the shop’s server with --restart, so that it also runs after the test has ended.',
    })
  }
  const broken = new Set(findings.map(({ invariant }) => invariant))
  throw new BnplError(
    'check-failed',
    `${countOf(findings.length, 'finding')} in ${countOf(runs, 'run')}: ${[...broken].join(', ')}`,
    { code: 'INVARIANT_BROKE', hint: 'Run the command line of a finding to repeat only that run.' },
  )
}

const asJUnit = ({ name, ms, findings, happened }: Case): JUnitCase => ({
  name,
  ms,
  ...(findings.length > 0
    ? { failure: findings.map(inOneLine).join('; ') }
    : !happened && { skipped: 'the fault did not reach the shop' }),
})

const inOneLine = ({ invariant, expected, seen }: Finding) => `${invariant}: ${expected}; ${seen}`

async function renderReport({ output }: Context, report: TortureReport): Promise<string> {
  const { runs, faults, findings, notReached } = report
  const { style, width } = output
  const { TORTURES } = await import('../../../torture/fault-table.ts')
  const faultInWords = ({ fault, at }: Finding): string => {
    const torture = TORTURES.find(({ id }) => id === fault)
    return torture === undefined ? 'none: this is the run without a fault' : `at ${at}: ${torture.does}`
  }
  const found = findings.length === 0 ? 'no invariant is broken' : countOf(findings.length, 'finding')
  const told = `Tried ${runs - 1 - notReached.length} of ${countOf(faults, 'fault')}, each in its own run, after a run without a fault: ${found}`
  const measure = await measureFor(findings.flatMap(({ expected, seen }) => [visible(expected), visible(seen)]))
  const line = (title: string, text: string) =>
    `   ${style.dim(title.padEnd(11))}${wrapWords(visible(text), width - 14, ' '.repeat(14), measure)}`
  const blocks = findings.map((finding) => {
    const { id, invariant, expected, seen, reproduce } = finding
    return [
      `${style.red('✗')}  ${style.bold(visible(id))}  ${invariant}`,
      line('fault', faultInWords(finding)),
      line('expected', expected),
      line('seen', seen),
      // This line is never wrapped, because users copy it.
      `   ${style.dim('again'.padEnd(11))}${visible(reproduce)}`,
    ].join('\n')
  })
  return [...blocks, wrapWords(told, width, '', measure)].join('\n\n')
}
