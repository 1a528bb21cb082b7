import { isUtf8 } from 'node:buffer'
import { close, open, read, statSync } from 'node:fs'
import { platform } from 'node:os'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import type { Notice } from '../disk/private.ts'
import { readSecretText } from '../domain/secret.ts'
import { type BnplError, codeOf, config, usage } from '../errors.ts'
import { MAX_SECRET_BYTES } from '../profiles/profile.ts'
import { readAll } from '../terminal/output.ts'
import { utf8Of, whyUnreadable } from '../text/file-text.ts'
import { commandLine } from '../text/shell-word.ts'
import type { Command } from './command.ts'

/** Reads a file that the user named, or stdin for `-`. Throws `usage` when it cannot be read or is larger than `maxBytes`. */
export async function readBytes(context: Context, file: string, maxBytes: number): Promise<Buffer> {
  const bytes =
    file === '-' ? await readAll(context.io, maxBytes) : await readNamed(resolve(context.world.cwd, file), maxBytes)
  if (bytes !== undefined) return bytes
  throw usage(`${file === '-' ? 'stdin' : file} is larger than ${maxBytes} bytes`, undefined, 'FILE_TOO_LARGE')
}

/**
 * Reads a file of text (JSON or a form) as UTF-8 bytes without a byte order mark. Throws `usage` as `readBytes` does, and for a text that is
 * neither UTF-8 nor UTF-16.
 */
export async function readTextBytes(context: Context, file: string, maxBytes: number): Promise<Buffer> {
  return asText(file, await readBytes(context, file, maxBytes))
}

/** Returns the UTF-8 bytes of a text file. Throws `usage` for a text that is neither UTF-8 nor UTF-16. */
export function asText(file: string, bytes: Buffer): Buffer {
  const text = utf8Of(bytes)
  if (text !== undefined) return text
  throw usage(
    `${file === '-' ? 'stdin' : file} is neither UTF-8 nor UTF-16 text`,
    'Save the file as UTF-8.',
    'INVALID_FILE',
  )
}

async function readNamed(path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await readFileUpTo(path, maxBytes)
  } catch (error) {
    throw usage(`${path} cannot be read: ${whyUnreadable(codeOf(error))}`, undefined, 'FILE_UNREADABLE')
  }
}

/** Reads a file. Returns undefined if it has more than `maxBytes`. Throws the error of the system. */
export async function readFileUpTo(path: string, maxBytes: number): Promise<Buffer | undefined> {
  // Node needs 1 ms more to load `node:fs/promises`, and many commands that can read a file read none.
  const fd = await promisify(open)(path, 'r')
  try {
    return await readUpTo(fd, maxBytes)
  } finally {
    await promisify(close)(fd)
  }
}

/** Reads an open file to its end. Returns undefined as soon as there are more than `maxBytes`. Throws the error of the system. */
export async function readUpTo(fd: number, maxBytes: number): Promise<Buffer | undefined> {
  const buffer = Buffer.alloc(maxBytes + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await promisify(read)(fd, buffer, length, buffer.length - length, null)
    length += bytesRead
    if (bytesRead === 0) return buffer.subarray(0, length)
    if (length > maxBytes) return undefined
  }
}

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

/** Reads an API key, as `readSecret` does, with the options that `addSecretOptions` adds for it. */
export const readApiKey = (
  context: Context,
  given: { apiKeyStdin?: boolean | undefined; apiKeyFile?: string | undefined },
): Promise<string> =>
  readSecret(context, { what: 'API key', option: 'api-key', stdin: given.apiKeyStdin, file: given.apiKeyFile })

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

/** In characters. An attacker who has one signed delivery can find a shorter secret by trying all values. */
const SHORTEST = 16

/**
 * Warns if every user of this machine can read a file with a secret. This is not an error, because containers mount
 * secrets in many ways. Modes say nothing on Windows.
 * @param what the kind of secret, such as `password`
 */
export function noteSharedSecret(path: string, what: string, notice: Notice): void {
  if (platform() === 'win32') return
  const found = statOf(path)
  if (found?.isFile() && (found.mode & 0o004) !== 0) {
    notice(`every user of this machine can read the ${what} in ${path}. Run: ${commandLine('chmod 600', [path])}`)
  }
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Warns if a secret can be guessed. The warning contains neither the secret nor its length. */
export function noteShortSecret(secrets: readonly string[], what: string, notice: Notice): void {
  if (secrets.some((secret) => secret.length < SHORTEST)) {
    notice(`the ${what} has fewer than ${SHORTEST} characters and can be guessed. Use a longer secret`)
  }
}
