import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { decodeForm } from '../../src/contract/form.ts'
import type { Transport, WireRequest } from '../../src/contract/wire.ts'
import { Interrupted } from '../../src/errors.ts'
import { wordsIn } from '../../src/language/language.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { LOAN } from '../kit/loan.ts'

const env = {
  BNPL_API_KEY: 'sk-canary-1234567890',
  BNPL_BASE_URL: 'https://api.example.com',
  BNPL_PAYMENT_URL: 'https://pay.example.com/checkout',
  BNPL_PUBLIC_KEY: 'pk-1',
  BNPL_ENTITY_ID: 'E1',
}
const PAGE = '--success-url https://shop.example/ok?a=1 --error-url https://shop.example/no'

/** Returns a service that answers each endpoint with success. @param other different answers, by the end of the path */
function service(
  other: Record<string, { status?: number; data?: unknown; body?: string }> = {},
): Transport & { sent: WireRequest[] } {
  const sent: WireRequest[] = []
  const answers: Record<string, unknown> = {
    bnpl: { preApproveId: 'P1', installmentOptions: [{ installments: 3, amount: 350, total: 1050 }] },
    'loan-request': { loanRequestId: 'L1', step: 'AUTHORIZATION', preApproveId: 'P1' },
    start: { accepted: true, widgetToken: 'token-canary' },
    loan: LOAN,
  }
  const transport: Transport = async (request) => {
    sent.push(request)
    const name = request.url.split('/').at(-1) ?? ''
    const { status = 200, data = answers[name], body } = other[name] ?? {}
    return { status, headers: {}, body: Buffer.from(body ?? JSON.stringify({ data })) }
  }
  return Object.assign(transport, { sent })
}

const formOf = (request: WireRequest | undefined) => ({ ...decodeForm(new TextDecoder().decode(request?.body)) })

test('pay-url takes the return addresses from the profile or the environment, so that a new link needs neither option', async () => {
  using m = machine()
  const line = 'pay-url --trx T1 --amount 250000 --email ana@example.com'
  const returns = (url: string) => {
    const { searchParams } = new URL(url.trim())
    return [searchParams.get('successReturnUrl'), searchParams.get('errorReturnUrl')]
  }
  const env = { BNPL_SUCCESS_URL: 'https://shop.example/ok?sig=a%2Fb', BNPL_ERROR_URL: 'https://shop.example/no' }
  expect(returns((await m.run(`${line} -p sandbox`, { env })).stdout)).toEqual(Object.values(env))
  expect(returns((await m.run(`${line} -p sandbox --error-url https://o.example/`, { env })).stdout)).toEqual([
    env.BNPL_SUCCESS_URL,
    'https://o.example/',
  ])
  const missing = await m.run(`${line} -p sandbox`)
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--success-url is missing')])
  expect(missing.stderr).not.toContain('profiles set')
  const acme = '--base-url https://api.example.com --payment-url https://pay.example.com --public-key pk_1'
  await m.run(`profiles add acme ${acme} --entity-id 7001 --api-key-stdin`, { stdin: 'key-of-the-test' })
  const hinted = await m.run(`${line} -p acme`)
  expect(hinted.stderr).toContain('bnpl profiles set successUrl https://… -p acme')
  expect((await m.run('profiles set successUrl http://shop.example -p acme')).code).toBe(2)
  for (const [name, url] of [
    ['successUrl', 'https://shop.example/yes'],
    ['errorUrl', 'https://shop.example/no'],
  ])
    expect((await m.run(`profiles set ${name} ${url} -p acme`)).code).toBe(0)
  const transport = async () => ({
    status: 200,
    headers: {},
    body: Buffer.from('{"data":{"accepted":true,"widgetToken":"t"}}'),
  })
  const ran = await m.run(`${line} -p acme`, { transport })
  expect(returns(ran.stdout)).toEqual(['https://shop.example/yes', 'https://shop.example/no'])
  const shown = (await m.run('profiles show acme --json', { env })).json()
  expect(shown).toMatchObject({
    successUrl: { value: env.BNPL_SUCCESS_URL, source: 'BNPL_SUCCESS_URL' },
    errorUrl: { value: env.BNPL_ERROR_URL, source: 'BNPL_ERROR_URL' },
  })
  const wrong = await m.run(`${line} -p sandbox`, { env: { ...env, BNPL_SUCCESS_URL: 'shop.example' } })
  expect([wrong.code, wrong.stderr]).toEqual([
    3,
    expect.stringContaining('the successUrl from BNPL_SUCCESS_URL is not valid'),
  ])
})

