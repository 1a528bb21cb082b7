import type { Context } from '../../context.ts'

export interface Narrator {
  step(title: string, command: string): void
  show(text: string): void
}

const STEPS = 5

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
      output.note(`$ ${command}`)
    },
    show(text) {
      if (!options.quiet) io.err(`${text}\n`)
    },
  }
}
