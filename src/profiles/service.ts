import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { givenAnswers, type ServiceDescription, SPECIFICATION, withAnswers } from '../contract/description.ts'
import { SERVICE_NAMES, serviceCalled } from '../contract/services.ts'
import { codeOf, config, type usage } from '../errors.ts'
import { whyUnreadable } from '../text/file-text.ts'
import { readProfileFile } from './file.ts'
import { profileIn } from './profile.ts'
import { answersOf, type Env, environmentSuffices, profileName, serviceNamed } from './resolve.ts'

const MOST_BYTES = 256 * 1024

interface NamedService {
  /** `specification`, another service that bnpl knows, or the path of a file. */
  text: string
  /** Where the service was named: `--service`, `BNPL_SERVICE`, `profile acme`. */
  source: string
  cwd: string
  /** Makes the error: `usage` for an option, `config` for a setting. */
  complain: typeof config | typeof usage
}

/** Returns the description of a service. Its name is that of the service, or the absolute path of its file. */
export async function readService({ text, source, cwd, complain }: NamedService): Promise<ServiceDescription> {
  const known = await serviceCalled(text)
  if (known !== undefined) return known
  const path = resolve(cwd, text)
  const file = await readStart(path)
  if ('reason' in file)
    throw complain(
      `the service “${text}” of ${source} is not a service that bnpl knows (${SERVICE_NAMES.join(', ')}), and cannot be read as a file: ${file.reason}`,
      'Name a service that bnpl knows, or a file that bnpl contract learn wrote.',
      'NO_SUCH_SERVICE',
    )
  const { readDescriptionFile } = await import('../contract/description-file.ts')
  const read = readDescriptionFile(file.text, path)
  const base = read.ok && read.service ? await serviceCalled(read.service) : undefined
  if (read.ok && read.service && base === undefined)
    throw complain(
      `${text}, named by ${source}, is not the description of a service: its “service” is none that bnpl knows (${SERVICE_NAMES.join(', ')})`,
      'Correct the field, or remove it for a service that follows the specification.',
      'BAD_SERVICE',
    )
  if (read.ok)
    return base ? { ...withAnswers(base, givenAnswers(read.description), path), base: base.name } : read.description
  throw complain(
    `${text}, named by ${source}, is not the description of a service: ${read.reason}`,
    read.isRecording
      ? `Learn the description from the recording, and name the new file instead: bnpl contract learn ${text} --write service.json`
      : 'Correct the field, or write the file again: bnpl contract learn RECORDING --write FILE',
    'BAD_SERVICE',
  )
}

/**
 * Returns the description of the service of a profile, with the answers among its settings. Reads no key, and neither opens nor calls a
 * sandbox, so that it can be used while a command line is typed.
 */
export async function serviceWithoutKey(
  { configDir, env, cwd }: { configDir: string; env: Env; cwd: string },
  flag: string | undefined,
): Promise<ServiceDescription> {
  const file = environmentSuffices(flag, env) ? undefined : await readProfileFile(configDir, () => {})
  const name = profileName(flag, env, file?.default)
  const named = serviceNamed(name, file, env)
  const description =
    named === undefined
      ? SPECIFICATION
      : await readService({ text: named.value, source: named.source, cwd, complain: config })
  return withAnswers(description, answersOf(profileIn(file, name?.value), `profile ${name?.value}`))
}

/** Returns the text of a file; of a file that is too long, as a recording can be, its beginning. */
async function readStart(path: string): Promise<{ text: string } | { reason: string }> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of createReadStream(path, { end: MOST_BYTES })) chunks.push(chunk)
    return { text: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    return { reason: whyUnreadable(codeOf(error)) }
  }
}
