import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { DatabasePlan } from '../database/pool.ts'
import { parseDatabaseAddress } from '../domain/database-address.ts'
import { sandboxTraits } from '../domain/sandbox-accounts.ts'
import { config, usage } from '../errors.ts'
import { profileName } from '../profiles/resolve.ts'
import { MAX_SECRET_BYTES } from '../profiles/secret.ts'

export interface DatabaseOptions {
  database?: string
  databasePasswordFile?: string
}

/** Adds the options that put what is remembered into a PostgreSQL database. Its password is never an argument: everybody on the machine sees those. */
export function addDatabaseOptions(command: Command): Command {
  return command
    .option(
      '--database <url>',
      'keep it in this PostgreSQL, postgres://user@host/name, not in a file (else BNPL_DATABASE, else the profile’s database)',
    )
    .option('--database-password-file <file>', 'its password (else BNPL_DATABASE_PASSWORD, else PGPASSWORD)')
}

/**
 * The database that was asked for: flag, then environment, then the profile in force, where one is; no profile is needed.
 * Throws `usage` or `config` for an address that is none, or that holds a password where others can read it.
 * @returns undefined where nothing names one: what is remembered is then in files
 */
export async function readDatabase(context: Context, options: DatabaseOptions): Promise<DatabasePlan | undefined> {
  const { env, cwd } = context.world
  const found =
    options.database !== undefined
      ? { text: options.database, source: '--database', complain: usage }
      : env.BNPL_DATABASE
        ? { text: env.BNPL_DATABASE, source: 'BNPL_DATABASE', complain: config }
        : await ofProfile(context)
  if (found === undefined) {
    if (options.databasePasswordFile === undefined) return undefined
    throw usage(
      '--database-password-file needs a database',
      'Name it: --database postgres://user@host/name',
      'NO_DATABASE',
    )
  }
  const { text, source, complain } = found
  const parsed = parseDatabaseAddress(text)
  if (!parsed.ok)
    throw complain(`the database of ${source} cannot be used: ${parsed.reason}`, undefined, 'BAD_DATABASE')
  if (parsed.password !== undefined && source !== 'BNPL_DATABASE') {
    throw complain(
      `the address of ${source} holds a password, which others can read there`,
      'Leave it out, change it, and give it in BNPL_DATABASE_PASSWORD, PGPASSWORD or --database-password-file FILE.',
      'PASSWORD_IN_ADDRESS',
    )
  }
  const { databasePasswordFile: file } = options
  const kept = file === undefined ? undefined : await readPasswordFile(resolve(cwd, file), context.output.warn)
  const password = kept ?? (env.BNPL_DATABASE_PASSWORD || parsed.password || env.PGPASSWORD || undefined)
  return { address: parsed.address, password }
}

async function ofProfile(context: Context) {
  const { env, configDir } = context.world
  const { readProfileFile } = await import('../profiles/file.ts')
  const file = await readProfileFile(configDir, context.output.warn)
  const name = profileName(context.options.profile, env, file?.default)?.value
  if (name === undefined || sandboxTraits(name) !== undefined || !file || !Object.hasOwn(file.profiles, name))
    return undefined
  const text = file.profiles[name]?.database
  return text === undefined ? undefined : { text, source: `profile ${name}`, complain: config }
}

/** The first line of it. A file that everybody can read is told, not refused: secrets of containers are mounted in many ways. */
async function readPasswordFile(path: string, warn: (text: string) => void): Promise<string> {
  let text: string
  try {
    if (((await stat(path)).mode & 0o004) !== 0) warn(`every user of this machine can read the password in ${path}`)
    text = (await readFile(path)).subarray(0, MAX_SECRET_BYTES).toString('utf8')
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'EIO'
    throw config(`the password file ${path} cannot be read (${code})`, undefined, 'SECRET_FILE')
  }
  const [password = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/)
  if (password !== '') return password
  throw config(`the password file ${path} begins with an empty line`, undefined, 'SECRET_FILE')
}
