import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Transport, WireFailure, type WireRequest } from '../../src/contract/wire.ts'
import { Interrupted } from '../../src/errors.ts'
import { machine, type RunOptions } from '../kit/harness.ts'

const env = { BNPL_API_KEY: 'sk_canary_0123456789', BNPL_BASE_URL: 'https://api.example.com/v1' }

function service(status = 200, body: string | Uint8Array = '{"data":{"a":1}}', headers: Record<string, string> = {}) {
  const seen: WireRequest[] = []
  const transport: Transport = async (request) => {
    seen.push(request)
    return { status, headers, body: Buffer.from(body) }
  }
  return { seen, transport }
}
const text = (request: WireRequest | undefined) => new TextDecoder().decode(request?.body)

test('api calls any path under the base address with the key, and prints the body unchanged', async () => {
  using m = machine()
  const { seen, transport } = service(200, '{ "data" : 1e2 }\r\n')
  const ran = await m.run(['api', 'get', '/partner/x?a=1', '-f', 'b=ñ &c', '-f', 'a=2'], { env, transport })
  expect(ran).toMatchObject({ code: 0, stderr: '', stdout: '{ "data" : 1e2 }\r\n' })
  expect(seen[0]).toMatchObject({ method: 'GET', url: 'https://api.example.com/v1/partner/x?a=1&b=%C3%B1+%26c&a=2' })
  expect(seen[0]?.headers.authorization).toBe('Bearer sk_canary_0123456789')
  expect(seen[0]?.body).toBeUndefined()
})

test('fields are sent as a form; --input sends a file or stdin unchanged', async () => {
  using m = machine()
  const { seen, transport } = service()
  await m.run(['api', 'POST', '/p', '-f', 'filters[outcome]=approved', '-f', 'note=a=b'], { env, transport })
  expect(text(seen[0])).toBe('filters%5Boutcome%5D=approved&note=a%3Db')
  expect(seen[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  writeFileSync(join(m.dir, 'body.json'), ' {"a": 1}\n')
  await m.run('api POST /p --input body.json', { env, transport })
  expect([text(seen[1]), seen[1]?.headers['content-type']]).toEqual([' {"a": 1}\n', 'application/json'])
  await m.run('api PUT /p --input -', { env, transport, stdin: 'a=1' })
  expect([text(seen[2]), seen[2]?.headers['content-type']]).toEqual(['a=1', 'application/x-www-form-urlencoded'])
})

test.each([
  ['https://evil.example/x'],
  ['//evil.example/x'],
  ['/\\evil.example/x'],
  ['\\\\evil.example'],
  ['evil.example/x'],
  ['@evil.example/x'],
  ['/a/../../admin'],
  ['/a/%2e%2E/admin'],
  ['/./a'],
  ['/a b'],
  ['/a\r\nX: y'],
  ['/a#b'],
  ['javascript:alert(1)'],
  [''],
])('the path %j is refused with exit 2, and nothing is sent', async (path) => {
  using m = machine()
  const { seen, transport } = service()
  const ran = await m.run(['api', 'GET', path], { env, transport })
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' })
  expect(seen).toEqual([])
})

test('property: for any path, the key is sent only to the base address of the profile [row 7]', async () => {
  using m = machine()
  const { seen, transport } = service()
  const part = fc.oneof(
    fc.constantFrom('/', '//', '\\', '..', '.', '%2e', '@', ':', '?', '#', 'https:', 'evil.example', ';', '%2f'),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      seen.length = 0
      const ran = await m.run(['api', 'GET', '--', `/${parts.join('')}`], { env, transport })
      expect([0, 2]).toContain(ran.code)
      for (const { url } of seen) expect(url.startsWith('https://api.example.com/v1/')).toBe(true)
    }),
  )
})

