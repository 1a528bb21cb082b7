import { encodingsOf, escaped } from '../text/secrets.ts'

/** The text that replaces a secret. It needs no quoting in a URL, a form or a header. */
export const SECRET_MARK = '(secret)'

/** A shorter secret is replaced only where it is the whole value, because a text such as `k` is part of many words. */
const SHORTEST_INSIDE = 6

/** A secret is split at its punctuation. A part of at least this length is also replaced. */
const LONG_PART = 12

/** Signed tokens (`eyJ….….…`), keys with a prefix, and private keys. */
const BY_FORM =
  /e(?:yJ|yA|wo|wk|w0)[\w-]{4,}(?:\.[\w-]*){1,4}|(?:\b|_)(?:sk|pk|rk|whsec|ghp|xox[a-z]|tok|key|secret)[-_][\w-]{8,}|AKIA[A-Z0-9]{12,}|-----BEGIN[\s\S]*/gi

export interface SecretFinder {
  learn(secret: string): void
  mark(text: string): string
}

const MOST_LEARNT = 500

/**
 * Returns a finder of secrets. It finds known secrets, even if they are encoded, and unknown tokens of a common form.
 * @param known the secrets in the settings
 */
export function createSecretFinder(known: readonly string[]): SecretFinder {
  const fixed = new Set(known.map((each) => each.trim()).filter((each) => each !== ''))
  const learnt = new Set<string>()
  let whole = new Set<string>()
  let inside: RegExp | undefined
  let stale = true
  const refresh = () => {
    const all = [...fixed, ...learnt]
    const long = all.filter((each) => each.length >= SHORTEST_INSIDE).flatMap(spellings)
    // Put the longest texts first, because a key may begin with another key.
    const words = [...new Set(long)].sort((a, b) => b.length - a.length).map(escaped)
    inside = words.length === 0 ? undefined : new RegExp(words.join('|'), 'gi')
    whole = new Set(all)
    stale = false
  }
  return {
    learn(secret) {
      const text = secret.trim()
      if (text.length < SHORTEST_INSIDE || text.startsWith('(') || fixed.has(text) || learnt.has(text)) return
      if (learnt.size >= MOST_LEARNT) learnt.delete(learnt.values().next().value ?? '')
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

function spellings(secret: string): string[] {
  const made = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...encodingsOf(secret),
    // A form or a URL may have split the secret at a character such as `&`, so its long parts are found too.
    ...secret.split(/[^A-Za-z0-9]+/).filter((part) => part.length >= LONG_PART),
    [...secret].reverse().join(''),
  ]
  return made.filter((each) => each.length >= SHORTEST_INSIDE)
}
