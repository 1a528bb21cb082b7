import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CommandShape, preparedLines } from '../../src/commands/completion/candidates.ts'
import { EVENTS } from '../../src/contract/events.ts'
import { INTEGRATIONS } from '../../src/contract/integrations.ts'
import { LAUNCHER, launch, temporaryFolder } from '../kit/built-program.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { WAIT_MS } from '../kit/limits.ts'
import { needsProgram } from '../kit/needs.ts'
import { ROOT } from '../kit/source-graph.ts'

const lines = (text: string) => text.split('\n').filter(Boolean)
const values = (text: string) => lines(text).map((line) => line.split('\t')[0])

async function complete(m: Machine, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await m.run(['__complete', 'zsh', '--', ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return values(stdout) as string[]
}

describe('what is offered', () => {
  test.each([
    [['contr'], ['contract']],
    [
      ['contract', ''],
      ['gaps', 'openapi', 'check', 'learn', 'export'],
    ],
    [['-p', 'sandbox', 'contract', 'o'], ['openapi']],
    [['verify', '--expect-s'], ['--expect-state']],
    [['verify', '--dry'], ['--dry-run']],
    [['verify', '-o', 'c'], ['csv']],
    [['verify', '--output=nd'], ['--output=ndjson']],
    [['verify', '--from', ''], [':files']],
    [['informe', 'download', '--dir', ''], [':dirs']],
    [['completion', 'f'], ['fish']],
    [['explain', 'ERR_UNABLE'], ['ERR_UNABLE_TO_RENDER_INFORME']],
    [
      ['sandbox', 'lead', '--outcome', ''],
      ['approved', 'rejected'],
    ],
    [
      ['sandbox', 'fault', 'add', 'page', '--kind', 'return-'],
      ['return-twice', 'return-of-another', 'return-undefined'],
    ],
    [['api', 'D'], ['DELETE']],
    [
      ['api', 'GET', '/partner/l'],
      ['/partner/leads', '/partner/leads/{leadId}'],
    ],
    [['help', 'contr'], ['contract']],
    [
      ['help', 'e'],
      ['evaluate', 'entities', 'evaluations', 'explain', 'environment', 'exit-codes'],
    ],
    [
      ['-q', 'help', 'se'],
      ['select', 'settings'],
    ],
    [['help', 'webhooks', 'se'], []],
    [['webhooks', 'help', 'se'], []],
    [['se'], ['select']],
    [['sandbox', 'snapshot', 'load', './sn'], [':files']],
    [['verify', '--he'], ['--help']],
    [['no-such-command', ''], []],
    [['verify', '--no-such=x'], []],
    [['evaluate', '--amount', ''], []],
    [['evaluate', '--tr'], ['--trx']],
    [['evaluate', '--ext'], ['--external-trx-id']],
    [['webhooks', 'trigger', ''], Object.keys(EVENTS)],
    [['webhooks', 'subscribe', '--event', ''], INTEGRATIONS['real-estate'].events],
    [
      ['webhooks', 'listen', '--scheme', ''],
      ['hmac', 'token'],
    ],
    [['webhooks', 'test', '--scheme=t'], ['--scheme=token']],
    [['webhooks', 'vectors', '--scheme', 'h'], ['hmac']],
    [['webhooks', 'verify-signature', '--hmac-encoding', 'b'], ['base64']],
    [
      ['webhooks', 'trigger', '--hmac-algorithm', 'sha2'],
      ['sha256', 'sha224'],
    ],
    [['webhooks', 'events', 'list', '--state', 'set'], ['set-aside']],
    [
      ['profiles', 'set', 'e'],
      ['environment', 'entityId', 'errorUrl', 'entities'],
    ],
    [['profiles', 'unset', 'cur'], ['currency']],
    [
      ['sandbox', 'fault', 'add', 'd'],
      ['deleteWebhook', 'download', 'delivery'],
    ],
    [['sandbox', 'torture', '--only', 'w'], ['webhooks']],
    [
      ['verify', '--expect-state', ''],
      ['ACTIVE', 'PAID', 'CANCELLED'],
    ],
    [['verify', '--expect-state=C'], ['--expect-state=CANCELLED']],
    [['verify', '-p', 'sandbox', '--expect-state', 'P'], ['PAID']],
    [
      ['sandbox', 'start', '--service', ''],
      ['specification', 'banca.me', ':files'],
    ],
    [
      ['contract', 'gaps', '--service', 'b'],
      ['banca.me', ':files'],
    ],
    [['profiles', 'add', 'acme', '--service', './'], [':files']],
  ])('after %j: %j', async (words, offered) => {
    using m = machine()
    expect(await complete(m, ...words)).toEqual(offered)
  })

  test.each(['en', 'es'])(
    'the launcher offers the same words as the program after every command, without loading the program, in %s',
    async (language) => {
      using m = machine()
      const env = { BNPL_LANG: language }
      const catalogue = language === 'en' ? undefined : readFileSync(join(ROOT, `dist/texts/${language}.txt`), 'latin1')
      const tree: CommandShape = JSON.parse(readFileSync(join(ROOT, 'dist', 'completions.json'), 'utf8'))
      const under = ({ commands }: CommandShape, words: string[]): string[][] => [
        words,
        ...commands.flatMap((each) => under(each, [...words, each.name])),
      ]
      const every = under(tree, [])
      expect(every.length).toBeGreaterThan(60)
      for (const words of every)
        for (const [shell, ...typed] of [
          ['zsh', ...words, ''],
          ['bash', ...words, '--'],
          ['bash', '-p', 'sandbox', ...words, '--output', '=', 'c'],
        ] as [string, ...string[]][]) {
          const lines = preparedLines(tree, shell, typed, catalogue)
          const { code, stdout, stderr } = await m.run(['__complete', shell, '--', ...typed], { env })
          expect({ typed, code, stdout, stderr }).toEqual({ typed, code: 0, stdout: lines ?? stdout, stderr: '' })
        }
      // These words cannot be prepared, because only the program knows the profiles and the transactions.
      expect(preparedLines(tree, 'bash', ['-p', ''])).toBeUndefined()
      expect(preparedLines(tree, 'bash', ['verify', 'T'])).toBeUndefined()
    },
  )

  test('the launcher prints each completion script, and loads the program only for the names of profiles', async () => {
    using m = machine()
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { stdout } = await m.run(['completion', shell])
      expect(await launch({ args: ['completion', shell] })).toEqual({ code: 0, stdout, stderr: '' })
    }
    expect(await launch({ args: ['completion', 'tcsh'] })).toMatchObject({ code: 2, stdout: '' })
    // Node writes its compiled code there when the program is loaded.
    using cache = temporaryFolder()
    const offered = (...words: string[]) =>
      launch({ args: ['__complete', 'bash', '--', ...words], env: { XDG_CACHE_HOME: cache.path } })
    expect(await offered('verify', '--expect-s')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^--expect-state\t.*\n$/),
    })
    expect(readdirSync(cache.path)).toEqual([])
    const inSpanish = { XDG_CACHE_HOME: cache.path, BNPL_LANG: 'es' }
    const described = await launch({ args: ['__complete', 'fish', '--', 'verify', '--expect-s'], env: inSpanish })
    expect(described).toMatchObject({ code: 0, stdout: expect.stringMatching(/^--expect-state\ttermina .*\n$/) })
    expect(readdirSync(cache.path)).toEqual([])
    expect(await offered('profiles', 'use', 'sand')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sandbox\t/),
    })
    expect(readdirSync(cache.path)).toEqual(['bnpl'])
  })

  test('every description is in the language of the user, also those of values, and no value is translated', async () => {
    using m = machine()
    const english: string[] = []
    for (const words of [
      ['-p', ''],
      ['explain', ''],
      ['sandbox', 'fault', 'add', ''],
      ['-p', 'sandbox', 'verify', '--expect-state', ''],
      ['evaluate', '--'],
      ['webhooks', 'listen', '--'],
      [''],
    ]) {
      const [plain, translated] = [{}, { BNPL_LANG: 'es' }].map((env) =>
        m.run(['__complete', 'fish', '--', ...words], { env }),
      )
      const [one = [], other = []] = (await Promise.all([plain, translated])).map((each) => lines(each?.stdout ?? ''))
      expect(other.map((line) => line.split('\t')[0])).toEqual(one.map((line) => line.split('\t')[0]))
      expect(other.length).toBeGreaterThan(2)
      english.push(...one.filter((line, i) => line.includes('\t') && line === other[i]))
    }
    expect(english).toEqual([])
  })

  test('hidden commands are not offered', async () => {
    using m = machine()
    expect(await complete(m, '')).toContain('verify')
    expect(await complete(m, '__')).toEqual([])
  })

  test('profiles and transactions of this machine are offered', async () => {
    using m = machine()
    const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
    const transport = async () => ({
      status: 200,
      headers: {},
      body: Buffer.from('{"data":{"preApproveId":"P-1","installmentOptions":[]}}'),
    })
    await m.run('evaluate --rut 11222333-9 --amount 1000 --trx order-77', { env, transport })
    mkdirSync(m.configDir, { recursive: true, mode: 0o700 })
    const profile = { environment: 'beta', baseUrl: 'https://api.example.com' }
    writeFileSync(join(m.configDir, 'profiles.json'), JSON.stringify({ version: 1, profiles: { acme: profile } }), {
      mode: 0o600,
    })
    const sandboxes = ['sandbox', 'sandbox:real-estate', 'sandbox:no-module', 'sandbox:inactive']
    expect(await complete(m, '-p', '')).toEqual(['acme', ...sandboxes])
    expect(await complete(m, '-p', 'sandbox:r')).toEqual(['sandbox:real-estate'])
    expect(await complete(m, 'verify', '--profile=a')).toEqual(['--profile=acme'])
    expect(await complete(m, 'profiles', 'use', '')).toEqual(['acme', ...sandboxes])
    expect(await complete(m, 'verify', 'ord')).toEqual(['order-77'])
    expect(await complete(m, 'verify', 'other', 'ord')).toEqual(['order-77'])
    expect(await complete(m, 'select', '--trx', '')).toEqual(['order-77'])
    expect(await complete(m, 'select', '--pre-approve-id', '')).toEqual(['P-1'])
    expect(await complete(m, '-p', 'acme', 'verify', '')).toEqual([])
    // bash would insert this id without quotes, and the shell would run it.
    const hostile = Buffer.from('{"data":{"preApproveId":"$(id)","installmentOptions":[]}}')
    await m.run('evaluate --rut 11222333-9 --amount 1000 --trx order-78', {
      env,
      transport: async () => ({ status: 200, headers: {}, body: hostile }),
    })
    expect(await complete(m, 'select', '--pre-approve-id', '')).toEqual(['P-1'])
  })

  test('the states of a loan are those that the service of the profile describes, and its settings come first', async () => {
    using m = machine()
    const fields = { loanStates: { answer: 'VIGENTE,MOROSO' }, paidState: { answer: 'PAGADO' } }
    writeFileSync(join(m.dir, 'service.json'), JSON.stringify({ kind: 'bnpl service description', version: 1, fields }))
    const address = '--base-url https://api.example.com --api-key-stdin --no-check'
    const add = `profiles add acme ${address} --service service.json`
    const transport = async () => ({ status: 404, headers: {}, body: Buffer.from('') })
    expect((await m.run(add, { stdin: 'test-key-123456', transport })).code).toBe(0)
    expect((await m.run('profiles set cancelledState ANULADO -p acme')).code).toBe(0)
    const states = ['VIGENTE', 'MOROSO', 'PAGADO', 'ANULADO']
    expect(await complete(m, 'verify', '-p', 'acme', '--expect-state', '')).toEqual(states)
    expect(await complete(m, 'verify', '--expect-state', 'A', '-p', 'acme', 'T1', '--expect-state', 'M')).toEqual([
      'MOROSO',
    ])
    expect(await complete(m, '-p', 'sandbox', 'verify', '--expect-state', '')).toEqual(['ACTIVE', 'PAID', 'CANCELLED'])
    expect(existsSync(m.stateDir)).toBe(false)
  })

  test('saved snapshots are offered, the newest first', async () => {
    using m = machine()
    expect(await complete(m, 'sandbox', 'snapshot', 'load', '')).toEqual([])
    const folder = join(m.stateDir, 'snapshots')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const [name, savedAt] of Object.entries({
      'before.db': 1,
      'paid.db': 3,
      'busy.db': 2,
      '$(id).db': 4,
      note: 5,
    })) {
      writeFileSync(join(folder, name), '', { mode: 0o600 })
      utimesSync(join(folder, name), savedAt, savedAt)
    }
    expect(await complete(m, 'sandbox', 'snapshot', 'load', '')).toEqual(['paid', 'busy', 'before'])
    expect(await complete(m, 'sandbox', 'snapshot', 'load', 'b')).toEqual(['busy', 'before'])
    expect(await complete(m, 'sandbox', 'changes', '--since=p')).toEqual(['--since=paid'])
  })

  test('a state file that cannot be read causes no error while a command line is typed', async () => {
    using m = machine()
    mkdirSync(m.stateDir, { recursive: true, mode: 0o700 })
    writeFileSync(join(m.stateDir, 'state.db'), 'not a database', { mode: 0o600 })
    expect(await complete(m, 'verify', '')).toEqual([])
  })
})

