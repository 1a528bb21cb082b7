import { createInterface } from 'node:readline'
import { Interrupted } from '../errors.ts'
import { ENGLISH } from '../language/language.ts'
import { visible } from '../text/visible.ts'
import type { Io } from './io.ts'
import type { Prompts } from './prompts.ts'

type Tty = NonNullable<Io['tty']>

/**
 * Returns prompts that only write lines and read lines, for screen readers and braille displays: nothing is redrawn, choices have numbers,
 * and a default is written in brackets. The answer to an invalid value is its problem, and the question again.
 * @param agreement reads an answer with yes or no; undefined for any other text
 */
export function createPlainPrompts(
  { inLanguage = ENGLISH }: Pick<Io, 'inLanguage'>,
  { input, output }: Tty,
  signal: AbortSignal,
  agreement: (text: string, suggested: boolean) => boolean | undefined,
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
        const agreed = agreement(text, suggested)
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
  input.setRawMode?.(true)
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
    })
    return typed
  } finally {
    input.off('data', take).off('end', end).pause()
    input.setRawMode?.(false)
    output.write('\n')
  }
}
