import type { World } from '../context.ts'
import { usage } from '../errors.ts'
import { secretsIn, storedText } from '../profiles/stored-text.ts'
import { createSecrets } from '../text/secrets.ts'

/** An argument with fewer characters cannot contain a secret that is searched for. */
const SHORTEST = 8

/**
 * Throws `usage` if an argument or the value of an option contains the API key or a webhook secret of the environment or of any stored
 * profile. Every user of the machine can read arguments, and a path with a key is written into the log of the service.
 */
export function refuseTypedSecrets(words: readonly string[], world: World): void {
  if (words.every((word) => word.length < SHORTEST)) return
  const { env } = world
  const secrets = env.BNPL_WEBHOOK_SECRET?.split(/\r?\n/) ?? []
  refuseSecretsIn(words, env.BNPL_API_KEY, ...secrets, ...secretsIn(storedText(() => world.configDir)))
}

/** Throws `usage` if one of the words contains one of the secrets, in any spelling. */
export function refuseSecretsIn(words: readonly string[], ...known: readonly (string | undefined)[]): void {
  const secrets = createSecrets(...known)
  if (!words.some((word) => secrets.finds(word))) return
  throw usage(
    'an argument contains an API key or a webhook secret, so nothing was sent: every user of this machine can read arguments',
    'Remove it from the command line, and replace the key if other users or logs may have seen it. bnpl adds the key to a call by itself.',
    'SECRET_ARGUMENT',
  )
}

/** Returns the texts in the values of the options of a command, and its arguments. */
export function wordsOf(args: readonly string[], options: Readonly<Record<string, unknown>>): string[] {
  return [...args, ...Object.values(options).flat()].filter((each): each is string => typeof each === 'string')
}
