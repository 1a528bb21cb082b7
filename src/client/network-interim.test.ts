import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { skipInterim } from './network.ts'

const FINAL = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'

/** Returns a connection without interim answers, and a function that sends pieces on it and returns the text that a parser reads. */
function connection() {
  const stream = new PassThrough()
  const socket = { read: stream.read.bind(stream), write: () => true }
  skipInterim(socket)
  return { socket, readOf: (pieces: readonly string[]) => readOf(stream, socket, pieces) }
}

function readOf(stream: PassThrough, socket: Pick<Socket, 'read'>, pieces: readonly string[]): string {
  let text = ''
  for (const piece of pieces) {
    stream.write(piece, 'latin1')
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
      // An empty chunk would confuse the parser.
      expect(chunk.length).toBeGreaterThan(0)
      text += chunk.toString('latin1')
    }
  }
  return text
}

test('interim answers are skipped, one or many, whole or byte by byte; all other bytes stay unchanged [database 5]', () => {
  const passed = [
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\n',
    'hello\r\n\r\n',
    'H',
    'HTTP/1.1 1x',
    'HTTP/2 100 ',
  ]
  for (const interim of [
    '',
    CONTINUE,
    HINTS,
    CONTINUE + CONTINUE,
    CONTINUE + HINTS + CONTINUE,
    'HTTP/1.0 102 \r\nx: 1\r\n\r\n',
  ]) {
    for (const whole of [interim + FINAL, ...passed.map((each) => interim + each + FINAL)]) {
      const expected = whole.slice(interim.length)
      for (const pieces of [[whole], [...whole]]) {
        expect([whole, connection().readOf(pieces)]).toEqual([whole, expected])
      }
    }
  }
})

test('text in an answer that looks like an interim answer is kept, and the answer to the next request is checked again [database 5]', () => {
  const { socket, readOf } = connection()
  expect(readOf([FINAL, CONTINUE])).toBe(FINAL + CONTINUE)
  socket.write()
  expect(readOf([CONTINUE, FINAL])).toBe(FINAL)
})