test('select and widget-token take omitted values from the history of evaluate, and verify prints the loan', async () => {
  using m = machine()
  const transport = service()
  await m.run('evaluate --rut 11222333-9 --amount 1000 --trx T1', { env, transport })
  const selected = await m.run('select --installments 3 --json', { env, transport })
  expect(selected.json()).toEqual({ loanRequestId: 'L1', step: 'AUTHORIZATION', preApproveId: 'P1' })
  expect(formOf(transport.sent[1])).toEqual({
    preApproveId: 'P1',
    installmentOption: '3',
    externalTrxId: 'T1',
    amount: '1000',
  })
  const clock = fakeClock()
  const token = await m.run('widget-token --email ana@example.com --json', { env, transport, clock })
  expect(token.json()).toEqual({
    accepted: true,
    widgetToken: 'token-canary',
    expiresAt: new Date(clock.now() + 600_000).toISOString(),
  })
  expect(formOf(transport.sent[2])).toEqual({
    amount: '1000',
    externalTrxId: 'T1',
    entityId: 'E1',
    email: 'ana@example.com',
  })
  expect(transport.sent[2]?.headers.accept).toBe('application/x-www-form-urlencoded')
  const raw = await m.run('widget-token --email ana@example.com --raw', { env, transport })
  expect(raw.stdout).toBe('token-canary\n')
  expect((await m.run('verify T1 --json', { env, transport })).json()).toEqual(LOAN)
})

test('a value missing in the history and the options causes exit 2, or 3 without any transaction, and no call', async () => {
  using m = machine()
  const transport = service()
  expect((await m.run('select --installments 3 --trx T9', { env, transport })).stderr).toContain('--pre-approve-id')
  expect((await m.run('select --installments 3 --trx T9 --pre-approve-id P', { env, transport })).code).toBe(2)
  expect((await m.run('select --installments 3', { env, transport })).code).toBe(3)
  expect((await m.run('widget-token --email ana@example.com --trx T9', { env, transport })).code).toBe(2)
  expect((await m.run('widget-token --email nobody --trx T9 --amount 5', { env, transport })).code).toBe(2)
  expect(transport.sent).toHaveLength(0)
})

test('a widget session that is not accepted exits with 5 and prints no token', async () => {
  using m = machine()
  const transport = service({ start: { data: { accepted: false, widgetToken: null } } })
  const ran = await m.run('widget-token --email ana@example.com --trx T1 --amount 1000 --json', { env, transport })
  expect(ran).toMatchObject({ code: 5, stdout: '' })
  expect(ran.error().code).toBe('WIDGET_NOT_ACCEPTED')
})

test('if the entity of a transaction in the history is gone, the hint says where its id comes from', async () => {
  using m = machine()
  const { id } = (await m.run('entities add --external-id E2 --name Shop --label shop -p sandbox --json')).json()
  await m.run(`evaluate --rut 11222333-9 --amount 9000 --trx T1 --entity-id ${id} -p sandbox`)
  await m.run('sandbox reset --yes')
  const ran = await m.run('widget-token --trx T1 --email ana@example.com -p sandbox')
  expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('The entity id is that of T1 in the history')])
})

test('a token with characters that no address can carry is refused as an answer outside the specification', async () => {
  using m = machine()
  const transport = service({ start: { body: String.raw`{"data":{"accepted":true,"widgetToken":"token-\ud800"}}` } })
  for (const line of ['widget-token --trx T1', `pay-url --trx T1 ${PAGE}`]) {
    const ran = await m.run(`${line} --amount 1000 --email ana@example.com`, { env, transport })
    expect(ran, line).toMatchObject({ code: 12, stdout: '' })
    expect(ran.stderr).toContain('widgetToken')
  }
})

test('pay-url prints only the address, with every value encoded', async () => {
  using m = machine()
  const transport = service()
  const ran = await m.run(`pay-url --trx T1 --amount 1000 --email ana@example.com ${PAGE}`, { env, transport })
  expect(ran.stdout).toBe(
    'https://pay.example.com/checkout/?widgetToken=token-canary&publicKey=pk-1&successReturnUrl=https%3A%2F%2Fshop.example%2Fok%3Fa%3D1&errorReturnUrl=https%3A%2F%2Fshop.example%2Fno\n',
  )
  const opened: string[] = []
  const open = async (url: string) => opened.push(url) > 0
  const json = await m.run(`pay-url --token abc ${PAGE} --open --qr --json`, { env, transport, open })
  expect(json.json()).toEqual({ url: opened[0], expiresAt: null })
  expect(json.stderr).toContain('█')
  expect(transport.sent).toHaveLength(1)
  const piped = await m.run(`pay-url --token - ${PAGE} --json`, { env, transport, stdin: ' abc\n' })
  expect(piped.json().url).toBe(opened[0])
})

