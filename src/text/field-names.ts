/** The names that a RUT has, as a column of a file or a field of a request. */
const RUT_NAMES = ['rut', 'idNumber'] as const

const PLAIN_RUT_NAMES = new Set(RUT_NAMES.map((name) => name.toLowerCase()))

/**
 * Whether a column or a field of this name contains a RUT. True for `RUT_NAMES`, in upper or lower case and with any separators, and for
 * names that contain “rut” as a word, such as `rut_cliente`, `RUTCliente`, `R.U.T. titular` or `customerRut`.
 */
export function isRutName(name: string): boolean {
  const words = name
    .normalize('NFKC')
    .replace(/\br\W?u\W?t\b/gi, ' rut ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
  return words.some((word) => /^rut\d*$/.test(word)) || PLAIN_RUT_NAMES.has(words.join(''))
}

const CONTACT_NAMES = /email|phone/i

/** Whether a column or a field of this name contains a RUT, an e-mail address or a telephone number. */
export const isPersonName = (name: string): boolean => CONTACT_NAMES.test(name) || isRutName(name)
