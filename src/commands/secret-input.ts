import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import { readSecretText } from '../domain/secret.ts'
import { type BnplError, codeOf, config, usage } from '../errors.ts'
import { MAX_SECRET_BYTES } from '../profiles/secret.ts'
import { readAll } from '../terminal/io.ts'
import { whyUnreadable } from '../text/file-text.ts'
import { readFileUpTo } from './bytes-in.ts'
import type { Command } from './command.ts'
import { noteSharedSecret } from './secret-strength.ts'

interface SecretSource {
  what: string
  option: string
  stdin: boolean | undefined
  file: string | undefined
}

/**
 * Adds the two options that say where a secret is read from. No option takes the secret itself, because every user
 * of the machine can read arguments.
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
 * Reads a secret from stdin, a file, or a hidden prompt. Throws `usage` when none of these is possible, and `config`
 * when the text cannot be a secret. Neither error shows the text.
 */
export async function readSecret(context: Context, source: SecretSource): Promise<string> {
  const { what, option } = source
  if (source.stdin && source.file !== undefined) {
    throw usage(`--${option}-stdin and --${option}-file cannot be used together`, 'Use only one of these options.')
  }
  const bytes = await (source.file !== undefined
    ? fromFile(context, resolve(context.world.cwd, source.file), source)
    : source.stdin && !context.io.stdinIsTty
      ? readAll(context.io, MAX_SECRET_BYTES)
      : typed(context, source))
  const read = readSecretText(secretText(bytes, `the given ${what}`), 'key')
  if (read.ok) {
    context.world.secrets.add(read.secret)
    return read.secret
  }
  throw config(
    `the given ${what} ${read.reason}`,
    'Copy only the secret itself, without quotes and without spaces. Nothing was stored.',
    'BAD_KEY',
  )
}

/** The errors do not repeat the file's name, because the user may have typed the secret instead. */
async function fromFile(
  { output }: Context,
  file: string,
  { option, what }: SecretSource,
): Promise<Buffer | undefined> {
  try {
    noteSharedSecret(file, what, output.warn)
    return await readFileUpTo(file, MAX_SECRET_BYTES)
  } catch (error) {
    throw usage(
      `the file that --${option}-file names cannot be read: ${whyUnreadable(codeOf(error))}`,
      'Use the name of a file. The secret itself must not be an argument.',
      'SECRET_FILE',
    )
  }
}

async function typed(context: Context, { what, option }: SecretSource): Promise<Buffer> {
  if (!context.options.input) {
    throw usage(
      `the ${what} is missing, and this run cannot ask for it`,
      `Use --${option}-stdin or --${option}-file F. The secret itself must not be an argument.`,
      'NO_SECRET',
    )
  }
  const prompts = await context.prompts()
  const text = await prompts.secret({
    message: `${what} (your input is not shown)`,
    validate(value) {
      const read = readSecretText(value, 'key')
      return read.ok || `This ${read.reason}.`
    },
  })
  return Buffer.from(text)
}

/**
 * Returns the text of a file or stdin that contains secrets. Throws `config` if the text is too large or not UTF-8. A text with a zero byte
 * is refused too, because it is probably UTF-16, which can be valid UTF-8 if it has no byte order mark.
 * @param bytes undefined if there are more than `MAX_SECRET_BYTES`
 * @param source the file or stdin, in words
 */
export function secretText(bytes: Buffer | undefined, source: string): string {
  if (bytes === undefined)
    throw config(
      `${source} is larger than ${MAX_SECRET_BYTES} bytes, which is too large for a secret`,
      'Use a file that contains only the secret.',
      'SECRET_TOO_LARGE',
    )
  if (!isUtf8(bytes) || bytes.includes(0)) throw notUtf8(source)
  return bytes.toString('utf8')
}

/**
 * Returns the error for a secret that is not UTF-8. Secrets are read as UTF-8, so a secret in another encoding would get other bytes, and
 * no signature would match.
 */
export const notUtf8 = (source: string): BnplError =>
  config(`${source} is not UTF-8 text`, 'Save the secret again as UTF-8 text.', 'SECRET_ENCODING')
