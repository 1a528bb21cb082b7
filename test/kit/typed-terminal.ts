import { PassThrough, Writable } from 'node:stream'
import type { Io } from '../../src/terminal/output.ts'

/** Instead of keys: the terminal is closed. From then on it refuses every mode, as a real one does. */
export const CLOSED = 'closed'

/** Returns a terminal at which somebody types the answer to each question when it appears on the screen. */
export function typedTerminal(answers: readonly (readonly [question: RegExp, keys: string])[]) {
  const left = [...answers]
  let screen = ''
  let unread = ''
  let isClosed = false
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode() {
      if (isClosed) throw new Error('setRawMode EIO')
      return input
    },
  })
  const close = () => {
    isClosed = true
    input.end()
  }
  const output: Writable = Object.assign(
    new Writable({
      write(chunk, _, done) {
        screen += chunk
        unread += chunk
        const [next] = left
        // A long question is broken into lines.
        if (next?.[0].test(unread.replace(/\n +/g, ' '))) {
          unread = ''
          left.shift()
          setImmediate(() => {
            const [, keys] = next
            if (keys.replace(CLOSED, '') !== '') input.write(keys.replace(CLOSED, ''))
            if (keys.endsWith(CLOSED)) close()
          })
        }
        done()
      },
    }),
    // The question ends the stream into which it writes. The screen must not end with it, because a real screen goes on.
    { isTTY: true, columns: 80, rows: 24, end: () => output, cursorTo: () => true, clearLine: () => true },
  )
  const io: Pick<Io, 'tty' | 'stdinIsTty' | 'stderrIsTty'> = {
    stdinIsTty: true,
    stderrIsTty: true,
    tty: { input, output } as unknown as NonNullable<Io['tty']>,
  }
  return { io, screen: () => screen, unanswered: () => left.length }
}
