import { availableParallelism } from 'node:os'
import type { Context } from '../../../context.ts'
import { formatDuration } from '../../../domain/duration.ts'
import type { Part } from '../../../sandbox/torture/place.ts'
import type { Shop } from '../../../sandbox/torture/stage.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { maskWords } from '../../../text/masking.ts'
import { noteService, readServiceOption } from '../../service-option.ts'
import { privateEnvironment, withoutAccount } from '../environment.ts'
import type { TortureOptions } from './options.ts'
import { showReport } from './report.ts'

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
  const { torture } = await import('../../../sandbox/torture/torture.ts')
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
