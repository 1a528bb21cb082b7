import type { Clock } from '../domain/clock.ts'
import { visible } from '../text/visible.ts'
import type { Io } from './io.ts'

export interface Progress {
  readonly isShown: boolean
  update(text: string): void
  /** Removes the line for a moment, in which another program may write to the same terminal. */
  giveWay(): void
  stop(): void
}

const SILENT: Progress = { isShown: false, update() {}, giveWay() {}, stop() {} }

/** The time for which the line is removed, in ms. Programs such as `head` and `jq` print a row within this time. */
const AWAY_MS = 150

/** Starts a progress line. The line is not shown with --quiet, or if stderr is not a terminal whose lines can be redrawn. */
export async function startProgress(io: Io, quiet: boolean, text: string): Promise<Progress> {
  if (quiet || !io.stderrIsTty || !io.redraws || io.tty === undefined) return SILENT
  const { default: yoctoSpinner } = await import('yocto-spinner')
  // The program handles signals itself, so the spinner must not handle them.
  const spinner = yoctoSpinner({ text: visible(text), stream: io.tty.output, handleSignals: false }).start()
  let away: NodeJS.Timeout | undefined
  let isEnded = false
  let latest = visible(text)
  return {
    isShown: true,
    update(next) {
      latest = visible(next)
      // The library draws every text that it gets, also while the line is removed.
      if (spinner.isSpinning) spinner.text = latest
    },
    giveWay() {
      if (isEnded) return
      spinner.stop()
      clearTimeout(away)
      away = setTimeout(() => spinner.start(latest), AWAY_MS).unref()
    },
    stop() {
      isEnded = true
      clearTimeout(away)
      spinner.stop()
    },
  }
}

const SECOND_MS = 1000

/** Waits for `ms` milliseconds. On a terminal, a line shows the time that is left. Throws the signal's reason when it is aborted. */
export async function waitShown(
  clock: Pick<Clock, 'sleep' | 'monotonic'>,
  progress: Progress,
  ms: number,
  words: (leftMs: number) => string,
  signal: AbortSignal,
): Promise<void> {
  const end = clock.monotonic() + ms
  for (let left = ms; left > 0; left = end - clock.monotonic()) {
    progress.update(words(left))
    await clock.sleep(progress.isShown ? Math.min(SECOND_MS, left) : left, signal)
  }
}
