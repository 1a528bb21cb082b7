import { expect, test } from 'vitest'
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

test('the errors of a RUT show it masked but at the terminal, and name --skip-rut-check only for a command that has it', () => {
  const { atTerminal, ...plain } = read(() => readRut('123456789', true)) as Record<string, string>
  expect(plain).toMatchObject({ hint: expect.stringContaining('Without a dash') })
  expect(JSON.stringify(plain)).not.toMatch(/123456789|skip-rut-check/)
  expect(atTerminal).toContain('“123456789”')
  expect(read(() => readRut('12345678-9', true, true))).toMatchObject({
    hint: expect.stringContaining('--skip-rut-check'),
  })
  expect(JSON.stringify(read(() => readRut('somebody', true)))).toContain('is not a RUT')
})

test('a check digit that was left out is guessed aloud, and no other number gets a guess', () => {
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
])('the amount %s', (text, expected) => {
  const found = read(() => readAmount(text))
  expect(typeof expected === 'number' ? found : (found as { message: string }).message).toEqual(expected)
})

test.each([
  ['a count', (text: string) => readCount('--limit', text), ['1', '999999999'], ['0', '-1', '1.5', '', '1e3']],
  ['a number of installments', (text: string) => readInstallments(text), ['1', '600'], ['0', '601', 'six']],
  ['a port', (text: string) => readPort('--port', text), ['0', '65535'], ['65536', '-1', '80a', '']],
  ['an id', (text: string) => readIdentifier('--trx', text), ['order-1001'], ['', 'a\nb']],
  ['an e-mail', (text: string) => readEmail(text), ['ana@example.com'], ['ana', 'ana@', '@example.com', 'a b@c.de']],
  ['a public key', (text: string) => readPublicKey(text), ['pk_1'], ['', 'a b', 'ñ', 'a\n']],
])('%s', (_, reader, good, bad) => {
  for (const text of good) expect([text, String(read(() => reader(text)))]).toEqual([text, text])
  for (const text of bad)
    expect([text, read(() => reader(text))]).toEqual([text, expect.objectContaining({ message: expect.any(String) })])
})

test('an error about an e-mail does not repeat it', () => {
  expect(JSON.stringify(read(() => readEmail('ana.example.com')))).not.toContain('ana')
})

test('a duration is read in ms, and --wait without one is the life of a token and a minute more', () => {
  expect([readDuration('--for', '500ms'), readDuration('--for', '2h')]).toEqual([500, 7_200_000])
  expect(read(() => readDuration('--for', 'soon'))).toMatchObject({ code: 'INVALID_DURATION' })
  expect([readWait(undefined), readWait(true), readWait('30s')]).toEqual([undefined, 660_000, 30_000])
  expect(read(() => readWait('order-1'))).toMatchObject({ hint: expect.stringContaining('after the transaction ids') })
})