test.each([
  ['', 'paid', false],
  [' --reject', 'rejected', false],
  ['', 'paid', true],
])(
  'after `sandbox pay T1%s`, pay-url --open reports %s and exits with 0, and serves the page for 12 s longer only if it was opened: %s',
  async (reject, end, isOpened) => {
    using m = machine()
    const clock = fakeClock(Date.now())
    const ran = await m.run(`pay-url -p sandbox --trx T1 --amount 90000 --email a@example.com ${PAGE} --open`, {
      clock,
      async open(url) {
        if (isOpened) await (await fetch(url)).text()
        await m.run(`sandbox pay T1 --rut 11222333-9${reject}`)
        return true
      },
    })
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`The payment ended: ${end}.`) })
    expect(clock.slept.includes(12_000)).toBe(isOpened)
    expect(ran.stderr.includes('Waiting for the customer to return to the shop · 12s left')).toBe(isOpened)
  },
)

test('pay-url --qr says when the address leads to this machine only', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --rut 11222333-9 --amount 1000 --trx T1')
  const near = await m.run(`pay-url -p sandbox --trx T1 --email ana@example.com --qr ${PAGE}`)
  expect(near.stderr).toContain('A phone cannot open this address')
  const far = await m.run(`pay-url --token abc --qr ${PAGE}`, { env, transport: service() })
  expect(far).toMatchObject({ code: 0, stderr: expect.not.stringContaining('A phone') })
})

test('a QR code that is wider than the terminal is not drawn, and a note says how large the window must be', async () => {
  using m = machine()
  const at = async (columns: number) => {
    const { world, stderr } = m.world({ env, transport: service(), columns })
    Object.assign(world.io, { stderrIsTty: true })
    await runCli(`pay-url --token abc --qr ${PAGE}`.split(' '), world)
    return stderr()
  }
  const wide = await at(120)
  expect(wide).toMatch(/^█[▀█]+█$/m)
  const narrow = await at(30)
  expect(narrow).not.toContain('▀')
  expect(narrow.replace(/\s+/g, ' ')).toMatch(/the QR code needs \d+ columns and \d+ rows; enlarge the window/)
})

test('pay-url refuses values that no page can use, and sends nothing', async () => {
  using m = machine()
  const transport = service()
  const base = 'pay-url --trx T1 --amount 1000 --email ana@example.com'
  expect(
    (await m.run(`${base} --success-url javascript:alert(1) --error-url https://a.example`, { env, transport })).code,
  ).toBe(2)
  expect((await m.run(`${base} ${PAGE}`, { env: { ...env, BNPL_PAYMENT_URL: '' }, transport })).code).toBe(3)
  expect((await m.run(`${base} ${PAGE}`, { env: { ...env, BNPL_PUBLIC_KEY: '' }, transport })).code).toBe(3)
  expect(
    (await m.run(`${base} ${PAGE}`, { env: { ...env, BNPL_PAYMENT_URL: 'http://pay.example.com' }, transport })).code,
  ).toBe(3)
  const dead = `x.${Buffer.from('{"exp":1000}').toString('base64url')}.y`
  expect((await m.run(`pay-url --token ${dead} ${PAGE}`, { env, transport })).code).toBe(2)
  expect(transport.sent).toHaveLength(0)
})

test('pay-url refuses a secret key as the public key, sends and prints nothing, and never shows the key', async () => {
  using m = machine()
  const transport = service()
  const run = (more: string, publicKey = 'pk-1') =>
    m.run(`pay-url --trx T1 --amount 1000 --email ana@example.com ${PAGE}${more}`, {
      env: { ...env, BNPL_API_KEY: 'canary-1234567890', BNPL_PUBLIC_KEY: publicKey },
      transport,
    })
  const LOOKS_SECRET = 'it looks like a secret key, but the public key is visible to everybody'
  for (const key of ['sk_live_canary', 'canary-1234567890'])
    for (const [ran, code, reason] of [
      [await run('', key), 3, LOOKS_SECRET],
      [await run(` --public-key ${key}`), 2, key.startsWith('sk_') ? LOOKS_SECRET : 'an argument contains an API key'],
    ] as const) {
      expect([key, ran]).toMatchObject([key, { code, stdout: '' }])
      expect(ran.stderr).toContain(reason)
      expect(ran.stderr).not.toContain('canary')
    }
  expect(transport.sent).toHaveLength(0)
  expect((await run(' --public-key pk_sandbox_1')).code).toBe(0)
})

