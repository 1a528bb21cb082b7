import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import { config, usage } from '../errors.ts'
import { cleanSecret, MAX_SECRET_BYTES, NOT_A_SECRET } from '../profiles/secret.ts'
import { readAll } from '../terminal/io.ts'
import type { Command } from './command.ts'
import { noteSharedSecret } from './secret-strength.ts'

/** Where a secret comes from, as two options say it: `--api-key-stdin` and `--api-key-file F`. */
export interface SecretSource {
  /** The words for people: `API key`. */
  what: string
  /** The word the options begin with: `api-key`. */
  option: string
  stdin: boolean | undefined
  file: string | undefined
}

/**
 * Adds the two options a secret is taken from. There is none that takes the secret itself: arguments are seen by everybody on the
 * machine.
 */
export const addSecretOptions = <A extends unknown[], O extends OptionValues, const Name extends string>(
  command: Command<A, O>,
  what: string,
  option: Name,
) =>
  command
    .option(`--${option}-stdin`, `read the ${what} from stdin`)
    .option(`--${option}-file <file>`, `read the ${what} from a file`)

/**
 * Reads a secret from stdin, a file, or a person who types it unseen. Throws `usage` when none of these is possible, and `config` when
 * what was read cannot be a key; neither shows it.
 */
export async function readSecret(context: Context, source: SecretSource): Promise<string> {
  const { what, option } = source
  if (source.stdin && source.file !== undefined) {
    throw usage(`--${option}-stdin and --${option}-file exclude each other`)
  }
  const text = await (source.file !== undefined
    ? fromFile(context, resolve(context.world.cwd, source.file), source)
    : source.stdin && !context.io.stdinIsTty
      ? readAll(context.io, MAX_SECRET_BYTES)
      : typed(context, source))
  const secret = text === undefined ? undefined : cleanSecret(text.toString())
  if (secret !== undefined) return secret
  throw config(
    `the ${what} that was given ${NOT_A_SECRET}`,
    'Nothing was stored. Copy it again, without quotes.',
    'BAD_KEY',
  )
}

/** The file's name is not repeated: a secret may have been typed in its place. */
async function fromFile(
  { output }: Context,
  file: string,
  { option, what }: SecretSource,
): Promise<Buffer | undefined> {
  try {
    await noteSharedSecret(file, what, output.warn)
    const chunks: Buffer[] = []
    for await (const chunk of createReadStream(file, { end: MAX_SECRET_BYTES })) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks)
    return text.length > MAX_SECRET_BYTES ? undefined : text
  } catch (error) {
    throw usage(
      `the file that --${option}-file names cannot be read (${(error as { code?: string }).code})`,
      `It takes the name of a file; a secret itself is never an argument.`,
      'SECRET_FILE',
    )
  }
}

async function typed(context: Context, { what, option }: SecretSource): Promise<string> {
  if (!context.options.input) {
    throw usage(
      `the ${what} is missing, and nobody can be asked`,
      `Give it with --${option}-stdin or --${option}-file F; a secret is never an argument.`,
      'NO_SECRET',
    )
  }
  const prompts = await context.prompts()
  return prompts.secret({
    message: `${what} (not shown)`,
    validate: (value) => cleanSecret(value) !== undefined || `This ${NOT_A_SECRET}.`,
  })
}
