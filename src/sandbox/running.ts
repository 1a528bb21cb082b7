import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KEPT_FILES } from '../disk/kept-files.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { BnplError, config } from '../errors.ts'
import { hasEnded } from './process-mark.ts'

/** A served sandbox, as other processes of this machine find it. */
export interface Running {
  pid: number
  /** Tells its process from a later one of the same number, see `processMark`; null where the system has no such thing. */
  processMark: string | null
  baseUrl: string
  paymentUrl: string
  dashboardUrl: string
  /** Opens the control calls. */
  controlToken: string
  /** ISO 8601. */
  startedAt: string
  /** The file of its state; null when that is in a database, or in memory. */
  dataFile: string | null
  /** The database of its state, as people are told of it; null where there is none. */
  database: string | null
}

const FILE = KEPT_FILES.sandboxRunning.name
const TEXTS = ['baseUrl', 'paymentUrl', 'dashboardUrl', 'controlToken', 'startedAt'] as const

/**
 * What the last `sandbox start` on a state folder wrote down; undefined when there is nothing (readable). A killed one leaves its
 * record: only `isAnswering` tells whether it still runs.
 */
export async function readRunning(stateDir: string): Promise<Running | undefined> {
  try {
    const parsed: unknown = JSON.parse(await readFile(join(stateDir, FILE), 'utf8'))
    return isRunning(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/**
 * True when the sandbox of this record is there: its process lives, and who answers on its port proves to know its token. Nothing secret is
 * sent to find out.
 */
export async function isAnswering(running: Running): Promise<boolean> {
  if (await hasEnded(running.pid, running.processMark)) return false
  const { knock } = await import('./knock.ts')
  return knock(running.baseUrl, running.controlToken)
}

/**
 * Writes the record (0600), unless another sandbox runs on this state folder. Of two at once one wins: a record is linked into
 * place whole, and only where there is none.
 * @returns takes the record away, if it is still this one. Throws `config` naming the pid of the other.
 */
export async function announce(stateDir: string, running: Running): Promise<() => Promise<void>> {
  const target = join(stateDir, FILE)
  const temporary = `${target}.${randomBytes(6).toString('hex')}`
  try {
    makeFolder(stateDir, 0o700)
    await writeFile(temporary, `${JSON.stringify(running)}\n`, { mode: 0o600, flag: 'wx' })
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function clearStale(stateDir: string, target: string): Promise<void> {
  const other = await readRunning(stateDir)
  if (other && (await isAnswering(other))) throw alreadyRunning(other)
  // Another one may have taken the place of the stale record meanwhile; that one answers and stays.
  const now = await readRunning(stateDir)
  if (now?.controlToken === other?.controlToken) await rm(target, { force: true })
}

export function alreadyRunning({ pid, baseUrl }: Running): BnplError {
  return config(
    `a sandbox already runs on this state folder: pid ${pid}, ${baseUrl}`,
    `Use it (-p sandbox), stop it (kill ${pid}), or start another with its own BNPL_STATE_DIR.`,
    'SANDBOX_RUNNING',
  )
}

function unwritable(stateDir: string, cause: unknown): BnplError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return config(`the state folder ${stateDir} cannot be written: ${why}`, 'Set BNPL_STATE_DIR to another.', 'STATE_DIR')
}

function isRunning(value: unknown): value is Running {
  if (typeof value !== 'object' || value === null) return false
  const record = value as Record<string, unknown>
  return (
    typeof record.pid === 'number' &&
    (record.processMark === null || typeof record.processMark === 'string') &&
    TEXTS.every((name) => typeof record[name] === 'string') &&
    /^http:\/\//.test(String(record.baseUrl))
  )
}
