import type { Context } from '../../context.ts'
import { continuedCommand } from '../../terminal/wrap.ts'
import { visible } from '../../text/visible.ts'

export interface Narrator {
  step(title: string, command: string): void
  show(text: string): void
}

const STEPS = 5
const PROMPT = '$ '

/** Returns the functions that print the steps of the walkthrough. With `--quiet` they print nothing. */
export function createNarrator(context: Context): Narrator {
  const { io, options, output } = context
  const style = output.errStyle
  let number = 0
  return {
    step(title, command) {
      number++
      if (options.quiet) return
      io.err(`\n${style.bold(`${number}/${STEPS} ${title}`)}\n`)
      const lines = io.stderrIsTty ? continuedCommand(visible(command), io.columns - PROMPT.length) : [visible(command)]
      for (const [i, line] of lines.entries()) io.err(`${style.dim(`${i === 0 ? PROMPT : ''}${line}`)}\n`)
    },
    show(text) {
      if (!options.quiet) io.err(`${text}\n`)
    },
  }
}
