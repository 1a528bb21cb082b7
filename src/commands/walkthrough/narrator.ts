import type { Context } from '../../context.ts'

/** Tells the steps on stderr: a numbered headline, the plain command that does the same, what came of it. */
export interface Narrator {
  step(title: string, command: string): void
  show(text: string): void
}

const STEPS = 5

export function createNarrator(context: Context): Narrator {
  const { io, options, output } = context
  const style = output.errStyle
  let number = 0
  return {
    step(title, command) {
      number++
      if (options.quiet) return
      io.err(`\n${style.bold(`${number}/${STEPS} ${title}`)}\n`)
      output.note(`$ ${command}`)
    },
    // Rendered by a table, so already cleaned.
    show(text) {
      if (!options.quiet) io.err(`${text}\n`)
    },
  }
}
