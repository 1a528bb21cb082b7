import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Machine, machine } from './harness.ts'

/** What users meet in their first hour with the program, run as they would run it. */

let m: Machine
beforeEach(() => {
  m = machine()
})
afterEach(() => m[Symbol.dispose]())

const PAGE =
  '--email ana@example.com --success-url https://shop.example/ok --error-url https://shop.example/no -p sandbox'
const EVALUATE_FIRST = 'bnpl evaluate --trx order-1 --rut 11222333-9 --amount 90000 -p sandbox'

test('pay-url and widget-token warn about a customer who was not evaluated, and name the evaluate command', async () => {
  for (const line of [
    `pay-url --trx order-1 --amount 90000 ${PAGE}`,
    'widget-token --trx order-1 --email a@b.cl -p sandbox',
  ])
    expect((await m.run(line)).stderr.replaceAll('250000', '90000')).toContain(EVALUATE_FIRST)
  const paid = await m.run('sandbox pay order-1')
  expect(paid).toMatchObject({ code: 5 })
  expect(paid.stderr).toContain('the sandbox rejects payments without an evaluation')
  expect(paid.stderr.replaceAll('250000', '90000')).toContain(EVALUATE_FIRST)
  // The command in the hint works.
  expect(await m.run(EVALUATE_FIRST.split(' ').slice(1))).toMatchObject({ code: 0 })
  const warned = await m.run(`pay-url --trx order-1 ${PAGE}`)
  expect(warned.stderr).not.toContain('not evaluated')
  expect(await m.run('sandbox pay order-1')).toMatchObject({ code: 0 })
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
