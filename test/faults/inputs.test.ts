import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchEndpoint } from '../../src/contract/endpoints.ts'
import { decodeForm } from '../../src/contract/form.ts'
import type { Transport, WireRequest } from '../../src/contract/wire.ts'
import { rutCheckCharacter } from '../../src/domain/identifiers.ts'
import { trimmed } from '../../src/text/visible.ts'
import { machine } from '../kit/harness.ts'
import { LOAN } from '../kit/loan.ts'
import { unicodeText } from '../kit/unicode-text.ts'

const env = {
  BNPL_API_KEY: 'sk-canary-1234567890',
  BNPL_BASE_URL: 'https://api.example.com/base',
  BNPL_ENTITY_ID: 'E1',
}

/** Notes what was sent, and answers as each endpoint does. */
function recorder(): Transport & { sent: WireRequest[] } {
  const sent: WireRequest[] = []
  const transport: Transport = async (request) => {
    sent.push(request)
    const data = request.url.endsWith('/loan') ? LOAN : { preApproveId: 'P', installmentOptions: [] }
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) }
  }
  return Object.assign(transport, { sent })
}

const refusable = /^$|^\.\.?$|[\u0000-\u001f\u007f-\u009f]/

const anyId = fc.oneof(
  unicodeText({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '.',
    '..',
    '...',
    'a/b',
    '../x',
    '%2e%2e',
    'a?b#c',
    'ñandú 😀',
    'a&b=c+d',
    '\r\nX: y',
    '\ud800',
    'x'.repeat(10_240),
    'x'.repeat(10_241),
  ),
)

test('any externalTrxId arrives unchanged in the path, or is refused before anything is sent [row 28]', async () => {
  using m = machine()
  await fc.assert(
    fc.asyncProperty(anyId, async (typed) => {
      // White space around an id is no part of it, in an option as in a file.
      const id = trimmed(typed)
      const transport = recorder()
      const ran = await m.run(['verify', '--json', '--', typed], { env, transport })
      if (refusable.test(id) || !id.isWellFormed() || Buffer.byteLength(id) > 10_240) {
        expect([ran.code, transport.sent.length]).toEqual([2, 0])
        return
      }
      const url = new URL(transport.sent[0]?.url ?? '')
      // The path as a server sees it after a URL library has normalised it.
      expect(matchEndpoint('POST', url.pathname.replace('/base', ''))).toEqual({
        name: 'verifyLoan',
        params: { externalTrxId: id },
      })
      expect(url.search + url.hash).toBe('')
    }),
  )
})

test('any externalTrxId and entity id arrives unchanged in the form, or is refused [row 29]', async () => {
  using m = machine()
  await fc.assert(
    fc.asyncProperty(anyId, anyId, async (trx, entity) => {
      const transport = recorder()
      const words = [
        'evaluate',
        '--rut',
        '11222333-9',
        '--amount',
        '1000',
        `--trx=${trx}`,
        `--entity-id=${entity}`,
        '--json',
      ]
      const ran = await m.run(words, { env, transport })
      const [request] = transport.sent
      if (request === undefined) {
        expect(ran.code).toBe(2)
        return
      }
      const form = decodeForm(new TextDecoder().decode(request.body))
      expect({ ...form }).toEqual({
        idNumber: '11222333-9',
        amount: '1000',
        entityId: trimmed(entity),
        externalTrxId: trimmed(trx),
      })
      expect(Object.values(request.headers).join()).not.toMatch(/[\r\n]/)
    }),
  )
})

test('any amount up to 2^53 − 1 arrives unchanged; anything else is refused before anything is sent [row 26]', async () => {
  using m = machine()
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.maxSafeNat(), fc.constantFrom(1, 2 ** 53 - 1)), async (amount) => {
      const transport = recorder()
      const ran = await m.run(`evaluate --rut 11222333-9 --amount ${amount} --trx T1 --json`, { env, transport })
      if (amount === 0) {
        expect(ran.code).toBe(2)
        return
      }
      expect(decodeForm(new TextDecoder().decode(transport.sent[0]?.body)).amount).toBe(String(amount))
      expect(ran.json().amount).toBe(amount)
    }),
  )
  for (const text of [
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '９',
    '1 00',
    '1.00',
    '1,000.000',
    '01.000',
    '9007199254740992',
    '',
    'NaN',
    '١٢',
  ]) {
    const transport = recorder()
    const ran = await m.run(['evaluate', '--rut', '11222333-9', `--amount=${text}`, '--trx', 'T1'], { env, transport })
    expect([text, ran.code, transport.sent.length]).toEqual([text, 2, 0])
  }
})

test('any RUT with its check character arrives in the specified form; a wrong one is refused without --skip-rut-check', async () => {
  using m = machine()
  const digits = fc.integer({ min: 1, max: 99_999_999 })
  await fc.assert(
    fc.asyncProperty(
      digits,
      fc.constantFrom('0', '1', '5', '9', 'K', 'k'),
      fc.boolean(),
      async (number, check, dots) => {
        const transport = recorder()
        const shown = dots ? String(number).replace(/\B(?=(\d{3})+$)/g, '.') : String(number)
        const right = rutCheckCharacter(String(number)) === check.toUpperCase()
        const words = ['evaluate', '--rut', `${shown}-${check}`, '--amount', '1000', '--trx', 'T1', '--json']
        const ran = await m.run(words, { env, transport })
        expect(ran.code).toBe(right ? 0 : 2)
        await m.run([...words, '--skip-rut-check'], { env, transport })
        expect(decodeForm(new TextDecoder().decode(transport.sent.at(-1)?.body)).idNumber).toBe(
          `${number}-${check.toUpperCase()}`,
        )
      },
    ),
  )
  for (const rut of ['', '-', '1', 'abc', '12345678-', '-5', '12345678-55', '1234567890123-4', '0-0', '12.34-5\n']) {
    const transport = recorder()
    expect((await m.run(['evaluate', `--rut=${rut}`, '--amount', '1000'], { env, transport })).code).toBe(
      rut.startsWith('12.34') ? 2 : 2,
    )
    expect(transport.sent).toHaveLength(0)
  }
})

