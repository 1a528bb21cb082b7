import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Option, Command as Untyped } from 'commander'
import type { World } from '../context.ts'
import { fileKey } from '../disk/kept-files.ts'
import { usage } from '../errors.ts'

/** A file that the user named, with the option that names it. Its path is absolute. */
interface NamedFile {
  option: string
  path: string
}

/** The options that name a file to which a command writes. The files that other options name are only read. */
const WRITTEN = new Set(['--out', '--failed', '--junit', '--record', '--ready-file', '--har', '--data'])

/**
 * Returns the files that a command's options and arguments name, except `-`. Reads the path of the current folder only if a file is named,
 * because the current folder may have been removed.
 */
export function namedFiles(command: Untyped, world: Pick<World, 'cwd'>): NamedFile[] {
  return namesIn(command, isFile)
    .filter(([, name]) => name !== '' && name !== '-')
    .map(([option, name]) => ({ option, path: resolve(world.cwd, name) }))
}

/**
 * Throws `usage` for an option or an argument that must name a file or a folder and is empty, for example because a
 * variable of a script is empty. As a path, an empty name would mean the current folder. Also throws for `-` as
 * the name of a file that cannot be stdout. Otherwise the command would create a file with this name.
 */
export function refuseWrongNames(command: Untyped): void {
  for (const [what, isWanted] of [
    ['file', isFile],
    ['folder', isFolder],
  ] as const)
    for (const [option, name] of namesIn(command, isWanted))
      if (name === '') throw usage(`${option} is empty, but it must name a ${what}`, `Name a ${what}.`)
  for (const [option, name] of namesIn(command, isFile))
    if (name === '-' && WRITTEN.has(option) && option !== '--out')
      throw usage(`${option} cannot write to stdout (“-”)`, 'Name a file. A file with the name - is named ./-')
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
      if (argument.name() === 'file') take('the argument', command.processedArgs[i])
  return names
}

const isFile = ({ flags }: Option) => flags.includes('<file')
const isFolder = ({ flags }: Option) => /<(dir|folder)/.test(flags)

/**
 * Throws `usage` when a command would write to a file that another option of the command also names. The command would overwrite its
 * input, or one output would replace another.
 */
export function refuseSameFile(files: readonly NamedFile[]): void {
  const seen = new Map<string, string>()
  for (const { option, path } of files) {
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
