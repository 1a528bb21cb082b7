export interface Head {
  start: string
  /** The headers in their original order, with their names in the original case. */
  headers: [name: string, value: string][]
}

/**
 * How the end of a body is found: after a number of bytes (0 if there is no body), by chunks, or at the end of the connection. `nothing`
 * means that the bytes after the head are not HTTP.
 */
export type BodyFraming = { by: 'length'; bytes: number } | { by: 'chunks' } | { by: 'end' } | { by: 'nothing' }

/**
 * Receives a message as it arrives. Every byte is passed to `head`, `raw` or `broken`, in order. `body` receives the bytes of the body
 * again, without the chunk headers.
 */
interface MessageTaker {
  /** Called with a complete head, including its empty line. Returns how the body is framed. */
  head(head: Head, bytes: Buffer): BodyFraming
  raw(bytes: Buffer): void
  body(bytes: Buffer): void
  end(): void
  /** Called with the bytes of a head that cannot be read, or with none if a chunk is malformed. All further bytes are passed to `raw`. */
  broken(bytes: Buffer): void
}

export interface MessageReader {
  push(bytes: Buffer): void
  /** Must be called when the connection ends, because that can complete a body. */
  close(): void
}

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'end' | 'nothing'

const MOST_HEAD = 256 * 1024
/** The maximum length of a line in the chunk format, in bytes. */
const MOST_LINE = 16 * 1024

const LF = 0x0a
const CR = 0x0d
const NOTHING = Buffer.alloc(0)

/** Returns a reader of the HTTP/1 messages in one direction of a connection. It does not keep bodies. */
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

/** Returns the position after a head and its empty line; 0 if the head is not complete. Empty lines before a head belong to the head. */
function endOfHead(bytes: Buffer): number {
  let at = 0
  while (bytes[at] === CR || bytes[at] === LF) at++
  for (at = bytes.indexOf(LF, at); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  return 0
}

function mayBeHttp(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 24).trimStart()
  return /^[A-Za-z][A-Za-z-]*(?:$|[ /])/.test(start) || start === ''
}

function readHead(bytes: Buffer): Head | undefined {
  const [start = '', ...lines] = bytes.toString('latin1').trim().split(/\r?\n/)
  // A status below 100 is not HTTP (RFC 9110, section 15). Programs treat such an answer as a broken connection.
  if (!/ HTTP\/1\.[01]$|^HTTP\/1\.[01] [1-9]\d\d(?: |$)/.test(start)) return undefined
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

/**
 * Returns how a body is framed, according to its headers.
 * @param otherwise the result if the headers contain neither a length nor an encoding
 */
export function framingBy(headers: Head['headers'], otherwise: BodyFraming): BodyFraming {
  let length: string | undefined
  for (const [name, value] of headers) {
    if (/^transfer-encoding$/i.test(name)) return /chunked\s*$/i.test(value) ? { by: 'chunks' } : { by: 'end' }
    if (/^content-length$/i.test(name)) length = value
  }
  if (length === undefined) return otherwise
  return /^\d{1,15}$/.test(length) ? { by: 'length', bytes: Number(length) } : { by: 'nothing' }
}