test.each([
  ['walkthrough -p sandbox', true],
  ['smoke -p sandbox', true],
  ['informe download P1 P2 -p sandbox', true],
  ['informe download P1 --out - -p sandbox', true],
  ['informe download --from ids.csv -p sandbox', true],
  ['cancel T1 -p sandbox', true],
  ['cancel --from ids.csv -p sandbox', true],
  ['webhooks add https://shop.example/x -p sandbox', true],
  ['webhooks add https://shop.example/x --if-missing -p sandbox', true],
  ['webhooks subscribe https://shop.example/x --event new_lead --if-missing -p sandbox', true],
  ['webhooks rm --url https://shop.example/x -p sandbox', true],
  ['webhooks rm W1 -p sandbox', false],
  ['verify T1 -p sandbox', false],
])('%s --dry-run says whether requests are left out: %s', async (line, areLeftOut) => {
  using m = machine()
  writeFileSync(join(m.dir, 'ids.csv'), 'externalTrxId,preApproveId\nT1,P1\nT2,P2\n')
  const ran = await m.run(`${line} --dry-run`)
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^curl /) })
  const notes = ran.stderr.split('Other requests are not shown, because they depend on an answer or only read data.')
  expect(notes).toHaveLength(areLeftOut ? 2 : 1)
})

test('webhooks rm --dry-run shows the listing for an address, and the deletion of each destination that is named', async () => {
  using m = machine()
  const ran = await m.run('webhooks rm --url https://shop.example/x W1 W2 W1 -p sandbox --dry-run')
  expect(ran.stdout.match(/(DELETE |webhook).*$/gm)?.map((call) => call.replace(/ .* http.*partner/, ' '))).toEqual([
    'webhook',
    'DELETE /webhook/W1',
    'DELETE /webhook/W2',
  ])
})

test('--dry-run prints the request as curl with the key as a variable, and sends nothing', async () => {
  using m = machine()
  const transport = recorder()
  const ran = await m.run(['evaluate', '--rut', '11222333-9', '--amount', '1000', '--trx', "it's $HOME", '--dry-run'], {
    env,
    transport,
  })
  expect(transport.sent).toHaveLength(0)
  expect(ran.code).toBe(0)
  expect(ran.stdout).toContain('-H "Authorization: Bearer $BNPL_API_KEY"')
  expect(ran.stdout).toContain(`--data-raw 'idNumber=11222333-9&amount=1000&entityId=E1&externalTrxId=it%27s+%24HOME'`)
  expect(ran.stdout).not.toContain('sk-canary')
})

/** A name that no file system stores, and a path on which the system follows links without end. */
const UNUSABLE = ['x'.repeat(300), 'loop/file']

test.each([
  'evaluate -p sandbox --from FILE',
  'evaluate -p sandbox --from orders.csv --out FILE',
  'evaluate -p sandbox --from orders.csv --out results.csv --failed FILE',
  'evaluate -p sandbox --rut 11222333-9 --amount 250000 --record FILE',
  'evaluate -p sandbox --rut 11222333-9 --amount 250000 --service FILE',
  'smoke -p sandbox --junit FILE',
  'informe download P1 -p sandbox:real-estate --out FILE',
  'informe download P1 -p sandbox:real-estate --dir FILE',
  'informe download -p sandbox:real-estate --from reports.csv --dir FILE',
  'sandbox start --port 0 --data FILE',
  'sandbox start --port 0 --ready-file FILE',
  'sandbox snapshot save FILE',
  'sandbox run -- FILE',
  'sandbox torture --accept FILE -- true',
  'sandbox torture --report FILE -- true',
  'api POST /partner/webhook -p sandbox --input FILE',
  'profiles add acme --base-url https://a.example --payment-url https://b.example --no-check --api-key-file FILE',
  'contract check FILE',
  'contract learn FILE',
  'contract export FILE',
  'webhooks verify-signature --signature 00 --body-file FILE --secret-file orders.csv',
  'webhooks verify-signature --signature 00 --body-file orders.csv --secret-file FILE',
  'webhooks listen -p sandbox --port 0 --ready-file FILE',
])('a path that the system cannot use is no fault of bnpl: %s', async (line) => {
  using m = machine()
  symlinkSync('loop', join(m.dir, 'loop'))
  writeFileSync(join(m.dir, 'orders.csv'), 'rut,amount,externalTrxId\n11222333-9,250000,order-1\n')
  writeFileSync(join(m.dir, 'reports.csv'), 'preApproveId\nP1\n')
  for (const path of UNUSABLE) {
    const ran = await m.run(line.split(' ').map((word) => (word === 'FILE' ? path : word)))
    expect([ran.code, ran.stderr]).toEqual([
      expect.toBeOneOf([2, 3, 5, 6, 10, 11, 13, 126, 127]),
      expect.not.stringContaining('a fault in bnpl'),
    ])
  }
})
