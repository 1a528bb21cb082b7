import type { Clock } from '../domain/clock.ts'
import { ENGLISH } from '../language/language.ts'
import { visible } from '../text/visible.ts'
import type { Io } from './output.ts'

export interface Progress {
  readonly isShown: boolean
  update(text: string): void
  /** Removes the line for a moment, in which another program may write to the same terminal. */
  giveWay(): void
  stop(): void
}

const SILENT: Progress = { isShown: false, update() {}, giveWay() {}, stop() {} }

/** Says only what is waited for. A line for each change of the progress would be read aloud all the time. */
function saidOnce({ err, inLanguage = ENGLISH }: Io, text: string): Progress {
  err(`${inLanguage(visible(text))}\n`)
  return SILENT
}

/** The time for which the line is removed, in ms. Programs such as `head` and `jq` print a row within this time. */
const AWAY_MS = 150

/** Starts a progress line. The line is not shown with --quiet, or if stderr is not a terminal whose lines can be redrawn. */
export async function startProgress(io: Io, quiet: boolean, text: string): Promise<Progress> {
  if (quiet || !io.stderrIsTty) return SILENT
  if (io.accessible) return saidOnce(io, text)
  if (!io.redraws || io.tty === undefined) return SILENT
  const { default: yoctoSpinner } = await import('yocto-spinner')
  // The program handles signals itself, so the spinner must not handle them.
  const { inLanguage = ENGLISH } = io
  const spinner = yoctoSpinner({ text: inLanguage(visible(text)), stream: io.tty.output, handleSignals: false }).start()
  let away: NodeJS.Timeout | undefined
  let isEnded = false
  let latest = inLanguage(visible(text))
  return {
    isShown: true,
    update(next) {
      latest = inLanguage(visible(next))
      // The library draws every text that it gets, also while the line is removed.
      if (spinner.isSpinning) spinner.text = latest
    },
    giveWay() {
      if (isEnded) return
      spinner.stop()
      clearTimeout(away)
      away = setTimeout(() => spinner.start(latest), AWAY_MS).unref()
    },
    stop() {
      isEnded = true
      clearTimeout(away)
      spinner.stop()
    },
  }
}

const SECOND_MS = 1000

/** Waits for `ms` milliseconds. On a terminal, a line shows the time that is left. Throws the signal's reason when it is aborted. */
export async function waitShown(
  clock: Pick<Clock, 'sleep' | 'monotonic'>,
  progress: Progress,
  ms: number,
  words: (leftMs: number) => string,
  signal: AbortSignal,
): Promise<void> {
  const end = clock.monotonic() + ms
  for (let left = ms; left > 0; left = end - clock.monotonic()) {
    progress.update(words(left))
    await clock.sleep(progress.isShown ? Math.min(SECOND_MS, left) : left, signal)
  }
}

interface Live {
  /** Adds lines above the bottom lines. If the terminal is paused, at most `MOST_ADDED` lines and writes wait for it, and older ones are dropped. */
  add(...lines: string[]): void
  /** Sets the lines at the bottom. `lines` is called when they are drawn, a moment later, so that many changes need only one redraw. */
  show(lines: () => readonly string[]): void
  /** Removes the bottom lines while `write` writes to the same terminal directly. */
  around(write: () => void): void
  /** Removes the bottom lines and ends the redrawing; resolves when everything was written, or after `END_MS` if the terminal is paused. */
  end(): Promise<void>
}

const FRAME_MS = 80
const END_MS = 500
/** How many lines may wait for a paused terminal. */
const MOST_ADDED = 1000

/**
 * Starts redrawing lines on stdout, which must be a terminal. No line may be wider than the terminal. On an accessible terminal, nothing is
 * redrawn: a bottom line is written once, when it appears or has changed.
 * @param onFailure called once, when the terminal can no longer be written to. After that, nothing is drawn
 */
export function startLive(
  io: Pick<Io, 'out' | 'accessible' | 'inLanguage'>,
  onFailure: (error: unknown) => void,
): Live {
  const { inLanguage = ENGLISH } = io
  let bottom: () => readonly string[] = () => []
  /** The lines and the writes of others that are not on the terminal yet, in their order. */
  const added: (string | (() => void))[] = []
  let dropped = 0
  /** The bottom lines that were written last. */
  let said: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined
  /** How many bottom lines are on the terminal. The number is always right, because writes never overlap. */
  let drawn = 0
  let drawing: Promise<void> | undefined
  let isDirty = false
  let isBroken = false

  const clear = () => (drawn > 0 ? `\r\u001b[${drawn}A\u001b[J` : '')
  const draw = async (): Promise<void> => {
    let text = clear()
    drawn = 0
    if (dropped > 0)
      text += `${inLanguage(`! ${dropped} line${dropped === 1 ? ' is' : 's are'} missing here, because the terminal was paused.`)}\n`
    dropped = 0
    for (const each of added.splice(0)) {
      if (typeof each === 'string') text += `${each}\n`
      else {
        if (text !== '') await io.out(text)
        text = ''
        each()
      }
    }
    const below = bottom()
    const shown = io.accessible ? below.filter((line) => !said.has(line)) : below
    said = new Set(below)
    text += shown.map((line) => `${line}\n`).join('')
    drawn = io.accessible ? 0 : below.length
    if (text !== '') await io.out(text)
  }
  const drawAll = async (): Promise<void> => {
    try {
      while (isDirty && !isBroken) {
        isDirty = false
        await draw()
      }
    } catch (error) {
      isBroken = true
      add(...added.splice(0))
      onFailure(error)
    } finally {
      drawing = undefined
    }
  }
  const now = (): void => {
    isDirty = true
    drawing ??= drawAll()
  }
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      now()
    }, FRAME_MS)
  }
  const add = (...what: (string | (() => void))[]): void => {
    if (isBroken) {
      for (const each of what) if (typeof each !== 'string') each()
      return
    }
    added.push(...what)
    const over = Math.max(0, added.length - MOST_ADDED)
    added.splice(0, over)
    dropped += over
  }
  return {
    add(...lines) {
      add(...lines)
      later()
    },
    show(lines) {
      bottom = lines
      later()
    },
    around(write) {
      add(write)
      now()
    },
    async end() {
      clearTimeout(timer)
      bottom = () => []
      now()
      const late = Promise.withResolvers<void>()
      const limit = setTimeout(late.resolve, END_MS)
      await Promise.race([drawing, late.promise])
      clearTimeout(limit)
    },
  }
}
