/** Finds secrets in texts: known secrets in every usual spelling, and texts that have the form of a secret. */

/** The text that replaces a secret. It needs no quoting in an address, a form or a header. */
export const SECRET_MARK = '(secret)'

/** A secret that is shorter than this is replaced only where it is the whole value, because a text such as `k` is a part of many words. */
const SHORTEST_INSIDE = 6

/** A part of a secret with at least this length is also searched for by itself. */
const LONG_PART = 12

/** Matches tokens by their form: signed ones (`eyJ….….…`, with or without spaces in their JSON), keys with a prefix, private keys. */
const BY_FORM =
  /e(?:yJ|yA|wo|wk|w0)[\w-]{4,}(?:\.[\w-]*){1,4}|(?:\b|_)(?:sk|pk|rk|whsec|ghp|xox[a-z]|tok|key|secret)[-_][\w-]{8,}|AKIA[A-Z0-9]{12,}|-----BEGIN[\s\S]*/gi

export interface SecretFinder {
  /** Adds a secret that was found in a setting or in an answer. */
  learn(secret: string): void
  /** Returns the text with a mark in place of each secret. */
  mark(text: string): string
}

/** How many secrets of answers are remembered. (Those in the settings are always remembered.) */
const MOST = 500

/** @param known the secrets in the settings */
export function createSecretFinder(known: readonly string[]): SecretFinder {
  const fixed = new Set(known.map((each) => each.trim()).filter((each) => each !== ''))
  const learnt = new Set<string>()
  let whole = new Set<string>()
  let inside: RegExp | undefined
  let stale = true
  const refresh = () => {
    const all = [...fixed, ...learnt]
    const long = all.filter((each) => each.length >= SHORTEST_INSIDE).flatMap(spellings)
    // Search for the longest first, because a key may begin with another key.
    const words = [...new Set(long)].sort((a, b) => b.length - a.length).map(escaped)
    inside = words.length === 0 ? undefined : new RegExp(words.join('|'), 'gi')
    whole = new Set(all)
    stale = false
  }
  return {
    learn(secret) {
      const text = secret.trim()
      if (text.length < SHORTEST_INSIDE || text.startsWith('(') || fixed.has(text) || learnt.has(text)) return
      if (learnt.size >= MOST) learnt.delete(learnt.values().next().value ?? '')
      learnt.add(text)
      stale = true
    },
    mark(text) {
      if (stale) refresh()
      if (whole.has(text)) return SECRET_MARK
      const without = inside === undefined ? text : text.replace(inside, SECRET_MARK)
      return without.replace(BY_FORM, SECRET_MARK)
    },
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/**
 * Returns the ways in which a secret may be written: unchanged, backwards, percent-encoded, escaped in JSON, in hex, and in base64 after
 * zero, one or two other bytes.
 */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last characters depend on the bytes before and after the secret, so leave them out.
    return text.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1)
  })
  const made = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    // Also search for long parts of the secret, because a form or an address may have split it at a sign.
    ...secret.split(/[^A-Za-z0-9]+/).filter((part) => part.length >= LONG_PART),
    [...secret].reverse().join(''),
  ]
  return made.filter((each) => each.length >= SHORTEST_INSIDE)
}
