import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodePDFRawStream, PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { informeFileName } from '../../contract/calls/reports.ts'
import { INFORME_LINK_LIFE_MS } from '../../contract/time-limits.ts'
import { toJsonColumn } from '../store/tables.ts'
import { STORAGE_PREFIX } from './reports.ts'

type Kit = Awaited<ReturnType<typeof sandboxKit>>

/** Makes an evaluation of the real-estate partner, and returns how to request its report. */
async function evaluated(kit: Kit, input: Record<string, unknown> = {}) {
  const { data } = await kit.control('lead', { now: true, rut: '12345678-5', ...input })
  const id: string = data.preApproveId
  const { data: record } = await kit.send('GET', `/partner/pre-approve/lead/${data.leadId}`, { key: kit.estate.apiKey })
  const ask = (key: string | null = kit.estate.apiKey) => kit.send('GET', `/partner/pre-approve/${id}/informe`, { key })
  const link = async (): Promise<string> => (await ask()).data.url
  return { id, record, ask, link }
}

async function fetchPdf(kit: Kit, url: string, headers: Record<string, string> = {}, method = 'GET') {
  return kit.sandbox.transport({ method, url, headers, timeoutMs: 1000, maxBytes: 1_000_000 })
}

test('the report is a PDF with the customer, the amount and the result', async () => {
  await using kit = await sandboxKit()
  const { id, record, link } = await evaluated(kit)
  const answer = await fetchPdf(kit, await link())
  expect(answer.status).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${informeFileName(id)}"`,
    'content-length': String(answer.body.length),
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
  })
  const read = await PDFDocument.load(answer.body, { updateMetadata: false })
  expect(read.getPageCount()).toBe(2)
  expect(read.getTitle()).toContain(id)
  expect(read.getSubject()).toContain('12.345.678-5')
  const amount = `$${String(record.montoPreAprobado).replace(/\B(?=(\d{3})+$)/g, '.')}`
  for (const text of [writtenIn(read), ...readByOthers(answer.body, String(kit.dir))]) {
    for (const part of [
      'Inmobiliaria Demo',
      `${record.nombres} ${record.apellidoPaterno} ${record.apellidoMaterno}`,
      '12.345.678-5',
      amount,
      'APROBADO',
      'evaluación de riesgo',
      'Página 1 de 2',
    ])
      expect(text).toContain(part)
  }
})

/** Returns the texts that a PDF shows, read from its content streams. */
function writtenIn(document: PDFDocument): string {
  return document.context
    .enumerateIndirectObjects()
    .map(([, object]) => (object instanceof PDFRawStream ? decodePDFRawStream(object).decode() : new Uint8Array()))
    .flatMap((stream) => [
      ...Buffer.from(stream)
        .toString('latin1')
        .matchAll(/<([0-9A-F]*)> Tj/g),
    ])
    .map(([, hex]) => Buffer.from(hex ?? '', 'hex').toString('latin1'))
    .join('\n')
}

/** Checks a PDF with qpdf, and returns the text that poppler reads from it. Returns an empty list on machines without poppler. */
function readByOthers(pdf: Uint8Array, dir: string): string[] {
  const file = join(dir, 'report.pdf')
  writeFileSync(file, pdf)
  const checked = spawnSync('qpdf', ['--check', file], { encoding: 'utf8' })
  if (checked.error === undefined) expect(checked).toMatchObject({ status: 0, stderr: '' })
  const read = spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
  return read.error === undefined ? [read.stdout] : []
}

test('the bytes of a report change when its data changes, and only then', async () => {
  await using kit = await sandboxKit()
  const { id, link } = await evaluated(kit)
  const bytes = async () => Buffer.from((await fetchPdf(kit, await link())).body).toString('base64')
  const first = await bytes()
  kit.clock.advance(3 * INFORME_LINK_LIFE_MS)
  expect(await bytes()).toBe(first)
  kit.store.db.run('delete from reports')
  expect(await bytes()).toBe(first)
  const kept = kit.store.db.get<any>('select details from preApprovals where id = ?', id)
  const details = toJsonColumn({ ...JSON.parse(kept.details), puntajeRiesgo: 777 })
  kit.store.db.run('update preApprovals set details = ? where id = ?', details, id)
  const second = await bytes()
  expect(second).not.toBe(first)
  kit.store.db.run('update partners set name = ? where name = ?', 'Peñalolén & Cía', 'Inmobiliaria Demo')
  expect(await bytes()).not.toBe(second)
  kit.store.db.run('update partners set name = ? where name = ?', 'Inmobiliaria Demo', 'Peñalolén & Cía')
  expect(await bytes()).toBe(second)
})