/** Returns the words as the script for PowerShell passes them. */
const inBase64 = (...words: string[]) => Buffer.from(words.join('\n')).toString('base64')

test.each([
  [['contract', 'o'], ['openapi']],
  [['verify', '--output=nd'], ['--output=ndjson']],
  [['sandbox', 'snapshot', 'load', './Año & más/'], [':files']],
  [['-p', 'sandbox:r'], ['sandbox:real-estate']],
  [['evaluate', '--amount', ''], []],
])('PowerShell passes %j in base64, and is offered %j, by the launcher too', async (words, offered) => {
  using m = machine()
  const args = ['__complete', 'powershell', inBase64(...words)]
  const { code, stdout, stderr } = await m.run(args)
  expect({ code, stderr, offered: values(stdout) }).toEqual({ code: 0, stderr: '', offered })
  const env = { BNPL_CONFIG_DIR: m.configDir, BNPL_STATE_DIR: m.stateDir }
  expect(await launch({ args, env })).toEqual({ code: 0, stdout, stderr: '' })
})

test('the words of PowerShell that end with an empty word are offered every command', async () => {
  using m = machine()
  const { stdout } = await m.run(['__complete', 'powershell', inBase64('')])
  expect(values(stdout)).toContain('verify')
  expect(await m.run(['__complete', 'powershell'])).toMatchObject({ code: 0, stdout })
})