test.each([
  ['http://evil.example/ok', 2],
  ['http://192.168.1.9/', 2],
  ['http://localhost:3000/ok', 0],
])('pay-url with the return address %s ends with %i [attack 15]', async (address, code) => {
  using m = machine()
  for (const [success, error] of [
    [address, 'https://shop.example/'],
    ['https://shop.example/', address],
  ] as const) {
    const line = `pay-url -p sandbox --trx T1 --amount 1000 --email a@b.example --success-url ${success} --error-url ${error} --json`
    const ran = await m.run(line)
    expect(ran.code).toBe(code)
    if (code === 2)
      expect(ran.error()).toMatchObject({
        code: 'INVALID_RETURN_URL',
        message: expect.stringContaining('http: is only accepted for this machine (localhost, 127.0.0.1, [::1])'),
      })
  }
  // The refused command made no call.
  expect((await m.run('sandbox status --json')).json().requests).toBe(code === 2 ? 0 : 2)
})

test('a paid order is called paid, by every command of the payment', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --trx T1 --rut 11222333-9 --amount 90000')
  await m.run('sandbox pay T1')
  for (const [line, code] of [
    [`pay-url -p sandbox --trx T1 --amount 90000 --email a@example.com ${PAGE}`, 'WIDGET_NOT_ACCEPTED'],
    ['widget-token -p sandbox --trx T1 --amount 90000 --email a@example.com', 'WIDGET_NOT_ACCEPTED'],
    ['evaluate -p sandbox --trx T1 --rut 11222333-9 --amount 90000', 'ERR_TRANSACTION_ALREADY_PAID'],
    ['select -p sandbox --trx T1 --installments 3', 'ERR_TRANSACTION_ALREADY_PAID'],
  ]) {
    const { message, hint, ...error } = (await m.run(`${line} --json`)).error()
    expect([line, message, hint]).toEqual([
      line,
      expect.stringMatching(/^T1 is already paid/),
      expect.stringContaining('bnpl verify T1 -p sandbox'),
    ])
    expect(error).toMatchObject({ kind: 'refused', code })
  }
  expect((await m.run('verify T1 -p sandbox')).stderr).toBe('T1 is paid. The loan is active.\n')
})

test('a payment that was rejected says so in one line, with the next step in another, and no command waits for it', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --trx T1 --rut 11222333-9 --amount 90000')
  await m.run('sandbox pay T1 --reject')
  await m.run(`pay-url -p sandbox --trx T3 --amount 90000 --email a@example.com ${PAGE}`)
  const end = async (trx: string) => {
    const { code, stderr } = await m.run(`verify ${trx} -p sandbox`)
    return [code, stderr]
  }
  expect(await end('T1')).toEqual([
    6,
    'error: T1 has no loan: the payment was rejected\n' +
      '  To offer the customer another attempt, run: bnpl pay-url --trx T1 --email … --success-url … --error-url … -p sandbox\n',
  ])
  expect(await end('T3')).toEqual([
    6,
    expect.stringContaining('Wait for the payment, if the customer has not paid yet'),
  ])
})

test('verify of several ends with 4 after the first answer that refuses the key', async () => {
  using m = machine()
  const transport = service({ loan: { status: 401, body: '{"error":{"code":"ERR_UNAUTHORIZED"}}' } })
  expect(await m.run('verify T1 T2', { env, transport })).toMatchObject({ code: 4, stdout: '' })
  expect(transport.sent).toHaveLength(1)
})

test('verify of several prints what it verified before a refused key or an interruption, then ends with that exit code', async () => {
  using m = machine()
  const answers: Record<string, object> = {
    T1: { status: 200, body: JSON.stringify({ data: LOAN }) },
    NONE: { status: 404, body: '{"error":{"code":"ERR_LOAN_NOT_FOUND"}}' },
    BAD: { status: 401, body: '{"error":{"code":"ERR_UNAUTHORIZED"}}' },
  }
  const asked: string[] = []
  const transport: Transport = async ({ url }) => {
    const id = url.split('/').at(-2) ?? ''
    asked.push(id)
    if (id === 'STOP') throw new Interrupted(130)
    const { status = 0, body = '' } = answers[id] as { status?: number; body?: string }
    return { status, headers: {}, body: Buffer.from(body) }
  }
  const refused = await m.run('verify T1 NONE BAD T2 --json', { env, transport })
  expect([refused.code, asked]).toEqual([4, ['T1', 'NONE', 'BAD']])
  expect(refused.json()).toMatchObject([LOAN, { externalTrxId: 'NONE', error: { kind: 'not-found' } }])
  expect(refused.error()).toMatchObject({ kind: 'auth' })
  const interrupted = await m.run('verify T1 STOP T2 --json', { env, transport })
  expect(interrupted).toMatchObject({ code: 130, stdout: expect.stringContaining('"externalTrxId": "T1"') })
})

