import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import type { DatabasePlan } from '../database/pool.ts'
import { sandboxTraits } from '../domain/sandbox-accounts.ts'
import { config, usage } from '../errors.ts'
import { wayToDatabase } from '../profiles/database.ts'
import { databaseInEnvironment, type NamedDatabase } from '../profiles/named-database.ts'
import { profileName } from '../profiles/resolve.ts'
import { MAX_SECRET_BYTES } from '../profiles/secret.ts'
import type { Command, NoOptions, OptionsOf } from './command.ts'
import { noteSharedSecret } from './secret-strength.ts'

/**
 * Adds the options that put what is remembered into a PostgreSQL database. Its password is never an argument: everybody on the machine sees
 * those.
 * @param otherwise where else the database may be named
 */
export const addDatabaseOptions = <A extends unknown[], O extends OptionValues>(
  command: Command<A, O>,
  otherwise = 'else BNPL_DATABASE, else the profile’s database',
) =>
  command
    .option('--database <url>', `keep it in this PostgreSQL, postgres://user@host/name, not in a file (${otherwise})`)
    .option('--database-password-file <file>', 'its password (else BNPL_DATABASE_PASSWORD, else PGPASSWORD)')

export type DatabaseOptions = OptionsOf<ReturnType<typeof addDatabaseOptions<[], NoOptions>>>

/**
 * The database that was asked for: flag, then environment, then the profile in force, where one is; no profile is needed.
 * Throws `usage` or `config` for an address that is none, or that holds a password where others can read it.
 * @returns undefined where nothing names one: what is remembered is then in files
 */
export async function readDatabase(context: Context, options: DatabaseOptions): Promise<DatabasePlan | undefined> {
  const named = databaseNamed(context, options) ?? (await ofProfile(context))
  return named ? wayTo(named, context, options) : noDatabase(options)
}

/**
 * The database that was asked for by flag or environment: a profile's is that account's, and none of the sandbox's. Throws as
 * `readDatabase`.
 */
export async function readSandboxDatabase(
  context: Context,
  options: DatabaseOptions,
): Promise<DatabasePlan | undefined> {
  const named = databaseNamed(context, options)
  return named ? wayTo(named, context, options) : noDatabase(options)
}

function databaseNamed({ world }: Context, { database }: DatabaseOptions): NamedDatabase | undefined {
  return database === undefined ? databaseInEnvironment(world.env) : { text: database, source: '--database' }
}

async function wayTo(named: NamedDatabase, { world, output }: Context, options: DatabaseOptions) {
  // What is wrong with the address is said before a file is looked for.
  wayToDatabase(named, world.env)
  const { databasePasswordFile: file } = options
  const kept = file === undefined ? undefined : await readPasswordFile(resolve(world.cwd, file), output.warn)
  return wayToDatabase(named, world.env, kept)
}

function noDatabase({ databasePasswordFile }: DatabaseOptions): undefined {
  if (databasePasswordFile === undefined) return undefined
  throw usage(
    '--database-password-file needs a database',
    'Name it: --database postgres://user@host/name',
    'NO_DATABASE',
  )
}

async function ofProfile(context: Context): Promise<NamedDatabase | undefined> {
  const { env, configDir } = context.world
  const { readProfileFile } = await import('../profiles/file.ts')
  const file = await readProfileFile(configDir, context.output.warn)
  const name = profileName(context.options.profile, env, file?.default)?.value
  if (name === undefined || sandboxTraits(name) !== undefined || !file || !Object.hasOwn(file.profiles, name))
    return undefined
  const text = file.profiles[name]?.database
  return text === undefined ? undefined : { text, source: `profile ${name}` }
}

/** The first line of it. A file that everybody can read is told, not refused: secrets of containers are mounted in many ways. */
async function readPasswordFile(path: string, warn: (text: string) => void): Promise<string> {
  let text: string
  try {
    await noteSharedSecret(path, 'password', warn)
    text = (await readFile(path)).subarray(0, MAX_SECRET_BYTES).toString('utf8')
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'EIO'
    throw config(`the password file ${path} cannot be read (${code})`, undefined, 'SECRET_FILE')
  }
  const [password = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/)
  if (password !== '') return password
  throw config(`the password file ${path} begins with an empty line`, undefined, 'SECRET_FILE')
}
