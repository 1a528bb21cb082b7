import { Interrupted, usage } from '../errors.ts'
import { visible } from '../text/visible.ts'
import type { Io } from './io.ts'
import { wrapWords } from './wrap.ts'

/** Questions to the user. Each throws `Interrupted` on Ctrl-C, and `usage` if this run cannot ask questions. */
export interface Prompts {
  input(question: { message: string; default?: string; validate?: (value: string) => true | string }): Promise<string>
  secret(question: { message: string; validate?: (value: string) => true | string }): Promise<string>
  confirm(question: { message: string; default?: boolean }): Promise<boolean>
  select<T>(question: {
    message: string
    choices: { name: string; value: T; description?: string }[]
    default?: T
  }): Promise<T>
}

/** Returns prompts for the terminal. They use stderr, so that stdout contains only the result. */
export async function createPrompts(io: Io, allowed: boolean, signal: AbortSignal): Promise<Prompts> {
  if (!allowed || io.tty === undefined) return refusing
  const library = await import('@inquirer/prompts')
  const where = { input: io.tty.input, output: io.tty.output, signal, clearPromptOnDone: false }
  const ask = async <T>(question: Promise<T>): Promise<T> => {
    try {
      return await question
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof Error && /^(ExitPromptError|AbortPromptError|CancelPromptError)$/.test(error.name))
        throw new Interrupted()
      throw error
    }
  }
  // Break the question here, because the library breaks lines inside words.
  const clean = <T extends { message: string }>(question: T): T => ({
    ...question,
    message: wrapWords(visible(question.message), io.columns - AROUND, '  '),
  })
  return {
    input: (question) => ask(library.input(clean(question), where)),
    secret: (question) => ask(library.password({ ...clean(question), mask: '•' }, where)),
    confirm: (question) => ask(library.confirm(clean(question), where)),
    select: (question) =>
      ask(
        library.select(
          { ...clean(question), choices: question.choices.map((each) => ({ ...each, name: visible(each.name) })) },
          where,
        ),
      ),
  }
}

/** The columns before and after a question: its mark, and `(y/N)` with the answer. */
const AROUND = 10

const refuse = (question: { message: string }): Promise<never> =>
  Promise.reject(
    usage(
      `the question “${question.message}” must be answered, but this run cannot ask questions`,
      'Give the value as an option. See --help.',
      'NO_INPUT',
    ),
  )

const refusing: Prompts = { input: refuse, secret: refuse, confirm: refuse, select: refuse }
