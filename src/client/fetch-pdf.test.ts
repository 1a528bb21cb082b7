import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fakeClock } from '../../test/kit/harness.ts'
import { type Download, type DownloadHead, type DownloadRequest, WireFailure } from '../contract/wire.ts'
import { BnplError } from '../errors.ts'
import { type FetchOptions, fetchPdf, followReportLink, MAX_REPORT_BYTES } from './fetch-pdf.ts'
import { downloadOver } from './network.ts'

const PDF = '%PDF-1.7\n1 0 obj\nendobj\n%%EOF\n'
const LINK = 'https://storage.example/r/1.pdf?X-Amz-Signature=canary'

/** An answer of the storage: its head and the pieces of its body. It may have a failure before the head or after the pieces. */
interface Step extends Partial<DownloadHead> {
  pieces?: readonly (string | Uint8Array)[]
  failure?: WireFailure
  before?: Error
}

function storage(steps: readonly Step[], more: Partial<FetchOptions> = {}, tookMs = 0) {
  const clock = fakeClock()
  const sent: DownloadRequest[] = []
  const attempts: unknown[] = []
  const waits: unknown[] = []
  const left = [...steps]
  const download: Download = async (request, begin) => {
    sent.push(request)
    clock.advance(tookMs)
    const { status = 200, headers = {}, pieces = [PDF], failure, before } = left.shift() ?? { status: 599 }
    if (before) throw before
    const sink = begin({ status, headers })
    for (const piece of pieces) sink.take(Buffer.from(piece as string))
    if (failure) throw failure
  }
  const options: FetchOptions = {
    download,
    clock,
    random: () => 0.5,
    timeoutMs: 1_000,
    userAgent: 'bnpl/9',
    onAttempt: (attempt) => attempts.push(attempt),
    onWait: (...wait) => waits.push(wait),
    ...more,
  }
  let kept = ''
  let restarts = 0
  const spool = {
    restart: () => {
      kept = ''
      restarts++
    },
    take: (chunk: Uint8Array) => {
      kept += Buffer.from(chunk).toString('latin1')
    },
  }
  let links = 0
  return {
    clock,
    sent,
    attempts,
    waits,
    kept: () => kept,
    counts: () => ({ links, restarts }),
    fetch: () => fetchPdf(async () => `${LINK}${links++}`, spool, options),
    follow: () => followReportLink('https://api.example.com/partner/informe/signature', options),
  }
}

test('a report is fetched without a key, and its progress, length and hash are reported', async () => {
  const progress: unknown[] = []
  const head = {
    headers: {
      'content-length': String(PDF.length),
      'content-type': 'Application/PDF ; charset=binary',
      'content-encoding': 'Identity',
    },
  }
  const it = storage(
    [{ ...head, pieces: [PDF.slice(0, 5), PDF.slice(5)] }],
    { onProgress: (...each) => progress.push(each) },
    3,
  )
  expect(await it.fetch()).toEqual({ bytes: PDF.length, sha256: createHash('sha256').update(PDF).digest('hex') })
  expect(it.kept()).toBe(PDF)
  expect(progress).toEqual([
    [5, PDF.length],
    [PDF.length, PDF.length],
  ])
  expect(it.sent).toEqual([
    {
      url: `${LINK}0`,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'bnpl/9' },
      idleMs: 1_000,
      timeoutMs: 4_000,
    },
  ])
  expect(it.attempts).toEqual([{ method: 'GET', url: 'https://storage.example/••••', result: 200, ms: 3 }])
})

test.each(['application/pdf', 'application/x-pdf', 'application/octet-stream', 'binary/octet-stream', ''])(
  'a PDF may come under the type “%s”',
  async (type) => {
    await storage([{ headers: type === '' ? {} : { 'content-type': type } }]).fetch()
  },
)

test.each<[Step, string]>([
  [{ headers: { 'content-encoding': 'gzip' } }, 'the answer has an encoding that was not requested'],
  [{ headers: { 'content-type': 'text/html; x=application/pdf' } }, 'the content type of the answer is not PDF'],
  [{ headers: { 'content-type': '' } }, 'the content type of the answer is not PDF'],
  [{ headers: { 'content-length': String(MAX_REPORT_BYTES + 1) } }, 'the answer is larger than a report can be'],
  [{ pieces: ['<html>'], headers: { 'content-length': '6' } }, 'the file does not start like a PDF'],
  [{ pieces: ['%PDF-1.7'], headers: { 'content-length': '8' } }, 'the end mark of a PDF (%%EOF) is missing'],
  [{ pieces: ['%PDF-1.7'], headers: { 'transfer-encoding': 'chunked' } }, 'the end mark of a PDF (%%EOF) is missing'],
  [{ pieces: [], headers: { 'transfer-encoding': 'chunked' } }, 'the file is empty'],
])('%# an answer that is not a report is refused at once', async (step, reason) => {
  const it = storage([step])
  await expect(it.fetch()).rejects.toMatchObject({
    kind: 'service',
    code: 'NOT_A_PDF',
    message: `the answer of storage.example is not the report: ${reason}`,
    hint: 'Try again in a minute. If it fails again, ask the operator of the service. Nothing was saved.',
  })
  expect(it.sent).toHaveLength(1)
})

