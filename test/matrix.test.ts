import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'
import stringWidth from 'string-width'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run as runCli } from '../src/cli.ts'
import { ClosedPipe, Interrupted } from '../src/errors.ts'
import { outputFailed } from '../src/terminal/output.ts'
import { type CommandRow, commandNames, everyCommand, FILES, isOf, type Made, SERVERS, SETUP } from './every-command.ts'
import { type Machine, machine, type Ran, type RunOptions } from './harness.ts'
import { until } from './receiver/listener.ts'

/** Every command, in every way that a script or a person may run it. What a real terminal adds is in `terminal-matrix.test.ts`. */

const env = { BNPL_WEBHOOK_SECRET: 'whsec-1234567890' }
const open = async () => true

/** A machine with a served sandbox and a receiver, both in this process, on which a day began. */
interface Day {
  m: Machine
  rows: CommandRow[]
  run(line: string, options?: RunOptions): Promise<Ran>
  /** Ends the servers. @returns how they ran */
  end(): Promise<Record<string, Ran>>
}

async function beginDay(form = ''): Promise<Day> {
  const m = machine()
  const run: Day['run'] = (line, options) => m.run(line, { env, open, ...options })
  const stop = new AbortController()
  const started: [name: string, ran: Promise<Ran>][] = []
  const serve = async (name: string, options: string) => {
    const file = join(m.dir, `${name.replace(' ', '-')}.json`)
    const ran = run(`${name} --port 0 --ready-file ${file} ${options}`, {
      signal: stop.signal,
      stdoutIsTty: form === '' && name === 'sandbox start',
    })
    started.push([name, ran])
    const ended = ran.then(({ stderr }) => Promise.reject(new Error(`${name} ended: ${stderr}`)))
    await Promise.race([ended, until(() => existsSync(file))])
    return JSON.parse(readFileSync(file, 'utf8'))
  }
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(m.dir, name), content)
  await serve('sandbox start', `--allow-http ${form}`)
  const { url: receiver } = await serve('webhooks listen', '')
  for (const line of [...SETUP, `webhooks trigger loan_approved --to ${receiver} --event-id E1`]) {
    const { code, stderr } = await run(line)
    expect([line, code, stderr]).toEqual([line, 0, stderr])
  }
  const lead: Made['lead'] = (await run('sandbox lead --now --rut 11111111-1 --json')).json()
  return {
    m,
    run,
    rows: everyCommand({ lead, receiver }),
    async end() {
      stop.abort(new Interrupted())
      const ends = await Promise.all(started.map(async ([name, ran]) => [name, await ran] as const))
      m[Symbol.dispose]()
      return Object.fromEntries(ends)
    },
  }
}

/** The error that `--json` puts on the last line of stderr, with the fields that scripts depend on. */
function errorOf(line: string, { code, stdout, stderr }: Ran) {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  expect([line, last]).toEqual([line, expect.stringMatching(/^\{"error":\{.*\}\}$/)])
  // Of checks that failed the result says which.
  if (code !== 10) expect([line, stdout]).toEqual([line, ''])
  const { error } = JSON.parse(last)
  expect([line, Object.keys(error).slice(0, 5)]).toEqual([line, ['kind', 'code', 'status', 'message', 'hint']])
  return error
}