test('for an error status stdout has the body, stderr the error, and the exit code follows status and endpoint', async () => {
  using m = machine()
  const body = '{"error":{"code":"ERR_SOMETHING","message":"no"}}'
  const codes: Record<string, number> = {}
  for (const [method, path, status] of [
    ['GET', '/partner/pre-approve/P/informe', 400],
    ['GET', '/partner/pre-approve/P/informe', 401],
    ['GET', '/partner/webhook', 401],
    ['GET', '/partner/nowhere', 404],
    ['GET', '/partner/nowhere', 429],
    ['GET', '/partner/nowhere', 500],
    ['POST', '/partner/nowhere', 500],
    ['GET', '/partner/nowhere', 302],
    ['POST', '/partner/nowhere', 422],
  ] as const) {
    const { transport } = service(status, body)
    const ran = await m.run(['api', method, path], { env, transport })
    expect(ran.stdout).toBe(body)
    expect(ran.stderr).toContain('ERR_SOMETHING')
    codes[`${method} ${path} ${status}`] = ran.code
  }
  expect(Object.values(codes)).toEqual([4, 5, 4, 6, 7, 8, 12, 8, 5])
})

test('no call is repeated, and a POST without an answer exits with 12', async () => {
  using m = machine()
  let calls = 0
  const transport: Transport = async () => {
    calls++
    throw new WireFailure('reset', true, 'ECONNRESET')
  }
  expect(await m.run('api GET /partner/webhook', { env, transport })).toMatchObject({ code: 9, stdout: '' })
  expect(await m.run('api POST /partner/webhook', { env, transport })).toMatchObject({ code: 12, stdout: '' })
  expect(calls).toBe(2)
})

test('a production profile asks before a call that changes something, and not before a read', async () => {
  using m = machine()
  const { seen, transport } = service()
  const { mkdirSync } = await import('node:fs')
  mkdirSync(m.configDir, { recursive: true, mode: 0o700 })
  const shop = { environment: 'production', baseUrl: 'https://api.example.com', apiKey: 'sk_canary_0123456789' }
  writeFileSync(join(m.configDir, 'profiles.json'), JSON.stringify({ version: 1, profiles: { shop } }), { mode: 0o600 })
  expect((await m.run('api POST /partner/other -p shop', { transport })).code).toBe(2)
  expect(seen).toEqual([])
  expect((await m.run('api GET /partner/other -p shop', { transport })).code).toBe(0)
  expect((await m.run('api POST /partner/other -p shop --yes', { transport })).code).toBe(0)
  expect((await m.run('api POST /partner/pre-approve/T/loan -p shop', { transport })).code).toBe(0)
})

test('--include prints the status and the headers, and --dry-run prints a curl line and sends nothing', async () => {
  using m = machine()
  const { transport, seen } = service(201, 'x', { 'x-odd': 'a\u001b[31m' })
  expect((await m.run('api POST /p -i', { env, transport })).stdout).toBe('HTTP/1.1 201\nx-odd: a\\u001b[31m\n\nx')
  const dry = await m.run('api DELETE /p/1 --dry-run', { env, transport })
  expect(dry.stdout).toMatch(
    /^curl -sS -X DELETE .*"Authorization: Bearer \$BNPL_API_KEY" https:\/\/api.example.com\/v1\/p\/1\n$/,
  )
  expect(seen).toHaveLength(1)
})

test.each([
  ['api GET /p --input -', 'a GET request has no body'],
  ['api POST /p --input - -f a=b', 'cannot be used together, because both set the body'],
  ['api POST /p -f ab', 'is not key=value'],
  ['api BREW /p', 'is not a known HTTP method'],
  ['api POST /p --input nowhere.json', 'nowhere.json cannot be read'],
])('%s exits with 2, and nothing is sent', async (line, words) => {
  using m = machine()
  const { seen, transport } = service()
  const ran = await m.run(line, { env, transport, stdin: '{}' })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(words)
  expect(seen).toEqual([])
})

test('over a real connection the bytes arrive unchanged in both directions', async () => {
  using m = machine()
  const server = createServer((request, response) => request.pipe(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x0a, 0x80])
  const ran = await m.run('api POST /echo --input -', {
    env: { ...env, BNPL_BASE_URL: `http://127.0.0.1:${port}` },
    stdin: bytes,
  })
  expect(ran.code).toBe(0)
  expect(Buffer.from(ran.stdout, 'latin1').equals(bytes)).toBe(true)
  server.close()
})

