const MAX_ID_BYTES = 10_240

/** An id that goes into a path or a form: why it cannot be sent, or undefined when it can. */
export function identifierProblem(value: string): string | undefined {
  if (value === '') return 'it is empty'
  if (value === '.' || value === '..') return `"${value}" would change the address of the call`
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) return 'it contains a control character'
  if (!value.isWellFormed()) return 'it is not valid Unicode'
  if (value.length > MAX_ID_BYTES / 3 && Buffer.byteLength(value) > MAX_ID_BYTES) return 'it is longer than 10 kB'
  return undefined
}

/** A new externalTrxId for a merchant that gave none: sortable by time, unique by 50 random bits. */
export function newTransactionId(now: number, random: () => number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  const tail = Array.from({ length: 10 }, () => alphabet[Math.floor(random() * 32)]).join('')
  return `trx-${day}-${tail}`
}

/** The literal word `undefined`, an empty or an absent value all mean "no pre-approval" (gap 22). */
export function presentPreApproveId(value: string | null | undefined): string | undefined {
  return value === undefined || value === null || value === '' || value === 'undefined' ? undefined : value
}

const EMAIL = /^[^\s@,;<>()[\]\\"]+@[^\s@,;<>()[\]\\"]+\.[^\s@,;<>()[\]\\".]+$/

/** A shape check only: whether there is a mailbox behind it is the service's to say. */
export function looksLikeEmail(value: string): boolean {
  return value.length <= 254 && EMAIL.test(value)
}
