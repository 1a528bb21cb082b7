import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { Interrupted } from '../../src/errors.ts'
import { fastClock, type Machine, machine, type RunOptions } from '../kit/harness.ts'
import { CLOSED, typedTerminal } from '../kit/typed-terminal.ts'

/** At a terminal, a command asks for a required value that is missing. */

/** Runs a command line at a terminal, with the given answers to its questions. */
async function atTerminal(
  m: Machine,
  line: string,
  answers: Parameters<typeof typedTerminal>[0],
  options: RunOptions = {},
) {
  const terminal = typedTerminal(answers)
  const { world, stdout, stderr } = m.world(options)
  Object.assign(world.io, terminal.io)
  const code = await runCli(line.split(' '), world)
  return { code, stdout: stdout(), stderr: stderr(), screen: terminal.screen(), unanswered: terminal.unanswered() }
}

const CLEAR = '\u0015'

test('at a terminal the payment commands ask for all missing values, and the payment succeeds', async () => {
  using m = machine()
  const evaluated = await atTerminal(m, 'evaluate -p sandbox --trx T1', [
    [/national id \(RUT\)/, '\r'],
    [/Amount to finance/, `${CLEAR}9,5\r`],
    [/> “9,5” is not valid: it must be a whole number/, `${CLEAR}90.000\r`],
  ])
  expect(evaluated).toMatchObject({ code: 0, unanswered: 0, stdout: expect.stringContaining('90.000') })
  const selected = await atTerminal(m, 'select -p sandbox', [
    [/number of installments that the customer chose/, 'some\r'],
    [/is not a valid number of installments/, `${CLEAR}6\r`],
  ])
  expect(selected).toMatchObject({ code: 0, unanswered: 0 })
  const page = await atTerminal(m, 'pay-url -p sandbox', [
    [/Address to which the customer returns after the payment/, 'shop\r'],
    [/must start with https/, `${CLEAR}https://shop.example/ok\r`],
    [/fails or is cancelled/, 'https://shop.example/no\r'],
    [/customer's e-mail/, '\r'],
  ])
  expect(page).toMatchObject({ code: 0, unanswered: 0, stdout: expect.stringContaining('widgetToken=') })
  expect(await atTerminal(m, 'sandbox pay', [[/Your transaction id/, 'T1\r']])).toMatchObject({
    code: 0,
    unanswered: 0,
  })
  const verified = await atTerminal(m, 'verify -p sandbox --json', [[/Your transaction id/, 'T1\r']])
  expect(verified).toMatchObject({ code: 0, unanswered: 0 })
  expect(JSON.parse(verified.stdout)).toMatchObject({ externalTrxId: 'T1', loanAmount: 90_000, periods: 6 })
  for (const { screen } of [evaluated, selected, page, verified]) expect(screen).not.toMatch(/--\w/)
})

test('a question accepts a value that begins with a dash, and is also asked after a command line that ends with --', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --trx=-p --rut 11222333-9 --amount 90000')
  expect(await atTerminal(m, 'sandbox pay', [[/Your transaction id/, '-p\r']])).toMatchObject({ code: 0 })
  const token = await atTerminal(m, 'widget-token -p sandbox --trx T1 --', [
    [/e-mail/, 'ana@example.com\r'],
    [/Amount/, '\r'],
  ])
  expect(token).toMatchObject({ code: 0, unanswered: 0 })
})

test('Ctrl-C at a question ends with 130, and no question is asked with --no-input or in a pipe', async () => {
  using m = machine()
  expect(await atTerminal(m, 'sandbox pay', [[/transaction id/, '\u0003']])).toMatchObject({ code: 130 })
  for (const line of ['sandbox pay', 'evaluate -p sandbox', 'select -p sandbox', 'verify', 'widget-token -p sandbox']) {
    expect([line, await atTerminal(m, `${line} --no-input`, [])]).toMatchObject([line, { code: 2, screen: '' }])
    expect([line, (await m.run(line)).code]).toEqual([line, 2])
  }
})

