import type { World } from '../context.ts'
import { LANGUAGES, languageFor, languageNamed, wordsIn } from '../language/language.ts'
import { storedText } from '../profiles/stored-text.ts'

/**
 * Sets the language of the texts on the terminal. Must be called before anything is printed.
 * @param argv the arguments after the program's name, which may name a profile
 */
export async function chooseLanguage(argv: readonly string[], world: World): Promise<void> {
  world.io.inLanguage ??= await wordsIn(await languageFor(world.env, () => languageSetting(argv, world)))
}

/** Returns what is wrong with BNPL_LANG; undefined if it is not set, or if it names a language of bnpl. */
export function languageProblem({ env: { BNPL_LANG: named } }: World): string | undefined {
  if (!named || languageNamed(named) !== undefined) return undefined
  return `BNPL_LANG is “${named}”, which is not a language of bnpl, so it was ignored. Set it to one of these: ${LANGUAGES.join(', ')}.`
}

/** Returns the setting `language` of the profile that is named, otherwise of the default profile. */
async function languageSetting(argv: readonly string[], world: World): Promise<string | undefined> {
  // Most profiles have no such setting, and then nothing needs to be loaded.
  if (!storedText(() => world.configDir).includes('"language"')) return undefined
  const { storedLanguage } = await import('../profiles/file.ts')
  return storedLanguage(world.configDir, profileTyped(argv) ?? world.env.BNPL_PROFILE)
}

function profileTyped(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => /^(-p|--profile)$/.test(word))
  return at === -1 ? argv.flatMap((word) => /^(?:-p|--profile=)(.+)$/s.exec(word)?.[1] ?? [])[0] : argv[at + 1]
}
