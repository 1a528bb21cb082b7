import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { hintOfCode } from '../../src/commands/hints.ts'
import { GAP_CODES } from '../../src/contract/failures/codes.ts'
import { type Transport, WireFailure } from '../../src/contract/wire.ts'
import { fakeClock, machine } from '../kit/harness.ts'

const env = { BNPL_API_KEY: 'sk_canary_0123456789', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }

const answers =
  (status: number, code?: string): Transport =>
  async () => ({ status, headers: {}, body: Buffer.from(JSON.stringify(code === undefined ? {} : { code })) })

const evaluate = 'evaluate --rut 11222333-9 --amount 1000 --trx T1'

test.each([
  [evaluate, 401, 'Check the key of this profile: bnpl profiles show'],
  [evaluate, 500, 'Do not run the command again yet. Find out what happened: bnpl evaluations get --rut …'],
  [
    'select --installments 3 --trx T1 --pre-approve-id P1 --amount 1000',
    500,
    'After the customer has paid, find out what happened: bnpl verify T1',
  ],
  ['widget-token --trx T1 --amount 1000 --email ana@example.com', 502, 'again yet. Wait 10 minutes'],
  ['webhooks add https://shop.example/hook', 503, 'Find out what happened: bnpl webhooks list'],
  ['webhooks rm W1 -y', 404, 'List the ids with: bnpl webhooks list'],
  ['webhooks subscribe https://shop.example/hook --event new_lead', 422, 'bnpl webhooks add https://shop.example/hook'],
  ['verify T1', 404, 'Wait for the payment, if the customer has not paid yet: bnpl verify T1 --wait'],
  ['verify undefined', 404, 'Check your script: “undefined” is probably a variable that has no value.'],
  ['api POST /partner/pre-approve/T1/loan', 404, 'Wait for the payment with `bnpl verify TRX --wait`'],
  ['informe get P1', 401, 'Use the profile of the account that made this evaluation. The key itself was accepted.'],
  ['informe get P1', 403, 'Ask the support of the service to activate your account.'],
  ['api GET /partner/webhook', 403, 'Check the key of this profile: bnpl profiles show'],
])('%s answered with %s: the hint names the command that helps', async (line, status, hint) => {
  using m = machine()
  const code = status === 422 ? 'ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS' : undefined
  const ran = await m.run(`${line} --json`, { env, transport: answers(status, code) })
  expect(ran.error().hint).toContain(hint)
  expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(hint)
})

test.each([
  ['evaluate --rut 11222333-9 --amount 90000 --trx PAID', 'bnpl verify PAID -p sandbox. For a new purchase'],
  ['evaluate --rut 11222333-9 --amount 1 --trx T2', 'Use an amount between the limits of the service'],
  ['select --installments 7 --trx T1', 'Use a number of installments that the evaluation offered'],
  ['select --installments 6 --trx T1 --amount 5000', 'bnpl history show T1 -p sandbox'],
  ['widget-token --trx T1 --amount 1 --email ana@example.com', 'Use an amount between the limits of the service'],
  ['webhooks add https://10.0.0.1/hook', 'Use a public address.'],
  ['api POST /partner/pre-loan-request/bnpl -f idNumber=x', 'bnpl contract openapi'],
  ['sandbox pay PAID', 'See its loan: bnpl verify PAID -p sandbox'],
  ['sandbox pay T1 --installments 7', 'Use a number of installments that the evaluation offered'],
  ['sandbox lead --partner Nobody', 'See the names of the accounts: bnpl sandbox status --keys'],
  ['sandbox deliver nope', 'List the deliveries: bnpl sandbox deliveries'],
  ['sandbox changes --since nope', 'List the snapshots: bnpl sandbox snapshot list'],
])('the hint of a refusal of the sandbox names a next step: %s', async (line, hint) => {
  using m = machine()
  for (const trx of ['T1', 'PAID']) await m.run(`evaluate --rut 11222333-9 --amount 90000 --trx ${trx} -p sandbox`)
  await m.run('sandbox pay PAID')
  const ran = await m.run(`${line} --json${line.startsWith('sandbox') ? '' : ' -p sandbox'}`)
  expect(ran.error().code).toMatch(/^ERR_/)
  expect(ran.error().hint).toContain(hint)
})