test('a missing argument is asked for, even if an option could replace the argument', async () => {
  using m = machine()
  const added = await atTerminal(m, 'webhooks add -p sandbox --json', [
    [/Address of your receiver/, 'https://shop.example/webhooks\r'],
  ])
  expect(added).toMatchObject({ code: 0, unanswered: 0 })
  const { id } = JSON.parse(added.stdout)
  expect(await atTerminal(m, 'webhooks rm -p sandbox', [[/Id of the destination/, `${id}\r`]])).toMatchObject({
    code: 0,
  })
  const download = await atTerminal(m, 'informe download -p sandbox:real-estate', [
    [/Id of the pre-approval/, 'none\r'],
  ])
  expect(download).toMatchObject({ code: 6, unanswered: 0 })
  for (const line of ['webhooks add', 'webhooks rm', 'webhooks subscribe --event new_lead', 'informe download'])
    expect([line, (await m.run(`${line} -p sandbox`)).code]).toEqual([line, 2])
})

test.each([
  'evaluate',
  'walkthrough',
  'select',
  'widget-token',
  'pay-url',
  'pay-url --email a@b.example',
  'verify',
  'informe get',
  'informe download',
  'informe open',
  'leads get',
  'evaluations get',
  'webhooks add',
  'webhooks rm',
  'webhooks subscribe',
  'api GET',
])('if no service is configured, %s says so, and asks nothing', async (line) => {
  using m = machine()
  const ran = await atTerminal(m, line, [])
  expect([ran.code, ran.screen]).toEqual([3, ''])
  expect(ran.stderr).toContain('no profile is chosen')
})

test('without a terminal, walkthrough says that no service is configured, and not that an answer is missing', async () => {
  using m = machine()
  for (const line of ['walkthrough', 'walkthrough --dry-run', 'walkthrough --no-input'])
    expect(await m.run(line)).toMatchObject({ code: 3, stderr: expect.stringContaining('no profile is chosen') })
})

test('if a setting is missing that the answers need, evaluate and walkthrough say so, and ask nothing', async () => {
  using m = machine()
  await m.run('profiles add acme --base-url https://api.example.com --api-key-stdin', { stdin: 'key-of-the-test' })
  for (const [line, missing] of [
    ['evaluate -p acme', 'no entity id is set'],
    ['walkthrough -p acme', 'no entity id is set'],
    ['walkthrough -p acme --entity-id 7001', 'no payment address is set'],
  ] as const) {
    const ran = await atTerminal(m, line, [])
    expect([ran.code, ran.screen]).toEqual([3, ''])
    expect(ran.stderr).toContain(missing)
  }
})

