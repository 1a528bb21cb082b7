import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { answerOf, answerProblem, type FieldName, type ServiceDescription } from '../../contract/description.ts'
import { INTEGRATIONS, SCHEME_HEADERS, type VerificationScheme } from '../../contract/integrations.ts'
import { hasHost, isLoopback } from '../../domain/addresses.ts'
import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { readSecretText, secretLines } from '../../domain/secret.ts'
import { HMAC_ALGORITHMS, HMAC_ENCODINGS, type SignatureSettings } from '../../domain/signature-settings.ts'
import { BnplError, codeOf, config, usage } from '../../errors.ts'
import { MAX_SECRET_BYTES } from '../../profiles/profile.ts'
import { readAll } from '../../terminal/output.ts'
import { whyUnreadable } from '../../text/file-text.ts'
import { maskAddress } from '../../text/masking.ts'
import { type Command, type NoOptions, type OptionsOf, offer } from '../command.ts'
import { noteSharedSecret, notUtf8, readUpTo, secretText } from '../file-input.ts'
import { nextCommand } from '../global-options.ts'

export const VERIFICATION_SCHEMES: readonly VerificationScheme[] = Object.values(INTEGRATIONS).map(
  ({ scheme }) => scheme,
)

export const SCHEMES = VERIFICATION_SCHEMES.join(' or ')

/** Reads `--scheme`. Throws `usage`. */
export function readScheme(text: string): VerificationScheme {
  const scheme = VERIFICATION_SCHEMES.find((each) => each === text)
  if (scheme !== undefined) return scheme
  throw usage(`--scheme “${text}” is not a known scheme`, `Use ${SCHEMES}.`, 'INVALID_SCHEME')
}

/** Reads `--forward-to`, the address of a handler. Throws `usage`. */
export function readForwardTo(text: string): string {
  const url = URL.canParse(text) && hasHost(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text
  throw usage(
    `--forward-to “${maskAddress(text)}” is not the address of a handler`,
    'Write an address such as http://127.0.0.1:3000/hook, without user name and password.',
    'INVALID_FORWARD_TO',
  )
}

/** Returns the address of a receiver of signed deliveries. Throws `usage` unless it is https, or http on this machine. */
export function readReceiverUrl(option: string, text: string): string {
  const refuse = (reason: string) =>
    usage(
      `${option} “${maskAddress(text)}” is not a valid address for deliveries: ${reason}`,
      undefined,
      'INVALID_DESTINATION',
    )
  if (!URL.canParse(text) || !hasHost(text))
    throw refuse('it is not an absolute address such as https://shop.example/webhooks')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw refuse('it must not contain a user name or a password')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return text
  throw refuse('destinations must be https; http is only for this machine (loopback)')
}

interface FoundSecrets {
  values: readonly string[]
  source: string
}

/**
 * Adds the options of the commands that sign or verify. No option takes the secret itself, because every user of the
 * machine can read arguments.
 */
export const addSignatureOptions = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  addHmacOptions(
    command
      .option(
        '--secret-file <file>',
        'read the secret from a file (during a rotation: several secrets, one on each line)',
      )
      .option('--secret-stdin', 'read the secret from stdin'),
  )

/** Adds the options that say how a signature is made. */
export const addHmacOptions = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) => {
  const added = command
    .option(
      '--hmac-algorithm <name>',
      `algorithm of the signature: one of ${HMAC_ALGORITHMS.join(', ')} (default: from the profile, then sha256)`,
    )
    .option(
      '--hmac-encoding <name>',
      `encoding of the signature: ${HMAC_ENCODINGS.join(' or ')} (default: from the profile, then hex)`,
    )
  offer(added, '--hmac-algorithm', HMAC_ALGORITHMS)
  offer(added, '--hmac-encoding', HMAC_ENCODINGS)
  return added
}

export type SignatureOptions = OptionsOf<ReturnType<typeof addSignatureOptions<[], NoOptions>>>

/**
 * Finds the secrets: in the option, otherwise in the environment, otherwise in the profile. Returns undefined
 * without a secret.
 */
