import type { Readable } from 'node:stream'

export interface Answers {
  /** Called before each request, so that the next bytes are read as the start of an answer. */
  expect(): void
  /** True until a byte has arrived after the last request. */
  readonly silent: boolean
}

/**
 * Removes interim answers (`100 Continue`, `103 Early Hints`) from the bytes of a connection, because undici treats a 100 as a broken
 * connection. A client must accept interim answers (RFC 9110, 15.2). A change of protocol (101) is passed on to the parser.
 * @param socket must be read with `read()`, which undici does
 */
export function skipInterim(socket: Readable): Answers {
  const read = socket.read.bind(socket)
  let skip: Skip | undefined = skipper()
  let silent = true
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (chunk === null) return null
      silent = false
      if (skip === undefined) return chunk
      const { rest, done } = skip(chunk)
      if (done) skip = undefined
      if (rest.length > 0) return rest
    }
  }
  return {
    expect() {
      skip = skipper()
      silent = true
    },
    get silent() {
      return silent
    },
  }
}

/** `rest` contains the bytes that the parser gets. When `done` is true, the parser gets all further bytes too. */
type Skip = (chunk: Buffer) => { rest: Buffer; done: boolean }

const NOTHING = Buffer.alloc(0)
/**
 * Matches the start of an interim answer (not 101). If only a part of the start has arrived, `SAMPLE` supplies the missing end, so
 * that the part matches as long as it can still become an interim answer.
 */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/
const SAMPLE = 'HTTP/1.1 100'
const END = '\r\n\r\n'

function skipper(): Skip {
  let held: Buffer = NOTHING
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (;;) {
      const start = held.toString('latin1', 0, SAMPLE.length)
      if (!INTERIM.test(start + SAMPLE.slice(start.length))) return { rest: held, done: true }
      const end = held.indexOf(END)
      if (end < 0) break
      held = held.subarray(end + END.length)
    }
    return { rest: NOTHING, done: false }
  }
}
