import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import type { World } from '../../src/context.ts'
import { beginDay } from '../kit/day.ts'
import { machine } from '../kit/harness.ts'
import { LOAN } from '../kit/loan.ts'

/** The tables of every command must fit the width of the terminal. */

/** Returns whether a line fits. A long last word (a token, an address) may exceed the width, so that it can be copied. */
function fits(line: string, columns: number): boolean {
  const word = /[!-~]*$/.exec(line)?.[0] ?? ''
  return stringWidth(line) <= columns || stringWidth(line) - word.length <= columns / 2
}

const wide = (shown: string, columns: number) => shown.split('\n').filter((line) => !fits(line, columns))

test('every table fits 80 columns, and a table that can be printed again fits 40', async () => {
  const day = await beginDay()
  for (const { line, code = 0, bare, reads, silent } of day.rows) {
    for (const columns of reads ? [40, 80] : [80]) {
      const ran = await day.run(line, { stdoutIsTty: true, columns, color: true })
      expect([line, ran.code, ran.stderr]).toEqual([line, code, ran.stderr])
      if (!bare) expect([line, wide(ran.stdout, columns)]).toEqual([line, []])
      if (silent) expect(ran.stderr).not.toBe('')
    }
  }
  const { 'sandbox start': sandbox, 'webhooks listen': listen } = await day.end()
  expect(sandbox?.stdout).toContain('The sandbox answers at')
  expect(wide(String(sandbox?.stdout), 80)).toEqual([])
  // A table that is redrawn must know its number of lines.
  const drawn = String(listen?.stdout).split('\n')
  expect(drawn.length).toBeGreaterThan(4)
  expect(drawn.filter((line) => stringWidth(line) > 40)).toEqual([])
})

const LONG = `A${'very '.repeat(40)}long name`
const NAMES = [LONG, 'x'.repeat(200), '漢字の名前'.repeat(40), '👩‍👩‍👧‍👦🇨🇱'.repeat(50), `<script>${'é'.repeat(200)}`]

test('tables fit 40 and 80 columns with names of any length and script', async () => {
  using m = machine()
  const account = { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E' }
  for (const name of NAMES) {
    const installments = [{ state: name, period: 1, expirationDate: name }]
    const loan = {
      ...LOAN,
      externalTrxId: name,
      state: name,
      loanAmount: 9_000_000_000_000,
      transferDate: name,
      installments,
    }
    const record = { leadId: name, idPreAprobacion: name, nombres: name, comuna: { name, list: [name] } }
    const destination = {
      id: name,
      url: `https://shop.example/${name}`,
      verificationScheme: name,
      eventTypes: [name],
    }
    const answers: [line: string, data: unknown][] = [
      ['verify T1', loan],
      ['verify T1 T2', loan],
      ['leads list', [record, record]],
      ['leads get L1', record],
      ['evaluations get --lead-id L1', record],
      ['webhooks list', [destination]],
      ['webhooks add https://shop.example/hook', destination],
      ['smoke', [destination]],
      ['history list', {}],
    ]
    for (const [line, data] of answers) {
      const transport = async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) })
      for (const columns of [40, 80]) {
        const ran = await m.run(line, { env: account, transport, stdoutIsTty: true, columns, color: true })
        expect(ran.code).not.toBe(1)
        expect([line, columns, wide(ran.stdout, columns)]).toEqual([line, columns, []])
      }
    }
  }
})

test('columns beside a folder name in any script are aligned [row 116]', async () => {
  using m = machine()
  const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E' }
  mkdirSync(join(m.dir, '漢字の名前'))
  const pdf = '%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n'
  const link = JSON.stringify({ data: { url: 'https://storage.example.com/r/1.pdf' } })
  const transport: World['transport'] = async ({ url }) => {
    const body = Buffer.from(url.startsWith(env.BNPL_BASE_URL) ? link : pdf)
    return { status: url.includes('P2') ? 404 : 200, headers: { 'content-length': String(body.length) }, body }
  }
  const line = 'informe download P1 P2 --dir 漢字の名前'
  const ran = await m.run(line, { env, transport, stdoutIsTty: true })
  const lines = ran.stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  const [saved = 0, failed] = lines.map((each) => stringWidth(each.replace(/saved|failed/, '')))
  expect(failed).toBe(saved)
})

test('a table that cuts texts says how to print the whole texts; a wider terminal, a pipe and --quiet need no note', async () => {
  using m = machine()
  const trx = 'order-2026-11-23-0123456789-abcdefghijklmnop'
  await m.run(['evaluate', '-p', 'sandbox', '--rut', '11222333-9', '--amount', '90000', '--trx', trx])
  const shown = (line: string, columns: number, stdoutIsTty = true) => m.run(line, { stdoutIsTty, columns })
  const NOTE = /are cut; --json prints the whole/
  for (const line of ['sandbox requests', 'verify -p sandbox T1 T2-with-a-very-long-transaction-id-of-60-characters']) {
    expect([line, (await shown(line, 60)).stderr]).toEqual([line, expect.stringMatching(NOTE)])
    for (const ran of [await shown(line, 200), await shown(line, 60, false), await shown(`${line} -q`, 60)])
      expect([line, ran.stderr]).toEqual([line, expect.not.stringMatching(NOTE)])
  }
})

test('events whose ids are shortened can be named by their number, and the note says so', async () => {
  const day = await beginDay()
  const eventId = '3f1c2a9e-5b7d-4e8f-9a0b-1c2d3e4f5a6b'
  expect((await day.run(`webhooks trigger loan_approved --to ${day.receiver} --event-id ${eventId}`)).code).toBe(0)
  const narrow = await day.run('webhooks events list', { stdoutIsTty: true, columns: 80 })
  expect(narrow.stderr).toContain("bnpl webhooks events show '#N'")
  const number = /^ *(\d+) .* 3f1c2a…/m.exec(narrow.stdout)?.[1]
  expect((await day.run(`webhooks events show #${number}`)).stdout).toContain(eventId)
  // The names of the fields are those that were sent, in every language.
  const inSpanish = await day.run(`webhooks events show #${number}`, { env: { BNPL_LANG: 'es' } })
  expect(inSpanish.stdout).toMatch(/^Estado {2,}/m)
  expect(inSpanish.stdout).toMatch(/^state {2,}ACTIVE$/m)
  expect((await day.run('webhooks events list', { stdoutIsTty: true, columns: 140 })).stderr).not.toContain('shortened')
  await day.end()
})