test('a report is drawn even if its fonts lack letters of a name', async () => {
  await using kit = await sandboxKit()
  const { link } = await evaluated(kit)
  kit.store.db.run('update partners set name = ? where name = ?', '株式会社 🏠 Ω\u0007\n\u202e', 'Inmobiliaria Demo')
  expect((await fetchPdf(kit, await link())).status).toBe(200)
})

test('the storage refuses a request with an Authorization header, and every link that was changed', async () => {
  await using kit = await sandboxKit()
  const { link } = await evaluated(kit)
  const url = await link()
  const codeOf = async (...request: [url: string, headers?: Record<string, string>, method?: string]) => {
    const { status, body, headers } = await fetchPdf(kit, ...request)
    if (status !== 200) expect(headers['content-type']).toBe('application/xml')
    return `${status} ${/<Code>(\w+)/.exec(Buffer.from(body).toString())?.[1] ?? ''}`.trim()
  }
  for (const authorization of ['', `Bearer ${kit.estate.apiKey}`, 'Basic eA=='])
    expect(await codeOf(url, { authorization })).toBe('400 InvalidArgument')
  const other = (await evaluated(kit)).id
  const wrong: string[] = [
    url.replace('Expires=1800', 'Expires=180000'),
    url.replace(/\/[0-9a-f-]{36}\.pdf/, `/${other}.pdf`),
    url.replace(/Signature=./, (found) => (found.endsWith('0') ? 'Signature=1' : 'Signature=0')),
    url.replace('application%2Fpdf', 'text%2Fhtml'),
    `${url}&x=1`,
  ]
  for (const changed of wrong) expect([changed, await codeOf(changed)]).toEqual([changed, '403 SignatureDoesNotMatch'])
  await kit.control('faultAdd', { endpoint: 'download', status: 500 })
  for (const method of ['HEAD', 'DELETE']) expect(await codeOf(url, {}, method)).toBe('403 SignatureDoesNotMatch')
  // The requests above did not use up the fault, so it applies to this request.
  expect((await fetchPdf(kit, url)).status).toBe(500)
  expect(await codeOf(url.replace(/\?.*/, ''))).toBe('403 AccessDenied')
  expect(await codeOf(`${url.split(STORAGE_PREFIX)[0]}${STORAGE_PREFIX}informes/%zz`)).toBe('403 AccessDenied')
  expect(await codeOf(url)).toBe('200')
  kit.clock.advance(INFORME_LINK_LIFE_MS - 1000)
  expect(await codeOf(url)).toBe('200')
  kit.clock.advance(2000)
  expect(await codeOf(url)).toBe('403 AccessDenied')
  expect(await codeOf(await link())).toBe('200')
})

test('urlInforme redirects to a fresh link, and is refused with an API key or another signature', async () => {
  await using kit = await sandboxKit()
  const { record, id } = await evaluated(kit)
  const opened = await fetchPdf(kit, record.urlInforme)
  expect(opened.status).toBe(302)
  expect((await fetchPdf(kit, String(opened.headers.location))).status).toBe(200)
  expect((await fetchPdf(kit, record.urlInforme, { authorization: `Bearer ${kit.estate.apiKey}` })).status).toBe(400)
  expect((await fetchPdf(kit, record.urlInforme.replace(/.$/, '_'))).status).toBe(404)
  expect((await fetchPdf(kit, `${kit.sandbox.service.baseUrl}/partner/informe/${id}`)).status).toBe(404)
})

test('the informe endpoint refuses with 400, 401, 403, 404 and 429 as the specification says', async () => {
  await using kit = await sandboxKit({ rateLimit: { burst: 2, perSecond: 1 } })
  const { ask, id, record } = await evaluated(kit)
  for (const key of [null, 'sk_wrong']) expect(await ask(key)).toMatchObject({ status: 400, code: 'ERR_UNAUTHORIZED' })
  expect(await ask(kit.bnpl.apiKey)).toMatchObject({ status: 401, code: 'ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER' })
  expect(await ask(kit.inactive.apiKey)).toMatchObject({ status: 403 })
  const { apiKey: key } = kit.bnpl
  expect(await kit.send('GET', `/partner/pre-approve/${record.preLoanRequestId}/informe`, { key })).toMatchObject({
    status: 404,
    code: 'ERR_PRE_APPROVAL_NOT_FOUND',
  })
  const limited = await kit.send('GET', `/partner/pre-approve/${id}/informe`, { key })
  expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
})

test('each call of the informe endpoint gives another link, and all of them work [specification F17]', async () => {
  await using kit = await sandboxKit()
  const { link } = await evaluated(kit)
  const links = [await link(), await link(), await link()]
  expect(new Set(links).size).toBe(3)
  for (const each of links) expect((await fetchPdf(kit, each)).status).toBe(200)
  expect((await fetchPdf(kit, links[0]!.replace(/X-Amz-Security-Token=./, 'X-Amz-Security-Token=.'))).status).toBe(403)
})