test('after Ctrl-C a POST is reported as possibly carried out, and a GET ends without a message', async () => {
  using m = machine()
  for (const [line, said] of [
    ['api POST /partner/anything -f a=b', 'call POST /partner/anything”; the call may have been carried out'],
    ['api GET /partner/webhook', ''],
  ] as const) {
    const stop = new AbortController()
    const transport: Transport = async () => {
      stop.abort(new Interrupted(130))
      throw new WireFailure('aborted', true, 'interrupted')
    }
    const ran = await m.run(line, { env, transport, signal: stop.signal })
    expect(ran).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining(said) })
    if (said === '') expect(ran.stderr).toBe('')
  }
})

test.each([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [143, 'SIGTERM'],
])(
  'an evaluation interrupted with exit %i gets the same hint as exit 12, as text and as JSON',
  async (exitCode, code) => {
    using m = machine()
    const line = 'evaluate --rut 12345678-5 --amount 250000 --trx order-1 --json'
    const cut = (reason?: Interrupted): RunOptions => {
      const stop = new AbortController()
      const transport: Transport = async () => {
        stop.abort(reason)
        throw new WireFailure(reason ? 'aborted' : 'reset', true, 'interrupted')
      }
      return { env: { ...env, BNPL_ENTITY_ID: 'E1' }, transport, ...(reason ? { signal: stop.signal } : {}) }
    }
    const unknown = await m.run(line, cut())
    const ran = await m.run(line, cut(new Interrupted(exitCode)))
    expect([unknown.code, ran.code]).toEqual([12, exitCode])
    const { hint } = unknown.error()
    expect(hint).toMatch(/^Do not run the command again yet\. Find out what happened: bnpl evaluations get --rut/)
    expect(ran.error()).toEqual({
      kind: 'interrupted',
      code,
      status: null,
      message: expect.stringContaining('the call may have been carried out'),
      hint,
    })
    expect(ran.stderr).toContain(`\n  ${hint}\n`)
  },
)

test('the error of a 429 says how long to wait', async () => {
  using m = machine()
  const ran = await m.run('api GET /partner/webhook --json', { env, ...service(429, '{}', { 'retry-after': '120' }) })
  expect(ran.code).toBe(7)
  expect(ran.error()).toMatchObject({ retryAfterMs: 120_000, hint: expect.stringContaining('2m') })
})

test('the dry run of HEAD uses curl --head, because -X HEAD would wait for a body that never arrives', async () => {
  using m = machine()
  expect((await m.run('api HEAD /partner/webhook --dry-run', { env })).stdout).toMatch(/^curl -sS --head -H /)
})

test('a body that is not text is not printed on a terminal, and the exit code is 13', async () => {
  using m = machine()
  const ran = await m.run('api POST /partner/webhook', {
    env,
    stdoutIsTty: true,
    ...service(201, Buffer.from([255, 0])),
  })
  expect(ran).toMatchObject({ code: 13, stdout: '' })
})

test('api without a method exits with 2 and prints the correct form of the command', async () => {
  using m = machine()
  const ran = await m.run('api /partner/webhook', { env, transport: service().transport })
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('bnpl api GET /path') })
})

test('with --json and an error status, stdout has the body unchanged and stderr has the error as JSON', async () => {
  using m = machine()
  const { transport } = service(422, '{"error":{"code":"ERR_NO"}}')
  const ran = await m.run('api GET /partner/x --json', { env, transport })
  expect(ran).toMatchObject({ code: 5, stdout: '{"error":{"code":"ERR_NO"}}' })
  expect(ran.error()).toMatchObject({ kind: 'refused', code: 'ERR_NO', status: 422 })
})

test.each([
  [130, 'SIGINT'],
  [143, 'SIGTERM'],
])(
  'an interruption (%i) prints a JSON error on stderr with --json, and prints nothing without --json',
  async (code, signal) => {
    using m = machine()
    const interrupted: Transport = async () => {
      throw new Interrupted(code)
    }
    const ran = await m.run('api GET /partner/x --json', { env, transport: interrupted })
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.error()).toEqual({ kind: 'interrupted', code: signal, status: null, message: 'interrupted', hint: null })
    expect(await m.run('api GET /partner/x', { env, transport: interrupted })).toMatchObject({ code, stderr: '' })
  },
)

