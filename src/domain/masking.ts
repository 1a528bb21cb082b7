/** Masks of secrets and personal data. One place, used by logs, errors, history, tables and the sandbox's request list. */

/** A key as it may be shown: its last four characters. */
export function maskKey(secret: string): string {
  return secret.length < 12 ? '••••' : `••••${secret.slice(-4)}`
}

/** A RUT as it may be shown in a log: `12.345.678-5` → `12•••••8-5`… never enough to call somebody up by it. */
export function maskRut(rut: string): string {
  const [digits = '', check = ''] = rut.split('-')
  return `${'•'.repeat(Math.max(0, digits.length - 2))}${digits.slice(-2)}-${check}`
}

/** A national id as somebody typed it, right or wrong: enough to tell which it was, all digits but the last two hidden. */
export function maskTypedId(text: string): string {
  return text.replace(/\d(?=(?:\D*\d){2})/g, '•')
}

/** `maria.perez@example.com` → `m•••@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '•••' : `${email[0]}•••${email.slice(at)}`
}

/** Query parameters that carry a credential or a person, wherever they appear in an address. */
const SECRET_PARAMETERS =
  /([?&#](?:widgetToken|signature|X-Amz-[A-Za-z-]+|token|sig|email|idNumber|rut|key)=)[^&#\s"']*/gi
const RUT_IN_PATH = /(\/rut\/)[^/?#\s"']+/gi
const LINK_SIGNATURE_IN_PATH = /(\/informe\/)[A-Za-z0-9_.~%-]{16,}/g
const USERINFO = /(\/\/)[^/?#\s@"']*@/g
const BEARER = /(Bearer\s+)[^\s"']+/gi
/** Words joined by dots, each taken whole: a pattern that looks for a token from every letter on takes minutes over hostile text. */
const DOTTED = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){2,}/g
/** A national id among other words, and an address; only for the short texts of `maskWords`. */
const RUT_IN_WORDS = /(?<![\w.-])\d{1,3}(?:\.?\d{3}){1,2}-[\dkK](?!\w)/g
const EMAIL_IN_WORDS = /[^\s@"'“”<>(),;:]{1,64}@[^\s@"'“”<>(),;:]{1,190}/g

/** What every one of these needs something of: most texts have none of it, and are let through at once. */
const SUSPECT = /[?&#@]|\/rut\/|\/informe\/|bearer|eyJ/i

/** An address (or any text with addresses in it) with credentials and national ids masked. */
export function maskText(text: string): string {
  if (!SUSPECT.test(text)) return text
  return text
    .replace(SECRET_PARAMETERS, '$1••••')
    .replace(RUT_IN_PATH, '$1••••')
    .replace(LINK_SIGNATURE_IN_PATH, '$1••••')
    .replace(USERINFO, '$1••••@')
    .replace(BEARER, '$1••••')
    .replace(DOTTED, (words) => (words.includes('eyJ') ? withoutTokens(words) : words))
}

/** Words joined by dots, with every signed token among them (three words, the first with `eyJ`) masked. */
function withoutTokens(words: string): string {
  const parts = words.split('.')
  const kept: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const at = part.indexOf('eyJ')
    const isToken = at >= 0 && part.length - at >= 7 && i + 2 < parts.length
    kept.push(isToken ? `${part.slice(0, at)}••••` : part)
    if (isToken) i += 2
  }
  return kept.join('.')
}

/** What a service says in its own words, which may name the customer: as `maskText`, and national ids and e-mail addresses too. */
export function maskWords(text: string): string {
  return maskText(text.slice(0, 1000)).replace(EMAIL_IN_WORDS, maskEmail).replace(RUT_IN_WORDS, maskTypedId)
}

/** A signed link as it may be shown: where it leads, and nothing of its path and query (a signature may stand in either). */
export function maskLink(url: string): string {
  return `${new URL(url).origin}/••••`
}

const SECRET_FIELDS =
  /^(authorization|api[-_]?key|widget[-_]?token|token|signature|service-signature|cookie|set-cookie)$|secret/i
const PERSON_FIELDS = /^(idNumber|rut)$|email|phone/i

/** The value of a named field (of a form, a header or a JSON body) as it may be shown. */
export function maskField(name: string, value: string): string {
  if (SECRET_FIELDS.test(name)) return value === '' ? '' : maskKey(value)
  if (PERSON_FIELDS.test(name)) return value.includes('@') ? maskEmail(value) : maskRut(value)
  return maskText(value)
}

/** Values shorter than this hold no address, token or signature. */
const LONG = 16

/** Whether a field's name alone says that it is masked; remembered, because every answer has the same names. */
const NAMED = new Map<string, boolean>()

function isNamed(name: string): boolean {
  const known = NAMED.get(name)
  if (known !== undefined) return known
  const named = PERSON_FIELDS.test(name) || SECRET_FIELDS.test(name)
  if (NAMED.size < 1000) NAMED.set(name, named)
  return named
}

/**
 * A structure (an answer's `data`) with personal data and secrets masked, by the names of its fields and by what long texts hold.
 * @returns the structure itself where there is nothing to mask
 */
export function maskStructure(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return value.length >= LONG || isNamed(name) ? maskField(name, value) : value
  if (typeof value === 'number') return isNamed(name) ? maskField(name, String(value)) : value
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  const isList = Array.isArray(value)
  const from = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(from)) {
    const before = from[key]
    const after = maskStructure(before, isList ? name : key)
    if (after === before) continue
    copy ??= (isList ? [...value] : { ...from }) as Record<string, unknown>
    copy[key] = after
  }
  return copy ?? value
}
