type RutProblem = 'shape' | 'check'

type RutResult = { ok: true; rut: string } | { ok: false; problem: RutProblem; expected?: string }

const SHAPE = /^(\d{1,9})-?([\dK])$/

/** Returns the check digit of a RUT by modulus 11: `0`–`9` or `K`. */
export function rutCheckCharacter(digits: string): string {
  let sum = 0
  let factor = 2
  for (let i = digits.length - 1; i >= 0; i--) {
    sum += Number(digits[i]) * factor
    factor = factor === 7 ? 2 : factor + 1
  }
  const rest = 11 - (sum % 11)
  return rest === 11 ? '0' : rest === 10 ? 'K' : String(rest)
}

/**
 * Reads a RUT as people type it (`12.345.678-5`, `12345678-5`, `123456785`, lower-case `k`). Returns it in the form that is sent.
 * @param checkDigit false to accept a wrong check digit (gap 24: `--skip-rut-check`)
 */
export function parseRut(text: string, checkDigit = true): RutResult {
  const match = SHAPE.exec(text.trim().replaceAll('.', '').toUpperCase())
  if (!match) return { ok: false, problem: 'shape' }
  const digits = String(match[1]).replace(/^0+(?=\d)/, '')
  const check = String(match[2])
  if (Number(digits) === 0) return { ok: false, problem: 'shape' }
  const expected = rutCheckCharacter(digits)
  if (checkDigit && check !== expected) return { ok: false, problem: 'check', expected }
  return { ok: true, rut: `${digits}-${check}` }
}

/** Reads a RUT like `parseRut`, but also accepts spaces, commas, and the dashes that word processors and chats insert. */
export function parseTypedRut(text: string, checkDigit = true): RutResult {
  return parseRut(text.replace(/[\s,]/g, '').replace(/[\p{Pd}\u2212]/gu, '-'), checkDigit)
}

/** Writes a RUT with dots, for display: `12345678-5` becomes `12.345.678-5`. */
export function formatRut(rut: string): string {
  const [digits = '', check = ''] = rut.split('-')
  return `${digits.replace(/\B(?=(\d{3})+$)/g, '.')}-${check}`
}
