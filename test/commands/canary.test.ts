import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Interrupted } from '../../src/errors.ts'
import { parseDatabaseAddress } from '../../src/postgres/address.ts'
import { http, tcpServer } from '../faults/tcp.ts'
import { commandNames, everyCommand, FILES, isOf, SERVERS } from '../kit/every-command.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { here } from '../kit/here.ts'
import type { Account } from '../kit/kitchen.ts'
import { needsProgram } from '../kit/needs.ts'
import { program, until } from '../kit/program.ts'
import { whileProxied } from '../kit/served.ts'

const RUT = '12345670-K'
const EMAIL = 'canary.person@example.com'

/** Runs commands on a machine of their own against a served sandbox, and stores everything that they print beside their results. */
async function scenario(p: ReturnType<typeof here>) {
  const client = here()
  const { ready, baseUrl } = await p.sandbox('--allow-http')
  const envOf = (account: Account) => ({
    BNPL_BASE_URL: baseUrl,
    BNPL_PAYMENT_URL: ready.paymentUrl,
    BNPL_API_KEY: account.apiKey,
    BNPL_PUBLIC_KEY: account.publicKey,
    BNPL_ENTITY_ID: account.entityId,
  })
  const accounts = ready.partners as Account[]
  const bnpl = accounts.find(({ product }) => product === 'bnpl') as Account
  const realEstate = accounts.find(
    ({ product, evaluationModule, active }) => product === 'real-estate' && evaluationModule && active,
  ) as Account
  const talk: string[] = []
  return {
    client,
    talk,
    bnpl,
    realEstate,
    async run(account: Account, words: string | string[], env: Record<string, string> = {}) {
      const line = typeof words === 'string' ? words.split(' ') : words
      const ended = await client.run([...line, '--verbose'], { ...envOf(account), ...env })
      talk.push(`$ ${line[0]} ${line[1]}\n${ended.stderr}`)
      return ended
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

/** Returns the files of a folder that contain a text, in any encoding. */
function filesWith(dir: string, secret: string, except: RegExp): string[] {
  return globSync('**/{*,.*}', { cwd: dir })
    .filter((name) => !except.test(name) && statSync(join(dir, name)).isFile())
    .filter((name) => readFileSync(join(dir, name)).includes(secret))
}

test('with --verbose, no secret appears in outputs, history, ledgers or temporary files [row 85]', async () => {
  await using p = here()
  await using s = await scenario(p)
  const { bnpl, realEstate, client } = s
  const page = ['--success-url', 'https://shop.example/ok', '--error-url', 'https://shop.example/no']

  await s.run(bnpl, `evaluate --rut ${RUT} --amount 250000 --trx T1 --json`)
  await s.run(bnpl, 'select --installments 6')
  const widgetToken = (await s.run(bnpl, `widget-token --email ${EMAIL} --raw`)).stdout.trim()
  await s.run(bnpl, ['pay-url', '--email', EMAIL, ...page])
  await p.run('sandbox pay T1')
  await s.run(bnpl, 'verify T1 --json')
  await s.run(bnpl, 'verify nothing --json')
  await s.run(bnpl, 'walkthrough --json')
  writeFileSync(join(client.dir, 'rows.csv'), `rut,amount,externalTrxId\n${RUT},50000,B1\n${RUT},60000,B2\n`)
  await s.run(bnpl, 'evaluate --from rows.csv --out rows-out.csv')
  const hmac = JSON.parse((await s.run(bnpl, 'webhooks add http://127.0.0.1:1/hook --json')).stdout).secret as string
  await s.run(bnpl, 'webhooks list')
  await s.run(bnpl, 'webhooks rm --url http://127.0.0.1:1/hook -y')
  await s.run(bnpl, `smoke --rut ${RUT}`)
  await s.run(bnpl, 'doctor')
  await s.run(bnpl, 'history')
  await s.run(bnpl, 'verify T1', { BNPL_API_KEY: `${bnpl.apiKey}x` })

  const token = JSON.parse(
    (await s.run(realEstate, 'webhooks subscribe http://127.0.0.1:1/lead --event new_lead --json')).stdout,
  ).secret as string
  const lead = JSON.parse((await p.run(`sandbox lead --now --rut ${RUT} --json`)).stdout)
  await s.run(realEstate, `evaluations get --rut ${RUT} --json`)
  await s.run(realEstate, `evaluations get --rut 9999999-3`)
  const link = JSON.parse((await s.run(realEstate, `informe get ${lead.preApproveId} --json`)).stdout)
  const signature = /Signature=([0-9a-f]+)/.exec(JSON.stringify(link))?.[1] ?? ''
  await s.run(realEstate, `informe download ${lead.preApproveId}`)
  await s.run(realEstate, 'informe download no-such-id')

  const listening = client.start(
    `webhooks listen --scheme token --port 0 --ready-file ${join(client.dir, 'listening.json')} --until 1 --verbose`,
    { BNPL_WEBHOOK_SECRET: token },
  )
  await until(() => existsSync(join(client.dir, 'listening.json')), listening)
  const { url } = JSON.parse(readFileSync(join(client.dir, 'listening.json'), 'utf8'))
  const event = ['webhooks', 'trigger', 'new_lead', '--to', url, '--set', `rut=${RUT}`, '--set', `email=${EMAIL}`]
  await s.run(realEstate, event, { BNPL_WEBHOOK_SECRET: token })
  await s.run(realEstate, event, { BNPL_WEBHOOK_SECRET: `${token}x` })
  s.talk.push((await listening.ended).stderr)
  // Only the output about the inbox is checked. The inbox itself contains the event with the person until the event is pruned.
  for (const line of ['webhooks events list', 'webhooks events list --json', 'webhooks events show #1']) {
    const shown = await s.run(realEstate, line)
    expect(shown.code).toBe(0)
    s.talk.push(shown.stdout)
  }

  const digits = RUT.slice(0, 8)
  const secrets = {
    key: bnpl.apiKey,
    otherKey: realEstate.apiKey,
    hmac,
    token,
    widgetToken,
    signature,
    digits,
    email: EMAIL,
  }
  const said = s.talk.join('\n')
  expect(said).toContain('→ 200')
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, secret.length > 7]).toEqual([name, true])
    expect([name, said.includes(secret)]).toEqual([name, false])
    // The user's own file of customers, its results, the report and the inbox contain the person by design.
    const person = name === 'digits' || name === 'email' ? '|state/inbox.*' : ''
    const own = new RegExp(`^(rows.*|PreAprobacion_.*${person})$`)
    expect([name, filesWith(client.dir, secret, own)]).toEqual([name, []])
  }
})