test('--json after `--` does not turn on JSON output', async () => {
  using m = machine()
  expect((await m.run('verify -- --json')).stderr).not.toContain('{')
})

describe('a file of PowerShell', () => {
  const JSON_TEXT = '{"nombre":"Ñandú"}'
  const FILES: [string, Buffer][] = [
    ['UTF-8 with a mark', Buffer.from(`\ufeff${JSON_TEXT}`)],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${JSON_TEXT}`, 'utf16le')],
    ['UTF-16', Buffer.from(JSON_TEXT, 'utf16le')],
    ['UTF-16, most significant byte first', Buffer.from(`\ufeff${JSON_TEXT}`, 'utf16le').swap16()],
  ]

  test.each(FILES)('in %s is sent as JSON in UTF-8, from a file and from stdin', async (_, bytes) => {
    using m = machine()
    writeFileSync(join(m.dir, 'body.json'), bytes)
    const seen: WireRequest[] = []
    const transport: Transport = async (request) => {
      seen.push(request)
      return { status: 200, headers: {}, body: Buffer.from('{}') }
    }
    await m.run('api POST /p --input body.json', { env, transport })
    await m.run('api POST /p --input -', { env, transport, stdin: bytes })
    for (const { headers, body } of seen)
      expect([headers['content-type'], new TextDecoder().decode(body)]).toEqual(['application/json', JSON_TEXT])
    expect(seen).toHaveLength(2)
  })

  test.each(FILES)('in %s is the data of webhooks trigger --file', async (_, bytes) => {
    using m = machine()
    writeFileSync(join(m.dir, 'data.json'), bytes)
    const line = 'webhooks trigger loan_approved --to http://127.0.0.1:9/ --file data.json --dry-run -p sandbox'
    expect((await m.run(line)).stdout).toContain('"data":{"nombre":"')
  })

  test('that is cut in the middle of a character is refused before anything is sent', async () => {
    using m = machine()
    const stdin = Buffer.from(`\ufeff${JSON_TEXT}`, 'utf16le').subarray(0, -1)
    const ran = await m.run('api POST /p --input - --json', { env, stdin })
    expect([ran.code, ran.error().message]).toEqual([2, 'stdin is neither UTF-8 nor UTF-16 text'])
  })

  test('gives the filters of a subscription with its mark', async () => {
    using m = machine()
    const line = ['webhooks', 'subscribe', 'https://crm.example/x', '--event', 'new_lead', '--filters-json']
    const ran = await m.run([...line, '\ufeff{"outcome":"approved"}', '--dry-run'], { env })
    expect([ran.code, ran.stdout], ran.stderr).toEqual([0, expect.stringContaining('approved')])
  })
})

test.each([
  ['api GET', 'C:/Program Files/Git/partner/webhook', '//partner/webhook'],
  ['api GET', 'C:/msys64/partner/webhook', '//msys64/partner/webhook'],
  ['api POST', 'D:\\Git\\usr\\partner\\webhook', '//partner/webhook'],
  ['webhooks listen --port 0 --path', 'C:/Program Files/Git/bnpl', '//bnpl'],
  ['profiles set paths.leads', 'C:/Program Files/Git/partner/leads', '//partner/leads'],
  ['profiles set paths.lead', 'C:/Program Files/Git/leads/{leadId}', '//leads/{leadId}'],
])('%s %s names Git Bash, which has changed the path', async (line, path, meant) => {
  using m = machine()
  if (line.startsWith('profiles'))
    await m.run(
      'profiles add acme --base-url https://api.example.com --payment-url https://pay.example.com --api-key-stdin --no-check',
      { stdin: 'key-0123456789abcdef' },
    )
  const ran = await m.run([...line.split(' '), path], {
    env: line.startsWith('profiles') ? {} : { ...env, BNPL_WEBHOOK_SECRET: 'whsec-0123456789-0123' },
  })
  expect([ran.code, ran.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringContaining(`Git Bash has changed the path`),
  ])
  expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(
    `MSYS_NO_PATHCONV=1 for the command, or write the path with two slashes at its beginning: ${meant}`,
  )
})

test.each([
  ['api POST /partner/webhook -f', 'url=C:/Program Files/Git/hooks'],
  ['api GET /partner/webhook --field', 'path=C:/Users/ana/AppData/Local/Programs/Git/x'],
  ['webhooks trigger loan_approved --to http://127.0.0.1:1 --set', 'state=C:/msys64/x'],
  ['webhooks subscribe https://shop.example/hook --event new_lead --filter', 'outcome=D:\\Git\\x'],
  ['sandbox revise P1 --set', 'puntajeRiesgo=C:/git-sdk-64/x'],
])('%s %s names Git Bash, which has changed the value', async (line, value) => {
  using m = machine()
  const transport = async () => expect.fail('something was sent')
  const ran = await m.run([...line.split(' '), value], {
    env: { ...env, BNPL_WEBHOOK_SECRET: 'whsec-0123456789-0123' },
    transport,
  })
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('Git Bash has changed the value')])
})

test.each(['url=C:/hooks', 'url=https://shop.example/Git/x', 'note=C:/Program Files/Gitter/x', 'path=/Git/x'])(
  'a value that only looks like a path of Git Bash is sent: %s',
  async (value) => {
    using m = machine()
    const sent: string[] = []
    const transport = async ({ body }: { body?: Uint8Array<ArrayBufferLike> }) => {
      sent.push(new URLSearchParams(Buffer.from(body ?? []).toString()).toString())
      return { status: 200, headers: {}, body: Buffer.from('{}') }
    }
    await m.run(['api', 'POST', '/partner/webhook', '-f', value], { env, transport })
    const [name = '', text = ''] = value.split('=')
    expect(sent).toEqual([new URLSearchParams({ [name]: text }).toString()])
  },
)

const REPEATED = 'sk_canary_0123456789/+'

test.each<[what: string, body: (key: string) => Uint8Array, shown: string]>([
  ['as it is', (key) => Buffer.from(`key: ${key}, ñ`), 'key: ••••, ñ'],
  ['in JSON', (key) => Buffer.from(JSON.stringify({ key, amount: 1.0 })), '{"key":"••••","amount":1}'],
  ['in JSON with escapes', (key) => Buffer.from(`{"key":"${key.replace('/', '\\/')}"}`), '{"key":"••••"}'],
  ['percent-encoded', (key) => Buffer.from(`/x?key=${encodeURIComponent(key)}&a=1`), '/x?key=••••&a=1'],
  ['in Base64', (key) => Buffer.from(`Basic ${Buffer.from(key).toString('base64')}`), 'Basic ••••w=='],
  ['in text that is not UTF-8', (key) => Buffer.from(`\u00f1 ${key} \u00f1`, 'latin1'), '\u00f1 **** \u00f1'],
])('a key that the service repeats %s is masked in the answer, unless --raw is given', async (_, body, shown) => {
  using m = machine()
  const sent = body(REPEATED)
  const transport = async () => ({ status: 200, headers: { 'x-key': REPEATED, 'x-other': '1' }, body: sent })
  const run = (more: string) =>
    m.run(`api GET /partner/webhook${more}`, { env: { ...env, BNPL_API_KEY: REPEATED }, transport })
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  const masked = await run(' --include')
  const [head, ...rest] = masked.stdout.split('\n\n')
  expect(Buffer.from(head ?? '', 'latin1').toString()).toContain('x-other: 1')
  expect(bytes(rest.join('\n\n'))).toEqual(Buffer.from(shown, shown.includes('*') ? 'latin1' : 'utf8'))
  expect(masked.stdout + masked.stderr).not.toContain('canary')
  expect(masked.stderr).toContain('Print it as sent with --raw.')
  const raw = await run(' --raw')
  expect([raw.code, bytes(raw.stdout), raw.stderr]).toEqual([0, sent, ''])
})