export async function findSecrets(context: Context, options: SignatureOptions): Promise<FoundSecrets | undefined> {
  const { secretFile, secretStdin } = options
  if (secretFile !== undefined && secretStdin)
    throw usage('--secret-file and --secret-stdin cannot be used together', 'Use only one of these options.')
  if (secretFile !== undefined) {
    const path = resolve(context.world.cwd, secretFile)
    noteSharedSecret(path, 'secret', context.output.warn)
    return someOf(context, await secretsOfFile(path), `file ${secretFile}`)
  }
  if (secretStdin)
    return someOf(context, secretsIn(await readAll(context.io, MAX_SECRET_BYTES), 'the secret on stdin'), 'stdin')
  const setting = (await context.settings()).webhookSecrets
  const values = (setting?.value ?? []).flatMap(secretLines)
  // Node puts this character in the place of bytes of the environment that are not UTF-8.
  if (values.some((value) => value.includes('\ufffd'))) throw notUtf8(`the webhook secret from ${setting?.source}`)
  if (setting === undefined || values.length === 0) return undefined
  const { source } = setting
  return someOf(context, asSecrets(values, `the webhook secret from ${source}`), source)
}

/**
 * Returns the same as `findSecrets`, but throws `config` without a secret.
 * @param why the reason why a secret is necessary, as a clause
 */
export async function readSecrets(
  context: Context,
  options: SignatureOptions,
  why = 'without a secret anybody could send events',
): Promise<FoundSecrets> {
  const secrets = await findSecrets(context, options)
  if (secrets !== undefined) return secrets
  throw config(
    `no webhook secret is set, and ${why}`,
    `Set BNPL_WEBHOOK_SECRET, give --secret-file or --secret-stdin, or store the secret in the profile: ${nextCommand(context, 'bnpl webhooks add URL --save-secret')}. To try the command on your machine, add -p sandbox, which has its own secret.`,
    'NO_WEBHOOK_SECRET',
  )
}

/** Shows a secret of the sandbox, because a receiver needs it to verify deliveries. Other secrets are not shown. */
export function noteSandboxSecret(
  { output }: Context,
  { values, source }: FoundSecrets,
  scheme: VerificationScheme,
): void {
  if (sandboxTraits(source) === undefined) return
  const [name, word] = scheme === 'hmac' ? ['Signing secret', 'secret'] : ['Webhook token', 'token']
  output.note(`${name}: ${values[0]} (set BNPL_WEBHOOK_SECRET to this ${word} in your handler)`)
}

const secretsOfFile = (path: string): Promise<string[]> => secretsOf(path, constants.O_RDONLY, async () => {})

/**
 * Reads the secrets of a file again. Throws `config` unless it is a regular file, because reading a pipe without a
 * writer would block a thread forever.
 */
export const secretsOfRegularFile = (path: string): Promise<string[]> =>
  // Use O_NONBLOCK, so that opening a pipe does not wait for a writer.
  secretsOf(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0), async (file) => {
    if ((await file.stat()).isFile()) return
    throw config(`the secret file ${path} is not a regular file`, undefined, 'SECRET_FILE')
  })

async function secretsOf(path: string, flags: number, check: (file: FileHandle) => Promise<void>): Promise<string[]> {
  try {
    await using file = await open(path, flags)
    await check(file)
    return secretsIn(await readUpTo(file.fd, MAX_SECRET_BYTES), `the secret file ${path}`)
  } catch (error) {
    if (error instanceof BnplError) throw error
    throw config(`the secret file ${path} cannot be read: ${whyUnreadable(codeOf(error))}`, undefined, 'SECRET_FILE')
  }
}

/**
 * Returns the algorithm and the encoding of signatures: from the options, otherwise from the profile, otherwise the
 * default. Throws `usage` or `config` for an unknown name.
 */