test('completion for an unsupported shell is a usage error', async () => {
  using m = machine()
  expect(await m.run('completion tcsh')).toMatchObject({ code: 2, stdout: '' })
})

describe('in the shells themselves', () => {
  const m = machine()
  const bin = join(m.dir, 'bin')
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: m.dir,
    BNPL_CONFIG_DIR: m.configDir,
    BNPL_STATE_DIR: m.stateDir,
    TERM: 'dumb',
  }
  beforeAll(async () => {
    mkdirSync(bin)
    writeFileSync(join(bin, 'bnpl'), `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`)
    chmodSync(join(bin, 'bnpl'), 0o755)
    for (const shell of ['bash', 'zsh', 'fish'])
      writeFileSync(join(m.dir, shell), (await m.run(`completion ${shell}`)).stdout)
  })
  afterAll(() => m[Symbol.dispose]())

  const shell = (name: string, script: string) => {
    const { stdout, stderr, error } = spawnSync(name, ['-c', script], {
      env,
      cwd: m.dir,
      encoding: 'utf8',
      timeout: WAIT_MS,
    })
    return { stdout, stderr, error }
  }

  test('bash offers commands, values after = and :, and files', () => {
    needsProgram('bash')
    const ask = (words: string[]) =>
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _bnpl; echo "[\${COMPREPLY[*]}]"`
    const script = [
      `source ${join(m.dir, 'bash')}`,
      'compopt() { echo "compopt $*"; }',
      ask(['bnpl', 'contract', '']),
      ask(['bnpl', 'verify', '--output', '=', 'nd']),
      ask(['bnpl', '-p', 'sand']),
      ask(['bnpl', '-p', 'sandbox', ':', 'r']),
      ask(['bnpl', '-p', 'sandbox', ':']),
      ask(['bnpl', 'verify', '--from', '']),
      'complete -p bnpl',
    ].join('\n')
    expect(shell('bash', script)).toEqual({
      stdout:
        '[gaps openapi check learn export]\n[ndjson]\n[sandbox sandbox:real-estate sandbox:no-module sandbox:inactive]\n[real-estate]\n[real-estate no-module inactive]\ncompopt -o default\n[]\ncomplete -F _bnpl bnpl\n',
      stderr: '',
      error: undefined,
    })
  })

  test('fish offers commands, values and files', () => {
    needsProgram('fish')
    const { stdout } = shell(
      'fish',
      `source ${join(m.dir, 'fish')}; complete -C 'bnpl contract '; complete -C 'bnpl verify --output=nd'; complete -C 'bnpl verify --from ba'
       set -gx LC_ALL C.UTF-8; set -gx BNPL_LANG es; complete -C 'bnpl contract o'; complete -C 'bnpl -p sandbox:n'; complete -C 'bnpl explain ERR_RATE'`,
    )
    expect(lines(stdout)).toEqual([
      'check\tcompare recordings with the contract: what differs, how often, and where',
      'export\tconvert recordings to HAR, or to fixtures for tests (a JSON file for each call and status)',
      'gaps\tlist every open question about a service, its answer here, and where the answer comes from',
      'learn\tlearn from recordings how a service answers the open questions of the specification',
      'openapi\tprint the contract as an OpenAPI 3.1 document',
      '--output=ndjson',
      'bash',
      'openapi\timprime el contrato como documento OpenAPI 3.1',
      'sandbox:no-module\tel sandbox: una cuenta inmobiliaria sin el módulo de evaluación',
      'ERR_RATE_LIMIT_EXCEEDED\tdemasiadas llamadas en poco tiempo',
    ])
  })

  test('zsh completes at a prompt with the tab key', () => {
    needsProgram('zsh')
    const typed = (text: string, until: string) =>
      `zpty -w -n z $'${text}\\t'; zpty -r -m z out '*${until}*'; print -r -- "$out"; zpty -w z $'\\x15'`
    const script = [
      'zmodload zsh/zpty',
      'zpty z zsh -f -i',
      `zpty -w z "PS1=; autoload -Uz compinit; compinit -u -d ${join(m.dir, 'dump')}; source ${join(m.dir, 'zsh')}; print READY''NOW"`,
      "zpty -r -m z out '*READYNOW*'",
      typed('bnpl contract o', 'openapi'),
      typed('bnpl verify --output=nd', 'ndjson'),
      'zpty -d z',
    ].join('\n')
    const { stdout } = shell('zsh', script)
    expect(stdout).toContain('openapi')
    expect(stdout).toContain('--output=ndjson')
  })
})
