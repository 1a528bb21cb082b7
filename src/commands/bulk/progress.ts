import type { Context } from '../../context.ts'
import { formatDuration } from '../../domain/duration.ts'
import type { Numbers } from '../../terminal/numbers.ts'
import { startProgress } from '../../terminal/progress.ts'
import type { Tally } from './tally.ts'

const EVERY_MS = 100

interface RunProgress {
  /** Shows the progress line. Must be called after the last question to the user, which this line would overwrite. */
  start(): Promise<void>
  update(): void
  /** Removes the line for a moment, in which the program that reads stdout may print rows on the same terminal. */
  giveWay(): void
  stop(): void
}

/** Creates the progress line of a run over a file. Nothing is shown before `start`, with `--quiet`, or if stderr is not a terminal. */
export function createProgress(
  { io, options, clock, numbers }: Context,
  tally: Tally,
  pace: { pausedFor(): number },
): RunProgress {
  let line: Awaited<ReturnType<typeof startProgress>> | undefined
  let started = 0
  let shown = 0
  let timer: NodeJS.Timeout | undefined
  const draw = () => {
    timer = undefined
    shown = clock.monotonic()
    line?.update(progressText(tally, shown - started, pace.pausedFor(), numbers))
  }
  return {
    async start() {
      line = await startProgress(io, options.quiet, `0/${numbers.count(tally.rows)}`)
      started = clock.monotonic()
      shown = started
    },
    update() {
      if (timer !== undefined || line === undefined) return
      if (clock.monotonic() - shown >= EVERY_MS) draw()
      // The line was drawn a moment ago. Without this timer, it would show an old count until another row ends.
      else timer = setTimeout(draw, EVERY_MS).unref()
    },
    giveWay: () => line?.giveWay(),
    stop() {
      clearTimeout(timer)
      line?.stop()
    },
  }
}

function progressText(tally: Tally, elapsedMs: number, pausedMs: number, numbers: Numbers): string {
  const done = tally.done()
  const perSecond = tally.sent / (elapsedMs / 1000)
  const parts = [`${numbers.count(done)}/${numbers.count(tally.rows)}`]
  if (Number.isFinite(perSecond) && perSecond > 0) {
    parts.push(`${perSecond < 10 ? numbers.plain(perSecond, 1) : numbers.count(Math.round(perSecond))}/s`)
    parts.push(`${formatDuration(((tally.rows - done) / perSecond) * 1000)} left`)
  }
  if (pausedMs > 0) parts.push(`paused for ${formatDuration(pausedMs)} (429)`)
  for (const [outcome, count] of tally.outcomes) if (outcome !== 'ok') parts.push(`${numbers.count(count)} ${outcome}`)
  return parts.join(' · ')
}
