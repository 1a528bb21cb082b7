import { visible } from '../text/visible.ts'
import type { Io } from './io.ts'

/** A line that shows progress, only if stderr is a terminal. */
interface Progress {
  update(text: string): void
  stop(): void
}

const SILENT: Progress = { update() {}, stop() {} }

/** Starts a progress line. It shows nothing if stderr is not a terminal, or with --quiet. */
export async function startProgress(io: Io, quiet: boolean, text: string): Promise<Progress> {
  if (quiet || !io.stderrIsTty || !io.redraws || io.tty === undefined) return SILENT
  const { default: yoctoSpinner } = await import('yocto-spinner')
  // The program handles signals itself, so the spinner must not.
  const spinner = yoctoSpinner({ text: visible(text), stream: io.tty.output, handleSignals: false }).start()
  return {
    update(next) {
      spinner.text = visible(next)
    },
    stop() {
      spinner.stop()
    },
  }
}
