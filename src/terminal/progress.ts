import { visible } from '../text/visible.ts'
import type { Io } from './io.ts'

/** A line that shows work under way, on a terminal's stderr only. */
interface Progress {
  update(text: string): void
  stop(): void
}

const SILENT: Progress = { update() {}, stop() {} }

/** Starts one. It shows nothing where stderr is not a terminal or nothing may be said. */
export async function startProgress(io: Io, quiet: boolean, text: string): Promise<Progress> {
  if (quiet || !io.stderrIsTty || !io.redraws || io.tty === undefined) return SILENT
  const { default: yoctoSpinner } = await import('yocto-spinner')
  // The program ends by its own signal handling, never by the spinner's.
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
