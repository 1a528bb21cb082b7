import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Machine, machine } from '../kit/harness.ts'

/** What users meet in their first hour with the program, run as they would run it. */

let m: Machine
beforeEach(() => {
  m = machine()
})
afterEach(() => m[Symbol.dispose]())

const PAGE =
  '--email ana@example.com --success-url https://shop.example/ok --error-url https://shop.example/no -p sandbox'

test('a payment needs no evaluation: sandbox pay takes the RUT that the page would ask for', async () => {
  const page = await m.run(`pay-url --trx order-1 --amount 90000 ${PAGE}`)
  expect(page.code).toBe(0)
  expect(page.stderr).not.toContain('evaluated')
  const unknown = await m.run('sandbox pay order-1')
  expect(unknown).toMatchObject({ code: 5 })
  expect(unknown.stderr).toContain('the payment page asks for the national id of the customer')
  // The command in the hint works.
  expect(unknown.stderr).toContain('bnpl sandbox pay order-1 --rut 11222333-9')
  expect(await m.run('sandbox pay order-1 --rut 11.222.333-9')).toMatchObject({ code: 0 })
  expect((await m.run('verify order-1 -p sandbox --json')).json()).toMatchObject({ loanAmount: 90_000 })
})

test('an evaluation that was made after the token counts, and for another RUT the payment is refused', async () => {
  await m.run(`pay-url --trx order-1 --amount 90000 ${PAGE}`)
  await m.run('evaluate --trx order-1 --rut 12345678-5 --amount 90000 -p sandbox')
  await m.run(`pay-url --trx order-1 ${PAGE}`)
  expect((await m.run('sandbox pay order-1 --rut 11222333-9 --json')).error()).toMatchObject({
    code: 'ERR_ID_NUMBER_MISMATCH',
  })
  expect(await m.run('sandbox pay order-1 --rut 12345678-5')).toMatchObject({ code: 0 })
})

test.each([
  ['11111111-1', 'was rejected (RISK_REJECTED)'],
  ['22222222-2', 'was rejected (SIGNATURE_FAILED)'],
  ['44444444-4', 'was rejected (USER_HAS_ACTIVE_LOAN)'],
  ['12121212-9', 'is open at the step READY_FOR_LOAN'],
  ['13131313-6', 'is open at the step PAYMENT_SUBSCRIPTION'],
  ['14141414-3', 'is open at the step AUTHORIZATION'],
  ['33333333-3', undefined],
])('sandbox pay with the test customer %s, without an evaluation: %s', async (rut, end) => {
  await m.run(`pay-url --trx order-1 --amount 90000 ${PAGE}`)
  const paid = await m.run(`sandbox pay order-1 --rut ${rut}`)
  expect([paid.code, paid.stderr]).toEqual(end ? [5, expect.stringContaining(end)] : [0, expect.any(String)])
})

test('verify says at which step a payment is, and why it was rejected', async () => {
  await m.run(`pay-url --trx order-1 --amount 90000 ${PAGE}`)
  expect((await m.run('verify order-1 -p sandbox')).stderr).not.toContain('step')
  await m.run('sandbox pay order-1 --rut 13131313-6')
  const waiting = await m.run('verify order-1 -p sandbox')
  expect(waiting).toMatchObject({ code: 6 })
  expect(waiting.stderr).toContain('The payment is open at the step PAYMENT_SUBSCRIPTION.')
  await m.run(`pay-url --trx order-2 --amount 90000 ${PAGE}`)
  await m.run('sandbox pay order-2 --rut 44444444-4')
  expect((await m.run('verify order-2 -p sandbox')).stderr).toContain('the payment was rejected (USER_HAS_ACTIVE_LOAN)')
})

test('sandbox pay for a test customer whose payments are always rejected fails with this reason', async () => {
  await m.run('evaluate --trx order-2 --rut 77777777-7 --amount 90000 -p sandbox')
  const paid = await m.run('sandbox pay order-2')
  expect(paid).toMatchObject({ code: 5 })
  expect(paid.stderr).toContain('payments of this test customer are always rejected')
})

