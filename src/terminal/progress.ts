import type { Io } from './io.ts'

/** A line that shows work under way, on a terminal's stderr only. */
export interface Progress {
  update(text: string): void
  stop(): void
}

const SILENT: Progress = { update() {}, stop() {} }

/** Starts one; where stderr is no terminal, or nothing may be said, it does nothing. */
export async function startProgress(io: Io, quiet: boolean, text: string): Promise<Progress> {
  if (quiet || !io.stderrIsTty || !io.redraws || io.tty === undefined) return SILENT
  const { default: yoctoSpinner } = await import('yocto-spinner')
  // The program ends by its own signal handling, never by the spinner's.
  const spinner = yoctoSpinner({ text, stream: io.tty.output, handleSignals: false }).start()
  return {
    update(next) {
      spinner.text = next
    },
    stop() {
      spinner.stop()
    },
  }
}
