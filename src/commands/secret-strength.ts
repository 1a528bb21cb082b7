import { statSync } from 'node:fs'
import type { Notice } from '../disk/private.ts'
import { shellQuoted } from '../text/shell-word.ts'

/** In characters. An attacker who has one signed delivery can find a shorter secret by trying all values. */
const SHORTEST = 16

/**
 * Warns if every user of this machine can read a file with a secret. This is not an error, because containers mount
 * secrets in many ways.
 * @param what the kind of secret, such as `password`
 */
export function noteSharedSecret(path: string, what: string, notice: Notice): void {
  const found = statOf(path)
  if (found?.isFile() && (found.mode & 0o004) !== 0) {
    notice(`every user of this machine can read the ${what} in ${path}. Run: chmod 600 ${shellQuoted(path)}`)
  }
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Warns if a secret can be guessed. The warning contains neither the secret nor its length. */
export function noteShortSecret(secrets: readonly string[], what: string, notice: Notice): void {
  if (secrets.some((secret) => secret.length < SHORTEST)) {
    notice(`the ${what} has fewer than ${SHORTEST} characters and can be guessed. Use a longer secret`)
  }
}