test('for a refused customer the error says that the customer is not approved, and what to do', async () => {
  const refused = await m.run('evaluate --rut 11111111-1 --amount 90000 -p sandbox')
  expect(refused.code).toBe(5)
  expect(refused.stderr).toMatch(
    /^error: The customer is not approved\. \(422 ERR_CUSTOMER_NOT_APPROVED\)\n {2}.*11222333-9/,
  )
})

test('a RUT and an amount are taken as they are typed, copied or shown by a table', async () => {
  for (const rut of ['11.222.333-9', '11222333–9', '11 222 333 - 9', '11,222,333−9'])
    expect([
      rut,
      (await m.run(['evaluate', '--rut', rut, '--amount', '90.000', '-p', 'sandbox', '--json'])).json(),
    ]).toEqual([rut, expect.objectContaining({ amount: 90_000 })])
})

test('a second evaluation of a transaction says that it is not the first', async () => {
  const line = 'evaluate --trx order-3 --rut 11222333-9 --amount 90000 -p sandbox'
  expect((await m.run(line)).stderr).not.toContain('before')
  expect((await m.run(line)).stderr).toContain('This is not the first evaluation of order-3.')
})

test('for a new lead of the sandbox the commands that read it and its report are named, and they work', async () => {
  const made = await m.run('sandbox lead --now')
  const commands = [...made.stderr.matchAll(/^(?:Next|See the lead): bnpl (.*)$/gm)].map(([, line]) => String(line))
  expect(commands).toHaveLength(2)
  for (const line of commands) expect([line, (await m.run(line)).code]).toEqual([line, 0])
})

test('a table masks the personal data of a lead and of an evaluation; --reveal shows it, and JSON has it', async () => {
  const lead = (await m.run('sandbox lead --rut 11222333-9 --now --json')).json()
  for (const line of ['leads list', `leads get ${lead.leadId}`, 'evaluations get --rut 11222333-9']) {
    const shown = await m.run(`${line} -p sandbox:real-estate`)
    expect([line, shown.code]).toEqual([line, 0])
    expect([line, shown.stdout.replaceAll('.', '')]).toEqual([line, expect.not.stringContaining('11222333')])
    expect(shown.stdout).toContain('••••••33-9')
    expect(shown.stderr).toContain('Personal data is masked. Add --reveal to see it.')
    const json = await m.run(`${line} -p sandbox:real-estate --json`)
    expect(json.stdout).toContain('"11222333-9"')
    expect(json.stderr).not.toContain('--reveal')
    const revealed = await m.run(`${line} -p sandbox:real-estate --reveal`)
    expect([revealed.stdout, revealed.stderr]).toEqual([
      expect.stringContaining('11222333-9'),
      expect.not.stringContaining('is masked'),
    ])
    const [person] = [json.json()].flat()
    for (const name of ['email', 'telefono', 'fechaNacimiento', 'direccion'].filter((each) => person[each])) {
      expect([line, name, shown.stdout]).toEqual([line, name, expect.not.stringContaining(person[name])])
      expect([line, name, revealed.stdout]).toEqual([line, name, expect.stringContaining(person[name])])
    }
  }
  const { email, telefono } = (await m.run(`leads get ${lead.leadId} -p sandbox:real-estate --json`)).json()
  const { stdout } = await m.run(`leads get ${lead.leadId} -p sandbox:real-estate`)
  expect(stdout).toContain(`${email[0]}•••@${email.split('@')[1]}`)
  expect(stdout).toMatch(new RegExp(`•${telefono.slice(-2)}$`, 'm'))
})

test('tables format numbers by locale, amounts in this format are accepted, and JSON has plain numbers', async () => {
  const env = { LANG: 'en_US.UTF-8' }
  const evaluate = (amount: string) => `evaluate --trx order-9 --rut 11222333-9 --amount ${amount} -p sandbox`
  const { stdout } = await m.run(evaluate('250,000'), { env })
  expect(stdout).toMatch(/^Amount +250,000$/m)
  expect(stdout).toMatch(/ \d\.\d %$/m)
  expect((await m.run('history', { env })).stdout).toContain(' 250,000')
  expect((await m.run('history')).stdout).toContain(' 250.000')
  expect((await m.run('history --json', { env })).json()[0].amount).toBe(250_000)
})
