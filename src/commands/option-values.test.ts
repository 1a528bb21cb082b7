import { expect, test } from 'vitest'
import { machine } from '../../test/kit/harness.ts'
import { BnplError } from '../errors.ts'
import {
  readAmount,
  readCount,
  readDuration,
  readEmail,
  readIdentifier,
  readInstallments,
  readPort,
  readPublicKey,
  readRut,
  readSince,
  readWait,
} from './option-values.ts'

/** What a reader makes of a text: the value, or the code and the words of its error. */
function read(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    expect(error.kind).toBe('usage')
    return { code: error.code, message: error.message, hint: error.hint, atTerminal: error.atTerminal }
  }
}

test('a RUT is read in any spelling, and its check digit is verified unless it is skipped', () => {
  expect(readRut('12.345.678-5', true)).toBe('12345678-5')
  expect(readRut('12345678-9', false)).toBe('12345678-9')
  expect(read(() => readRut('12345678-9', true))).toMatchObject({
    code: 'INVALID_RUT',
    message: expect.stringContaining('for this number it is 5'),
  })
})

test('an error shows a RUT only at the terminal, and names --skip-rut-check only if the command has the option', () => {
  const { atTerminal, ...plain } = read(() => readRut('123456789', true)) as Record<string, string>
  expect(plain).toMatchObject({ hint: expect.stringContaining('Without a dash') })
  expect(JSON.stringify(plain)).not.toMatch(/123456789|skip-rut-check/)
  expect(atTerminal).toContain('“123456789”')
  expect(read(() => readRut('12345678-9', true, true))).toMatchObject({
    hint: expect.stringContaining('--skip-rut-check'),
  })
  expect(JSON.stringify(read(() => readRut('somebody', true)))).toContain('is not a RUT')
})

test('the error about a RUT without a check digit suggests the digit; other errors suggest no digit', () => {
  expect(read(() => readRut('12.345.678', true))).toMatchObject({
    hint: expect.stringContaining('Add -5 if the check digit was left out.'),
  })
  for (const text of ['12345678-9', 'somebody'])
    expect(JSON.stringify(read(() => readRut(text, true)))).not.toContain('left out')
})

test.each([
  ['250000', 250000],
  [' 1 ', 1],
  ['250.000', 250000],
  ['1.000,000', expect.stringContaining('is not valid')],
  ['0', '--amount “0” is not valid: it must be greater than zero'],
  ['-1', '--amount “-1” is not valid: it must be a whole number of currency units, such as 250000 or 250.000'],
  ['250k', expect.stringContaining('such as 250000 or 250.000')],
  ['0.250', expect.stringContaining('such as 250000 or 250.000')],
  ['9007199254740993', expect.stringContaining('would be rounded')],
])('the amount %s is read as whole currency units or refused', (text, expected) => {
  const found = read(() => readAmount(text))
  expect(typeof expected === 'number' ? found : (found as { message: string }).message).toEqual(expected)
})

test.each([
  ['a count', (text: string) => readCount('--limit', text), ['1', '999999999'], ['0', '-1', '1.5', '', '1e3']],
  ['a number of installments', (text: string) => readInstallments(text), ['1', '600'], ['0', '601', 'six']],
  ['a port', (text: string) => readPort('--port', text), ['0', '65535'], ['65536', '-1', '80a', '']],
  ['an id', (text: string) => readIdentifier('--trx', text), ['order-1001'], ['', 'a\nb']],
  ['an e-mail', (text: string) => readEmail(text), ['ana@example.com'], ['ana', 'ana@', '@example.com', 'a b@c.de']],
  ['a public key', (text: string) => readPublicKey(text), ['pk_1'], ['', 'a b', 'ñ', 'a\nb']],
])('%s', (_, reader, good, bad) => {
  for (const text of good) expect([text, String(read(() => reader(text)))]).toEqual([text, text])
  for (const text of bad)
    expect([text, read(() => reader(text))]).toEqual([text, expect.objectContaining({ message: expect.any(String) })])
})

test('an error about an e-mail does not repeat it', () => {
  expect(JSON.stringify(read(() => readEmail('ana.example.com')))).not.toContain('ana')
})

test('a duration is read in ms, and --wait without a duration is the life of a token plus one minute', () => {
  expect([readDuration('--for', '500ms'), readDuration('--for', '2h')]).toEqual([500, 7_200_000])
  expect(read(() => readDuration('--for', 'soon'))).toMatchObject({ code: 'INVALID_DURATION' })
  expect([readWait(undefined), readWait(true), readWait('30s')]).toEqual([undefined, 660_000, 30_000])
  expect(read(() => readWait('order-1', true))).toMatchObject({
    hint: expect.stringContaining('If “order-1” is a transaction id, write it before --wait.'),
  })
  expect(read(() => readWait('soon'))).not.toMatchObject({ hint: expect.stringContaining('transaction id') })
  // As in curl.
  expect([readDuration('--for', '90'), readWait('90')]).toEqual([90_000, 90_000])
  for (const refused of [read(() => readDuration('--for', 'soon')), read(() => readWait('soon'))])
    expect(refused).toMatchObject({ hint: expect.stringContaining('A number without a unit means seconds.') })
})

test.each(['90', '2', '20261122', '1.5', ' 90 '])('the number “%s” without a unit is refused as a time', (text) => {
  expect(read(() => readSince('--older-than', text, 0))).toMatchObject({
    message: `--older-than “${text}” is a number without a unit`,
    hint: 'Add a unit (s, m, h or d), or write a date: 2026-03-01.',
  })
})

test.each(['2026-02-30', '2026-11-31', '2025-02-29', '2026-02-30T10:00', '2026-11-31T10:00Z'])(
  'a time on a day that does not exist is refused: %s',
  (text) => {
    const message = `--since “${text}” is not valid: the day ${text.slice(0, 10)} does not exist`
    expect(read(() => readSince('--since', text, 0))).toMatchObject({ message, hint: expect.stringContaining('7d') })
  },
)

test('a time is a duration before now, a local day, or a moment', () => {
  const now = Date.parse('2026-03-31T12:00:00Z')
  const since = (text: string) => readSince('--since', text, now)
  expect([since('0d'), since('90s'), since('1h30m')]).toEqual([now, now - 90_000, now - 5_400_000])
  expect([since('2024-02-29'), since('2026-03-01T10:00Z')]).toEqual([
    new Date(2024, 1, 29).getTime(),
    Date.parse('2026-03-01T10:00Z'),
  ])
  for (const text of ['yesterday', '2026-13-01', '2026-02-32', '2026-03-01T25:00', '']) {
    expect(read(() => since(text))).toMatchObject({ message: `--since “${text}” is neither a duration nor a date` })
  }
})

test.each([
  'webhooks events prune --older-than',
  'webhooks events list --since',
  'webhooks events confirm --since',
  'history list --since',
])('“%s” refuses a number without a unit and a day that does not exist', async (line) => {
  using m = machine()
  const refused = async (time: string) => (await m.run(`${line} ${time} --json`)).error()
  expect(await refused('2')).toMatchObject({ kind: 'usage', message: expect.stringContaining('without a unit') })
  expect(await refused('2026-02-30')).toMatchObject({ kind: 'usage', message: expect.stringContaining('not exist') })
})