describe('for a program', () => {
  let day: Day
  let names: { leaves: string[]; all: string[] }
  beforeAll(async () => {
    day = await beginDay('--json')
    names = await commandNames(day.m.world().world)
  })
  afterAll(() => day?.end())

  test('every command there is has a line here', () => {
    const lines = [...day.rows.map(({ line }) => line), ...SERVERS]
    expect(names.leaves.filter((name) => !lines.some(isOf(name)))).toEqual([])
  })

  test('rows 80 and 81: a result that cannot be written is 13, and one that nobody takes 141 without a word of an error', async () => {
    const ENDS = [
      [13, outputFailed({ code: 'ENOSPC' }), expect.stringContaining('error: the result could not be written')],
      [141, new ClosedPipe(), expect.not.stringMatching(/error|EPIPE/)],
    ] as const
    for (const { line } of day.rows.filter(({ reads }) => reads)) {
      for (const [ends, failure, said] of ENDS) {
        const { world, stderr } = day.m.world({ env })
        world.io.out = () => Promise.reject(failure)
        const code = await runCli(line.split(' '), world)
        expect([line, code, stderr()]).toEqual([line, ends, said])
      }
    }
  })

  test('what can be read twice is a document a line as NDJSON, as CSV rows of one width, and in silence with -q', async () => {
    for (const { line, json, code = 0 } of day.rows.filter(({ reads }) => reads)) {
      if (json === undefined || line.startsWith('api ')) continue
      const lines = await day.run(`${line} -o ndjson -q`)
      expect([line, lines.code, lines.stderr]).toEqual([line, code, code === 0 ? '' : lines.stderr])
      for (const each of lines.stdout.split('\n').filter(Boolean)) expect(() => JSON.parse(each), line).not.toThrow()
      const csv = await day.run(`${line} -o csv`)
      expect([
        line,
        csv.code,
        Papa.parse(csv.stdout, { header: true, delimiter: ',', skipEmptyLines: true }).errors,
      ]).toEqual([line, code, []])
    }
  })

  test('with --json, and nobody to ask, every result is one document of its shape and nothing else', async () => {
    for (const { line, json, code = 0 } of day.rows) {
      const ran = await day.run(json === undefined ? line : `${line} --json`)
      expect([line, ran.code, ran.stderr]).toEqual([line, code, ran.stderr])
      expect(ran.stdout + ran.stderr).not.toContain('\u001b')
      if (json !== undefined) expect([line, ran.json()]).toEqual([line, json])
    }
  })

  test('with --json, what cannot be done leaves stdout empty and says why in the last line of stderr', async () => {
    for (const name of names.leaves) {
      const ran = await day.run(`${name} --no-such-option --json`)
      expect([name, ran.code, errorOf(name, ran).kind]).toEqual([name, 2, 'usage'])
    }
    for (const { line } of day.rows) {
      const ran = await day.run(`${line.replace(/-p [\w:-]+/, '')} -p nobody --json`)
      if (ran.code === 0) continue
      const { kind } = errorOf(line, ran)
      expect([line, ran.code, kind]).not.toEqual([line, 1, 'bug'])
    }
  })

  test('every help text is whole, plain, and no wider than 80 columns', async () => {
    for (const name of names.all) {
      const { code, stdout, stderr } = await day.run(`${name} --help`, { color: true, stdoutIsTty: true, columns: 30 })
      expect([name, code, stderr]).toEqual([name, 0, ''])
      expect([name, stdout.split('\n').filter((line) => stringWidth(line) > 80)]).toEqual([name, []])
      expect(stdout).toMatch(/^Usage: bnpl /)
      expect(stdout).not.toContain('\u001b')
    }
  })

  test('what goes on until it is stopped begins with one line, and has a line for each event', async () => {
    const { 'sandbox start': sandbox, 'webhooks listen': listen } = await day.end()
    expect([sandbox?.code, listen?.code]).toEqual([130, 130])
    expect(sandbox?.json()).toMatchObject({
      baseUrl: expect.any(String),
      paymentUrl: expect.any(String),
      dashboardUrl: expect.any(String),
      partners: expect.arrayContaining([
        {
          name: expect.any(String),
          product: 'bnpl',
          evaluationModule: expect.any(Boolean),
          active: true,
          apiKey: expect.any(String),
          publicKey: expect.any(String),
          entityId: expect.any(String),
        },
      ]),
    })
    expect(sandbox?.stdout.trimEnd()).not.toContain('\n')
    const events = String(listen?.stdout).trimEnd().split('\n')
    expect(JSON.parse(String(events[0]))).toMatchObject({ eventId: 'E1', event: 'loan_approved', data: {} })
    for (const event of events) expect(() => JSON.parse(event)).not.toThrow()
  })
})

/** Whether a line fits: a last word that is wider than what is left (a token, an address) is left whole, to be copied. */
function fits(line: string, columns: number): boolean {
  const word = /[!-~]*$/.exec(line)?.[0] ?? ''
  return stringWidth(line) <= columns || stringWidth(line) - word.length <= columns / 2
}

const wide = (shown: string, columns: number) => shown.split('\n').filter((line) => !fits(line, columns))

describe('for a person', () => {
  test('every table keeps to 80 columns, and one that can be asked for again to 40', async () => {
    const day = await beginDay()
    for (const { line, code = 0, bare, reads, silent } of day.rows) {
      for (const columns of reads ? [40, 80] : [80]) {
        const ran = await day.run(line, { stdoutIsTty: true, columns, color: true })
        expect([line, ran.code, ran.stderr]).toEqual([line, code, ran.stderr])
        if (!bare) expect([line, wide(ran.stdout, columns)]).toEqual([line, []])
        if (silent) expect(ran.stderr).not.toBe('')
      }
    }
    const { 'sandbox start': sandbox } = await day.end()
    expect(sandbox?.stdout).toContain('The sandbox answers at')
    expect(wide(String(sandbox?.stdout), 80)).toEqual([])
  })

  const LONG = `A${'very '.repeat(40)}long name`
  const NAMES = [LONG, 'x'.repeat(200), '漢字の名前'.repeat(40), '👩‍👩‍👧‍👦🇨🇱'.repeat(50), `<script>${'é'.repeat(200)}`]

  test('names of any length and script keep to the width too', async () => {
    using m = machine()
    const account = { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E' }
    for (const name of NAMES) {
      const installments = [{ state: name, period: 1, expirationDate: name }]
      const loan = {
        externalTrxId: name,
        state: name,
        loanAmount: 9_000_000_000_000,
        interestRate: 0.1,
        periods: 1,
        installmentAmount: 1,
        lastInstallmentAmount: 1,
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
})
