import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram, loadAll } from '../../src/cli.ts'
import type { World } from '../../src/context.ts'
import { EXIT_CODES } from '../../src/errors.ts'
import { beginDay, type Day, env } from '../kit/day.ts'
import { fakeClock, machine } from '../kit/harness.ts'

/** What a machine reads is the same in every language, and what a person reads is in the language of the person. */

const es = { ...env, BNPL_LANG: 'es' }

/** Matches words that are only in an English sentence. */
const ENGLISH =
  /(?<![\w-])(the|is not|was|were|has|have|with|from|its?|which|cannot|does|are|this|these|because)(?![\w-])/

/** Matches English words that are quoted in a Spanish sentence. */
const QUOTED = /this transaction"/

async function commandNames(): Promise<string[]> {
  const program = createProgram({ version: '0' } as World, () => {})
  await loadAll(program, { version: '0' } as World)
  const under = (command: typeof program, words: string): string[] => [
    words,
    ...command.commands.flatMap((each) => under(each, `${words} ${each.name()}`.trim())),
  ]
  return under(program, '')
}

let day: Day
beforeAll(async () => {
  day = await beginDay()
})
afterAll(() => day.end())

/** Returns JSON without what differs from run to run: ids, times and numbers. */
const without = (text: string) =>
  text
    .replace(/"(\\.|[^"\\])*"/g, (word) => (/\d|[/\\]/.test(word) ? '"#"' : word))
    .replace(/(?<=[ :,[])-?[\d.]+/g, '0')

describe('for a machine', () => {
  test('each command that reads prints the same JSON, NDJSON and CSV in both languages, with the same exit code', async () => {
    for (const { line, reads, json } of day.rows) {
      if (!reads || json === undefined) continue
      for (const form of ['--json', '-o ndjson', '-o csv']) {
        const [words, ...program] = line.split(' -- ')
        const whole = [`${words} ${form}`, ...program].join(' -- ')
        const english = await day.run(whole, { clock: fakeClock(Date.now()) })
        const again = await day.run(whole, { clock: fakeClock(Date.now()) })
        const spanish = await day.run(whole, { env: es, clock: fakeClock(Date.now()) })
        expect([whole, spanish.code]).toEqual([whole, english.code])
        // The names of people in a sample event are random.
        if (form === '--json' && without(again.stdout) === without(english.stdout))
          expect([whole, without(spanish.stdout)]).toEqual([whole, without(english.stdout)])
        if (form === '-o csv')
          expect([whole, spanish.stdout.split('\n')[0]]).toEqual([whole, english.stdout.split('\n')[0]])
      }
    }
  })

  test('each error has the same JSON and the same exit code in both languages, for every command of the tree', async () => {
    for (const name of await commandNames())
      for (const rest of ['--banana 1 --json', 'a b c d e f g --json', '-p nowhere --json']) {
        const words = `${name} ${rest}`.trim()
        if (/^(sandbox (start|run)|webhooks listen|proxy|__complete|completion)/.test(name)) continue
        const english = await machineRun(words)
        const spanish = await machineRun(words, { BNPL_LANG: 'es' })
        expect([words, spanish.code, last(spanish.stderr), without(spanish.stdout)]).toEqual([
          words,
          english.code,
          last(english.stderr),
          without(english.stdout),
        ])
      }
  })

  test('the exit codes of all kinds of errors have the same names in `bnpl explain`', async () => {
    for (const [kind, code] of Object.entries(EXIT_CODES)) {
      const [english, spanish] = [
        await day.run(`explain ${code} --json`),
        await day.run(`explain ${kind} --json`, { env: es }),
      ]
      expect(spanish.json()).toEqual(english.json())
    }
  })
})

describe('for a person', () => {
  test('the help of every command is in Spanish', async () => {
    const english: string[] = []
    for (const name of await commandNames()) {
      const { stdout } = await machineRun(`${name} --help`.trim(), { BNPL_LANG: 'es' })
      english.push(
        ...stdout
          .split('\n')
          .filter((line) => ENGLISH.test(line))
          .map((line) => `${name}: ${line}`),
      )
    }
    for (const topic of ['environment', 'exit-codes', 'settings'])
      english.push(
        ...(await machineRun(`help ${topic}`, { BNPL_LANG: 'es' })).stdout
          .split('\n')
          .filter((line) => ENGLISH.test(line)),
      )
    expect(english).toEqual([])
  })

  test('the results, notes and errors of every command are in Spanish', async () => {
    const english: string[] = []
    for (const { line, reads, bare } of day.rows) {
      if (!reads || bare) continue
      const { stdout, stderr } = await day.run(line, { env: es, clock: fakeClock(Date.now()) })
      english.push(
        ...`${stdout}${stderr}`
          .split('\n')
          .filter((each) => ENGLISH.test(each) && !QUOTED.test(each))
          .map((each) => `${line}: ${each}`),
      )
    }
    expect(english).toEqual([])
  })

  test('no help text is wider than 80 columns', async () => {
    for (const name of await commandNames()) {
      const { stdout } = await machineRun(`${name} --help`, { BNPL_LANG: 'es' })
      expect([name, stdout.split('\n').filter((line) => line.length > 80)]).toEqual([name, []])
    }
  })

  test('help lists commands and options by the same names', async () => {
    for (const name of await commandNames()) {
      const terms = ({ stdout }: Awaited<ReturnType<typeof machineRun>>) =>
        [...stdout.matchAll(/^ {2}(-[\w-]+|[a-z][\w|-]+)/gm)].map(([, term]) => term)
      const [english, spanish] = [
        await machineRun(`${name} --help`),
        await machineRun(`${name} --help`, { BNPL_LANG: 'es' }),
      ]
      expect([name, terms(spanish)]).toEqual([name, terms(english)])
    }
  })

  test('names and values are shown as they are, also those that are an English word', async () => {
    await day.run('entities add -p sandbox --external-id refused --name accepted --label deleted')
    for (const [line, column] of [
      ['sandbox fault kinds', 0],
      ['entities list -p sandbox', 0],
      ['entities list -p sandbox', 1],
      ['entities list -p sandbox', 2],
      ['profiles show', 1],
    ] as const) {
      const english = await day.run(line)
      const spanish = await day.run(line, { env: es })
      const cells = ({ stdout }: typeof english) => stdout.split('\n').map((row) => row.split(/ {2,}/)[column])
      expect([line, cells(spanish).slice(1)]).toEqual([line, cells(english).slice(1)])
    }
  })

  test.each([
    [['verify', '--from', 'empty.csv', '-p', 'sandbox'], 'empty.csv no tiene filas'],
    [['verify', '--from', '', '-p', 'sandbox'], '--from está vacío, pero debe nombrar un archivo'],
    [['contract', 'check', ''], 'FILE está vacío, pero debe nombrar un archivo'],
    [['informe', 'download', 'P', '--dir', ''], '--dir está vacío, pero debe nombrar una carpeta'],
    [['contract', 'gaps', '--service', 'lost'], 'y no se puede leer como archivo: no existe'],
    [['webhooks', 'events', 'show', ''], 'EVENTID no es válido: está vacío'],
    [['contract', 'gaps', '--service', 'banca.me'], '(una página, leído 2026-11-28)'],
    [['contract', 'gaps', '--service', 'banca.me'], '(varias páginas, leído 2026-11-28)'],
    [['contract', 'gaps', '--service', 'banca.me'], '(un ejemplo, leído 2026-11-28)'],
    [['contract', 'gaps', '--service', 'banca.me'], '(inferido, leído 2026-11-28)'],
  ])('what is filled into a Spanish sentence is Spanish too: %j', async (words, expected) => {
    using m = machine()
    writeFileSync(join(m.dir, 'empty.csv'), '')
    const { stdout, stderr } = await m.run(words, { env: { BNPL_LANG: 'es' } })
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(expected)
  })

  test('every known code is explained in Spanish', async () => {
    const { stdout } = await day.run('explain', { env: es })
    expect(stdout.split('\n').filter((line) => ENGLISH.test(line))).toEqual([])
  })
})

async function machineRun(line: string, given: Record<string, string> = {}) {
  using m = machine()
  return m.run(line, { env: given })
}

/** Returns the error in stderr that is for a program. */
const last = (text: string) =>
  text
    .replace(/bnpl-test-\w+/g, '')
    .split('\n')
    .filter((line) => line.startsWith('{'))
