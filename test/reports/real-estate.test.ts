import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Transport } from '../../src/contract/wire.ts'
import { createNumbers, formatTime } from '../../src/terminal/numbers.ts'
import { maskRut } from '../../src/text/masking.ts'
import { fakeClock, machine } from '../kit/harness.ts'

const SANDBOX = '-p sandbox:real-estate'
const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com' }

describe('against the sandbox', () => {
  test('from a new lead to its report, each hint names the next command, and the commands work', async () => {
    using m = machine()
    const clock = fakeClock()
    const lead = (await m.run('sandbox lead --rut 12345678-5 --json', { clock })).json()
    expect(lead.preApproveId).toBeNull()
    const early = await m.run(`evaluations get --lead-id ${lead.leadId} ${SANDBOX} --json`, { clock })
    expect(early).toMatchObject({ code: 6, stdout: '' })
    expect(early.error().hint).toContain(`bnpl leads get ${lead.leadId} ${SANDBOX}`)
    const tooEarly = await m.run(`evaluations get --rut 12345678-5 ${SANDBOX} --json`, { clock })
    expect(tooEarly.error().hint).toContain(
      'time ahead: bnpl sandbox clock advance 1m. The evaluation of a lead may not be finished yet.',
    )
    const unknown = await m.run(`leads get nope ${SANDBOX} --json`, { clock })
    expect(unknown.error()).toMatchObject({
      kind: 'not-found',
      hint: expect.stringContaining(`bnpl leads list ${SANDBOX}`),
    })
    const open = await m.run(`leads get ${lead.leadId} ${SANDBOX}`, { clock })
    expect(open.stderr).toContain('bnpl sandbox clock advance 1m')
    clock.advance(60_000)

    const [row] = (await m.run(`leads list ${SANDBOX} --json`, { clock })).json()
    expect(row).toMatchObject({ leadId: lead.leadId, idPreAprobacion: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(row).not.toHaveProperty('urlInforme')
    const details = (await m.run(`leads get ${lead.leadId} ${SANDBOX} --json`, { clock })).json()
    expect(details).toMatchObject({ leadId: lead.leadId, rut: '12345678-5' })
    expect((await m.run(`leads get ${lead.leadId} ${SANDBOX}`, { clock })).stderr).not.toContain('clock advance')
    for (const name of ['idPreAprobacion', 'urlInforme']) expect(details).not.toHaveProperty(name)

    const byRut = (await m.run(`evaluations get --rut 12.345.678-5 ${SANDBOX} --json`, { clock })).json()
    const byLead = (await m.run(`evaluations get --lead-id ${lead.leadId} ${SANDBOX} --json`, { clock })).json()
    expect(byRut).toEqual(byLead)
    expect(byRut.idPreAprobacion).toBe(row.idPreAprobacion)

    const saved = await m.run(`informe download ${row.idPreAprobacion} ${SANDBOX} --json`, { clock })
    expect(saved).toMatchObject({ code: 0, stderr: '' })
    const [{ path, sha256 }] = saved.json()
    expect(path).toBe(join(m.dir, `PreAprobacion_${row.idPreAprobacion}.pdf`))
    expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-')
    const again = ['informe', 'download', row.idPreAprobacion, '--from-link', byRut.urlInforme, '--out', 'link.pdf']
    const linked = await m.run([...again, '--json', '-p', 'sandbox:real-estate'], { clock })
    expect(linked.json()).toMatchObject([{ sha256, status: 'unchanged' }])

    const { url } = (await m.run(`informe get ${row.idPreAprobacion} ${SANDBOX} --json`, { clock })).json()
    for (const [id, named] of [
      [[row.idPreAprobacion], row.idPreAprobacion],
      [[], 'ID'],
    ] as const) {
      const words = ['informe', 'download', ...id, '--from-link', url, '--out', 'signed.pdf', '--json']
      const signed = await m.run([...words, '-p', 'sandbox:real-estate'], { clock })
      expect(signed.error()).toMatchObject({
        code: 'NOT_A_REDIRECT',
        hint: expect.stringContaining(
          `Use the id of the report instead of this link: bnpl informe download ${named} ${SANDBOX}.`,
        ),
      })
    }
  })

  test('each account of the sandbox has a profile, and each refusal of the report endpoint has its exit code [row 31]', async () => {
    using m = machine()
    const { preApproveId, leadId } = (await m.run('sandbox lead --now --json')).json()
    const ask = async (profile: string, id = preApproveId) =>
      (await m.run(['informe', 'download', id, '-p', profile, '--force'])).code
    expect(await ask('sandbox:real-estate')).toBe(0)
    expect(await ask('sandbox')).toBe(5)
    expect(await ask('sandbox:no-module')).toBe(5)
    expect(await ask('sandbox:inactive')).toBe(5)
    expect(await ask('sandbox:real-estate', 'no-such-id')).toBe(6)
    expect(await ask('sandbox:nobody')).toBe(3)
    const { preLoanRequestId } = (await m.run(`evaluations get --lead-id ${leadId} ${SANDBOX} --json`)).json()
    const wrong = await m.run(['informe', 'get', preLoanRequestId, '-p', 'sandbox:real-estate'])
    expect(wrong).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('preLoanRequestId') })
  })

  test('a report is rendered again only when a parameter is revised', async () => {
    using m = machine()
    const { preApproveId: id, leadId } = (await m.run('sandbox lead --now --json')).json()
    const status = async () => (await m.run(`informe download ${id} ${SANDBOX} --force --json`)).json()[0].status
    const revise = (words: string, of = id) => m.run(`sandbox revise ${of} --set ${words} --json`)
    expect([await status(), await status()]).toEqual(['new', 'unchanged'])
    expect((await revise('puntajeRiesgo=312 segmentoRiesgo=E')).json()).toEqual({
      preApproveId: id,
      parameters: { puntajeRiesgo: 312, segmentoRiesgo: 'E' },
      changed: ['puntajeRiesgo', 'segmentoRiesgo'],
    })
    expect([await status(), await status()]).toEqual(['rendered', 'unchanged'])
    const read = (await m.run(`evaluations get --lead-id ${leadId} ${SANDBOX} --json`)).json()
    expect(read).toMatchObject({ puntajeRiesgo: 312, segmentoRiesgo: 'E' })
    expect((await revise('puntajeRiesgo=many')).code).toBe(2)
    expect((await revise('puntaje=1')).stderr).toContain('puntajeRiesgo')
    expect((await revise('puntajeRiesgo')).code).toBe(2)
    expect((await revise('puntajeRiesgo=1', 'no-such-id')).code).toBe(6)
    expect(await status()).toBe('unchanged')
  })

  test('revise says when nothing changed, and the report is then not rendered again [specification F16]', async () => {
    using m = machine()
    const { preApproveId: id } = (await m.run('sandbox lead --now --json')).json()
    const status = async () => (await m.run(`informe download ${id} ${SANDBOX} --force --json`)).json()[0].status
    await m.run(`sandbox revise ${id} --set puntajeRiesgo=312`)
    expect(await status()).toBe('new')
    const same = await m.run(`sandbox revise ${id} --set puntajeRiesgo=312`)
    expect(same).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing changed') })
    expect(same.stderr).not.toContain('drawn again')
    expect(await status()).toBe('unchanged')
    const json = (await m.run(`sandbox revise ${id} --set puntajeRiesgo=312 segmentoRiesgo=E --json`)).json()
    expect(json).toMatchObject({ parameters: { puntajeRiesgo: 312, segmentoRiesgo: 'E' }, changed: ['segmentoRiesgo'] })
  })

  test('a new name of the account makes the sandbox render all reports of the account again [specification F15]', async () => {
    using m = machine()
    const { preApproveId: id, leadId } = (await m.run('sandbox lead --now --json')).json()
    const other = (await m.run('sandbox lead --now --json')).json().preApproveId
    const status = async (of = id) => (await m.run(`informe download ${of} ${SANDBOX} --force --json`)).json()[0].status
    expect([await status(), await status(other)]).toEqual(['new', 'new'])
    const revised = await m.run(['sandbox', 'revise', id, '--set', 'partner=Inmobiliaria Peñalolén'])
    expect(revised).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('From now on the account has the new name'),
    })
    expect([await status(), await status(other), await status()]).toEqual(['rendered', 'rendered', 'unchanged'])
    const read = (await m.run(`evaluations get --lead-id ${leadId} ${SANDBOX} --json`)).json()
    expect(read.partner).toBe('Inmobiliaria Peñalolén')
    for (const wrong of ['partner=', 'partner=Tienda Demo', `partner=${'x'.repeat(101)}`])
      expect((await m.run(['sandbox', 'revise', id, '--set', wrong])).code).toBe(2)
    expect(await status()).toBe('unchanged')
  })

  test('a call is repeated after either kind of 503; if the 503 persists, its code is reported [row 21]', async () => {
    using m = machine()
    const clock = fakeClock()
    const { preApproveId } = (await m.run('sandbox lead --now --json', { clock })).json()
    for (const code of ['ERR_UNABLE_TO_RENDER_INFORME', 'ERR_STORAGE_S3_PRESIGNED_GET']) {
      await m.run(`sandbox fault add getInforme --status 503 --code ${code} --times 2`, { clock })
      const passes = await m.run(`informe download ${preApproveId} ${SANDBOX} --force --json`, { clock })
      expect(passes).toMatchObject({ code: 0 })
      await m.run(`sandbox fault add getInforme --status 503 --code ${code} --times 3`, { clock })
      const stays = await m.run(`informe download ${preApproveId} ${SANDBOX} --force --json`, { clock })
      expect(stays).toMatchObject({ code: 8, stdout: '' })
      expect(stays.error()).toMatchObject({ kind: 'service', code, status: 503, attempts: 3 })
    }
  })

  test('informe open says so when no browser can reach the report', async () => {
    using m = machine()
    const { preApproveId } = (await m.run('sandbox lead --now --json')).json()
    const opened: string[] = []
    const open = async (url: string) => opened.push(url) > 0
    const ran = await m.run(`informe open ${preApproveId} ${SANDBOX}`, { open })
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('bnpl sandbox start') })
    expect(opened).toEqual([])
  })

  test('tables have titles, grouped numbers, local times and a masked RUT', async () => {
    using m = machine()
    const { leadId } = (await m.run('sandbox lead --now --json')).json()
    const line = `evaluations get --lead-id ${leadId} ${SANDBOX}`
    const { rut, montoSolicitado, tasaReferencia, fechaEvaluacion } = (await m.run(`${line} --json`)).json()
    const shown = (await m.run(line)).stdout
    const numbers = createNumbers({})
    expect(shown).toMatch(new RegExp(`^Amount asked for +${numbers.count(montoSolicitado)}$`, 'm'))
    expect(shown).toMatch(new RegExp(`^Reference rate +${numbers.rate(tasaReferencia)}$`, 'm'))
    expect(shown).toMatch(new RegExp(`^RUT +${maskRut(rut)}$`, 'm'))
    expect(shown).toContain(formatTime(fechaEvaluacion))
    expect(shown).not.toMatch(/montoSolicitado|rentaLiquida|[a-z][A-Z]/)
  })

  test('tables fit 80 columns and do not show the signed link', async () => {
    using m = machine()
    const { preApproveId, leadId } = (await m.run('sandbox lead --now --json')).json()
    expect((await m.run(`leads list ${SANDBOX}`)).stdout).toContain(preApproveId)
    // Columns that do not fit in the line of the ids are printed below the ids.
    const [{ nombres, estado }] = (await m.run(`leads list ${SANDBOX} --json`)).json()
    const narrow = await m.run(`leads list ${SANDBOX}`, { stdoutIsTty: true })
    expect(narrow.stdout).toMatch(
      new RegExp(`^Lead +Pre-approval\n  RUT · .*State.*\n${leadId} +${preApproveId}\n.*${nombres}.*${estado}`),
    )
    for (const line of ['leads list', `leads get ${leadId}`, `evaluations get --lead-id ${leadId}`]) {
      const { stdout } = await m.run(`${line} ${SANDBOX}`, { stdoutIsTty: true })
      expect(Math.max(...stdout.split('\n').map((each) => each.length))).toBeLessThanOrEqual(80)
      expect(stdout).not.toContain('/partner/informe/')
    }
  })
})

