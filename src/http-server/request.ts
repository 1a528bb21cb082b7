import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BodyBytes } from '../domain/body-bytes.ts'

interface BodyTaker {
  /** Called with the whole body. Call `release` when the body is no longer needed. Until then, the body uses the memory budget. */
  whole(body: Buffer, release: () => void): void
  /**
   * Called when the body is larger than allowed (413), when the memory budget is used up (503), or when the body comes in thousands of
   * pieces of a few bytes (400). After a 400 the connection must be closed with the answer, because reading the rest would take too long.
   */
  refused(status: 400 | 413 | 503): void
}

export interface BodyReader {
  readonly mostBytes: number
  /** Reads a body. If the connection ends early, no function of `taker` is called. */
  read(request: IncomingMessage, taker: BodyTaker): void
}

/** Bodies up to this size do not count against the budget. */
const SMALL_BYTES = 16 * 1024

/** How long the connection of a client whose body was refused as absurdly cut stays open, in ms. */
const LINGER_MS = 50

/**
 * Returns a reader of bodies.
 * @param budgetBytes the maximum total size of the large bodies that are being read or were not released yet
 */
export function createBodyReader({ mostBytes, budgetBytes }: { mostBytes: number; budgetBytes: number }): BodyReader {
  let used = 0
  return {
    mostBytes,
    read(request, taker) {
      const body = new BodyBytes()
      let isRefused = false
      let counted = 0
      let isWhole = false
      const release = () => {
        used -= counted
        counted = 0
      }
      const refuse = (status: 400 | 413 | 503) => {
        isRefused = true
        body.drop()
        release()
        taker.refused(status)
      }
      request.on('data', (chunk: Buffer) => {
        if (isRefused) return skip(request, body, chunk)
        body.add(chunk)
        if (body.isShredded) {
          refuse(400)
          dumpRest(request)
          // The answer may still be under way.
          setTimeout(() => request.socket.destroySoon(), LINGER_MS).unref()
          return
        }
        const { size } = body
        if (size <= SMALL_BYTES) return
        // An incomplete body is released when the connection closes. A complete body is released when the taker calls `release`.
        if (counted === 0) request.once('close', () => isWhole || release())
        used += size - counted
        counted = size
        if (size > mostBytes) refuse(413)
        else if (used > budgetBytes) refuse(503)
      })
      request.on('end', () => {
        if (isRefused) return
        isWhole = true
        taker.whole(body.bytes(), release)
      })
    },
  }
}

/** Discards the body of a request. Closes the connection of a client that sends it in thousands of pieces of a few bytes. */
export function discardBody(request: IncomingMessage): void {
  const body = new BodyBytes()
  request.on('data', (chunk: Buffer) => skip(request, body, chunk))
}

function skip(request: IncomingMessage, body: BodyBytes, chunk: Buffer): void {
  body.skip(chunk)
  if (!body.isWaste) return
  request.socket.destroy()
  dumpRest(request)
}

/**
 * Drops the rest of a body, of a connection that will be closed. Node has parsed up to 64 KiB at once, which can be ten thousand more chunks,
 * and passing each of them through the stream would take ten times as long.
 */
export function dumpRest(request: IncomingMessage & { _dump?(): void }): void {
  request._dump?.()
  // The socket of HTTP/2 belongs to other requests too, and refuses to be paused.
  if (request.httpVersionMajor > 1) return
  // The connection may stay open until the answer is sent, and nothing more needs to be read. A server that Fastify simulates has no socket.
  setImmediate(() => request.socket?.pause())
}

/** Returns the value of a header; undefined when it was not sent. The values of a repeated header are joined with commas. */
export function singleHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Returns every `Host` header of a request. Node's `headersDistinct` is too slow for this.
 * @param rawHeaders Node's `rawHeaders`, in which each name is followed by its value
 */
export function hostsOf(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1] ?? '')
  }
  return hosts
}
