type AmountResult = { ok: true; amount: number } | { ok: false; reason: string }

const DIGITS = /^\d+$/

/**
 * Reads an amount in plain digits, as files contain it. Separators are refused, because the program that wrote the file may use them for
 * decimals, and nobody sees the amount before it is sent. Also refuses zero, `1e3`, `1.5`, `-1`, `0x10`, and numbers larger than 2^53 − 1,
 * which would be rounded. An amount with a peso sign, such as `$250.000`, is accepted, because no program writes a decimal number so.
 */
export function parseAmount(text: string): AmountResult {
  const trimmed = DIGITS.test(text) ? text : withoutSign(text)
  if (!DIGITS.test(trimmed)) {
    return /^\d{1,3}([.,]\d{3})+$/.test(trimmed)
      ? {
          ok: false,
          reason: `it must be written without separators, as ${trimmed.replace(/[.,]/g, '')}, because in a file ${/[.,].*[.,]/.test(trimmed) ? '1.000' : trimmed} may also be a decimal number`,
        }
      : { ok: false, reason: 'it must be a whole number, digits only' }
  }
  const amount = Number(trimmed)
  if (!Number.isSafeInteger(amount)) return { ok: false, reason: 'it is larger than 2^53 − 1 and would be rounded' }
  if (amount === 0) return { ok: false, reason: 'it must be greater than zero' }
  return { ok: true, amount }
}

/** Matches digits in groups of three. The dot in `250.000` is not a decimal point, because amounts are whole currency units. */
const GROUPED = /^[1-9]\d{0,2}([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*$/

/** Matches a peso sign before digits in groups of three, or before digits only. */
const PESOS = /^\$[ \u00a0\u202f]?(?=\d)/

/** Returns the digits of an amount with a peso sign, and any other text trimmed. */
function withoutSign(text: string): string {
  const trimmed = text.trim()
  const rest = trimmed.replace(PESOS, '')
  if (rest === trimmed) return trimmed
  if (GROUPED.test(rest)) return rest.replace(/\D/g, '')
  return /^\d+$/.test(rest) ? rest : trimmed
}

/** Reads an amount like `parseAmount`, but also accepts the thousands separators that a person types, such as `250.000`. */
export function parseTypedAmount(text: string): AmountResult {
  const trimmed = withoutSign(text)
  const result = parseAmount(GROUPED.test(trimmed) ? trimmed.replace(/\D/g, '') : trimmed)
  return result.ok || /^\d+$/.test(trimmed)
    ? result
    : { ok: false, reason: 'it must be a whole number of currency units, such as 250000 or 250.000' }
}

/** Groups the digits of a number: `1234567` becomes `1.234.567`. For display only. */
export function groupDigits(value: number | string, separator = '.'): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, separator)
}
