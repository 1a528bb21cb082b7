import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { catchReturn } from '../../src/commands/walkthrough-payment.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { pasted } from '../kit/pasted.ts'
import { raw, request } from '../kit/raw-http.ts'
import { typedTerminal } from '../kit/typed-terminal.ts'

test('without a terminal, walkthrough in the sandbox does every step and ends with an ACTIVE loan and exit 0', async () => {
  using m = machine()
  const ran = await m.run('walkthrough -p sandbox --json')
  expect(ran.code).toBe(0)
  const summary = ran.json()
  expect(summary).toMatchObject({
    amount: 250_000,
    payment: 'paid',
    installments: 6,
    loan: { state: 'ACTIVE', loanAmount: 250_000, periods: 6 },
  })
  expect(summary.loan.externalTrxId).toBe(summary.externalTrxId)
  expect(ran.stdout + ran.stderr).not.toMatch(/eyJ|sk_sandbox/)
  const verified = await m.run(`verify ${summary.externalTrxId} -p sandbox --json`)
  expect(verified.json()).toEqual(summary.loan)
})

test('a rejected payment and a rejected customer exit with 5, and no loan is made', async () => {
  using m = machine()
  const rejected = await m.run('walkthrough -p sandbox --reject --trx T1 --json')
  expect(rejected).toMatchObject({ code: 5, stdout: '' })
  expect(rejected.error().code).toBe('PAYMENT_REJECTED')
  expect((await m.run('verify T1 -p sandbox')).code).toBe(6)
  expect((await m.run('walkthrough -p sandbox --rut 77777777-7')).code).toBe(5)
  const customer = await m.run('walkthrough -p sandbox --rut 11111111-1 --json')
  expect(customer.code).toBe(5)
  expect(customer.error().code).toBe('ERR_CUSTOMER_NOT_APPROVED')
})

test('on a real account without a terminal a missing value is exit 2, nothing is invented and nothing is sent', async () => {
  using m = machine()
  const env = { BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
  const transport = async () => {
    throw new Error('nothing may be sent')
  }
  const given = 'walkthrough --rut 11222333-9'
  for (const line of ['walkthrough', given, `${given} --amount 250000`, `${given} --amount 250000 --email x`]) {
    const ran = await m.run(line, { env, transport })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/this run cannot ask for it|--email is not an e-mail address/)
  }
})

test('at a terminal, a long command is printed on several lines that can be pasted together', async () => {
  using m = machine()
  const { world, stderr } = m.world()
  Object.assign(world.io, { stderrIsTty: true })
  expect(await runCli('walkthrough -p sandbox --no-input --amount 90000 --installments 3'.split(' '), world)).toBe(0)
  expect(
    stderr()
      .split('\n')
      .filter((line) => stringWidth(line) > 80),
  ).toEqual([])
  expect(stderr()).toMatch(/^\$ bnpl evaluate .* \\\n {4}--trx trx-\S+ -p sandbox$/m)
  const commands = [...stderr().matchAll(/^\$ (bnpl (?:.*\\\n)*.*)$/gm)].map(([, command]) => String(command))
  expect(commands).toHaveLength(5)
  const [evaluate, , , , verify] = commands.map((command) => pasted(command))
  const trx = verify?.[1]
  expect(evaluate).toEqual(['evaluate', '--rut', '11.222.333-9', '--amount', '90000', '--trx', trx, '-p', 'sandbox'])
  expect(await m.run(verify ?? [])).toMatchObject({ code: 0 })
})

test('each step prints a command that does the same, and those commands work', async () => {
  using m = machine()
  const first = await m.run('walkthrough -p sandbox --amount 90000 --installments 3')
  const commands = [...first.stderr.matchAll(/^\$ bnpl (.*)$/gm)].map((match) => String(match[1]))
  expect(commands.map((line) => line.split(' ')[0])).toEqual([
    'evaluate',
    'select',
    'widget-token',
    'sandbox',
    'verify',
  ])
  for (const line of commands) {
    const again = line.replaceAll(/trx-[0-9a-z-]+/g, 'T-again')
    const ran = await m.run(again.startsWith('sandbox') ? `${again} -p sandbox` : again)
    expect([line, ran.code, ran.stderr]).toMatchObject([line, 0, expect.anything()])
  }
  expect((await m.run('verify T-again -p sandbox --json')).json()).toMatchObject({ loanAmount: 90_000, periods: 3 })
})

test('afterwards the history has the transaction, and no personal data', async () => {
  using m = machine()
  const ran = await m.run('walkthrough -p sandbox --trx T1 --email ana@example.com')
  expect(ran.code).toBe(0)
  const history = await m.run('history show T1 -p sandbox --json')
  expect(history.json()).toMatchObject({ externalTrxId: 'T1', amount: 250_000, installments: 6, loanState: 'ACTIVE' })
  expect(history.stdout).not.toMatch(/11222333|ana@/)
})