export async function signatureSettings(
  context: Context,
  options: Pick<SignatureOptions, 'hmacAlgorithm' | 'hmacEncoding'>,
): Promise<SignatureSettings> {
  const settings = await context.settings()
  const complain = (flag: string | undefined) => (flag === undefined ? config : usage)
  const named = (options.hmacAlgorithm ?? settings.service.answers.hmacAlgorithm.text).toLowerCase().replace('-', '')
  const written = (options.hmacEncoding ?? settings.service.answers.hmacEncoding.text).toLowerCase()
  const algorithm = HMAC_ALGORITHMS.find((each) => each === named)
  const encoding = HMAC_ENCODINGS.find((each) => each === written)
  if (algorithm === undefined) {
    throw complain(options.hmacAlgorithm)(
      `“${named}” is not a signature algorithm`,
      `Use one of: ${HMAC_ALGORITHMS.join(', ')}.`,
      'HMAC_ALGORITHM',
    )
  }
  if (encoding === undefined) {
    throw complain(options.hmacEncoding)(
      `“${written}” is not a signature encoding`,
      `Use one of: ${HMAC_ENCODINGS.join(', ')}.`,
      'HMAC_ENCODING',
    )
  }
  return { algorithm, encoding, ...describedSignature(settings.service) }
}

/**
 * Returns the form and the headers of signatures. Only what a setting or a recording says binds a receiver: where the specification and a
 * published page differ, it accepts both. Test deliveries follow the description. Throws `config` for a setting that is not valid.
 */
function describedSignature(service: ServiceDescription): Omit<SignatureSettings, 'algorithm' | 'encoding'> {
  const read = <Name extends 'signatureHeader' | 'tokenHeader' | 'signatureForm' | 'signatureTolerance'>(
    name: Name,
  ) => {
    const problem = answerProblem(name, service.answers[name].text)
    if (problem === undefined) return answerOf(service, name)
    throw config(`the setting ${name} is not valid: ${problem}`, `Correct the setting: bnpl profiles set ${name} VALUE`)
  }
  const binds = (name: FieldName) => {
    const { source } = service.answers[name]
    return typeof source === 'object' && !('page' in source)
  }
  const [hmac, token, form] = [read('signatureHeader'), read('tokenHeader'), read('signatureForm')]
  const { ms: toleranceMs } = read('signatureTolerance')
  const own = { ...(binds('signatureHeader') && { hmac }), ...(binds('tokenHeader') && { token }) }
  const isOther = form === 'timestamp' || hmac !== SCHEME_HEADERS.hmac[0] || token !== SCHEME_HEADERS.token[0]
  return {
    ...(binds('signatureForm') && form !== 'any' && { form }),
    ...(toleranceMs !== undefined && { toleranceMs }),
    ...(Object.keys(own).length > 0 && { headers: own }),
    ...(isOther && { sent: { hmac, token, timed: form === 'timestamp' } }),
  }
}

const secretsIn = (bytes: Buffer | undefined, source: string): string[] =>
  asSecrets(secretLines(secretText(bytes, source)), source)

/** Returns the lines of a source of secrets. Throws `config` if one of the lines cannot be a secret. */
export function asSecrets(lines: string[], source: string): string[] {
  for (const [i, line] of lines.entries()) {
    const read = readSecretText(line, 'signing')
    if (read.ok) continue
    throw config(
      lines.length === 1
        ? `${source} cannot be used as a secret: it ${read.reason}`
        : `${source} cannot be used: number ${i + 1} of its ${lines.length} secrets ${read.reason}`,
      'Copy only the secret itself, without quotes.',
      'BAD_SECRET',
    )
  }
  return lines
}

function someOf({ world }: Context, values: string[], source: string): FoundSecrets {
  if (values.length > 0) {
    // A secret of the sandbox is shown to the user.
    if (sandboxTraits(source) === undefined) world.secrets.add(...values)
    return { values, source }
  }
  throw config(`the webhook secret from ${source} is empty`, undefined, 'NO_WEBHOOK_SECRET')
}

/**
 * Returns the secrets. With the scheme `token`, throws `config` for a token with a character that no header can contain, because no
 * delivery could carry it.
 */
export function secretsFor(scheme: VerificationScheme, secrets: readonly string[]): readonly string[] {
  if (scheme !== 'token' || secrets.every((token) => readSecretText(token, 'token').ok)) return secrets
  throw config(
    'the webhook token contains a character that is not allowed in a header',
    'Copy the token again.',
    'BAD_TOKEN',
  )
}
