/** The secrets that one run of the program knows. Every text that is printed goes through `hide`. */
export interface Secrets {
  /** Adds secrets, such as a key that was read from a file. Missing and short secrets are not added. */
  add(...secrets: readonly (string | undefined)[]): void
  /**
   * Replaces every known secret in a text. Also finds a secret that is percent-encoded, even several times and in part, written with
   * escapes of JSON, or inside Base64 (such as `user:password` of a header) or hexadecimal digits.
   */
  hide(text: string): string
  /** Hides the secrets in every text of a structure, also in the names of fields. Returns the structure itself if it contains none. */
  hideIn<T>(value: T): T
  /** Whether a text contains a known secret, in one of the spellings that `hide` finds. */
  finds(text: string): boolean
}

/** The text that replaces a secret. */
export const HIDDEN = '••••'

/** A secret with fewer characters is not searched for, because it would also be found inside other words. */
const SHORTEST = 8

/** A longer secret is searched for without partial encodings, because a pattern of all its encodings would be slow. */
const LONGEST_PATTERN = 512

/**
 * A password that is a single short word of letters, such as `postgres`, is also a word of our own messages. Hiding it there would make
 * the messages useless, and would show which word is the password.
 */
const PLAIN_WORD = /^[a-z]{1,12}$/i

/**
 * The keys and secrets of a sandbox. They are shown to the user, who needs them in other programs, and are valid only on this machine.
 */
const OF_THE_SANDBOX = /^(?:sk|pk|whsec)_sandbox_/

/** Creates the collection of the secrets that are known at first. */
export function createSecrets(...known: readonly (string | undefined)[]): Secrets {
  const all = new Set<string>()
  let search: ((text: string) => string) | undefined
  const secrets: Secrets = {
    add(...more) {
      for (const each of more) {
        const secret = each?.trim() ?? ''
        if (secret.length < SHORTEST || OF_THE_SANDBOX.test(secret) || PLAIN_WORD.test(secret) || all.has(secret))
          continue
        all.add(secret)
        search = undefined
      }
    },
    hide(text) {
      if (all.size === 0 || text.length < SHORTEST) return text
      search ??= searchFor(all)
      return search(text)
    },
    hideIn: (value) => (all.size === 0 ? value : hiddenIn(value, secrets.hide)),
    finds: (text) => secrets.hide(text) !== text,
  }
  secrets.add(...known)
  return secrets
}

type Env = Readonly<Record<string, string | undefined>>

/** The variables that contain nothing but a secret. Each may have several lines with a secret on each. */
const SECRET_VARIABLES = ['BNPL_API_KEY', 'BNPL_WEBHOOK_SECRET', 'BNPL_DATABASE_PASSWORD', 'PGPASSWORD']
/** The variables that contain an address, in which a password may be. */
const ADDRESS_VARIABLES = /^(?:BNPL_(?:BASE_URL|PAYMENT_URL|DATABASE)|(?:https?|all)_proxy)$/i

const SECRET_PARAMETER =
  /token|secret|passw|passphrase|signature|credential|^(?:pass|pwd|sig|key|jwt|sid|session(?:id)?|auth)$|^(?:x[-_])?auth(?:$|[-_]|ori[sz])|(?:api|access|private)[-_]?key|^X-(?:Amz|Goog)-/i
/** Whether the value of a parameter of an address is a secret, by its name. */
export const isSecretParameter = (name: string): boolean => SECRET_PARAMETER.test(name)

export function secretsOfEnvironment(env: Env): Secrets {
  const values = SECRET_VARIABLES.flatMap((name) => env[name]?.split(/\r?\n/) ?? [])
  const addresses = Object.entries(env).filter(([name]) => ADDRESS_VARIABLES.test(name))
  return createSecrets(...values, ...addresses.flatMap(([, address]) => secretsInAddress(address ?? '')))
}

