import { globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../src/language/language.ts'
import { launch, temporaryFolder } from '../kit/built-program.ts'
import { machineOfTest } from '../kit/command-context.ts'
import { ROOT } from '../kit/source-graph.ts'

/** The language of the texts is that of BNPL_LANG, otherwise that of the setting `language`, otherwise that of the locale. */

const account = { environment: 'beta', baseUrl: 'https://api.example.com', apiKey: 'sk-0987654321' }

interface Row {
  env: Record<string, string>
  /** The setting `language` of the default profile, if it has one. */
  setting?: string
  language: 'en' | 'es'
}

const ROWS: Row[] = [
  { env: {}, language: 'en' },
  { env: { LANG: 'C' }, language: 'en' },
  { env: { LANG: 'C.UTF-8' }, language: 'en' },
  { env: { LANG: 'POSIX' }, language: 'en' },
  { env: { LANG: 'en_US' }, language: 'en' },
  { env: { LANG: 'fr_FR.UTF-8' }, language: 'en' },
  { env: { LANG: 'est' }, language: 'en' },
  { env: { LANG: 'español' }, language: 'en' },
  { env: { LANG: 'es' }, language: 'es' },
  { env: { LANG: 'es_CL.UTF-8' }, language: 'es' },
  { env: { LANG: 'es-CL' }, language: 'es' },
  { env: { LANG: 'ES_cl@euro' }, language: 'es' },
  { env: { LC_MESSAGES: 'es_CL.UTF-8', LANG: 'en_US.UTF-8' }, language: 'es' },
  { env: { LC_MESSAGES: 'C', LANG: 'es_CL.UTF-8' }, language: 'en' },
  { env: { LC_ALL: 'es_CL.UTF-8', LC_MESSAGES: 'en_US', LANG: 'en_US' }, language: 'es' },
  { env: { LC_ALL: 'C', LC_MESSAGES: 'es_CL', LANG: 'es_CL' }, language: 'en' },
  { env: { LC_ALL: '', LC_MESSAGES: '', LANG: 'es_CL.UTF-8' }, language: 'es' },
  { env: { LC_CTYPE: 'es_CL.UTF-8', LANG: 'en_US' }, language: 'en' },
  { env: { LANG: 'en_US.UTF-8' }, setting: 'es', language: 'es' },
  { env: { LC_ALL: 'es_CL.UTF-8' }, setting: 'en', language: 'en' },
  { env: { BNPL_LANG: 'en' }, setting: 'es', language: 'en' },
  { env: { BNPL_LANG: 'es', LC_ALL: 'en_US.UTF-8' }, setting: 'en', language: 'es' },
  { env: { BNPL_LANG: 'es_CL.UTF-8' }, language: 'es' },
  { env: { BNPL_LANG: 'ES' }, language: 'es' },
  { env: { BNPL_LANG: 'C', LANG: 'es_CL' }, setting: 'es', language: 'en' },
  { env: { BNPL_LANG: '', LANG: 'es_CL' }, language: 'es' },
  { env: { BNPL_LANG: '', LANG: 'en_US' }, setting: 'es', language: 'es' },
]

const USAGE = { en: 'Usage: bnpl', es: 'Uso: bnpl' } as const

test.each(ROWS)('$env with the setting $setting is $language, in the program and in the launcher', async (row) => {
  const m = machineOfTest({ acme: { ...account, ...(row.setting && { language: row.setting }) } })
  for (const line of ['--help', 'help verify', 'profiles --help']) {
    const { stdout, stderr } = await m.run(line, { env: row.env })
    expect([line, stdout.split(' ').slice(0, 2).join(' '), stderr]).toEqual([line, USAGE[row.language], ''])
  }
  const env = { ...row.env, BNPL_CONFIG_DIR: m.configDir }
  const { stdout } = await launch({ args: ['verify', '--help'], env })
  expect(stdout.split(' ').slice(0, 2).join(' ')).toBe(USAGE[row.language])
})

test('a setting of the profile that the command line names is used, and not that of another profile', async () => {
  const m = machineOfTest({ acme: account, shop: { ...account, language: 'es' } })
  for (const [line, language] of [
    ['verify --help', 'en'],
    ['-p shop verify --help', 'es'],
    ['verify -p shop --help', 'es'],
    ['verify --profile=shop --help', 'es'],
    ['verify -pshop --help', 'es'],
  ] as const)
    expect([line, (await m.run(line)).stdout]).toEqual([line, expect.stringContaining(USAGE[language])])
  const { stdout } = await m.run('verify --help', { env: { BNPL_PROFILE: 'shop' } })
  expect(stdout).toContain(USAGE.es)
})

test.each([
  [
    'fr',
    'LANG',
    'es_CL',
    /^! BNPL_LANG es «fr», que no es un idioma de bnpl, así que se ignoró\. Usa uno de estos: en, es\.$/m,
  ],
  ['español', 'LANG', 'en_US', /^! BNPL_LANG is “español”, which is not a language of bnpl, so it was ignored\./m],
  ['spanish', 'LANG', '', /^! BNPL_LANG is “spanish”/m],
])('BNPL_LANG=%s with %s=%s is reported, and otherwise ignored', async (wrong, name, locale, said) => {
  const m = machineOfTest({})
  const env = { BNPL_LANG: wrong, [name]: locale }
  for (const line of ['explain refused', 'verify --help', '--help']) {
    const { code, stderr } = await m.run(line, { env })
    expect([line, code, stderr]).toEqual([line, 0, expect.stringMatching(said)])
  }
  expect((await m.run('explain refused -q', { env })).stderr).toBe('')
  expect(await m.run('__complete bash -- verif', { env })).toMatchObject({ code: 0, stderr: '' })
  expect(await launch({ args: ['--help'], env })).toMatchObject({ code: 0, stderr: expect.stringMatching(said) })
})

test('with --log json, the report about BNPL_LANG is JSON too', async () => {
  const m = machineOfTest({})
  const stop = new AbortController()
  stop.abort(new Error('stopped'))
  const { stderr } = await m.run('sandbox start --port 0 --log json', {
    env: { BNPL_LANG: 'fr' },
    signal: stop.signal,
  })
  const [first = ''] = stderr.split('\n')
  expect(JSON.parse(first)).toMatchObject({ level: 'warning', message: expect.stringContaining('BNPL_LANG') })
})

test('the setting language accepts the languages of the list, and the launcher knows this list', async () => {
  const m = machineOfTest({ acme: account })
  for (const language of LANGUAGES)
    expect([language, (await m.run(`profiles set language ${language} -p acme`)).code]).toEqual([language, 0])
  const { code, stderr } = await m.run('profiles set language fr -p acme', { env: { BNPL_LANG: 'en' } })
  expect([code, stderr]).toEqual([2, expect.stringContaining('en, es')])
  const shipped = globSync('*.txt', { cwd: join(ROOT, 'dist', 'texts') }).map((name) => basename(name, '.txt'))
  expect(['en', ...shipped]).toEqual(LANGUAGES)
})

test('in Spanish, only a command that prints a text reads the texts', async () => {
  using folder = temporaryFolder()
  const hook = join(folder.path, 'hook.cjs')
  writeFileSync(
    hook,
    `const fs = require('node:fs')
     let times = 0
     for (const name of ['openSync', 'readFileSync']) {
       const before = fs[name]
       fs[name] = (path, ...rest) => {
         if (/[/\\\\]texts[/\\\\]/.test(path)) times++
         return before(path, ...rest)
       }
     }
     process.on('exit', () => fs.writeSync(2, 'read: ' + times))`,
  )
  const readBy = async (...args: string[]) => {
    const { code, stdout, stderr } = await launch({ args, node: ['--require', hook], env: { BNPL_LANG: 'es' } })
    expect([args, code]).toEqual([args, 0])
    return { stdout, times: Number(/read: (\d+)$/.exec(stderr)?.[1]) }
  }
  for (const line of ['history --json -q', 'profiles list --json -q', 'explain 6 --json', 'completion bash'])
    expect([line, (await readBy(...line.split(' '))).times]).toEqual([line, 0])
  const { stdout, times } = await readBy('explain', '6')
  expect(stdout).toContain('Qué es')
  expect(times).toBeGreaterThan(0)
})