test.each<[Step, string]>([
  [{ headers: { 'content-length': '99' } }, `${PDF.length} of 99 bytes arrived`],
  [{ pieces: ['%PDF-1.7'] }, 'the end mark of a PDF (%%EOF) is missing'],
  [{ pieces: [] }, 'the file is empty'],
])('%# a download that is cut starts again, and is reported if it is cut every time', async (step, reason) => {
  const it = storage([step, step, {}])
  await it.fetch()
  expect([it.kept(), it.counts()]).toEqual([PDF, { links: 1, restarts: 3 }])
  expect(it.waits).toEqual([
    [250, 'the connection was cut off'],
    [500, 'the connection was cut off'],
  ])
  expect(it.clock.slept).toEqual([250, 500])
  await expect(storage([step, step, step]).fetch()).rejects.toMatchObject({
    kind: 'network',
    code: 'CUT',
    message: `could not download the report: storage.example: the connection was cut off (${reason})`,
    hint: 'Run the command again, which is safe. Nothing was saved.',
    exchange: {
      method: 'GET',
      url: 'https://storage.example/••••',
      attempts: 3,
      sent: true,
      outcome: 'rejected',
      status: 200,
    },
  })
})

test('a declared length of exactly the maximum size of a report is not refused', async () => {
  const whole = { headers: { 'content-length': String(MAX_REPORT_BYTES) } }
  await expect(storage([whole, whole, whole]).fetch()).rejects.toMatchObject({
    code: 'CUT',
    message: expect.stringContaining(`${PDF.length} of ${MAX_REPORT_BYTES} bytes arrived`),
  })
})

test('a length that is not a number is ignored', async () => {
  for (const length of ['x9', '9x', '', '99999999999999999'])
    await storage([{ headers: { 'content-length': length } }]).fetch()
})

test('an expired link is replaced by a new link, but only once', async () => {
  for (const status of [400, 403]) {
    const it = storage([{ status, pieces: ['<Error/>'] }, {}])
    await it.fetch()
    expect(it.sent.map(({ url }) => url)).toEqual([`${LINK}0`, `${LINK}1`])
    const again = storage([
      { status, pieces: ['<Error/>'] },
      { status, pieces: ['<Error/>'] },
    ])
    await expect(again.fetch()).rejects.toMatchObject({ kind: 'refused', exchange: { status } })
    expect(again.counts().links).toBe(2)
  }
  const gone = storage([{ status: 404, pieces: [] }])
  await expect(gone.fetch()).rejects.toMatchObject({ kind: 'not-found' })
  expect(gone.counts().links).toBe(1)
})

test('a download from a new link has only the time that the old link left', async () => {
  const it = storage([{ status: 403, pieces: [] }, {}], {}, 1_000)
  await it.fetch()
  expect(it.sent.map(({ timeoutMs }) => timeoutMs)).toEqual([4_000, 3_000])
  const late = storage([{ status: 403, pieces: [] }, {}], {}, 5_000)
  await late.fetch()
  expect(late.sent.map(({ timeoutMs }) => timeoutMs)).toEqual([4_000, 1])
})

test('the error of a refused download contains the code and the message of the storage', async () => {
  const pieces = ['{"error":{"code":"ERR_', 'GONE","message":"no longer here"}}']
  await expect(storage([{ status: 404, pieces }]).fetch()).rejects.toMatchObject({
    code: 'ERR_GONE',
    message: expect.stringContaining('“no longer here”'),
  })
})

test('a download without onAttempt and onWait works, and a rate limit may have its own number of attempts', async () => {
  const retry = { attempts: 1, limitedAttempts: 3, baseMs: 1, capMs: 1, maxWaitMs: 1 }
  const limited = { status: 429, pieces: [] }
  const it = storage([limited, limited, {}], { retry, onAttempt: undefined, onWait: undefined } as never)
  await it.fetch()
  expect(it.kept()).toBe(PDF)
})