/** Six secrets. None of them is a word that we use elsewhere. */
const CANARIES = {
  key: 'sk-canary-key-4711',
  hmac: 'whsec-canary-hmac-4711',
  token: 'canary-static-token-4711',
  widgetToken: 'eyJjYW5hcnk.eyJjYW5hcnk.canary-widget-4711',
  signature: 'c0ffeecanary4711',
  person: '12345670-K',
}

/** Ways in which a program may fail unexpectedly. Each error is thrown when the request is sent, and contains everything about it. */
const BLOWS = {
  'an error of the HTTP library with the request in it':
    'throw Object.assign(new Error(text), { request, headers: request.headers })',
  'an error in a timer':
    'setTimeout(() => { throw Object.assign(new TypeError(text, { cause: new Error(text) }), known) })',
  'a promise that nobody waits for':
    'Promise.reject(Object.assign(new AggregateError([new Error(text)], text), known))',
  'a promise rejected with no error': 'Promise.reject(known)',
  'an event that nobody hears':
    "new (require('node:events'))().emit('error', Object.assign(new Error(text), { name: text }))",
  'an object that is thrown': 'setTimeout(() => { throw known })',
}

test.each(Object.entries(BLOWS))('a crash report contains none of the six secrets: %s [row 85]', async (_, blow) => {
  await using p = program()
  await using silent = await tcpServer(() => {})
  const preload = join(p.dir, 'blow.cjs')
  writeFileSync(
    preload,
    `const known = { ...${JSON.stringify(CANARIES)}, env: { ...process.env } }
     const text = Object.values(known).map(String).join(' ')
     require('node:diagnostics_channel').subscribe('undici:client:sendHeaders', ({ request }) => { ${blow} })`,
  )
  const env = {
    BNPL_API_KEY: CANARIES.key,
    BNPL_WEBHOOK_SECRET: CANARIES.hmac,
    BNPL_BASE_URL: silent.url,
    BNPL_ENTITY_ID: 'E1',
    // Node writes a report about an uncaught error only on request. This report contains no secret either.
    NODE_OPTIONS: `--require ${preload} --report-uncaught-exception --report-dir=${p.dir}`,
  }
  const ran = await p.run(`evaluate --rut ${CANARIES.person} --amount 1000 --trx T1 --verbose --json`, env)
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toMatch(/^error: a fault in bnpl .* itself/m)
  expect(JSON.parse(ran.stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({ kind: 'bug', code: 'BUG' })
  expect(ran.stderr).not.toMatch(/\n\s+at /)
  for (const [name, secret] of Object.entries(CANARIES)) {
    expect([name, ran.stderr.includes(secret)]).toEqual([name, false])
    expect([name, filesWith(p.dir, secret, /^blow\.cjs$/)]).toEqual([name, []])
  }
})

test('the files that remain after kill -9 contain none of the secrets [row 85]', async () => {
  await using p = program()
  await using service = await tcpServer((socket, request) => {
    if (request.startsWith('GET /file')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n%PDF-')
    else if (request.includes('/informe'))
      socket.write(
        http(200, JSON.stringify({ data: { url: `${service.url}/file?X-Amz-Signature=${CANARIES.signature}` } })),
      )
    else if (request.includes('/widget/start'))
      socket.write(http(201, JSON.stringify({ data: { accepted: true, widgetToken: CANARIES.widgetToken } })))
  })
  const env = {
    BNPL_API_KEY: CANARIES.key,
    BNPL_BASE_URL: service.url,
    BNPL_PAYMENT_URL: 'https://pay.example.com',
    BNPL_PUBLIC_KEY: 'pk',
    BNPL_ENTITY_ID: 'E1',
  }
  const rows = `rut,amount,trx\n${Array.from({ length: 400 }, (_, n) => `${CANARIES.person},1000,T${n}\n`).join('')}`
  writeFileSync(join(p.dir, 'rows.csv'), rows)
  const pipe = join(p.dir, 'rows.pipe')
  needsProgram('mkfifo')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  const asked = (path: string) => service.requests.filter((each) => each.includes(path)).length
  /** Starts a command, and kills it when a condition becomes true. */
  const kill = async (line: string, when: () => boolean, more: Record<string, string> = {}) => {
    const started = p.start(`${line} --verbose`, { ...env, ...more })
    await until(when, started)
    started.child.kill('SIGKILL')
    expect((await started.ended).signal).toBe('SIGKILL')
    return started.stderr()
  }
  let said = await kill('evaluate --from rows.csv --out out.csv', () => asked('/pre-loan-request/bnpl') === 8)
  const fed = appendFile(pipe, rows)
  said += await kill(
    'evaluate --from rows.pipe --out piped.csv --restart',
    () => asked('/pre-loan-request/bnpl') === 16,
  )
  await fed
  said += await kill(
    'informe download P1',
    () => asked('/file') === 1 && globSync('.bnpl-*.part', { cwd: p.dir }).length === 1,
  )
  said += await kill(`evaluate --rut ${CANARIES.person} --amount 5 --trx ONE`, () => asked('externalTrxId=ONE') === 1)
  expect((await p.run('widget-token --trx ONE --amount 5 --email a@example.com --raw', env)).stdout).toContain('canary')
  const ready = join(p.dir, 'ready.json')
  said += await kill(`webhooks listen --scheme token --port 0 --ready-file ${ready}`, () => existsSync(ready), {
    BNPL_WEBHOOK_SECRET: CANARIES.token,
  })
  expect(said).toContain('/informe')
  for (const [name, secret] of Object.entries(CANARIES)) {
    expect([name, said.includes(secret)]).toEqual([name, false])
    // The user's own file contains the person. The journal of the history contains only the transaction.
    expect([name, filesWith(p.dir, secret, /^rows\.(csv|pipe)$/)]).toEqual([name, []])
  }
})

/** Parts of a text by which the canary is found, also if it was encoded or decoded, or only a part of it is there. */
const TRACES = /canary|%(?:25)*63%(?:25)*61|y2fuyxj5|nhbmfyeq|jyw5hcn|63616e617279/i

const KEY = 'sk-canary-key-4711'
const SECRET = 'whsec-canary-secret-4711'
const PASSWORD = 'canary/4711'

const inBytes = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')
const SPELLINGS: ((text: string) => string)[] = [
  (text) => text,
  inBytes,
  (text) => encodeURIComponent(inBytes(text)),
  (text) => Buffer.from(`user:${text}`).toString('base64url'),
]

/** What follows the scheme of an address. “C” is the place of the canary. */
const PARTS = [
  'user:C@host.invalid',
  'C:pw@host.invalid',
  'C@host.invalid',
  'DOMAIN\\user:C@host.invalid:1',
  'user:1/C@host.invalid',
  'user:1#C@host.invalid',
  'user:1?C@host.invalid',
  'user:1\\C@host.invalid',
  'user:1@C@host.invalid',
  'user:1 C@host.invalid',
  'host.invalid:C',
  'host.invalid/?auth=C',
  'host.invalid/db?C',
  'host.invalid/db#C',
]

const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  HTTPS_PROXY: ['http://', 'http:/', 'http:', ''],
  https_proxy: ['https://'],
  BNPL_BASE_URL: ['https://', 'https:/', 'https:', ''],
  BNPL_PAYMENT_URL: ['https://', 'https:/', ''],
  BNPL_DATABASE: ['postgres://', 'postgres:/', 'postgres:', ''],
}

const ADDRESSES = Object.entries(SCHEMES).flatMap(([variable, schemes]) =>
  schemes.flatMap((scheme, s) =>
    PARTS.map(
      (part, i) =>
        [variable, scheme + part.replace('C', SPELLINGS[(i + s) % SPELLINGS.length]?.('canary4711') ?? '')] as const,
    ),
  ),
)

/** A line of every command, for an account of the environment instead of the sandbox. Programs of the user are left out. */
const LINES = everyCommand({
  entity: 'ex-1',
  lead: { leadId: 'L1', preApproveId: 'P1' },
  receiver: 'http://127.0.0.1:1/hook',
})
  .map(({ line }) => line.replace(/ -p sandbox\S*/, ''))
  .filter((line) => !/^(?:sandbox (?:run|torture|lead|reset)|walkthrough|completion|__complete)\b/.test(line))

/** Commands that show settings, or send something. */
const SHOWING = [
  'doctor',
  'profiles show',
  'profiles list',
  'verify T1',
  'informe get P1',
  'webhooks events list',
  'proxy --port 0',
]

describe('no byte of a canary in stdout, stderr or a file of the state', () => {
  const GOOD = {
    BNPL_API_KEY: KEY,
    BNPL_WEBHOOK_SECRET: SECRET,
    BNPL_DATABASE_PASSWORD: PASSWORD,
    PGPASSWORD: PASSWORD,
    BNPL_BASE_URL: 'https://api.example.com',
    BNPL_PAYMENT_URL: 'https://pay.example.com',
    BNPL_PUBLIC_KEY: 'pk-1',
    BNPL_ENTITY_ID: 'E1',
    HTTPS_PROXY: `http://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:1`,
  }
  const given = (m: { dir: string }) => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(m.dir, name), text)
  }
  const traces = (m: { dir: string; stateDir: string }) =>
    globSync('**/*', { cwd: m.dir })
      .filter((name) => !name.startsWith('config') && statSync(join(m.dir, name)).isFile())
      .filter((name) => TRACES.test(readFileSync(join(m.dir, name), 'latin1')))

  test('the lines name every command that ends by itself', async () => {
    using m = machine()
    const { leaves } = await commandNames(m.world().world)
    const left = leaves.filter((name) => !LINES.some(isOf(name)) && !SERVERS.includes(name))
    expect(
      left.every((name) => /^(?:sandbox (?:run|torture|lead|reset)|walkthrough|completion|help|__complete)/.test(name)),
    ).toBe(true)
  })

  test('every command, with a service that repeats the key in every spelling', async () => {
    using m = machine()
    given(m)
    let n = 0
    const transport = async () => {
      const said = SPELLINGS.map((spell) => spell(KEY)).join(' ')
      const error = { error: { code: `ERR_${KEY}`, message: `${said} and ${SECRET}` }, message: said, key: KEY }
      const headers = { 'content-type': 'application/json', 'x-request-id': KEY, location: `https://x.invalid/${KEY}` }
      return {
        status: [400, 401, 404, 409, 500, 302][n++ % 6] ?? 400,
        headers,
        body: Buffer.from(JSON.stringify(error)),
      }
    }
    for (const line of LINES) {
      for (const form of ['--verbose', '--json --verbose', ...(line.startsWith('api ') ? ['--include'] : [])]) {
        const ran = await m.run(`${line} ${form}`, { env: GOOD, transport, clock: fakeClock() })
        expect([line, ran.stdout + ran.stderr]).toEqual([line, expect.not.stringMatching(TRACES)])
      }
    }
    expect(traces(m)).toEqual([])
  })

  test('the commands that read a recording, with the key in every text of the recording', async () => {
    using m = machine()
    const texts = [KEY, SECRET].flatMap((secret) => SPELLINGS.map((spell) => spell(secret)))
    const entry = (each: string, path: string, endpoint: string) => ({
      ...{ kind: 'exchange', v: 1, session: 'a', at: '2026-03-01T12:00:00.000Z', by: 'client', ms: 1 },
      endpoint,
      request: { method: 'GET', path, headers: [['authorization', `Bearer ${each}`]], body: { form: [[each, each]] } },
      response: {
        status: 200,
        headers: [
          ['location', each],
          [`x-${each}`, each],
        ],
        body: { json: { data: each, [each]: [each] } },
      },
    })
    const entries = texts.flatMap((each) => [
      entry(each, `/partner/webhook?k=${each}&${each}=1`, 'listWebhooks'),
      entry(each, `/partner/pre-approve/${each}/loan`, 'verifyLoan'),
      entry(each, `/${each}`, each),
    ])
    writeFileSync(join(m.dir, 'edited.ndjson'), entries.map((each) => `${JSON.stringify(each)}\n`).join(''))
    const lines = [
      'contract check edited.ndjson',
      'contract check edited.ndjson --json --junit report.xml',
      'contract learn edited.ndjson --json --write learnt.json',
      'contract export edited.ndjson --har day.har --fixtures fixtures',
    ]
    for (const line of lines) {
      const ran = await m.run(line, { env: GOOD })
      expect([line, [0, 10].includes(ran.code), ran.stdout + ran.stderr]).toEqual([
        ...[line, true],
        expect.not.stringMatching(TRACES),
      ])
    }
    rmSync(join(m.dir, 'edited.ndjson'))
    expect(globSync('**/*.{xml,har,json}', { cwd: m.dir }).length).toBeGreaterThan(3)
    expect(traces(m)).toEqual([])
  })

  test('every command, with the key in an argument, in every spelling: refused before anything is sent', async () => {
    using m = machine()
    given(m)
    const transport = async () => expect.fail('something was sent')
    writeFileSync(join(m.dir, 'secret'), 'whsec-canary-stored-4711')
    await m.run('profiles add stored --base-url https://api.example.com --api-key-stdin', {
      stdin: 'sk-canary-stored-4711',
    })
    await m.run('profiles add-secret stored --secret-file secret')
    const known = [KEY, SECRET, 'sk-canary-stored-4711', 'whsec-canary-stored-4711']
    for (const [i, line] of [...LINES, ...SERVERS].entries()) {
      const typed = SPELLINGS[i % SPELLINGS.length]?.(known[i % known.length] ?? '') ?? ''
      const words = line.split(' ')
      for (const position of [
        `${line} ${typed}`,
        `${line} /x/${typed}?a=1`,
        line.replace(/\S+$/, typed),
        `${line} --dry-run ${typed}`,
      ]) {
        if (position.split(' ').length < words.length || position.split(' ')[0] !== words[0]) continue
        const ran = await m.run(`${position} --json --verbose`, { env: GOOD, transport, clock: fakeClock() })
        expect([position, ran.code]).toEqual([position, 2])
        expect([position, ran.stdout + ran.stderr]).toEqual([position, expect.not.stringMatching(TRACES)])
      }
    }
    rmSync(join(m.dir, 'secret'))
    expect(traces(m)).toEqual([])
  })

  test('an address with a canary in any of its parts, in any variable, over every command', async () => {
    using m = machine()
    given(m)
    const all = [...LINES, ...SERVERS.map((name) => `${name} --port 0`)]
    for (const [i, [variable, address]] of ADDRESSES.entries()) {
      const { HTTPS_PROXY: _, ...others } = GOOD
      const env = { ...others, [variable]: address }
      const offline = ['--offline']
      const lines = [SHOWING[i % SHOWING.length] ?? '', all[i % all.length] ?? '']
      for (const line of lines) {
        // A server that starts would not end. It starts only if the address is none that it uses, or a valid one.
        if (SERVERS.some((name) => line.startsWith(name)) && !isRefused(variable, address, line)) continue
        const more = line.startsWith('doctor') && i % 2 === 1 ? offline : []
        const transport = variable.toLowerCase() === 'https_proxy' ? {} : { transport: refusing }
        const ran = await m.run([...line.split(' '), ...more, '--verbose', ...(i % 3 === 0 ? [] : ['--json'])], {
          env,
          clock: fakeClock(),
          ...transport,
        })
        expect([variable, address, line, ran.stdout + ran.stderr]).toEqual([
          variable,
          address,
          line,
          expect.not.stringMatching(TRACES),
        ])
        if (variable === 'BNPL_BASE_URL' && /^(?:verify T1|informe get)/.test(line))
          expect([address, ran.code]).toEqual([address, 3])
      }
    }
    expect(traces(m)).toEqual([])
  })

  test.each([
    ['lines for people', []],
    ['JSON', ['--json']],
    ['lines for people, with a recording', ['--verbose', '--record', 'day.ndjson']],
  ])('a proxy that runs, with a secret in every part of a call and of its answer: %s', async (_, options) => {
    using m = machine()
    const texts = [KEY, SECRET, PASSWORD].flatMap((secret) => SPELLINGS.map((spell) => spell(secret)))
    let n = 0
    await using service = await tcpServer((socket) => {
      const each = texts[n++ % texts.length] ?? ''
      const head = `x-key: ${KEY}\r\nlocation: /${each}\r\nset-cookie: k=${each}\r\n`
      const body = JSON.stringify({ code: each, message: each, [each]: each })
      socket.write(`HTTP/1.1 400 ${KEY}\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    })
    const { HTTPS_PROXY, ...others } = GOOD
    const env = { ...others, HTTPS_PROXY, BNPL_BASE_URL: service.url }
    const ran = await whileProxied(m, options.join(' '), { env }, async (url) => {
      for (const text of texts) {
        const each = encodeURI(text)
        const headers = { authorization: `Bearer ${KEY}`, 'x-key': KEY, referer: `http://x.invalid/${each}` }
        for (const path of [`/partner/x/${each}`, `/partner/pre-approve/${each}/loan?a=1&${each}=${each}`, `/${each}`])
          await fetch(`${url}${path}`, { headers, redirect: 'manual' })
        await fetch(`${url}/partner/webhook`, { method: 'POST', headers, body: new URLSearchParams({ [text]: text }) })
      }
    })
    expect(ran.stdout.split('\n').length).toBeGreaterThan(4 * texts.length)
    expect(ran.stdout + ran.stderr).not.toMatch(TRACES)
    expect(traces(m)).toEqual([])
  })

  test('an address with a canary in any of its parts, for a listener, a sandbox and a proxy that run', async () => {
    using m = machine()
    const { HTTPS_PROXY: _, ...others } = GOOD
    const ends = { stop: new AbortController() }
    const runs = (line: string, env: Record<string, string>) => {
      ends.stop = new AbortController()
      rmSync(join(m.dir, 'ready'), { force: true })
      return m.run(`${line} --port 0 --ready-file ready --verbose`, { env, signal: ends.stop.signal })
    }
    const addresses = ADDRESSES.filter(([variable], i) => /proxy$/i.test(variable) && i % 2 === 0)
    for (const [i, [variable, address]] of addresses.entries()) {
      const line = ['webhooks listen', 'proxy', 'sandbox start --ephemeral'][i % 3] ?? ''
      const env = { ...others, BNPL_BASE_URL: 'http://127.0.0.1:1', [variable]: address }
      const running = runs(line, env)
      const isReady = () =>
        existsSync(join(m.dir, 'ready')) && readFileSync(join(m.dir, 'ready'), 'utf8').endsWith('\n')
      const started = await Promise.race([running.then(() => false), until(isReady, ended).then(() => true)])
      if (started) {
        const { url, baseUrl } = JSON.parse(readFileSync(join(m.dir, 'ready'), 'utf8'))
        await fetch(`${url ?? baseUrl}/partner/webhook`, { method: 'POST', body: '{}' }).catch(() => {})
        ends.stop.abort(new Interrupted(130))
      }
      const { stdout, stderr } = await running
      expect([line, variable, address, stdout + stderr]).toEqual([
        ...[line, variable, address],
        expect.not.stringMatching(TRACES),
      ])
    }
    expect(traces(m)).toEqual([])
  })
})

const ended = { ended: new Promise<never>(() => {}) }

const refusing = async () => ({ status: 503, headers: {}, body: Buffer.from('') })

/** Whether a server refuses to start because of this address. */
function isRefused(variable: string, address: string, line: string): boolean {
  if (line.startsWith('proxy')) return variable === 'BNPL_BASE_URL' || variable === 'BNPL_PAYMENT_URL'
  return line.startsWith('webhooks listen') && variable === 'BNPL_DATABASE' && !parseDatabaseAddress(address).ok
}
