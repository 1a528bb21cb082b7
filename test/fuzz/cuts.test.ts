import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fetchPdf } from '../../src/client/fetch-pdf.ts'
import { createDownload } from '../../src/client/network.ts'
import { openTarget } from '../../src/disk/target-file.ts'
import { exitCodeOf } from '../../src/errors.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { random } from '../kit/seed.ts'
import { type FramingName, PDF, sendCut, storageStub } from '../reports/storage-stub.ts'
import { budget, TIMEOUT } from './budget.ts'

const OLD = 'the report of last week'

/** How many bytes make the body complete in each framing. A cut after any smaller number must be noticed. */
const LENGTHS: Record<FramingName, number> = {
  length: PDF.length,
  chunked: PDF.length + 13,
  close: PDF.length - 1,
  gzip: PDF.length,
}

test.each(['length', 'chunked', 'close', 'gzip'] as const)(
  'a cut at any place is noticed, and the old report stays: %s [row 34, row 35, row 36]',
  { timeout: TIMEOUT },
  async (framing) => {
    using m = machine()
    const path = join(m.dir, 'report.pdf')
    writeFileSync(path, OLD)
    let offset = 0
    await using stub = await storageStub((socket) => sendCut(socket, framing, offset))
    const cut = async (at: number) => {
      offset = at
      const target = openTarget(path, { force: true, pid: 1 })
      const fetched = fetchPdf(async () => `${stub.url}/file?x`, target, {
        download: createDownload({ env: {} }),
        clock: fakeClock(),
        random,
        timeoutMs: 20_000,
        retry: { attempts: 1, baseMs: 0, capMs: 0, maxWaitMs: 0 },
        userAgent: 'test',
      })
      const ended = await fetched.then(() => 0, exitCodeOf)
      await target.discard()
      expect([at, ended]).toEqual([at, framing === 'gzip' ? 8 : 9])
    }
    const end = LENGTHS[framing]
    for (const edge of [0, 1, 4, 5, end - 8, end - 2, end - 1]) await cut(edge)
    await fc.assert(fc.asyncProperty(fc.nat(end - 1), cut), budget(`cuts, ${framing}`, 40, 1000))
    expect(readFileSync(path, 'utf8')).toBe(OLD)
    expect(readdirSync(m.dir).filter((name) => name.endsWith('.part'))).toEqual([])
  },
)
