/**
 * What a text is used for. A `key` and a `token` are sent in a header; a `token` may contain single spaces. A `signing` secret is never
 * sent, so it may contain any visible text.
 */
type SecretUse = 'key' | 'token' | 'signing'

type SecretReading = { ok: true; secret: string } | { ok: false; reason: string }

/** How the characters that a secret consists of are described, and which texts consist of them. */
const ALLOWED: Record<SecretUse, { pattern: RegExp; problem: string }> = {
  key: { pattern: /^[\x21-\x7e]+$/, problem: 'contains a space, a line break or a character that is not ASCII' },
  token: {
    pattern: /^[\x21-\x7e]+( [\x21-\x7e]+)*$/,
    problem: 'contains a character that is not allowed in a header',
  },
  signing: {
    pattern: /^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]|\t)+$/u,
    problem: 'contains an invisible character, or bytes that are not UTF-8',
  },
}

/** The name of a field or a header before a secret, as in `"apiKey": "…"` or `secret=…`. A “=” at the end of a secret is Base64. */
const NAME_BEFORE =
  /^["']?(?!authorization:\s*bearer)[\w.-]*(?:key|secret|token|password|authorization)["']?\s*(?:=>?(?!=|$)|:\s)\s*\S/i

/** Mistakes that leave a text of allowed characters, and the words for each. */
const MISTAKES: readonly [pattern: RegExp, reason: string][] = [
  [/^(["'`]).*\1$|^[“„‘«].*[”“’»]$/s, 'has quotes around it'],
  [/^(?:export\s+)?[A-Z][A-Z0-9]*_[A-Z0-9_]*\s*=\s*[^\s=]/, 'begins with the name of a variable and “=”'],
  [NAME_BEFORE, 'begins with a name, as in NAME=…'],
  [/^(?:authorization:\s*)?bearer\s/i, 'begins with “Bearer”'],
  [/^(?:basic|token|apikey)\s/i, 'begins with a word of a header, as in “Bearer …”'],
  [/^["'`´“”„‘’‚«»]|["'`´“”„‘’‚«»]$/, 'begins or ends with a quote'],
  [
    /^(?:undefined|null|none|nan|\[object [\w ]+\]|\$\{\w+\}|\$[A-Z][A-Z0-9]*_[A-Z0-9_]*|\$?\{\{[^{}]*\}\}|<[^<>]*>)$/i,
    'is not a secret, but what a program writes in place of a missing one',
  ],
]

/**
 * Returns a key or secret without byte order marks and white space around it, or the reason why it cannot be one, as the end of a sentence.
 * The reason never contains the text, because the text may be a secret with a typing mistake.
 */
export function readSecretText(text: unknown, use: SecretUse): SecretReading {
  const no = (reason: string): SecretReading => ({ ok: false, reason })
  if (text === undefined || text === null) return no('is missing')
  if (typeof text !== 'string')
    return no(`is not text, but ${Array.isArray(text) ? 'a list' : `a value of type ${typeof text}`}`)
  const secret = text.trim()
  if (secret === '') return no(text === '' ? 'is empty' : 'is empty: it consists of white space')
  const mistake = MISTAKES.find(([pattern]) => pattern.test(secret))
  if (mistake !== undefined) return no(mistake[1])
  const { pattern, problem } = ALLOWED[use]
  return pattern.test(secret) ? { ok: true, secret } : no(problem)
}

/** Returns the lines of a text that contain a secret. Byte order marks and white space around a secret are removed. */
export const secretLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