test('an account without leads: the hint names the command that lists the names and kinds of the accounts', async () => {
  using m = machine()
  const ran = await m.run(['sandbox', 'lead', '--partner', 'Tienda Demo', '--json'])
  const { code, hint } = ran.error()
  expect([code, hint]).toEqual(['ERR_PARTNER_HAS_NO_LEADS', expect.stringContaining('bnpl sandbox status --keys')])
  expect((await m.run('sandbox status --keys')).stdout).toMatch(/^Inmobiliaria Demo .* real-estate/m)
})

test('the hint of a refused control is about the controls, not about the calls of the service', async () => {
  using m = machine()
  const [control] = (await m.run('explain ERR_CONTROL_INPUT --json')).json()
  expect(control).toMatchObject({ about: 'sandbox', hint: expect.stringContaining('bnpl sandbox --help') })
  expect(JSON.stringify(control)).not.toContain('contract openapi')
})

test('every code that only the sandbox sends has a hint', () => {
  for (const code of Object.keys(GAP_CODES)) expect(hintOfCode(code, 'shop'), code).toMatch(/^[A-Z]/)
  expect(hintOfCode('ERR_TRANSACTION_ALREADY_PAID', 'my shop', '-x')).toContain("bnpl verify -p 'my shop' -- -x")
})

test('for an evaluation of unknown outcome the hint says how to recognize it, and the command shows what to compare', async () => {
  using m = machine()
  await m.run('sandbox fault add evaluate --kind cut-after')
  const lost = await m.run('evaluate --rut 11222333-9 --amount 90000 --trx T1 -p sandbox --json')
  expect(lost).toMatchObject({ code: 12 })
  expect(lost.error().hint).toContain('ask the support about T1')
  const found = await m.run('evaluations get --rut 11222333-9 -p sandbox')
  expect(found.stdout).toMatch(/^Evaluated +\d{4}-/m)
  expect(found.stdout).toMatch(/^Amount asked for +90/m)
})

const UNKNOWN: [what: string, transport: Transport][] = [
  ['503', answers(503)],
  ['a web page', async () => ({ status: 201, headers: {}, body: Buffer.from('<html>') })],
  ['an empty answer', async () => ({ status: 201, headers: {}, body: Buffer.from('{"data":{}}') })],
  ...(['reset', 'timeout', 'garbled'] as const).map((kind): [string, Transport] => [
    kind,
    async () => {
      throw new WireFailure(kind, true, kind === 'reset' ? 'ECONNRESET' : '')
    },
  ]),
]
const PAGE = '--success-url https://shop.example/ok --error-url https://shop.example/no'

test.each([
  'evaluate --rut 11111111-1 --amount 1000 --trx order-1001',
  'select --installments 3 --trx order-1001 --pre-approve-id P1 --amount 1000',
  'widget-token --amount 1000 --email ana@example.com --trx order-1001',
  `pay-url --amount 1000 --email ana@example.com --trx order-1001 ${PAGE}`,
  'webhooks add https://shop.example/hooks',
  'webhooks subscribe https://shop.example/hooks --event new_lead',
  'api POST /partner/webhook',
])('an unknown outcome is said in at most four lines of a terminal, two of them what to do: %s', async (line) => {
  using m = machine()
  const pages = { BNPL_PAYMENT_URL: 'https://pay.example.com', BNPL_PUBLIC_KEY: 'pk-1' }
  for (const [what, transport] of UNKNOWN) {
    const { world, stderr } = m.world({ env: { ...env, ...pages }, transport, clock: fakeClock() })
    world.io.stderrIsTty = true
    const code = await runCli(line.split(' '), world)
    if (code !== 12) continue
    const lines = stderr().slice(stderr().indexOf('error: ')).trimEnd().split('\n')
    const [said, hint] = [lines.filter((each) => !/^ {2}\S/.test(each)), lines.filter((each) => /^ {2}\S/.test(each))]
    expect([what, said.length <= 3, hint.length <= 2, lines.length <= 4, lines], lines.join('\n')).toEqual([
      ...[what, true, true, true],
      lines,
    ])
  }
})

test('a row of unknown outcome names the command that finds out what happened', async () => {
  using m = machine()
  writeFileSync(join(m.dir, 'rows.csv'), 'rut,amount,externalTrxId\n11222333-9,50000,B1\n')
  await m.run('evaluate --from rows.csv --out rows.ndjson', { env, transport: answers(500) })
  expect(readFileSync(join(m.dir, 'rows.ndjson'), 'utf8')).toContain(
    'Find out what happened: bnpl evaluations get --rut …',
  )
})

