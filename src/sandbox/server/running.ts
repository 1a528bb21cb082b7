import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { givenAnswers, isDescribed, type ServiceDescription, SPECIFICATION } from '../../contract/description.ts'
import { descriptionRecord, readDescription } from '../../contract/description-file.ts'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { makeFolder } from '../../disk/private.ts'
import { renameFile } from '../../disk/renaming.ts'
import { WITHOUT_LINKS } from '../../disk/target-file.ts'
import { BnplError, codeOf, config } from '../../errors.ts'
import { isRecord } from '../../text/json-text.ts'
import { endCommand } from '../../text/shell-word.ts'
import { addressesOf, type SandboxAddresses } from '../addresses.ts'

/**
 * Returns a mark that distinguishes a process from a later process with the same number; undefined when the system has no `/proc`, or the
 * process does not exist.
 * The mark consists of the PID namespace and the start time of the process. Each container has its own PID namespace.
 */
export async function processMark(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may contain spaces. The start time is the 22nd field, which is the 20th field after the name.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${await readlink('/proc/self/ns/pid')} ${started}`
  } catch {
    return undefined
  }
}

/**
 * Returns whether a process has certainly ended; false when that cannot be known, for example without a mark.
 * @param mark the result of `processMark`, or null if there was none
 */
async function hasEnded(pid: number, mark: string | null): Promise<boolean> {
  if (mark === null) return false
  const own = await readlink('/proc/self/ns/pid').catch(() => undefined)
  if (own === undefined || !mark.startsWith(`${own} `)) return false
  return (await processMark(pid)) !== mark
}

/** What other processes on this machine need to know to use a served sandbox. */
export interface RunningSandbox extends SandboxAddresses {
  pid: number
  /** The result of `processMark`; null if the system has no such mark. */
  processMark: string | null
  controlToken: string
  /** ISO 8601. */
  startedAt: string
  /** Null if the state is in memory. */
  dataFile: string | null
  /** The service that the sandbox is. */
  description: ServiceDescription
}

/** Returns the record of a sandbox that this process serves. @param now ms since 1970 */
export async function runningAt(
  baseUrl: string,
  pid: number,
  now: number,
  own: Pick<RunningSandbox, 'controlToken' | 'dataFile' | 'description'>,
): Promise<RunningSandbox> {
  const mark = (await processMark(pid)) ?? null
  return { ...addressesOf(baseUrl), ...own, pid, processMark: mark, startedAt: new Date(now).toISOString() }
}

const FILE = KEPT_FILES.sandboxRunning.name

/**
 * Reads the record that the last `bnpl sandbox start` wrote into a state folder; undefined when the record is missing or cannot be read. A
 * killed sandbox leaves its record behind, so use `isAnswering` to find out whether the sandbox still runs.
 */
export async function readRunning(stateDir: string): Promise<RunningSandbox | undefined> {
  try {
    return asRunning(JSON.parse(await readFile(join(stateDir, FILE), 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * Returns whether the sandbox of a record runs: its process exists, and the server on its port proves that it knows the record's token.
 * Sends nothing secret.
 */
export async function isAnswering(running: RunningSandbox): Promise<boolean> {
  if (await hasEnded(running.pid, running.processMark)) return false
  const { provesToken } = await import('./hello.ts')
  return provesToken(running.baseUrl, running.controlToken)
}

/**
 * Writes the record with mode 0600. Throws `config` if another sandbox already runs on this state folder.
 * Writes a temporary file first, and then makes a hard link to the file at the record's path. The link fails if a record exists there. So
 * only one of two sandboxes that start at the same time succeeds.
 * @returns a function that removes the record, unless another sandbox has replaced it
 */
export async function announce(stateDir: string, running: RunningSandbox): Promise<() => Promise<void>> {
  const target = join(stateDir, FILE)
  const temporary = `${target}.${randomBytes(6).toString('hex')}`
  try {
    makeFolder(stateDir, 0o700)
    await writeFile(temporary, `${JSON.stringify(asRecord(running))}\n`, { mode: 0o600, flag: 'wx' })
    while (!(await isPlaced(temporary, target))) await clearStale(stateDir, target)
  } catch (error) {
    throw error instanceof BnplError ? error : unwritable(stateDir, error)
  } finally {
    await rm(temporary, { force: true }).catch(() => {})
  }
  return async () => {
    if ((await readRunning(stateDir))?.controlToken === running.controlToken) await rm(target, { force: true })
  }
}

async function isPlaced(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!WITHOUT_LINKS.has(String(codeOf(error)))) throw error
    if (existsSync(target)) return false
    await renameFile(temporary, target)
    return true
  }
}

async function clearStale(stateDir: string, target: string): Promise<void> {
  const other = await readRunning(stateDir)
  if (other && (await isAnswering(other))) throw alreadyRunning(other)
  // Another sandbox may have replaced the stale record in the meantime. The record of that sandbox must not be removed.
  const now = await readRunning(stateDir)
  if (now?.controlToken === other?.controlToken) await rm(target, { force: true })
}

/** Returns the error for a state folder on which a sandbox already runs. */
export function alreadyRunning({ pid, baseUrl }: RunningSandbox): BnplError {
  return config(
    `a sandbox already runs on this state folder: pid ${pid}, ${baseUrl}`,
    `Use that sandbox (-p sandbox), stop it (${endCommand(pid, platform())}), or start another sandbox, in memory (--ephemeral) or with its own state folder (BNPL_STATE_DIR).`,
    'SANDBOX_RUNNING',
  )
}

function unwritable(stateDir: string, cause: unknown): BnplError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return config(
    `the state folder ${stateDir} cannot be written: ${why}`,
    'Set BNPL_STATE_DIR to another folder.',
    'STATE_DIR',
  )
}

/** Returns the record to store. The names of its fields must not change, because every version of bnpl on this machine reads them. */
function asRecord({ windowUrl, description, ...running }: RunningSandbox): Record<string, unknown> {
  const service = { name: description.name, ...descriptionRecord(givenAnswers(description)) }
  return { ...running, dashboardUrl: windowUrl, ...(isDescribed(description) && { service }) }
}

function asRunning(record: unknown): RunningSandbox | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const { pid, processMark, baseUrl, paymentUrl, dashboardUrl, controlToken, startedAt, dataFile, service } = {
    ...EMPTY_RECORD,
    ...record,
  }
  const isWhole =
    typeof pid === 'number' &&
    isTextOrNull(processMark) &&
    isText(baseUrl) &&
    isText(paymentUrl) &&
    isText(dashboardUrl) &&
    isText(controlToken) &&
    isText(startedAt) &&
    /^http:\/\//.test(baseUrl)
  if (!isWhole) return undefined
  return {
    pid,
    processMark,
    baseUrl,
    paymentUrl,
    windowUrl: dashboardUrl,
    controlToken,
    startedAt,
    dataFile: isText(dataFile) ? dataFile : null,
    description: described(service),
  }
}

function described(service: unknown): ServiceDescription {
  const name = isRecord(service) && isText(service.name) ? service.name : undefined
  const read = name === undefined ? undefined : readDescription(service, name)
  return read?.ok ? read.description : SPECIFICATION
}

type RecordField = keyof RunningSandbox | 'dashboardUrl' | 'service'

const EMPTY_RECORD: Partial<Record<RecordField, unknown>> = {}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