test('a profile named acme-sandbox is a real account, and its steps do not show the customer’s e-mail address', async () => {
  using m = machine()
  await m.run('profiles add acme-sandbox --base-url https://api.example.com --entity-id E --api-key-stdin', {
    stdin: 'sk-canary-1234567890',
  })
  const data = {
    preApproveId: 'P1',
    installmentOptions: [{ installments: 3, amount: 400, total: 1200 }],
    ...{ loanRequestId: 'L1', step: 'AUTHORIZATION', accepted: true, widgetToken: 'a.b.c' },
  }
  const transport = async ({ url }: { url: string }) => ({
    status: url.endsWith('/loan') ? 404 : 200,
    headers: {},
    body: Buffer.from(JSON.stringify({ data })),
  })
  const line = ['walkthrough', '--rut', '11222333-9', '--amount', '1000', '--email', 'maria@example.com']
  const real = await m.run([...line, '--trx', 'order $(1)', '-p', 'acme-sandbox'], { transport })
  expect(real).toMatchObject({ code: 0, stdout: expect.stringContaining("bnpl verify 'order $(1)' --wait") })
  expect(real.stderr).toContain("bnpl select --installments 3 --trx 'order $(1)' -p acme-sandbox")
  expect(real.stderr).toContain('$ bnpl pay-url')
  expect(real.stdout + real.stderr).not.toContain('maria@')
  await m.run('profiles use sandbox')
  expect((await m.run('walkthrough --trx T1')).stderr).toContain('$ bnpl sandbox pay T1')
})

test.each([
  ['409', 0, { status: 409, body: 'pending' }],
  ['nothing in data', 0, { status: 200, body: '{"data":{}}' }],
  ['410', 5, { status: 410, body: '' }],
])('on a real account %s before the payment ends the walkthrough with %i', async (_, code, before) => {
  using m = machine()
  const data = {
    preApproveId: 'P1',
    installmentOptions: [{ installments: 3, amount: 400, total: 1200 }],
    ...{ loanRequestId: 'L1', step: 'AUTHORIZATION', accepted: true, widgetToken: 'a.b.c' },
  }
  const transport = async ({ url }: { url: string }) => {
    const { status, body } = url.endsWith('/loan') ? before : { status: 200, body: JSON.stringify({ data }) }
    return { status, headers: {}, body: Buffer.from(body) }
  }
  const env = { BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E' }
  const line = 'walkthrough --rut 11222333-9 --amount 1000 --email maria@example.com --json'
  const ran = await m.run(line, { env, transport })
  expect([ran.code, ran.stderr]).toEqual([code, expect.anything()])
  if (code === 0) expect(ran.json()).toMatchObject({ payment: 'pending', loan: null })
})

test.each([
  ['', 0],
  [' --reject', 5],
])(
  'at a terminal, walkthrough ends at once after `sandbox pay TRX%s` in another, if nobody opened the page',
  async (reject, code) => {
    using m = machine()
    const clock = fakeClock(Date.now())
    const terminal = typedTerminal([[/Which option/, '\r']])
    const { world, stderr } = m.world({
      clock,
      async open() {
        expect((await m.run(`sandbox pay T1${reject}`)).code).toBe(0)
        return true
      },
    })
    Object.assign(world.io, terminal.io)
    const line = 'walkthrough -p sandbox --rut 11222333-9 --amount 90000 --trx T1 --email ana@example.com'
    expect([await runCli(line.split(' '), world), stderr()]).toEqual([code, expect.anything()])
    expect(clock.slept.reduce((sum, each) => sum + each)).toBeLessThan(10_000)
  },
)

test('a question rejects a wrong answer without naming an option', async () => {
  using m = machine()
  const terminal = typedTerminal([
    [/national id/, '12.345.678-9\r'],
    [/“12\.345\.678-9” is/, '\u001511222333-9\r'],
    [/Amount to finance/, '250,5\r'],
    [/“250,5” is not valid/, '\u0015250.000\r'],
    [/Which option/, '\r'],
    [/e-mail/, '\u0015nobody\r'],
    [/This is not an e-mail address/, '\u0003'],
  ])
  const { world } = m.world()
  Object.assign(world.io, terminal.io)
  expect(await runCli(['walkthrough', '-p', 'sandbox'], world)).toBe(130)
  expect(terminal.unanswered()).toBe(0)
  expect(terminal.screen()).not.toMatch(/--(amount|email)/)
})

test('a request for a malformed path does not end the walkthrough', async () => {
  const back = await catchReturn()
  try {
    const port = Number(new URL(back.successUrl).port)
    expect(await raw(port, request(port, 'GET // HTTP/1.1'))).toMatch(/^HTTP\/1\.1 404 /)
    await raw(port, request(port, `GET ${new URL(back.errorUrl).pathname}?preApproveId=undefined HTTP/1.1`))
    expect(await back.arrival).toMatchObject({ landedOn: 'error', preApproveId: undefined })
  } finally {
    await back.close()
  }
})
