import { PassThrough, Writable } from 'node:stream'
import type { Io } from '../src/terminal/io.ts'

/** A terminal with somebody at it: when a question that fits is on the screen, they type the answer. */
export function typedTerminal(answers: readonly (readonly [question: RegExp, keys: string])[]) {
  const left = [...answers]
  let screen = ''
  let unread = ''
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output: Writable = Object.assign(
    new Writable({
      write(chunk, _, done) {
        screen += chunk
        unread += chunk
        const [next] = left
        if (next?.[0].test(unread)) {
          unread = ''
          left.shift()
          setImmediate(() => input.write(next[1]))
        }
        done()
      },
    }),
    // A question pipes into the screen and ends with it; the screen outlives it, as a real one does.
    { isTTY: true, columns: 80, rows: 24, end: () => output, cursorTo: () => true, clearLine: () => true },
  )
  const io: Pick<Io, 'tty' | 'stdinIsTty' | 'stderrIsTty'> = {
    stdinIsTty: true,
    stderrIsTty: true,
    tty: { input, output } as unknown as NonNullable<Io['tty']>,
  }
  return { io, screen: () => screen, unanswered: () => left.length }
}