test.each([
  [400, 'ERR_X', true],
  [413, 'ERR_X', true],
  [410, 'ERR_X', true],
  [408, 'ERR_X', false],
  [409, 'ERR_X', false],
  [422, 'ERR_X', false],
  [423, 'ERR_X', false],
  [429, 'ERR_X', false],
  [500, 'ERR_X', false],
])('after verify of several, an answer %i %s is final: %s', async (status, code, isFinal) => {
  using m = machine()
  const transport: Transport = async ({ url }) =>
    url.includes('/T1/')
      ? { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data: LOAN })) }
      : { status, headers: {}, body: Buffer.from(JSON.stringify({ error: { code } })) }
  const ran = await m.run('verify T1 REF --json', { env, transport, clock: fakeClock() })
  expect(ran.error().hint).toBe(
    isFinal
      ? 'The result says why. To verify them again would not help.'
      : 'The result says why. Verify again later: bnpl verify REF',
  )
})

test('the commands that verify prints repeat what is expected of the loan', async () => {
  using m = machine()
  const transport: Transport = async ({ url }) => {
    const [status, body] = url.includes('/T1/') ? [200, { data: LOAN }] : url.includes('/T4/') ? [409, {}] : [404, {}]
    return { status: status as number, headers: {}, body: Buffer.from(JSON.stringify(body)) }
  }
  const options = `--expect-amount ${LOAN.loanAmount} --expect-state ACTIVE --expect-interest-rate 1.1%`
  const repeated = `--expect-amount ${LOAN.loanAmount} --expect-state ACTIVE --expect-interest-rate 0.011`
  for (const [ids, next] of [
    ['T1 T9', `bnpl verify T9 ${repeated}`],
    ['T9', `bnpl verify T9 --wait ${repeated}`],
    ['T4', `bnpl verify T4 --wait ${repeated}`],
  ]) {
    const ran = await m.run(`verify ${ids} ${options} --json`, { env, transport })
    expect(ran.error().hint).toMatch(new RegExp(`: ${next}$`))
  }
})

test('after verify of several, the hint names only those whose result can change', async () => {
  using m = machine()
  for (const trx of ['paid', 'rejected', 'open'])
    await m.run(`evaluate -p sandbox --trx ${trx} --rut 11222333-9 --amount 90000`)
  await m.run('sandbox pay paid')
  await m.run('sandbox pay rejected --reject')
  const hint = async (ids: string) => (await m.run(`verify ${ids} -p sandbox --json`)).error().hint
  expect(await hint('paid rejected undefined open')).toBe(
    'The result says why. Verify again later: bnpl verify open -p sandbox',
  )
  expect(await hint('paid rejected')).toBe('The result says why. To verify them again would not help.')
})

test('verify --wait says in the end how the payment ended in the sandbox, as verify does', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --trx T1 --rut 11222333-9 --amount 90000')
  await m.run('sandbox pay T1 --reject')
  const { code, stderr } = await m.run('verify T1 -p sandbox --wait 1s', { clock: fakeClock(Date.now()) })
  expect([code, stderr]).toEqual([6, expect.stringContaining('error: T1 has no loan: the payment was rejected\n')])
})

test('in the sandbox, cancel counts the days that are left by the time of the sandbox, and verify says that the loan is cancelled', async () => {
  using m = machine()
  const paid = async (trx: string) => {
    await m.run(`evaluate -p sandbox --trx ${trx} --rut 11222333-9 --amount 90000`)
    await m.run(`sandbox pay ${trx}`)
  }
  await paid('T1')
  await m.run('sandbox clock advance 50d')
  await paid('T2')
  expect((await m.run('cancel T1 -p sandbox --yes')).stderr).toContain('10 of 60 days are left to cancel it.')
  expect((await m.run('cancel T2 -p sandbox --yes')).stderr).toContain('60 of 60 days are left to cancel it.')
  const { stderr } = await m.run('verify T1 -p sandbox')
  expect(stderr).toBe('The loan of T1 is cancelled. The customer pays no more installments of it.\n')
})

test('cancel counts days as they begin in Chile, where it is still the day of the payment when a day begins in UTC', async () => {
  using m = machine()
  const clock = fakeClock(Date.UTC(2026, 10, 29, 1))
  for (const line of ['evaluate -p sandbox --trx T1 --rut 11222333-9 --amount 90000', 'sandbox pay T1'])
    expect(await m.run(line, { clock })).toMatchObject({ code: 0 })
  const { stderr } = await m.run('cancel T1 -p sandbox --yes', { clock })
  expect(stderr).toContain('transferred on 2026-11-28.')
  expect(stderr).toContain('60 of 60 days are left to cancel it.')
})

