import type { Io } from './io.ts'

/** Lines that stay, above a few that are drawn again and again at the bottom of the terminal. */
interface Live {
  /** Writes lines that stay. */
  add(...lines: string[]): void
  /** Sets the lines at the bottom. They are drawn a moment later, so that many changes cost one drawing. */
  show(lines: readonly string[]): void
  /** Takes the bottom away for the time of `write`, which writes to the same terminal by another way. */
  around(write: () => void): void
  /** Takes the bottom away for good; resolves when everything was written. */
  end(): Promise<void>
}

/** Milliseconds between two drawings. */
const FRAME_MS = 80

/** @param io its stdout must be a terminal; lines must fit its width */
export function startLive(io: Pick<Io, 'out'>, onFailure: (error: unknown) => void): Live {
  let bottom: readonly string[] = []
  let added: string[] = []
  let timer: NodeJS.Timeout | undefined
  /** How many lines of the bottom are on the terminal; known only while they are written, one write after the other. */
  let drawn = 0
  let writing = Promise.resolve()

  const then = (work: () => Promise<void> | void): void => {
    writing = writing.then(work).catch(onFailure)
  }
  const clear = () => (drawn > 0 ? `\r\u001b[${drawn}A\u001b[J` : '')
  const draw = async (): Promise<void> => {
    const text = `${clear()}${[...added, ...bottom].map((line) => `${line}\n`).join('')}`
    drawn = bottom.length
    added = []
    if (text !== '') await io.out(text)
  }
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      then(draw)
    }, FRAME_MS)
  }
  return {
    add(...lines) {
      added.push(...lines)
      later()
    },
    show(lines) {
      bottom = lines
      later()
    },
    around(write) {
      then(async () => {
        const text = clear()
        drawn = 0
        if (text !== '') await io.out(text)
        write()
        await draw()
      })
    },
    async end() {
      clearTimeout(timer)
      bottom = []
      then(draw)
      await writing
    },
  }
}
