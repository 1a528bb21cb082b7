import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Framing, PdfBody } from './fetch-pdf.ts'

/** Returns a body that took these pieces. The memory of each piece is overwritten afterwards. */
function bodyOf(...pieces: string[]): PdfBody {
  const body = new PdfBody()
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1')
    body.take(bytes)
    bytes.fill('x')
  }
  return body
}

const problem = (text: string, framing: Framing = 'length') => bodyOf(text).problem(framing, undefined)
const FOREIGN = { kind: 'foreign', reason: 'the file does not start like a PDF' }
const NO_END = (kind: string) => ({ kind, reason: 'the end mark of a PDF (%%EOF) is missing' })

test('a whole PDF has no problem, however it is split, and its length and hash are computed', () => {
  const text = `%PDF-1.7\n${'1 0 obj\n'.repeat(300)}%%EOF\n`
  for (const pieces of [[text], [...text], [text.slice(0, 4), text.slice(4, 1500), '', text.slice(1500)]]) {
    const body = bodyOf(...pieces)
    expect(body.problem('length', text.length)).toBeUndefined()
    expect(body.problem('close', undefined)).toBeUndefined()
    expect(body.bytes).toBe(text.length)
    expect(body.sha256()).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test('a body of another length than its head declares counts as cut', () => {
  const body = bodyOf('%PDF-1.7 %%EOF')
  expect(body.problem('length', 14)).toBeUndefined()
  expect(body.problem('length', 15)).toEqual({ kind: 'cut', reason: '14 of 15 bytes arrived' })
  expect(body.problem('length', 0)).toEqual({ kind: 'cut', reason: '14 of 0 bytes arrived' })
})

test('an empty body counts as cut only if the end of the connection ends it', () => {
  expect(problem('', 'close')).toEqual({ kind: 'cut', reason: 'the file is empty' })
  for (const framing of ['length', 'chunked'] as const)
    expect(problem('', framing)).toEqual({ kind: 'foreign', reason: 'the file is empty' })
})

test('a body that does not start like a PDF is foreign, whatever the framing of the answer is', () => {
  for (const framing of ['length', 'chunked', 'close'] as const)
    for (const text of ['<html>%%EOF', '%PDF %%EOF', 'PDF-1.7 %%EOF', ' %PDF-1.7 %%EOF'])
      expect([text, problem(text, framing)]).toEqual([text, FOREIGN])
})

test('the first four bytes of a PDF count as cut if the connection ended, and as foreign if the body is complete', () => {
  expect(problem('%PDF', 'close')).toEqual(NO_END('cut'))
  for (const framing of ['length', 'chunked'] as const) {
    expect(problem('%PDF', framing)).toEqual(FOREIGN)
    expect(problem('%PDF-', framing)).toEqual(NO_END('foreign'))
  }
})

test('the end mark is looked for in the last 1,024 bytes', () => {
  const withAfter = (after: number) => `%PDF-1.7 ${'y'.repeat(2_000)}%%EOF${' '.repeat(after)}`
  expect(problem(withAfter(1_019))).toBeUndefined()
  expect(problem(withAfter(1_020))).toEqual(NO_END('foreign'))
  expect(bodyOf(withAfter(0), ' '.repeat(1_019)).problem('chunked', undefined)).toBeUndefined()
  expect(bodyOf(withAfter(0), ' '.repeat(1_020)).problem('chunked', undefined)).toEqual(NO_END('foreign'))
})

test('if the body ends with the connection, only blanks may follow the end mark', () => {
  expect(problem('%PDF-1.7 %%EOF \r\n', 'close')).toBeUndefined()
  expect(problem('%PDF-1.7 %%EOF 2 0 obj', 'close')).toEqual(NO_END('cut'))
  for (const framing of ['length', 'chunked'] as const)
    expect(problem('%PDF-1.7 %%EOF 2 0 obj', framing)).toBeUndefined()
})
