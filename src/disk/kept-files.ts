import { join } from 'node:path'

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

export const KEPT_FILES = {
  profiles: {
    folder: 'config',
    name: 'profiles.json',
    what: 'accounts, with their keys',
    secret: true,
    paths: new RegExp(`^profiles\\.json(\\.tmp-${HEX})?$`),
  },
  profilesLock: {
    folder: 'config',
    name: 'profiles.lock',
    what: 'a lock, held while profiles are changed',
    secret: false,
    paths: new RegExp(`^profiles\\.lock${BESIDE}$`),
  },
  state: {
    folder: 'state',
    name: 'state.db',
    what: 'the history of transactions and reports',
    secret: false,
    paths: new RegExp(`^state\\.db${BESIDE}$`),
  },
  inbox: {
    folder: 'state',
    name: 'inbox.db',
    what: 'events that were received',
    secret: true,
    paths: new RegExp(`^inbox\\.db${BESIDE}$`),
  },
  inboxLock: {
    folder: 'state',
    name: 'inbox.lock',
    what: 'a lock, held by the receiver of the inbox',
    secret: false,
    paths: new RegExp(`^inbox\\.lock${BESIDE}$`),
  },
  inboxOwner: {
    folder: 'state',
    name: 'inbox.owner',
    what: 'the process that holds inbox.lock',
    secret: false,
    paths: new RegExp(`^inbox\\.owner(\\.${HEX})?$`),
  },
  inboxReserve: {
    folder: 'state',
    name: 'inbox.reserve',
    what: 'reserved space, which the inbox uses when the disk is full',
    secret: false,
    paths: /^inbox\.reserve$/,
  },
  inboxSaved: {
    folder: 'state',
    name: 'inbox-saved-TIME.db',
    what: 'the saved events of an inbox whose file was removed or replaced',
    secret: true,
    paths: new RegExp(`^inbox-saved-[0-9TZ-]+\\.db${BESIDE}$`),
  },
  ledger: {
    folder: 'state',
    name: `${KEPT_FOLDERS.bulk}/RUN.db`,
    what: 'which rows of a run were sent',
    secret: false,
    paths: new RegExp(`^bulk/${HEX}-${HEX}\\.db${BESIDE}$`),
  },
  claims: {
    folder: 'state',
    name: `${KEPT_FOLDERS.claims}/claims.db`,
    what: 'which files each run reads and writes',
    secret: false,
    paths: new RegExp(`^claims/claims\\.db${BESIDE}$`),
  },
  claimsLock: {
    folder: 'state',
    name: `${KEPT_FOLDERS.claims}/run-RANDOM.lock`,
    what: 'a lock, held during a run',
    secret: false,
    paths: new RegExp(`^claims/run-${HEX}\\.lock${BESIDE}$`),
  },
  spool: {
    folder: 'state',
    name: `${KEPT_FOLDERS.bulk}/.rows-RANDOM`,
    what: "rows from a pipe; the file's name is removed as soon as the file is open",
    secret: true,
    paths: new RegExp(`^bulk/\\.rows-${HEX}$`),
  },
  sandbox: {
    folder: 'state',
    name: 'sandbox.db',
    what: 'the state of the sandbox',
    secret: true,
    paths: new RegExp(`^sandbox\\.db${BESIDE}$`),
  },
  sandboxRunning: {
    folder: 'state',
    name: 'sandbox-running.json',
    what: 'the address of the running sandbox, and its token',
    secret: true,
    paths: new RegExp(`^sandbox-running\\.json(\\.${HEX})?$`),
  },
  snapshot: {
    folder: 'state',
    name: `${KEPT_FOLDERS.snapshots}/NAME.db`,
    what: 'a saved state of the sandbox',
    secret: true,
    paths: new RegExp(`^snapshots/[\\w][\\w.-]*\\.db(\\.${HEX}${BESIDE})?$`),
  },
  results: {
    folder: 'yours',
    name: '--out',
    what: 'results of a run, and the file of the rows that failed',
    secret: true,
    paths: new RegExp(`(^|/)([^/]+\\.(csv|ndjson)|${TARGET})$`),
  },
  report: {
    folder: 'yours',
    name: '--out, --dir',
    what: 'a downloaded report',
    secret: true,
    paths: new RegExp(`(^|/)([^/]+\\.pdf|${TARGET})$`),
  },
  junit: {
    folder: 'yours',
    name: '--junit',
    what: 'a summary for CI',
    secret: false,
    paths: new RegExp(`(^|/)([^/]+\\.xml|${TARGET})$`),
  },
  recording: {
    folder: 'yours',
    name: '--record',
    what: 'requests, answers and deliveries, without secrets and with invented personal data',
    secret: false,
    paths: /(^|\/)[^/]+\.ndjson$/,
  },
  exported: {
    folder: 'yours',
    name: '--har, --fixtures',
    what: 'a recording as HAR or as fixtures',
    secret: false,
    paths: new RegExp(`(^|/)([^/]+\\.(har|json)|${TARGET})$`),
  },
  ready: {
    folder: 'yours',
    name: '--ready-file',
    what: 'the addresses of a running server, and its keys if it is a sandbox',
    secret: true,
    paths: new RegExp(`^ready(\\.json)?(\\.${HEX})?$`),
  },
  compiled: {
    folder: 'cache',
    name: 'bnpl/compiled',
    what: 'the compiled program',
    secret: false,
    paths: /^bnpl\/compiled\//,
  },
  passing: {
    folder: 'temporary',
    name: 'bnpl-RANDOM/',
    what: 'the state of a sandbox that runs for a single command, or a snapshot while it is read',
    secret: true,
    paths: /^bnpl-(sandbox|snapshot)-[^/]+\//,
  },
} as const satisfies Record<string, KeptFile>

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
