import type { Io } from './io.ts'

interface Live {
  add(...lines: string[]): void
  /** Sets the lines at the bottom. `lines` is called when they are drawn, a moment later, so that many changes need only one redraw. */
  show(lines: () => readonly string[]): void
  /** Removes the bottom lines while `write` writes to the same terminal directly. */
  around(write: () => void): void
  /** Removes the bottom lines and ends the redrawing; resolves when everything was written. */
  end(): Promise<void>
}

const FRAME_MS = 80

/** Starts redrawing lines on stdout, which must be a terminal. No line may be wider than the terminal. */
export function startLive(io: Pick<Io, 'out'>, onFailure: (error: unknown) => void): Live {
  let bottom: () => readonly string[] = () => []
  let added: string[] = []
  let timer: NodeJS.Timeout | undefined
  /** How many bottom lines are on the terminal. The number is always right, because writes never overlap. */
  let drawn = 0
  let writing = Promise.resolve()

  const then = (work: () => Promise<void> | void): void => {
    writing = writing.then(work).catch(onFailure)
  }
  const clear = () => (drawn > 0 ? `\r\u001b[${drawn}A\u001b[J` : '')
  const draw = async (): Promise<void> => {
    const below = bottom()
    const text = `${clear()}${[...added, ...below].map((line) => `${line}\n`).join('')}`
    drawn = below.length
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
      bottom = () => []
      then(draw)
      await writing
    },
  }
}