test('a failed smoke check names the command that helps', async () => {
  using m = machine()
  const checks = (await m.run('smoke --json', { env, transport: answers(401) })).json()
  const hint = 'Check the key of this profile: bnpl profiles show'
  expect(checks).toContainEqual(expect.objectContaining({ status: 'fail', hint }))
})

const DOCTOR = 'bnpl doctor'

test.each([
  ['refused', 'verify T1', `Check the base address and that the service is up: ${DOCTOR}`],
  ['dns', 'verify T1', `Check the base address and the DNS: ${DOCTOR}`],
  [
    'tls',
    'verify T1',
    `Check the base address: ${DOCTOR}. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.`,
  ],
  ['proxy', 'verify T1', `Check HTTPS_PROXY and NO_PROXY: ${DOCTOR}`],
  ['reset', 'verify T1', 'Run the command again. That is safe.'],
  ['timeout', 'verify T1', 'Run the command again, which is safe. Add --timeout 60s to wait longer.'],
  ['too-large', 'api GET /partner/webhook', `Check the base address: ${DOCTOR}`],
  // The client that follows links has no key, so its hints differ from those of the other commands.
  ['refused', 'informe download --out a.pdf --from-link https://api.example.com/partner/informe/x', DOCTOR],
  [
    'refused',
    'informe download --out a.pdf --from-link http://127.0.0.1:4555/partner/informe/x',
    'bnpl sandbox start --port 4555',
  ],
  ['timeout', 'informe download --out a.pdf --from-link https://api.example.com/partner/informe/x', '--timeout 60s'],
] as const)('a fault “%s” of %s: the hint names the command or the option that helps', async (kind, line, hint) => {
  using m = machine()
  const transport: Transport = async () => {
    throw new WireFailure(kind, false, 'ECONNREFUSED')
  }
  const ran = await m.run(`${line} --json`, { env, transport, clock: fakeClock() })
  expect(ran.error().hint).toContain(hint)
})

test.each([
  ['leads list', 'bnpl profiles set paths.leads /partner/leads. Or use: bnpl api GET PATH'],
  ['leads get L1', "bnpl profiles set paths.lead '/partner/leads/{leadId}'"],
])('%s without its path names the setting in a command that can be pasted', async (line, hint) => {
  using m = machine()
  const ran = await m.run(`${line} --json`, { env, transport: answers(200) })
  expect(ran.error()).toMatchObject({ code: 'PATH_NOT_SET', hint: expect.stringContaining(hint) })
})

test('for an answer that is not as specified the hint names the command that shows it', async () => {
  using m = machine()
  const bad = (line: string) => m.run(`${line} --json`, { env, transport: answers(200) })
  expect((await bad('verify T1')).error().hint).toBe(
    'Check the base address, or see the raw answer: bnpl api POST /partner/pre-approve/T1/loan --include',
  )
  // The hint must not repeat the national id.
  const read = (await bad('evaluations get --rut 11222333-9')).error()
  expect(read.hint).toContain("bnpl api GET '/partner/pre-approve/rut/{rut}' --include")
  expect(JSON.stringify(read)).not.toContain('11222333')
})

/** Answers every request for a report with a link that may not be followed. */
const badLink: Transport = async () => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify({ data: { url: 'file:///etc/passwd' } })),
})

test('a link that is not followed is reported with a hint in the error, in the row of a file and in the smoke check', async () => {
  using m = machine()
  const hint = 'Check the base address: bnpl doctor'
  writeFileSync(join(m.dir, 'ids.csv'), 'preApproveId\nP1\nP2\n')
  for (const line of ['informe get P1', 'informe download P1'])
    expect((await m.run(`${line} --json`, { env, transport: badLink })).error()).toMatchObject({
      code: 'BAD_LINK',
      hint,
    })
  const rows = await m.run('informe download --from ids.csv --json', { env, transport: badLink })
  expect(rows.json()).toMatchObject([{ error: { code: 'BAD_LINK', hint } }, { error: { hint } }])
  const checks = (await m.run('smoke --pre-approve-id P1 --json', { env, transport: badLink })).json()
  expect(checks).toContainEqual(expect.objectContaining({ status: 'fail', hint }))
})