describe('against any service', () => {
  const answer = (data: unknown): { transport: Transport; seen: string[] } => {
    const seen: string[] = []
    return {
      seen,
      transport: async ({ url }) => {
        seen.push(url)
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) }
      },
    }
  }

  test('a national id is checked, sent as specified, and masked in every message [row 84]', async () => {
    using m = machine()
    const { transport, seen } = answer({ idPreAprobacion: 'P1', urlInforme: 'https://x/y', otro: '\u001b[31mrojo' })
    const ran = await m.run('evaluations get --rut 12.345.678-5 --verbose --json', { env, transport })
    expect(ran.json()).toMatchObject({ otro: '\u001b[31mrojo' })
    expect(seen).toEqual(['https://api.example.com/partner/pre-approve/rut/12345678-5'])
    expect(ran.stderr).toContain('/rut/••••')
    expect(ran.stderr).not.toContain('12345678')
    expect((await m.run('evaluations get --rut 12345678-5', { env, transport })).stdout).toContain('\\u001b[31mrojo')
    expect(await m.run('evaluations get --rut 12345678-9', { env, transport })).toMatchObject({ code: 2 })
    expect(await m.run('evaluations get', { env, transport })).toMatchObject({ code: 2 })
    expect(await m.run('evaluations get --rut 12345678-5 --lead-id L1', { env, transport })).toMatchObject({ code: 2 })
    expect(seen).toHaveLength(2)
  })

  test.each([
    ['leads list', 'paths.leads'],
    ['leads get L1', 'paths.lead'],
    ['evaluations get --lead-id L1', 'paths.evaluationByLead'],
  ])(
    'the specification shows no path for %s, so the error names the setting that sets the path',
    async (line, setting) => {
      using m = machine()
      const { transport, seen } = answer([])
      const ran = await m.run(line, { env, transport })
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(ran.stderr).toContain(setting)
      expect(ran.stderr).toContain('bnpl api')
      expect(seen).toEqual([])
    },
  )

  test('an empty list is printed as a JSON document', async () => {
    using m = machine()
    const none = await m.run(`leads list ${SANDBOX} --json`)
    expect(none.json()).toEqual([])
    expect(await m.run(`leads list ${SANDBOX}`)).toMatchObject({
      stdout: 'No leads yet.\n',
      stderr: 'Create a lead: bnpl sandbox lead\n',
    })
    const bnpl = await m.run('leads list -p sandbox')
    expect(bnpl).toMatchObject({ code: 0, stdout: 'No leads yet.\n' })
    expect(bnpl.stderr).toContain('bnpl leads list -p sandbox:real-estate')
  })

  test('informe open gives the fresh link only to the browser, and prints no link [row 39]', async () => {
    using m = machine()
    const { transport } = answer({ url: 'https://storage.example.com/x?X-Amz-Signature=c0ffee' })
    const opened: string[] = []
    const open = async (url: string) => opened.push(url) > 0
    const ran = await m.run('informe open P1 --json', { env, transport, open, clock: fakeClock() })
    expect(ran.json()).toEqual({ preApproveId: 'P1', opened: true, expiresAt: '2026-03-01T12:30:00.000Z' })
    expect(opened).toEqual(['https://storage.example.com/x?X-Amz-Signature=c0ffee'])
    expect(ran.stdout + ran.stderr).not.toContain('c0ffee')
    const none = await m.run('informe open P1', { env, transport, open: async () => false })
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('bnpl informe get P1') })
    expect(none.stderr).not.toContain('c0ffee')
    expect(existsSync(join(m.dir, 'PreAprobacion_P1.pdf'))).toBe(false)
  })
})
