import { createInterface } from 'node:readline'
import { Interrupted, usage } from '../errors.ts'
import { ENGLISH } from '../language/language.ts'
import type { Words } from '../language/patterns.ts'
import { visible } from '../text/visible.ts'
import type { Io } from './output.ts'
import { wrapWords } from './wrap.ts'

/**
 * Questions to the user. Each throws `Interrupted` on Ctrl-C, on Ctrl-D and when the terminal is closed, and `usage` if this run cannot ask
 * questions.
 */
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
  if (io.accessible) return createPlainPrompts(io, io.tty, signal)
  const library = await import('@inquirer/prompts')
  const { input, output } = io.tty
  const { inLanguage = ENGLISH } = io
  const ask = async <T>(question: (where: Where) => Promise<T>): Promise<T> => {
    const end = endOfInput(input)
    try {
      return await question({ input, output, signal: AbortSignal.any([signal, end.signal]), clearPromptOnDone: false })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof Error && /^(ExitPromptError|AbortPromptError|CancelPromptError)$/.test(error.name))
        throw new Interrupted()
      throw error
    } finally {
      end.stop()
    }
  }
  // Break the question here, because the library breaks lines inside words.
  const clean = <T extends { message: string; validate?: (value: string) => true | string }>(question: T): T => ({
    ...question,
    message: wrapWords(inLanguage(visible(question.message)), io.columns - AROUND, '  '),
    ...(question.validate && { validate: inWords(question.validate) }),
  })
  const inWords = (validate: (value: string) => true | string) => (value: string) => {
    const problem = validate(value)
    return problem === true ? problem : asProblem(problem)
  }
  const asProblem = (problem: string) => wrapWords(inLanguage(visible(problem)), io.columns - MARK, '  ')
  const theme = {
    style: {
      keysHelpTip: (keys: [key: string, action: string][]) =>
        keys.map(([key, action]) => `${key} ${inLanguage(action)}`).join(' • '),
    },
  }
  return {
    input: (question) => ask((where) => library.input(clean(question), where)),
    async secret({ message, validate }) {
      // The library would leave a wrong answer on the line, where nobody sees it, and the next answer would be added to it.
      for (;;) {
        const text = await ask((where) => library.password({ ...clean({ message }), mask: '•', theme }, where))
        const problem = validate?.(text) ?? true
        if (problem === true) return text
        output.write(`> ${asProblem(problem)}\n`)
      }
    },
    confirm: async ({ message, default: suggested = true }) => {
      const agreed = (text: string) => agreement(text, suggested, inLanguage)
      const validate = (text: string) => agreed(text) !== undefined || 'Answer y (yes, sí) or n (no).'
      const choice = inLanguage(suggested ? 'Y/n' : 'y/N')
      const question = clean({ message: `${inLanguage(message)} (${choice})`, validate })
      const transformer = (text: string, { isFinal }: { isFinal: boolean }) =>
        isFinal ? inLanguage(agreed(text) ? 'Yes' : 'No') : text
      const emptied = { validationFailureMode: 'clear' } as const
      return agreed(await ask((where) => library.input({ ...question, transformer, theme: emptied }, where))) === true
    },
    select: (question) =>
      ask((where) =>
        library.select(
          {
            ...clean(question),
            theme,
            choices: question.choices.map(({ name, description, value }) => ({
              value,
              name: inLanguage(visible(name)),
              ...(description !== undefined && { description: inLanguage(visible(description)) }),
            })),
          },
          where,
        ),
      ),
  }
}

/**
 * Reads the answer to a question with yes or no, in English, in Spanish or in the language of the user. Returns undefined for any other
 * text.
 */
function agreement(text: string, suggested: boolean, inLanguage: Words): boolean | undefined {
  const word = text.normalize('NFC').trim().toLowerCase()
  if (word === '') return suggested
  const [yes, no] = [inLanguage('Yes').toLowerCase(), inLanguage('No').toLowerCase()]
  if (['y', 'ye', 'yes', 's', 'si', 'sí', yes[0], yes].includes(word)) return true
  return ['n', 'no', no[0], no].includes(word) ? false : undefined
}

type Tty = NonNullable<Io['tty']>
type Where = Tty & { signal: AbortSignal; clearPromptOnDone: boolean }

/**
 * How long to wait for SIGHUP after the input has ended, in ms. If the terminal was closed, SIGHUP may arrive a moment after the end of the
 * input, and must decide the exit code.
 */
const HANGUP_MS = 100

/**
 * Aborts its signal when no answer can arrive any more, because the user pressed Ctrl-D or the terminal was closed. The library
 * notices neither Ctrl-D nor the closed terminal, and would wait without end.
 */