test('on a real account, the hint after a refused widget session names the loan or the missing evaluation, as the history knows it', async () => {
  using m = machine()
  const refusing: Transport = async () => ({
    status: 200,
    headers: {},
    body: Buffer.from(JSON.stringify({ data: { accepted: false, widgetToken: null } })),
  })
  const pay = async () =>
    (
      await m.run(`pay-url --trx T1 --amount 1000 --email a@example.com ${PAGE} --json`, {
        env: { ...env, BNPL_PUBLIC_KEY: 'pk_1', BNPL_PAYMENT_URL: 'https://pay.example', BNPL_ENTITY_ID: 'E1' },
        transport: refusing,
      })
    ).error()
  expect(await pay()).toMatchObject({
    message: expect.stringContaining('session for T1'),
    hint: expect.stringContaining('evaluate the customer for this transaction and amount: bnpl evaluate'),
  })
  await m.run('verify T1', { env, transport: service() })
  expect((await pay()).message).toBe('T1 is already paid, so no token was created')
})

test('without a loan, verify says on a real account that the last link has expired, and how to make a new one', async () => {
  using m = machine()
  const transport = service({ loan: { status: 404, data: null } })
  const clock = fakeClock()
  const pageUrl = `pay-url --trx T1 --amount 1000 --email ana@example.com ${PAGE}`
  expect((await m.run(pageUrl, { env, transport, clock })).code).toBe(0)
  const verified = async () => (await m.run('verify T1', { env, transport, clock })).stderr
  expect(await verified()).toContain('Wait for the payment, if the customer has not paid yet: bnpl verify T1 --wait')
  await clock.sleep(10 * 60_000)
  const expired = await verified()
  expect(expired).toMatch(/The last link that this machine made for T1 expired at \d{4}-\S+ \S+\. If the customer/)
  expect(expired).toContain('bnpl pay-url --trx T1 --email … --success-url … --error-url …')
  expect(expired).not.toContain('--wait')
})

test('verify exits with 10 when an expectation is not met, with the loan on stdout', async () => {
  using m = machine()
  const transport = service()
  const met = await m.run('verify T1 --expect-state ACTIVE --expect-amount 1000 --expect-periods 1 --json', {
    env,
    transport,
  })
  expect(met.code).toBe(0)
  for (const [option, word] of [
    ['--expect-state PAID', 'state of T1 is ACTIVE, expected PAID'],
    ['--expect-state active', 'state of T1 is ACTIVE, expected active (only upper and lower case differ)'],
    ['--expect-amount 1001', 'amount of T1 is 1000, expected 1001'],
    ['--expect-periods 2', 'installments of T1 is 1, expected 2'],
    ['--expect-installment-amount 7', `installment amount of T1 is ${LOAN.installmentAmount}, expected 7`],
    [
      '--expect-last-installment-amount 7',
      `last installment amount of T1 is ${LOAN.lastInstallmentAmount}, expected 7`,
    ],
    ...[
      '1.1% 0.011',
      '3% 0.03',
      '2.9% 0.029',
      '0.07% 0.0007',
      '56.3% 0.563',
      '100% 1',
      '0.123456789% 0.00123456789',
    ].map((pair) => {
      const [given, read] = pair.split(' ')
      return [`--expect-interest-rate ${given}`, `interest rate of T1 is ${LOAN.interestRate}, expected ${read}`]
    }),
    ['--expect-transfer-date 2020-01-01', `transfer date of T1 is ${LOAN.transferDate}, expected 2020-01-01`],
    [
      '--expect-amount 1001 --expect-state PAID',
      'amount of T1 is 1000, expected 1001; state of T1 is ACTIVE, expected',
    ],
  ]) {
    const ran = await m.run(`verify T1 ${option} --json`, { env, transport })
    expect(ran.code).toBe(10)
    expect(ran.json()).toEqual(LOAN)
    expect(ran.stderr).toContain(word)
  }
})