/**
 * Returns the passwords in an address: what is between its scheme and its last “@”, in every way of reading it, and the values of the
 * parameters that name a secret. The address need not be valid.
 */
export function secretsInAddress(address: string): string[] {
  const at = address.lastIndexOf('@')
  const userinfo = address.slice(0, Math.max(at, 0)).replace(/^\s*[a-z][a-z0-9+.-]{0,30}:[/\\]+/i, '')
  const password = userinfo.includes(':') ? userinfo.slice(userinfo.indexOf(':') + 1) : ''
  const parts = password.split(/[/?#\\@:]/)
  const values = [...address.matchAll(/[?&#]([^?&#=]{1,64})=([^?&#]*)/g)]
    .filter(([, name = '']) => isSecretParameter(name))
    .map(([, , value = '']) => value)
  return [password, ...(parts.length > 1 ? parts : []), ...values].flatMap((each) => [each, percentDecoded(each)])
}

/**
 * Returns a text with its percent-encoding decoded. Bytes that are not UTF-8 are decoded one by one.
 * @param oneByOne which bytes are decoded then
 */
export function percentDecoded(text: string, oneByOne = /%([0-9a-f]{2})/gi): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(oneByOne, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

function hiddenIn<T>(value: T, hide: (text: string) => string): T {
  if (typeof value === 'string') return hide(value) as T & string
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => hiddenIn(item, hide))
    return items.some((item, i) => item !== value[i]) ? (items as T & unknown[]) : value
  }
  let isChanged = false
  const fields = Object.entries(value).map(([name, field]) => {
    const shown = [hide(name), hiddenIn(field, hide)] as const
    isChanged ||= shown[0] !== name || shown[1] !== field
    return shown
  })
  return isChanged ? (Object.fromEntries(fields) as T) : value
}

function searchFor(secrets: ReadonlySet<string>): (text: string) => string {
  // Put the longest texts first, because a secret may begin with another secret.
  const spellings = [...secrets].flatMap((secret) => [secret, ...encodingsOf(secret)])
  const spelled = [...new Set(spellings.filter((each) => each.length >= SHORTEST))].sort((a, b) => b.length - a.length)
  let pattern: RegExp | undefined
  const literals = spelled.map((each) => each.toLowerCase())
  return (text) => {
    // Most texts contain no secret. Finding this out with the pattern would take ten times as long for a long text, and most commands
    // need no pattern.
    const lower = text.toLowerCase()
    const isSuspect = /[%\\]/.test(text) || literals.some((each) => lower.includes(each))
    if (!isSuspect) return text
    pattern ??= new RegExp(spelled.map(encodedPattern).join('|'), 'gi')
    return text.replace(pattern, HIDDEN)
  }
}

/** Returns a secret in hexadecimal digits, and in both forms of Base64 at each position among other bytes. */
export function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // In Base64, the first and the last character depend on the bytes around the secret, so they are not compared.
    return text.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1)
  })
  const forUrls = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [bytes.toString('hex'), ...inBase64, ...forUrls]
}

/** Returns a text as it is written in a regular expression. */
export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

const encodedPattern = (text: string): string =>
  text.length > LONGEST_PATTERN ? escaped(text) : [...text].map(characterPattern).join('')

/** The escapes of JSON for control characters, without the backslash. A secret for signatures may contain a tab. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\t': 't', '\n': 'n', '\r': 'r', '\b': 'b', '\f': 'f' }

function characterPattern(character: string): string {
  const percent = [...Buffer.from(character)]
    .map((byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, '0')}`)
    .join('')
  // JSON escapes a character outside the basic plane, such as an emoji, as two units.
  const inJson = character
    .split('')
    .map((unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
  const plain = /["'\\/]/.test(character) ? `\\\\?${escaped(character)}` : escaped(character)
  const short = SHORT_ESCAPES[character]
  return `(?:${plain}|${percent}|${inJson}${short === undefined ? '' : `|\\\\${short}`})`
}
