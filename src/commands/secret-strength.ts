import { stat } from 'node:fs/promises'
import type { Notice } from '../disk/private.ts'
import { shellQuoted } from '../text/shell-word.ts'

/** Fewer characters than any generated secret has: shorter ones can be found by trying, from one signed delivery. */
const SHORTEST = 16

/**
 * Says that every user of this machine can read a file with a secret. It is said, not refused: secrets of containers are mounted in many
 * ways.
 * @param what the secret is, such as `password`
 */
export async function noteSharedSecret(path: string, what: string, notice: Notice): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() && (found.mode & 0o004) !== 0) {
    notice(`every user of this machine can read the ${what} in ${path}: chmod 600 ${shellQuoted(path)}`)
  }
}

/** Says that a secret is short enough to be guessed; neither it nor its length is repeated. */
export function noteShortSecret(secrets: readonly string[], what: string, notice: Notice): void {
  if (secrets.some((secret) => secret.length < SHORTEST)) {
    notice(`the ${what} has fewer than ${SHORTEST} characters and can be guessed: use a longer one`)
  }
}