test('an error before the answer is rethrown and reported as an attempt; an answer without a head is a failure', async () => {
  const before = new BnplError('config', 'no such proxy')
  const it = storage([{ before }])
  await expect(it.fetch()).rejects.toBe(before)
  expect(it.attempts).toMatchObject([{ result: 'stopped' }])
  const none = storage([], { download: async () => {} })
  await expect(none.fetch()).rejects.toMatchObject({ kind: 'garbled', sent: true, message: 'an answer without a head' })
})

test('a busy storage is asked again after the time that the storage names', async () => {
  const it = storage([{ status: 503, headers: { 'retry-after': '2' }, pieces: [] }, {}])
  await it.fetch()
  expect([it.waits, it.clock.slept]).toEqual([[[2_000, '503']], [2_000]])
})

test('only the start of an error answer is read, however long the answer is', async () => {
  let given = 0
  const endless: Iterable<Uint8Array> = {
    *[Symbol.iterator]() {
      for (; ; given++) yield Buffer.alloc(8_192, 'x')
    },
  }
  const it = storage([{ status: 404, pieces: endless as never }])
  await expect(it.fetch()).rejects.toMatchObject({ kind: 'not-found' })
  expect(given).toBe(1)
  expect(it.attempts).toMatchObject([{ result: 404 }])
})

test('a failure after the head is reported with the status, and all attempts share one time limit', async () => {
  const reset = new WireFailure('reset', true, 'ECONNRESET')
  const it = storage([{ before: reset }, { pieces: ['%PDF'], failure: reset }, {}], {}, 1_000)
  await it.fetch()
  expect(it.attempts).toMatchObject([
    { result: 'reset', ms: 1_000 },
    { result: '200 reset', ms: 1_000 },
    { result: 200 },
  ])
  expect(it.sent.map(({ timeoutMs }) => timeoutMs)).toEqual([4_000, 3_000, 2_000])
  const late = storage([{ before: reset }, {}], {}, 4_000)
  await expect(late.fetch()).rejects.toMatchObject({ kind: 'network', code: 'RESET', exchange: { attempts: 1 } })
})

test('an interruption ends the download with the signal’s reason', async () => {
  const stop = new AbortController()
  const reason = new Error('stop')
  stop.abort(reason)
  const it = storage([{ before: new WireFailure('aborted', false, 'interrupted') }], { signal: stop.signal })
  await expect(it.fetch()).rejects.toBe(reason)
  expect(it.sent[0]?.signal).toBe(stop.signal)
})

test('an error of onProgress ends the download with that error', async () => {
  const full = new BnplError('output', 'the disk is full')
  const it = storage([{}], {
    onProgress: () => {
      throw full
    },
  })
  await expect(it.fetch()).rejects.toBe(full)
  expect(it.attempts).toMatchObject([{ result: 200 }])
})

test('the report link of an evaluation must answer with one redirect (302) to the storage', async () => {
  expect(await storage([{ status: 302, headers: { location: LINK }, pieces: [] }]).follow()).toBe(LINK)
  for (const step of [{ status: 200 }, { status: 301, headers: { location: LINK } }, { status: 302 }, { status: 399 }])
    await expect(storage([{ ...step, pieces: [] }]).follow()).rejects.toMatchObject({
      kind: 'service',
      code: 'NOT_A_REDIRECT',
      message: `api.example.com answered ${step.status} to the report's link, instead of a redirect to the download`,
      hint: expect.stringContaining(step.status === 200 ? 'signed link' : 'the complete urlInforme'),
      exchange: { status: step.status },
    })
  await expect(storage([{ status: 400, pieces: [] }]).follow()).rejects.toMatchObject({ kind: 'refused' })
  const reset = { before: new WireFailure('reset', true, 'ECONNRESET') }
  expect(await storage([reset, { status: 302, headers: { location: LINK }, pieces: [] }]).follow()).toBe(LINK)
})

test('a transport with whole answers also works as a download', async () => {
  const requests: unknown[] = []
  const download = downloadOver(async (request) => {
    requests.push(request)
    return { status: 201, headers: { a: 'b' }, body: Buffer.from('abc') }
  })
  const taken: unknown[] = []
  await download({ url: LINK, headers: {}, idleMs: 1, timeoutMs: 2 }, (head) => {
    taken.push(head)
    return { take: (chunk) => void taken.push(Buffer.from(chunk).toString()) }
  })
  expect(taken).toEqual([{ status: 201, headers: { a: 'b' } }, 'abc'])
  expect(requests).toEqual([{ url: LINK, headers: {}, timeoutMs: 2, method: 'GET', maxBytes: 10 * 1024 * 1024 }])
})