test('an empty answer is asked for again', async () => {
  using m = machine()
  const ran = await atTerminal(m, 'leads get -p sandbox:real-estate', [
    [/lead's id/, '\r'],
    [/Type a value/, 'none\r'],
  ])
  expect(ran).toMatchObject({ code: 6, unanswered: 0 })
})

test.each([
  ['history rm --all', 'history --json'],
  ['history rm T1', 'history --json'],
  ['profiles rm acme', 'profiles list --json'],
  ['profiles rm-secret acme', 'profiles show acme --json'],
  ['sandbox reset', 'sandbox requests --json'],
  ['sandbox snapshot load begin', 'sandbox requests --json'],
])('at a terminal, %s changes nothing after the answer no, and after Enter alone', async (line, state) => {
  using m = machine()
  await m.run('sandbox snapshot save begin')
  await m.run('evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1')
  const acme = '--base-url https://api.example.com --payment-url https://pay.example.com'
  await m.run(`profiles add acme ${acme} --api-key-stdin`, { stdin: 'key-of-the-test' })
  await m.run('profiles add-secret acme --secret-stdin', { stdin: 'secret-of-the-test' })
  const now = async () => (await m.run(state)).json()
  const before = await now()
  for (const answer of ['n\r', '\r'])
    expect(await atTerminal(m, line, [[/\(y\/N\)/, answer]])).toMatchObject({ code: 2, stdout: '', unanswered: 0 })
  expect(await now()).toEqual(before)
  expect(await atTerminal(m, line, [[/\(y\/N\)/, 'y\r']])).toMatchObject({ code: 0, unanswered: 0 })
  expect(await now()).not.toEqual(before)
})

test.each([
  ['y', true],
  ['yes', true],
  ['s', true],
  ['si', true],
  ['sí', true],
  ['si\u0301', true],
  [' SÍ ', true],
  ['n', false],
  ['No', false],
  ['', false],
])('the answer “%s” to a question with yes or no agrees: %s', async (answer, agrees) => {
  using m = machine()
  await m.run('evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1')
  const ran = await atTerminal(m, 'history rm T1', [[/\(y\/N\)/, `${answer}\r`]])
  expect(ran).toMatchObject({ code: agrees ? 0 : 2, unanswered: 0 })
  expect(stripVTControlCharacters(ran.screen)).toContain(`(y/N) ${agrees ? 'Yes' : 'No'}`)
})

test.each([
  [{}, /\(y\/N\)/, /Answer y \(yes, sí\) or n \(no\)/],
  [{ BNPL_LANG: 'es' }, /\(s\/N\)/, /Responde s \(sí\) o n \(no\)/],
  [{ BNPL_ACCESSIBLE: '1' }, /\(y\/N\)/, /Answer y \(yes, sí\) or n \(no\)/],
])(
  'any other answer to a question with yes or no is removed and asked again, and does not agree: %j',
  async (env, question, problem) => {
    using m = machine()
    await m.run('evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1')
    for (const [answer, code] of [
      ['n', 2],
      ['y', 0],
    ] as const) {
      const keys: [RegExp, string][] = [
        [question, 'sin\r'],
        [problem, 'x\r'],
        [problem, `${answer}\r`],
      ]
      expect(await atTerminal(m, 'history rm T1', keys, { env })).toMatchObject({ code, unanswered: 0 })
    }
  },
)

test.each([
  [
    'evaluate -p sandbox',
    [
      [/RUT/, '11222333-9\r'],
      [/Monto/, 'abc\r'],
    ],
    '> «abc» no es válido: debe ser un número entero de unidades de la moneda, como\n  250000 o 250.000',
  ],
  ['evaluate -p sandbox', [[/RUT/, '1-1\r']], '> El dígito verificador de «1-1» está mal: para este número es 9'],
  ['select -p sandbox', [[/cuotas/, 'no\r']], '> «no» no es una cantidad válida de cuotas'],
  ['widget-token -p sandbox --amount 1', [[/correo/, 'ana\r']], '> Esto no es un correo'],
  ['pay-url -p sandbox', [[/Dirección/, 'abc\r']], '> «abc» no es válido: debe empezar con https://'],
  ['webhooks rm -p sandbox', [[/Id/, '..\r']], '> Esto no es válido: '],
  ['informe download -p sandbox:real-estate', [[/Id/, 'undefined\r']], '> Esto es «undefined». La página'],
] as const)(
  'in Spanish, %s says in Spanish what is wrong with an answer, and breaks no word of it',
  async (line, answers, words) => {
    using m = machine()
    const ran = await atTerminal(m, line, [...answers, [/> /, '\u0003']], { env: { BNPL_LANG: 'es' } })
    expect(ran).toMatchObject({ code: 130, unanswered: 0 })
    expect(stripVTControlCharacters(ran.screen)).toContain(words)
  },
)

/** Runs a walkthrough and answers its questions up to the payment page. Resolves with the terminal when the page is ready. */
async function atThePage(m: Machine, options: Pick<RunOptions, 'clock' | 'signal' | 'open'> = {}) {
  const terminal = typedTerminal([
    [/national id/, '\r'],
    [/Amount/, '\r'],
    [/Which option/, '\r'],
    [/e-mail/, '\r'],
  ])
  const { world, stderr } = m.world(options)
  Object.assign(world.io, terminal.io)
  const ended = runCli(['walkthrough', '-p', 'sandbox', '--trx', 'T1'], world)
  await expect.poll(stderr).toContain('Or pay in another terminal: bnpl sandbox pay T1')
  return { ended, screen: terminal.screen, stderr }
}

test('the walkthrough sees a payment that was made elsewhere, and says how long it waits', async () => {
  using m = machine()
  // The walkthrough verifies every 5 s, and runs 12 s longer so that the customer can return.
  const clock = fastClock(20)
  const { ended, screen, stderr } = await atThePage(m, { clock })
  await expect.poll(screen).toMatch(/the token is valid for \dm/)
  expect(await m.run('sandbox pay T1', { clock })).toMatchObject({ code: 0 })
  expect(await ended).toBe(0)
  expect(stderr()).toContain('The payment ended: paid.')
})

test.each([
  [true, 'The payment page is open in your browser. Its address:'],
  [false, 'No browser could be opened. Open this address yourself:'],
])(
  'the walkthrough prints the address of the payment page, and says whether a browser opened it: %s',
  async (opens, words) => {
    using m = machine()
    const stop = new AbortController()
    const { ended, stderr } = await atThePage(m, { signal: stop.signal, open: async () => opens })
    expect(stripVTControlCharacters(stderr())).toMatch(
      new RegExp(`${words}\nhttp://\\S+/pay/\\?widgetToken=\\S+error\n`),
    )
    stop.abort(new Interrupted())
    await ended
  },
)

test('Ctrl-D on an empty line ends a question with 130 and no fault; in a line it deletes a character', async () => {
  using m = machine()
  for (const [line, question] of [
    ['sandbox pay', /transaction id/],
    ['walkthrough -p sandbox', /national id/],
    ['profiles add acme --base-url https://api.example.com --payment-url https://pay.example.com', /.+/],
    ['history rm --all', /\(y\/N\)/],
  ] as const) {
    const ran = await atTerminal(m, line, [[question, '\u0004']])
    expect([line, ran]).toMatchObject([line, { code: 130, stderr: expect.not.stringContaining('a fault in bnpl') }])
  }
  await m.run('evaluate -p sandbox --trx T1 --rut 11222333-9 --amount 90000')
  const LEFT = '\u001b[D'
  const paid = await atTerminal(m, 'sandbox pay', [[/transaction id/, `T1x${LEFT}\u0004\r`]])
  expect(paid).toMatchObject({ code: 0, stdout: expect.stringContaining('T1 is paid') })
})

test('a terminal that is closed at a question interrupts the command, without a fault', async () => {
  using m = machine()
  const ran = await atTerminal(m, 'sandbox pay', [[/transaction id/, CLOSED]])
  expect(ran).toMatchObject({ code: 130, stderr: expect.not.stringContaining('a fault in bnpl') })
})

test('Ctrl-C at the payment page says how to go on, with a command that works', async () => {
  using m = machine()
  const stop = new AbortController()
  const { ended, stderr } = await atThePage(m, { signal: stop.signal })
  stop.abort(new Interrupted(130))
  expect(await ended).toBe(130)
  const next =
    /Continue with: bnpl (.*)$/.exec(
      stderr()
        .trim()
        .replaceAll(/\s*\n\s*/g, ' '),
    )?.[1] ?? ''
  expect(next).toBe('verify T1 --wait -p sandbox')
  await m.run('sandbox pay T1')
  expect(await m.run(next)).toMatchObject({ code: 0 })
})

test('verify --wait at a terminal shows what it waits for, and how long it will still wait', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --trx T1 --rut 11222333-9 --amount 90000')
  const terminal = typedTerminal([])
  const { world, stdout } = m.world()
  Object.assign(world.io, terminal.io)
  const ended = runCli('verify T1 -p sandbox --wait 5m --json'.split(' '), world)
  await expect.poll(terminal.screen).toContain('Waiting for the loan of T1 · 4m5')
  await m.run('sandbox pay T1')
  expect(await ended).toBe(0)
  expect(JSON.parse(stdout())).toMatchObject({ externalTrxId: 'T1' })
})

test('verify --wait with --expect-state at a terminal shows the state of the loan, and the state for which it waits', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --trx T1 --rut 11222333-9 --amount 90000')
  const terminal = typedTerminal([])
  const stop = new AbortController()
  const { world } = m.world({ signal: stop.signal })
  Object.assign(world.io, terminal.io)
  const ended = runCli('verify T1 -p sandbox --wait 5m --expect-state PAID'.split(' '), world)
  await expect.poll(terminal.screen).toContain('Waiting for the loan of T1 to have the state PAID · 4m')
  await m.run('sandbox pay T1')
  await expect.poll(terminal.screen).toContain('The state of T1 is ACTIVE; waiting for the state PAID · 4m')
  stop.abort(new Interrupted(130))
  expect(await ended).toBe(130)
})

test('a question that is wider than the terminal is broken between words', async () => {
  using m = machine()
  await m.run('evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1')
  const { code, screen } = await atTerminal(m, 'sandbox reset', [[/faults of the\s+sandbox\?/, 'n\r']])
  expect(code).toBe(2)
  expect(stripVTControlCharacters(screen)).toContain('requests and faults of the\n  sandbox? (y/N)')
})
