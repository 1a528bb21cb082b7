/** The head of an HTTP/1 message: its first line and its headers, as they were sent. */
export interface Head {
  /** The first line. */
  start: string
  /** Names and values, in their order and case. */
  headers: [name: string, value: string][]
}

/** How the end of a body is found: at once, after a number of bytes, by chunks, at the end of the connection; or it is not HTTP any more. */
export type BodyFraming = { by: 'length'; bytes: number } | { by: 'chunks' } | { by: 'end' } | { by: 'nothing' }

/** Takes a message as it arrives. Every byte comes to `head` or `raw`, in order; `body` gets the bytes of `raw` without the chunking. */
interface MessageTaker {
  /** A whole head, with its empty line. @returns how the body is framed */
  head(head: Head, bytes: Buffer): BodyFraming
  raw(bytes: Buffer): void
  body(bytes: Buffer): void
  /** The message is complete. */
  end(): void
  /** The bytes are not HTTP. All further ones come to `raw`. @param bytes those of a head that could not be read */
  broken(bytes: Buffer): void
}

/** Reads the messages of one direction of a connection. */
export interface MessageReader {
  push(bytes: Buffer): void
  /** The connection has ended. */
  close(): void
}

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'end' | 'nothing'

/** The largest head, and the largest line of a chunk, in bytes. */
const MOST_HEAD = 256 * 1024
const MOST_LINE = 16 * 1024

const LF = 0x0a
const CR = 0x0d
const NOTHING = Buffer.alloc(0)

/** A reader of HTTP/1 messages, one after the other, which keeps no body. */
export function createMessageReader(taker: MessageTaker): MessageReader {
  let state: State = 'head'
  let left = 0
  let held: Buffer = NOTHING
  let line = ''

  const over = () => {
    state = 'head'
    taker.end()
  }
  const broke = (bytes: Buffer) => {
    state = 'nothing'
    taker.broken(bytes)
  }
  const begin = (bytes: Buffer): Buffer => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    const end = endOfHead(held)
    if (end === 0) {
      if (held.length > MOST_HEAD || !mayBeHttp(held)) broke(held)
      return NOTHING
    }
    const [whole, rest] = [held.subarray(0, end), held.subarray(end)]
    held = NOTHING
    const head = readHead(whole)
    if (head === undefined) {
      broke(Buffer.concat([whole, rest]))
      return NOTHING
    }
    const framing = taker.head(head, whole)
    if (framing.by === 'length') {
      left = framing.bytes
      state = 'length'
      if (left === 0) over()
    } else state = framing.by === 'chunks' ? 'size' : framing.by
    return rest
  }
  /** Takes a line of the chunking. @returns the bytes after it */
  const takeLine = (bytes: Buffer): Buffer => {
    const at = bytes.indexOf(LF)
    const part = at < 0 ? bytes : bytes.subarray(0, at + 1)
    taker.raw(part)
    line += part.toString('latin1')
    if (line.length > MOST_LINE) broke(NOTHING)
    else if (at >= 0) {
      const text = line.trim()
      line = ''
      afterLine(text)
    }
    return bytes.subarray(part.length)
  }
  const afterLine = (text: string) => {
    if (state === 'trailers') {
      if (text === '') over()
    } else if (state === 'chunk-end') {
      if (text === '') state = 'size'
      else broke(NOTHING)
    } else {
      const size = /^([0-9a-f]{1,12})\s*(?:;|$)/i.exec(text)?.[1]
      if (size === undefined) return broke(NOTHING)
      left = Number.parseInt(size, 16)
      state = left === 0 ? 'trailers' : 'chunk'
    }
  }
  const takeBody = (bytes: Buffer): Buffer => {
    const part = left < bytes.length ? bytes.subarray(0, left) : bytes
    left -= part.length
    taker.raw(part)
    taker.body(part)
    if (left === 0 && state === 'length') over()
    else if (left === 0) state = 'chunk-end'
    return bytes.subarray(part.length)
  }
  const all = (bytes: Buffer): Buffer => {
    taker.raw(bytes)
    if (state === 'end') taker.body(bytes)
    return NOTHING
  }
  return {
    push(bytes) {
      let rest = bytes
      while (rest.length > 0) {
        if (state === 'head') rest = begin(rest)
        else if (state === 'length' || state === 'chunk') rest = takeBody(rest)
        else if (state === 'end' || state === 'nothing') rest = all(rest)
        else rest = takeLine(rest)
      }
    },
    close() {
      if (state === 'end') over()
    },
  }
}

/** Where the head of a message ends, behind its empty line; 0 if it has not come yet. Empty lines before it belong to it. */
function endOfHead(bytes: Buffer): number {
  let at = 0
  while (bytes[at] === CR || bytes[at] === LF) at++
  for (at = bytes.indexOf(LF, at); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  return 0
}

/** Whether bytes can be the beginning of a request or an answer. A greeting of TLS or of another protocol is not. */
function mayBeHttp(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 24).trimStart()
  return /^[A-Za-z][A-Za-z-]*(?:$|[ /])/.test(start) || start === ''
}

/** Reads a whole head; undefined if it is none. */
function readHead(bytes: Buffer): Head | undefined {
  const [start = '', ...lines] = bytes.toString('latin1').trim().split(/\r?\n/)
  if (!/ HTTP\/1\.[01]$|^HTTP\/1\.[01] \d{3}(?: |$)/.test(start)) return undefined
  const headers: Head['headers'] = []
  for (const line of lines) {
    const last = headers.at(-1)
    const at = line.indexOf(':')
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`
    else if (at > 0) headers.push([line.slice(0, at), line.slice(at + 1).trim()])
    else return undefined
  }
  return { start, headers }
}

/** How a body is framed by the headers of its message. @param otherwise for a message that does not say */
export function framingBy(headers: Head['headers'], otherwise: BodyFraming): BodyFraming {
  let length: string | undefined
  for (const [name, value] of headers) {
    if (/^transfer-encoding$/i.test(name)) return /chunked\s*$/i.test(value) ? { by: 'chunks' } : { by: 'end' }
    if (/^content-length$/i.test(name)) length = value
  }
  if (length === undefined) return otherwise
  return /^\d{1,15}$/.test(length) ? { by: 'length', bytes: Number(length) } : { by: 'nothing' }
}
