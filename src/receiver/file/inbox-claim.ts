import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Claim, tryClaim } from '../../disk/claim.ts'
import { type Identity, identityOf } from '../../disk/database-place.ts'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { checkFile, type Notice } from '../../disk/private.ts'
import { writeWholeFile } from '../../disk/target-file.ts'
import { type BnplError, config } from '../../errors.ts'
import { endCommand, moveAway } from '../../text/shell-word.ts'

interface Owner {
  pid: number
  /** `host:port`; empty while the port is unknown. */
  address: string
}

export interface InboxClaim {
  /** Whether the folder is a copy of the folder of a receiver that still runs, as far as the system tells. */
  readonly isCopy: boolean
  /** Creates the lock file again if it was removed. Throws `config` when another receiver has claimed the inbox in the meantime. */
  keep(): Promise<void>
  release(): void
}

/**
 * Claims the inbox of a state folder for this process. Also reads the owner file, because it still shows the owner if the lock file was
 * removed. Ignores an owner file that was copied, because it shows the owner of the original inbox.
 * @throws `config` if another process has claimed the inbox. The error names its pid, if known
 */
export async function claimInbox(
  stateDir: string,
  owner: Owner,
  notice: Notice,
  writtenMs = WRITTEN_MS,
): Promise<InboxClaim> {
  const path = join(stateDir, KEPT_FILES.inboxLock.name)
  const ownerPath = join(stateDir, KEPT_FILES.inboxOwner.name)
  let isCopy = false
  const take = async (): Promise<Claim> => {
    const before = readOwner(ownerPath)
    const claim = tryClaim(path, notice)
    if (claim === undefined) throw taken(await holderOf(ownerPath, writtenMs))
    if (before === undefined || before.pid === owner.pid) return claim
    const runs = stillRuns(before)
    // Windows does not tell when a process began. There a copy could belong to a receiver that still runs.
    if (before.isCopy && (runs || birthOf(owner.pid) === '')) {
      isCopy = true
      return claim
    }
    if (!runs) return claim
    claim.release()
    throw taken(before)
  }
  let claim = await take()
  try {
    writeWholeFile(
      ownerPath,
      (file) => `${[owner.pid, owner.address || '-', birthOf(owner.pid), inWords(file)].join(' ')}\n`,
    )
  } catch (error) {
    claim.release()
    throw error
  }
  return {
    isCopy,
    async keep() {
      const loss = claim.loss()
      if (loss === undefined) return
      claim.release()
      claim = await take()
      notice(`${path} was ${loss} while this receiver ran; it was created again`)
    },
    release() {
      // Remove the owner file before the lock. Otherwise another process could take the free lock but still read this process as the owner.
      if (claim.loss() === undefined) rmSync(ownerPath, { force: true })
      claim.release()
    },
  }
}

interface KnownOwner extends Owner {
  birth: string
  /** Whether the owner file is a copy. It then shows the owner of the original inbox. */
  isCopy: boolean
}

/** How long a process that has the lock may take until its owner file is on a busy disk, in ms. */
const WRITTEN_MS = 5000
const LOOK_MS = 20

/**
 * Returns the process that claimed the inbox; undefined if the owner file does not name it. Waits for the file, because that process may
 * not have written it yet.
 */
async function holderOf(path: string, writtenMs: number): Promise<KnownOwner | undefined> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const found = readOwner(path)
    if (found !== undefined && !found.isCopy && (found.birth === '' || stillRuns(found))) return found
    // The file is missing or empty, or an earlier receiver wrote it.
    if (waited >= writtenMs) return undefined
    await sleep(LOOK_MS)
  }
}

const inWords = ({ device, inode }: Identity): string => `${device}:${inode}`

/** Reads an owner file. Returns undefined if there is none. A copy does not have the identity that it names. */
function readOwner(path: string): KnownOwner | undefined {
  if (!checkFile(path)) return undefined
  const text = readFileSync(path, 'utf8').trim()
  if (text === '') return undefined
  const [, pid = '', address = '', birth = '', identity] =
    /^(\d+)(?: (\S+))?(?: (\d*))?(?: (\d+:\d+))?$/.exec(text) ?? []
  if (pid === '') {
    throw config(
      `${path} should contain the process id of a listener, but it contains other data`,
      `Move that file away: ${moveAway(path, 'old')}`,
      'OWNER_UNUSABLE',
    )
  }
  const now = identityOf(path)
  // Another process is replacing or removing the file at this moment.
  if (now === undefined) return undefined
  // An earlier version wrote no identity.
  const isCopy = identity !== undefined && inWords(now) !== identity
  return { pid: Number(pid), address: address === '-' ? '' : address, birth, isCopy }
}

/** Whether the owner still runs, and its pid does not belong to a later process. */
const stillRuns = ({ pid, birth }: KnownOwner): boolean => birth !== '' && birthOf(pid) === birth

/** Returns when a process began: in ticks, and on macOS in seconds. Empty if the process has ended, and on Windows. */
export function birthOf(pid: number, system: string = platform()): string {
  if (system === 'darwin') return birthFromPs(pid)
  try {
    // Read the fields after the program's name, which is in brackets and may contain any character (proc_pid_stat(5): fields 3 and 22).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const hasEnded = /^[ZX]/.test(fields[0] ?? '')
    return (hasEnded ? undefined : fields[19]) ?? ''
  } catch {
    return ''
  }
}

function birthFromPs(pid: number): string {
  const words = ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]
  const { stdout } = spawnSync('/bin/ps', words, { encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' } })
  const began = /^\s*[^ZX\s]\S*\s+(.+)$/m.exec(stdout ?? '')?.[1] ?? ''
  const ms = Date.parse(`${began} UTC`)
  return Number.isNaN(ms) ? '' : String(ms / 1000)
}

function taken(owner: KnownOwner | undefined): BnplError {
  const who = owner === undefined ? '' : `: pid ${owner.pid}${owner.address && `, ${owner.address}`}`
  return config(
    `another listener already receives into this inbox${who}`,
    `Stop that listener${owner === undefined ? '' : ` (${endCommand(owner.pid, platform())})`}, or set another BNPL_STATE_DIR for this listener.`,
    'LISTENER_RUNNING',
  )
}