function endOfInput(input: Tty['input']): { signal: AbortSignal; stop(): void } {
  const ended = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onEnd = () => {
    timer ??= setTimeout(() => ended.abort(), HANGUP_MS)
  }
  // Ctrl-D ends the input only on an empty line. The sign of this end is that Node removes its own listener.
  const onKey = (_text: string | undefined, key: { ctrl?: boolean; name?: string }) => {
    if (!key.ctrl || key.name !== 'd') return
    const before = input.listenerCount('keypress')
    setImmediate(() => input.listenerCount('keypress') < before && ended.abort())
  }
  // A terminal that was closed refuses to leave the raw mode. The library would throw that error where nobody can catch it.
  const setRawMode = input.setRawMode
  input.setRawMode = (isRaw) => {
    try {
      return setRawMode.call(input, isRaw)
    } catch {
      return input
    }
  }
  input.on('end', onEnd).on('error', onEnd).on('keypress', onKey)
  // It may have ended just after the last answer.
  if (input.readableEnded) onEnd()
  return {
    signal: ended.signal,
    stop() {
      clearTimeout(timer)
      input.setRawMode = setRawMode
      input.off('end', onEnd).off('error', onEnd).off('keypress', onKey)
    },
  }
}

/** The columns before and after a question: its mark, and the answer. */
const AROUND = 10

/** The columns of the mark before the problem of an answer. */
const MARK = 2

const refuse = (question: { message: string }): Promise<never> =>
  Promise.reject(
    usage(
      `the question “${question.message}” must be answered, but this run cannot ask questions`,
      'Give the value as an option. See --help.',
      'NO_INPUT',
    ),
  )

const refusing: Prompts = { input: refuse, secret: refuse, confirm: refuse, select: refuse }

/**
 * Returns prompts that only write lines and read lines, for screen readers and braille displays: nothing is redrawn, choices have numbers,
 * and a default is written in brackets. The answer to an invalid value is its problem, and the question again.
 */
export function createPlainPrompts(
  { inLanguage = ENGLISH }: Pick<Io, 'inLanguage'>,
  { input, output }: Tty,
  signal: AbortSignal,
): Prompts {
  const words = (text: string) => inLanguage(visible(text))
  /** Asks until `read` accepts the answer. `read` returns the value, or the problem of the answer. */
  const until = async <T>(question: string, ask: typeof lineOf, read: (text: string) => { value: T } | string) => {
    for (;;) {
      output.write(`${question} `)
      const answer = read(await ask(input, output, signal))
      if (typeof answer !== 'string') return answer.value
      output.write(`${words(answer)}\n`)
    }
  }
  const valid = (text: string, validate: ((value: string) => true | string) | undefined) => {
    const problem = validate?.(text) ?? true
    return problem === true ? { value: text } : problem
  }
  return {
    input: ({ message, default: given, validate }) =>
      until(`${words(message)}${given === undefined ? ':' : ` (${visible(given)}):`}`, lineOf, (text) =>
        valid(text === '' ? (given ?? '') : text, validate),
      ),
    secret: ({ message, validate }) => until(`${words(message)}:`, secretOf, (text) => valid(text, validate)),
    confirm: ({ message, default: suggested = true }) =>
      until(`${words(message)} (${inLanguage(suggested ? 'Y/n' : 'y/N')})`, lineOf, (text) => {
        const agreed = agreement(text, suggested, inLanguage)
        return agreed === undefined ? 'Answer y (yes, sí) or n (no).' : { value: agreed }
      }),
    select: ({ message, choices, default: given }) => {
      const lines = choices.map(({ name, description }, i) => {
        const about = description === undefined ? '' : `: ${words(description)}`
        return `${i + 1}. ${words(name)}${about}\n`
      })
      const suggested = choices.findIndex(({ value }) => value === given) + 1
      const range = suggested > 0 ? `1-${choices.length}, ${suggested}` : `1-${choices.length}`
      return until(`${words(message)}\n${lines.join('')}${words('Number')} (${range}):`, lineOf, (text) => {
        const choice = choices[Number(text.trim() === '' ? suggested : text) - 1]
        return choice ?? `Answer with a number from 1 to ${choices.length}.`
      })
    },
  }
}

/** Reads a line, which the terminal itself shows and edits. Throws `Interrupted` if the input ends, and the signal's reason. */
async function lineOf(input: Tty['input'], output: Tty['output'], signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input, terminal: false })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('close', () => reject(new Interrupted()))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      if (signal.aborted) reject(signal.reason)
      if (input.readableEnded) reject(new Interrupted())
    })
  } catch (error) {
    output.write('\n')
    throw error
  } finally {
    lines.close()
  }
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const DELETE = /[\b\u007f]/

/** Reads a line that is not shown. */
async function secretOf(input: Tty['input'], output: Tty['output'], signal: AbortSignal): Promise<string> {
  let typed = ''
  let take = (_: Buffer): void => {}
  let end = (): void => {}
  try {
    input.setRawMode?.(true)
  } catch {
    // A terminal that was closed refuses the raw mode.
    throw new Interrupted()
  }
  try {
    await new Promise<void>((resolve, reject) => {
      end = () => reject(new Interrupted())
      take = (bytes) => {
        for (const key of String(bytes)) {
          if (key === '\r' || key === '\n') return resolve()
          if (key === CTRL_C || (key === CTRL_D && typed === '')) return end()
          typed = DELETE.test(key) ? typed.slice(0, -1) : typed + key
        }
      }
      input.on('data', take).on('end', end).resume()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      if (signal.aborted) reject(signal.reason)
      if (input.readableEnded) end()
    })
    return typed
  } finally {
    input.off('data', take).off('end', end).pause()
    try {
      input.setRawMode?.(false)
    } catch {} // And it refuses to leave it.
    output.write('\n')
  }
}
