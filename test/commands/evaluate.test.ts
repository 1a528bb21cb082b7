import { expect, test } from 'vitest'
import type { WireRequest } from '../../src/contract/wire.ts'
import { machine } from '../kit/harness.ts'

const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }

test('evaluate sends the specified form and shows the options with their cost of credit', async () => {
  using m = machine()
  const seen: WireRequest[] = []
  const ran = await m.run('evaluate --rut 11.222.333-9 --amount 1000 --trx T1', {
    env,
    transport: async (request) => {
      seen.push(request)
      return {
        status: 200,
        headers: {},
        body: Buffer.from(
          JSON.stringify({
            data: { preApproveId: 'P1', installmentOptions: [{ installments: 3, amount: 350, total: 1050 }] },
          }),
        ),
      }
    },
  })
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.stdout).toContain('5,0 %')
  expect(seen[0]?.url).toBe('https://api.example.com/partner/pre-loan-request/bnpl')
  expect(new TextDecoder().decode(seen[0]?.body)).toBe('idNumber=11222333-9&amount=1000&entityId=E1&externalTrxId=T1')
})

test('evaluate keeps every digit of a numeric id, prints no warning about it, and select uses it', async () => {
  using m = machine()
  const bodies: string[] = []
  const transport = async ({ body }: WireRequest) => {
    bodies.push(new TextDecoder().decode(body))
    const offers = '[{"installments":3,"amount":350,"total":1050}]'
    const data = `{"preApproveId":1234567890123456789,"leadId":9876543210987654321,"installmentOptions":${offers}}`
    return { status: 200, headers: {}, body: Buffer.from(`{"data":${data}}`) }
  }
  const ran = await m.run('evaluate --rut 11222333-9 --amount 1000 --trx T1 --json', { env, transport })
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/^Next: /)])
  expect(ran.stdout).toMatch(/"preApproveId": ?"1234567890123456789"/)
  expect(ran.stdout).toMatch(/"leadId": ?9876543210987654321\b/)
  await m.run('select --installments 3 --trx T1', { env, transport })
  expect(bodies[1]).toContain('preApproveId=1234567890123456789')
})

test('evaluate says that a known field has no id, not that there is no such field', async () => {
  using m = machine()
  const ran = await m.run('evaluate --rut 11222333-9 --amount 1000 --trx T1', {
    env,
    transport: async () => ({
      status: 200,
      headers: {},
      body: Buffer.from('{"data":{"preApproveId":null,"installmentOptions":[]}}'),
    }),
  })
  expect(ran.stderr).toContain('the field preApproveId of the answer contains no pre-approval id')
  expect(ran.stderr).not.toContain('no known field')
})

test('the suggested next command can be run as printed, with the same profile', async () => {
  using m = machine()
  const { stderr } = await m.run('evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx order-1')
  const [, next = ''] = /^Next: bnpl (.*)$/m.exec(stderr) ?? []
  expect((await m.run(next.replace(' N', ' 6'))).code).toBe(0)
})

test('without any settings the error says so, not that an entity id is missing', async () => {
  using m = machine()
  const ran = await m.run('evaluate --rut 11222333-9 --amount 250000')
  expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('-p sandbox') })
  expect(ran.stderr).not.toContain('entity')
})

test('options that are missing are named together', async () => {
  using m = machine()
  expect((await m.run('evaluate', { env })).stderr).toContain('missing --rut and --amount\n')
  expect((await m.run('evaluate --rut 11222333-9', { env })).stderr).toContain('missing --amount\n')
})

test('the hint for a wrong check digit names --skip-rut-check only where the command has it', async () => {
  using m = machine()
  const evaluate = await m.run('evaluate --rut 12345678-9 --amount 1000 --json', { env })
  expect(evaluate).toMatchObject({ code: 2, stdout: '' })
  expect(evaluate.error()).toMatchObject({
    message: 'the check digit (dígito verificador) of “•••••••8-9” is wrong: for this number it is 5',
    hint: 'Check the number with the customer. Add --skip-rut-check to send the number with this check digit.',
  })
  const typed = await m.run('evaluate --rut 12345678 --amount 1000 --json', { env })
  expect(typed.error().hint).toContain('Add -5 if the check digit was left out. Without a dash')
  const smoke = await m.run('smoke -p sandbox --rut 12345678-9 --json')
  expect(smoke.stdout).toContain('Check the number with the customer.')
  expect(smoke.stdout).not.toContain('--skip-rut-check')
})

const OTHER_SCRIPTS = ['１１１１１１１１-１', '١٢٣٤٥٦٧٨-٥', '１２．３４５．６７８－９', '𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖-𝟓', '①①①①①①①①-①']

test.each(['evaluate --amount 1000', 'evaluations get', 'sandbox lead', 'smoke', 'walkthrough'])(
  'a national id that is refused is masked, whatever the script of its digits: %s',
  async (command) => {
    using m = machine()
    for (const rut of OTHER_SCRIPTS) {
      const ran = await m.run(`${command} --rut ${rut} --no-input --json -p sandbox`)
      expect(ran.code).toBe(command === 'smoke' ? 10 : 2)
      const shown = [...(ran.stdout + ran.stderr).matchAll(/“([^”]*)” is not a RUT/g)].map(([, text = '']) => text)
      expect(shown.length).toBeGreaterThan(0)
      for (const text of shown) expect(text.match(/\p{N}/gu)).toHaveLength(2)
    }
  },
)

test('an evaluation without a clear answer names the transaction id that the command created', async () => {
  using m = machine()
  let sent = ''
  const transport = async ({ body }: WireRequest) => {
    sent = new URLSearchParams(new TextDecoder().decode(body)).get('externalTrxId') ?? ''
    return { status: 500, headers: {}, body: Buffer.from('{}') }
  }
  const ran = await m.run('evaluate --rut 11222333-9 --amount 1000 --json', { env, transport })
  expect(ran.code).toBe(12)
  expect(sent).not.toBe('')
  expect(ran.error().hint).toContain(`ask the support about ${sent}`)
  const own = await m.run('evaluate --rut 11222333-9 --amount 1000 --trx T1 --json', { env, transport })
  expect(own.error().hint).toContain('ask the support about T1')
})
