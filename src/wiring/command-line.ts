import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Option, Command as Untyped } from 'commander'
import type { World } from '../context.ts'
import { fileKey } from '../disk/kept-files.ts'
import { usage } from '../errors.ts'
import { LANGUAGES, languageFor, languageNamed, wordsIn } from '../language/language.ts'
import { secretsIn, storedText } from '../profiles/stored-text.ts'
import { createSecrets } from '../text/secrets.ts'

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

/** The options that name a file to which a command writes. The files that other options name are only read. */
const WRITTEN = new Set(['--out', '--failed', '--junit', '--record', '--ready-file', '--har', '--data'])

/**
 * Throws `usage` for an option or an argument that must name a file or a folder and is empty, for example because a
 * variable of a script is empty. As a path, an empty name would mean the current folder. Also throws for `-` as
 * the name of a file that cannot be stdout, because the command would create a file with this name; and when two options name the same
 * file, of which the command would write at least one.
 */
export function refuseWrongFiles(command: Untyped, world: Pick<World, 'cwd'>): void {
  for (const [what, isWanted] of [
    ['a file', isFile],
    ['a folder', isFolder],
  ] as const)
    for (const [option, name] of namesIn(command, isWanted))
      if (name === '') throw usage(`${option} is empty, but it must name ${what}`, `Name ${what}.`)
  const files = namesIn(command, isFile)
  for (const [option, name] of files)
    if (name === '-' && WRITTEN.has(option) && option !== '--out')
      throw usage(`${option} cannot write to stdout (“-”)`, 'Name a file. A file with the name - is named ./-')
  const named = files.filter(([, name]) => name !== '' && name !== '-')
  // One file cannot be the same as another, so do not read the path of the current folder, which may have been removed.
  if (named.length > 1) refuseSameFile(named.map(([option, name]) => [option, resolve(world.cwd, name)]))
}

function namesIn(command: Untyped, isWanted: (option: Option) => boolean): [option: string, name: string][] {
  const names: [option: string, name: string][] = []
  const take = (option: string, value: unknown) => {
    for (const name of [value].flat()) if (typeof name === 'string') names.push([option, name])
  }
  for (let each: Untyped | null = command; each !== null; each = each.parent) {
    const values = each.opts()
    for (const option of each.options)
      if (isWanted(option)) take(option.long ?? option.flags, values[option.attributeName()])
  }
  if (isWanted === isFile)
    for (const [i, argument] of command.registeredArguments.entries())
      if (argument.name() === 'file') take(argument.name().toUpperCase(), command.processedArgs[i])
  return names
}

const isFile = ({ flags }: Option) => flags.includes('<file')
const isFolder = ({ flags }: Option) => /<(dir|folder)/.test(flags)

/**
 * Throws `usage` when a command would write to a file that another option of the command also names. The command would overwrite its
 * input, or one output would replace another.
 * @param files the options with the absolute paths that they name
 */
function refuseSameFile(files: readonly [option: string, path: string][]): void {
  const seen = new Map<string, string>()
  for (const [option, path] of files) {
    if (isDevice(path)) continue
    const file = fileKey(path)
    const other = seen.get(file)
    if (other !== undefined && (WRITTEN.has(option) || WRITTEN.has(other)))
      throw usage(`${other} and ${option} are the same file: ${path}`)
    seen.set(file, option)
  }
}

/** Whether a path is a device such as `/dev/null`. Two outputs can be written to it, because neither replaces the other. */
function isDevice(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isCharacterDevice() ?? false
  } catch {
    // The name is too long, for example. The error is reported when the file is opened.
    return false
  }
}