test('verify compares a rate in percent and the day of a date as a run over a file does, and refuses other texts', async () => {
  using m = machine()
  const transport = service()
  const rate = `${LOAN.interestRate * 100}%`
  for (const option of [`--expect-interest-rate ${rate}`, `--expect-transfer-date ${LOAN.transferDate}T03:00:00Z`])
    expect(await m.run(`verify T1 ${option}`, { env, transport })).toMatchObject({ code: 0 })
  const sent = service({ loan: { data: { ...LOAN, interestRate: 0.0189 } } })
  for (const same of ['.0189', '0,0189', ',0189', '1.89%', '1,89 %', '1.89e-2', '1.89E-02', '0.018900000000000001']) {
    const ran = await m.run(['verify', 'T1', '--expect-interest-rate', same], { env, transport: sent })
    expect([same, ran.code]).toEqual([same, 0])
  }
  for (const [option, value] of [
    ['--expect-interest-rate', ' 1.89% '],
    ['--expect-state', ` ${LOAN.state} `],
    ['--expect-transfer-date', ` ${LOAN.transferDate}`],
    ['--expect-amount', ` ${LOAN.loanAmount} `],
  ] as const)
    expect([option, (await m.run(['verify', 'T1', option, value], { env, transport: sent })).code]).toEqual([option, 0])
  for (const [option, reason] of [
    ...['30', '189%', '1.89', '.', '%', '-1%', '1e5', '1..2'].map((each) => [
      `--expect-interest-rate ${each}`,
      'it must be a decimal fraction such as 0.0189, or at most 100%, such as 1.89%',
    ]),
    ['--expect-transfer-date tomorrow', 'it must be a date such as 2026-03-01'],
    ...[
      '2026-02-29',
      '2026-11-31',
      '2026-13-45',
      '0000-00-00',
      '2026-11-28T25:61:00Z',
      '2026-11-28T23:00:00+99:99',
    ].map((date) => [`--expect-transfer-date ${date}`, 'it must be a date such as 2026-03-01']),
    ['--expect-state=', 'it is empty'],
    ['--expect-installment-amount many', 'is not valid'],
    ['--expect-periods 0', 'is not a valid number'],
  ]) {
    const ran = await m.run(`verify T1 ${option}`, { env, transport })
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(String(reason)) })
  }
  const mixed = await m.run('verify --from in.csv --expect-transfer-date 2026-01-01', { env, transport })
  expect(mixed.stderr).toContain('--expect-transfer-date and --from cannot be used together')
})

test('verify --wait says that it waits for the state, and does not wait for a state that differs only in case', async () => {
  using m = machine()
  const [transport, clock] = [service(), fakeClock()]
  const ran = await m.run('verify T1 --wait 5s --expect-state PAID', { env, transport, clock })
  expect(ran).toMatchObject({ code: 10, stderr: expect.stringContaining('state of T1 is ACTIVE, expected PAID') })
  expect(ran.stderr).toContain('Waiting up to 5s for T1, until its loan has the state PAID …')
  expect(clock.slept).not.toEqual([])

  const mistyped = fakeClock()
  const failed = await m.run('verify T1 --wait 5s --expect-state active', { env, transport, clock: mistyped })
  expect(failed).toMatchObject({ code: 10, stderr: expect.stringContaining('only upper and lower case differ') })
  expect(mistyped.slept).toEqual([])
})

test('verify --wait does not wait until a cancelled loan has another state, and says that it is cancelled', async () => {
  using m = machine()
  const transport = service({ loan: { data: { ...LOAN, state: 'CANCELLED' } } })
  for (const [line, code] of [
    ['verify T1 --wait 5s --expect-state ACTIVE', 10],
    ['verify T1 --wait 5s --expect-state CANCELLED', 0],
  ] as const) {
    const clock = fakeClock()
    const ran = await m.run(line, { env, transport, clock })
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining('The loan of T1 is cancelled.') })
    expect(clock.slept).toEqual([])
  }
  const other = fakeClock()
  const own = { ...env, BNPL_CONFIG_DIR: m.configDir }
  await m.run('profiles add own --base-url https://api.example.com --api-key-stdin', {
    env: own,
    stdin: env.BNPL_API_KEY,
  })
  await m.run('profiles set cancelledState ANULADO -p own', { env: own })
  await m.run('verify T1 -p own --wait 5s --expect-state ACTIVE', { transport, clock: other })
  expect(other.slept).not.toEqual([])
})

test('verify reports an answer about another transaction as a failed check', async () => {
  using m = machine()
  const ran = await m.run('verify T2 --json', { env, transport: service() })
  expect(ran.code).toBe(10)
  expect(ran.stderr).toContain('the answer is about T1')
})

test('verify shows a loan and a warning if the figures of the loan do not agree', async () => {
  using m = machine()
  const ran = await m.run('verify T1', { env, transport: service({ loan: { data: { ...LOAN, periods: 2 } } }) })
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('the loan has 2 periods, but its schedule has 1')
})

test('verify of several transactions prints an array, with a row for each failure, and exits with 11', async () => {
  using m = machine()
  const transport: Transport = async ({ url }) =>
    url.includes('/T1/')
      ? { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data: LOAN })) }
      : { status: 404, headers: {}, body: Buffer.from('{"error":{"code":"ERR_LOAN_NOT_FOUND"}}') }
  const ran = await m.run('verify T1 T9 --json', { env, transport })
  expect(ran.code).toBe(11)
  expect(ran.json()).toMatchObject([
    LOAN,
    { externalTrxId: 'T9', error: { kind: 'not-found', code: 'ERR_LOAN_NOT_FOUND' } },
  ])
  const retry = 'The result says why. Verify again later: bnpl verify T9'
  expect(ran.error().hint).toBe(retry)
  const table = await m.run('verify T1 T9', { env, transport, stdoutIsTty: true })
  expect(table.stdout).toMatch(/T1\s+ACTIVE[\s\S]*T9\s+not-found/)
  for (const line of table.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  const spanish = await m.run('verify T1 T9', { env, transport, stdoutIsTty: true, inLanguage: await wordsIn('es') })
  expect(spanish.stdout).toMatch(/^T9 +sin crédito /m)
  const piped = await m.run('verify T1 T9', { env, transport })
  expect(piped.stdout).toContain('no loan for this transaction (404 ERR_LOAN_NOT_FOUND)\n')
})

