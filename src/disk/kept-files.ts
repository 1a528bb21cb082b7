import { type Dir, lstatSync, opendirSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** A file, or a folder of files, that the program creates. The table for users is in docs/reliability.md, "Every file of the program". */
export interface KeptFile {
  /**
   * `config` and `state`: our folders (BNPL_CONFIG_DIR, BNPL_STATE_DIR). `cache`: the user's cache folder. `temporary`: the system's folder
   * for temporary files. `yours`: the place that the user named.
   */
  folder: 'config' | 'state' | 'cache' | 'temporary' | 'yours'
  /** The file's name in `folder`, or the option with which the user names the file. */
  name: string
  what: string
  /** Whether the file contains keys or personal data. */
  secret: boolean
  /** Matches the paths of the file itself, of the files that SQLite creates beside it, and of its temporary files. */
  paths: RegExp
}

const KEPT_FOLDERS = { bulk: 'bulk', claims: 'claims', snapshots: 'snapshots' } as const

const HEX = '[0-9a-f]+'
const BESIDE = '(-wal|-shm|-journal)?'
const TARGET = `\\.bnpl-${HEX}-\\d+-${HEX}\\.part`

/** @param paths left out for a file beside which there are only files of SQLite */
const kept = (
  folder: KeptFile['folder'],
  name: string,
  what: string,
  { secret = false, paths = new RegExp(`^${name.replaceAll('.', '\\.')}${BESIDE}$`) }: Partial<KeptFile> = {},
): KeptFile => ({ folder, name, what, secret, paths })

export const KEPT_FILES = {
  profiles: kept('config', 'profiles.json', 'accounts, with their keys', {
    secret: true,
    paths: new RegExp(`^profiles\\.json(\\.tmp-${HEX})?$`),
  }),
  profilesLock: kept('config', 'profiles.lock', 'a lock, held while profiles are changed'),
  state: kept('state', 'state.db', 'the history of transactions and reports'),
  inbox: kept('state', 'inbox.db', 'events that were received', { secret: true }),
  inboxLock: kept('state', 'inbox.lock', 'a lock, held by the receiver of the inbox'),
  inboxOwner: kept('state', 'inbox.owner', 'the process that holds inbox.lock', {
    paths: new RegExp(`^inbox\\.owner(\\.${HEX})?$`),
  }),
  inboxReserve: kept('state', 'inbox.reserve', 'reserved space, which the inbox uses when the disk is full', {
    paths: /^inbox\.reserve$/,
  }),
  inboxSaved: kept('state', 'inbox-saved-TIME.db', 'the saved events of an inbox whose file was removed or replaced', {
    secret: true,
    paths: new RegExp(`^inbox-saved-[0-9TZ-]+\\.db${BESIDE}$`),
  }),
  ledger: kept('state', `${KEPT_FOLDERS.bulk}/RUN.db`, 'which rows of a run were sent', {
    paths: new RegExp(`^bulk/${HEX}-${HEX}\\.db${BESIDE}$`),
  }),
  claims: kept('state', `${KEPT_FOLDERS.claims}/claims.db`, 'which files each run reads and writes'),
  claimsLock: kept('state', `${KEPT_FOLDERS.claims}/run-RANDOM.lock`, 'a lock, held during a run', {
    paths: new RegExp(`^claims/run-${HEX}\\.lock${BESIDE}$`),
  }),
  spool: kept(
    'state',
    `${KEPT_FOLDERS.bulk}/.rows-RANDOM`,
    "rows from a pipe; the file's name is removed as soon as the file is open",
    { secret: true, paths: new RegExp(`^bulk/\\.rows-${HEX}$`) },
  ),
  sandbox: kept('state', 'sandbox.db', 'the state of the sandbox', { secret: true }),
  sandboxRunning: kept('state', 'sandbox-running.json', 'the address of the running sandbox, and its token', {
    secret: true,
    paths: new RegExp(`^sandbox-running\\.json(\\.${HEX})?$`),
  }),
  snapshot: kept('state', `${KEPT_FOLDERS.snapshots}/NAME.db`, 'a saved state of the sandbox', {
    secret: true,
    paths: new RegExp(`^snapshots/[\\w][\\w.-]*\\.db(\\.${HEX}${BESIDE})?$`),
  }),
  results: kept('yours', '--out', 'results of a run, and the file of the rows that failed', {
    secret: true,
    paths: new RegExp(`(^|/)([^/]+\\.(csv|ndjson)|${TARGET})$`),
  }),
  report: kept('yours', '--out, --dir', 'a downloaded report', {
    secret: true,
    paths: new RegExp(`(^|/)([^/]+\\.pdf|${TARGET})$`),
  }),
  junit: kept('yours', '--junit', 'a summary for CI', { paths: new RegExp(`(^|/)([^/]+\\.xml|${TARGET})$`) }),
  recording: kept(
    'yours',
    '--record',
    'requests, answers and deliveries, without secrets and with invented personal data',
    { paths: /(^|\/)[^/]+\.ndjson$/ },
  ),
  exported: kept('yours', '--har, --fixtures', 'a recording as HAR or as fixtures', {
    paths: new RegExp(`(^|/)([^/]+\\.(har|json)|${TARGET})$`),
  }),
  ready: kept('yours', '--ready-file', 'the addresses of a running server, and its keys if it is a sandbox', {
    secret: true,
    paths: new RegExp(`^ready(\\.json)?(\\.${HEX})?$`),
  }),
  compiled: kept('cache', 'bnpl/compiled', 'the compiled program', { paths: /^bnpl\/compiled\// }),
  passing: kept(
    'temporary',
    'bnpl-RANDOM/',
    'the state of a sandbox that runs for a single command, or a snapshot while it is read',
    { secret: true, paths: /^bnpl-(sandbox|snapshot)-[^/]+\// },
  ),
}

export type KeptFileId = keyof typeof KEPT_FILES

/** Returns the path of one of our folders inside the state folder. */
export function keptFolder(stateDir: string, folder: keyof typeof KEPT_FOLDERS): string {
  return join(stateDir, KEPT_FOLDERS[folder])
}

/** Whether the program creates a file or folder with this name in its folders of settings and state. */
export function isKept(name: string): boolean {
  const folders: readonly string[] = Object.values(KEPT_FOLDERS)
  if (folders.includes(name)) return true
  const ours = Object.values(KEPT_FILES).filter(({ folder }) => folder === 'config' || folder === 'state')
  return ours.some(({ paths }) => ['', ...folders.map((each) => `${each}/`)].some((at) => paths.test(at + name)))
}

/**
 * Returns the name of a file as its folder compares it. The disks of Windows and macOS usually treat `Orders.csv` and `orders.csv` as one
 * name, and macOS also does so for `é` in one character or in two. Linux uses such disks too, for example in WSL.
 */
export const comparedName = (name: string, folder: string, system: string = platform()): string =>
  system === 'win32' || system === 'darwin' || ignoresCase(folder) ? name.normalize('NFC').toLowerCase() : name

/** The number of names in a folder that are looked at. Most names have a letter. */
const LOOKED_AT = 100

/** Whether a folder ignores the case of names, as far as the first name with a letter tells: it then has the same file under another name. */
function ignoresCase(folder: string): boolean {
  let names: Dir | undefined
  try {
    names = opendirSync(folder)
    for (let looked = 0; looked < LOOKED_AT; looked++) {
      const name = names.readSync()?.name
      if (name === undefined) return false
      const other = name.replace(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      )
      if (other !== name) return identityAt(join(folder, name)) === identityAt(join(folder, other))
    }
    return false
  } catch {
    return false
  } finally {
    names?.closeSync()
  }
}

function identityAt(path: string): string {
  const { dev, ino } = lstatSync(path, { bigint: true })
  return `${dev}:${ino}`
}

/**
 * Returns the same text for all paths to the same file, such as its hard links and the paths through symbolic links. The file need not
 * exist.
 */
export function fileKey(path: string, system: string = platform()): string {
  const found = lookAt(path)
  // Some network shares give every file the number 0.
  if (found !== undefined && found.ino !== 0n) return `${found.dev}:${found.ino}`
  const folder = dirname(path)
  return folder === path ? path : join(fileKey(folder, system), comparedName(basename(path), folder, system))
}

/** Returns what is at a path; undefined if nothing is there, or if it cannot be looked at. */
export function lookAt(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
