import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { BnplError, codeOf, config, usage } from '../../errors.ts'
import type { DatabasePlan } from '../../postgres/pool.ts'
import { readProfileFile } from '../../profiles/file.ts'
import { MAX_SECRET_BYTES, profileIn } from '../../profiles/profile.ts'
import { databaseInEnvironment, type NamedDatabase, profileName } from '../../profiles/resolve.ts'
import { wayToDatabase } from '../../profiles/settings.ts'
import type { Inbox } from '../../receiver/inbox.ts'
import { whyUnreadable } from '../../text/file-text.ts'
import { secretsInAddress } from '../../text/secrets.ts'
import type { Command, NoOptions, OptionsOf } from '../command.ts'
import { noteSharedSecret, readFileUpTo, secretText } from '../file-input.ts'

/**
 * Adds the options that name the PostgreSQL database. No option takes the password itself, because every user of the
 * machine can read arguments.
 */
export const addDatabaseOptions = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option(
      '--database <url>',
      'use this PostgreSQL database, postgres://user@host/name, instead of a file (default: BNPL_DATABASE, then the profile’s database)',
    )
    .option(
      '--database-password-file <file>',
      'read the password of the database from this file (default: BNPL_DATABASE_PASSWORD, then PGPASSWORD)',
    )

export type DatabaseOptions = OptionsOf<ReturnType<typeof addDatabaseOptions<[], NoOptions>>>

/**
 * Finds the database for the stored data: from the option, otherwise from the environment, otherwise from the
 * profile in use. Throws `usage` or `config` for an address that is not valid, or that contains a password where
 * other users can read it.
 * @returns undefined if no database is named, so that the data is stored in files
 */
async function readDatabase(context: Context, options: DatabaseOptions): Promise<DatabasePlan | undefined> {
  const named = databaseNamed(context, options) ?? (await ofProfile(context))
  return named ? wayTo(named, context, options) : noDatabase(options)
}

function databaseNamed({ world }: Context, { database }: DatabaseOptions): NamedDatabase | undefined {
  return database === undefined ? databaseInEnvironment(world.env) : { text: database, source: '--database' }
}

async function wayTo(named: NamedDatabase, { world, output }: Context, options: DatabaseOptions) {
  // Check the address first, so that a wrong address is reported before the password file is read.
  wayToDatabase(named, world.env)
  const { databasePasswordFile: file } = options
  const kept = file === undefined ? undefined : await readPasswordFile(resolve(world.cwd, file), output.warn)
  world.secrets.add(kept, ...secretsInAddress(named.text))
  return wayToDatabase(named, world.env, kept)
}

function noDatabase({ databasePasswordFile }: DatabaseOptions): undefined {
  if (databasePasswordFile === undefined) return undefined
  throw usage('--database-password-file needs a database', 'Add --database postgres://user@host/name.', 'NO_DATABASE')
}

async function ofProfile(context: Context): Promise<NamedDatabase | undefined> {
  const { env, configDir } = context.world
  const file = await readProfileFile(configDir, context.output.warn)
  const name = profileName(context.options.profile, env, file?.default)?.value
  if (sandboxTraits(name) !== undefined) return undefined
  const text = profileIn(file, name)?.database
  return text === undefined ? undefined : { text, source: `profile ${name}` }
}

/** Returns the password from a file. If every user can read the file, only warns, because containers mount secrets with various modes. */
async function readPasswordFile(path: string, warn: (text: string) => void): Promise<string> {
  let text: string
  try {
    noteSharedSecret(path, 'password', warn)
    text = secretText(await readFileUpTo(path, MAX_SECRET_BYTES), `the password file ${path}`)
  } catch (error) {
    if (error instanceof BnplError) throw error
    throw config(
      `the password file ${path} cannot be read: ${whyUnreadable(codeOf(error))}`,
      'Check the path and the permissions of this file.',
      'SECRET_FILE',
    )
  }
  const [password = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/)
  if (password !== '') return password
  throw config(
    `the first line of the password file ${path} is empty`,
    'Put the password on the first line of the file.',
    'SECRET_FILE',
  )
}

/**
 * Opens the inbox into which a receiver writes: in the named database, otherwise in the file on this machine. Throws
 * the errors of `readDatabase`, and those of opening the database or the file.
 */
export async function openReceiversInbox(context: Context, options: DatabaseOptions): Promise<Inbox> {
  const shared = await openDatabaseInbox(context, options)
  if (shared !== undefined) return shared
  const { openInboxThread } = await import('../../receiver/file/receiving-inbox.ts')
  return closedWith(context, await openInboxThread(context.world.stateDir, context.output.warn))
}

/**
 * Opens the inbox for reading. Returns undefined if no event was ever received, because reading must not create a
 * file. Throws the same errors as `openReceiversInbox`.
 */
export async function openReceived(context: Context, options: DatabaseOptions): Promise<Inbox | undefined> {
  const shared = await openDatabaseInbox(context, options)
  if (shared !== undefined) return shared
  if (!existsSync(join(context.world.stateDir, KEPT_FILES.inbox.name))) return undefined
  const { openInbox } = await import('../../receiver/file/inbox.ts')
  return closedWith(context, await openInbox(context.world.stateDir, context.output.warn))
}

async function openDatabaseInbox(context: Context, options: DatabaseOptions): Promise<Inbox | undefined> {
  const database = await readDatabase(context, options)
  if (database === undefined) return undefined
  const { openPostgresInbox } = await import('../../receiver/postgres/inbox.ts')
  return closedWith(context, await openPostgresInbox(database, context.output.warn))
}

function closedWith(context: Context, inbox: Inbox): Inbox {
  context.onClose(() => inbox.close())
  return inbox
}