test('verify of several says what could not be verified and what is not as expected, in both languages', async () => {
  using m = machine()
  const transport: Transport = async ({ url }) =>
    url.includes('/T9/')
      ? { status: 404, headers: {}, body: Buffer.from('{"error":{"code":"ERR_LOAN_NOT_FOUND"}}') }
      : {
          status: 200,
          headers: {},
          body: Buffer.from(JSON.stringify({ data: { ...LOAN, externalTrxId: url.split('/').at(-2) } })),
        }
  const line = 'verify T1 T9 T2 --expect-state PAID --expect-periods 1'
  const ran = await m.run(`${line} --json`, { env, transport })
  expect(ran.code).toBe(11)
  expect(ran.error().message).toBe(
    '1 of 3 transactions could not be verified; not as expected: state of T1 is ACTIVE, expected PAID; state of T2 is ACTIVE, expected PAID',
  )
  const spanish = await m.run(line, { env, transport, inLanguage: await wordsIn('es') })
  expect(spanish.stderr).toContain(
    'no se pudo verificar 1 de 3 transacciones; no es lo esperado: el estado de T1 es ACTIVE, se esperaba PAID; el estado de T2 es ACTIVE, se esperaba PAID',
  )
})

test('with -o csv the header does not depend on the results', async () => {
  using m = machine()
  const transport: Transport = async ({ url }) =>
    /\/(BAD\d?)\//.test(url)
      ? { status: 404, headers: {}, body: Buffer.from('{"error":{"code":"ERR_X"}}') }
      : url.endsWith('/loan')
        ? {
            status: 200,
            headers: {},
            body: Buffer.from(JSON.stringify({ data: { ...LOAN, externalTrxId: url.split('/').at(-2) } })),
          }
        : {
            status: 200,
            headers: {},
            body: Buffer.from(
              url.endsWith('/x.pdf') ? '%PDF-1.7\n%%EOF\n' : '{"data":{"url":"https://storage.example.com/x.pdf"}}',
            ),
          }
  const header = async (line: string) => {
    const { stdout } = await m.run(`${line} -o csv`, { env, transport })
    return stdout.split('\n')[0]
  }
  for (const [header1, ...lines] of [
    [
      `${Object.keys(LOAN).join()},differences,error`,
      'verify T1 T2',
      'verify T1 T2 --expect-state X',
      'verify T1 BAD',
      'verify BAD BAD2',
    ],
    [Object.keys(LOAN).join(), 'verify T1', 'verify T1 --expect-state X'],
    [
      'preApproveId,path,bytes,sha256,status,error',
      'informe download P1 P2',
      'informe download P3 BAD',
      'informe download BAD BAD2',
    ],
    ['name,status,detail,hint,ms', 'smoke', 'doctor'],
  ])
    for (const line of lines) expect([line, await header(line)]).toEqual([line, header1])
  const empty = await header('history list --search nothing')
  expect(await header('history list')).toBe(empty)
  expect(empty).toMatch(/^kind,profile,externalTrxId,.*,fetchedAt$/)
})

test('verify --wait waits for the loan, and ends with 6 when the given time is over', async () => {
  using m = machine()
  let asked = 0
  const late: Transport = async () =>
    ++asked < 4
      ? { status: 404, headers: {}, body: Buffer.from('{}') }
      : { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data: LOAN })) }
  expect((await m.run('verify T1 --wait 5m', { env, transport: late, clock: fakeClock() })).code).toBe(0)
  const clock = fakeClock()
  const never = await m.run('verify T1 --wait 1m --json', {
    env,
    clock,
    transport: service({ loan: { status: 404, body: '{}' } }),
  })
  expect(never.code).toBe(6)
  expect(clock.monotonic()).toBe(60_000)
  for (const line of ['verify T1 --wait soon', 'verify --wait soon']) {
    const { code, stderr } = await m.run(line, { env, transport: late })
    expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining('Write the duration as 30s')])
  }
})

test('without a profile and without settings in the environment the exit code is 3, and the hint says what to do', async () => {
  using m = machine()
  const ran = await m.run('verify T1 --json', {})
  expect(ran.code).toBe(3)
  expect(ran.stderr).toContain('-p sandbox')
  expect(ran.error().code).toBe('NO_PROFILE')
})
