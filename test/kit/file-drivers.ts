import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openClaims } from '../../src/bulk/claims.ts'
import { createLedger } from '../../src/bulk/ledger.ts'
import { openLedgerFile } from '../../src/bulk/ledger-file.ts'
import { openAppendFile } from '../../src/disk/append-file.ts'
import { tryClaim } from '../../src/disk/claim.ts'
import { KEPT_FILES, type KeptFileId } from '../../src/disk/kept-files.ts'
import { Interrupted } from '../../src/errors.ts'
import { openHistory } from '../../src/history/sqlite.ts'
import { openProfiles } from '../../src/profiles/store.ts'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import { openInboxThread } from '../../src/receiver/file/receiving-inbox.ts'
import { openStore } from '../../src/sandbox/store/sqlite.ts'
import { arrival, batch } from '../receiver/inbox-kit.ts'
import { compiledCode, LAUNCHER } from './built-program.ts'
import { outputOf } from './child-output.ts'
import { fakeClock, type Machine } from './harness.ts'

/** How the tests make each file, use it, and hold it open while something happens to it. */

/**
 * Node code that makes the disk look full to Node's own writes. A limit of the system would not do, because it ends a native library by a
 * signal.
 */
const FULL_DISK = `
  const fs = require('node:fs')
  const { writeSync } = fs
  fs.writeSync = (file, ...rest) => {
    if (file > 2) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
    return writeSync(file, ...rest)
  }`

export interface Used {
  code: number
  stderr: string
}

export interface Driver {
  /** Makes the file in the way in which the program does. @returns its path */
  make(m: Machine): Promise<string>
  /** A command that uses the file. */
  line: string
  /** Returns additional variables for the environment of that command. */
  env?(m: Machine): Record<string, string>
  /** Runs that command in this process. Set only for a server, which must be stopped. */
  use?(m: Machine): Promise<Used>
  /** Opens the file, calls `happen`, and uses the file once more. */
  hold?(m: Machine, happen: () => void): Promise<unknown>
}

const ROWS = 'rut,amount,externalTrxId\n11222333-9,50000,B1\n'

const runs = async (m: Machine, ...lines: readonly string[]): Promise<void> => {
  writeFileSync(join(m.dir, 'key'), 'sk-1234567890', { mode: 0o600 })
  writeFileSync(join(m.dir, 'rows.csv'), ROWS)
  for (const line of lines) {
    const { code, stderr } = await m.run(line)
    if (code !== 0) throw new Error(`${line}: ${code} ${stderr}`)
  }
}

/** Runs a server in this process, and stops it when it is ready. */
const served =
  (line: string) =>
  async (m: Machine): Promise<Used> => {
    const stop = new AbortController()
    const ready = join(m.dir, 'served.ready')
    const running = m.run(`${line} --ready-file served.ready`, {
      signal: stop.signal,
      env: { BNPL_WEBHOOK_SECRET: 'a-secret-of-usual-length' },
    })
    let ended = false
    void running.finally(() => {
      ended = true
    })
    while (!ended && !existsSync(ready)) await pause(5)
    stop.abort(new Interrupted(143))
    const { code, stderr } = await running
    return { code: code === 143 ? 0 : code, stderr }
  }

const PROFILE = 'profiles add acme --base-url https://api.example.com --api-key-file key'
const inState = (m: Machine, name: string) => join(m.stateDir, name)
const only = (m: Machine, pattern: string) => {
  const [found] = globSync(pattern, { cwd: m.stateDir })
  return inState(m, found ?? pattern)
}

/** Leaves an inbox with one event, as a receiver does. */
async function leaveInbox(m: Machine): Promise<void> {
  const inbox = await openInbox(m.stateDir)
  await inbox.claim({ pid: process.pid, address: '' })
  await inbox.commit(batch([arrival('e1')]))
  await inbox.close()
}

async function holdInbox(m: Machine, happen: () => void): Promise<void> {
  const inbox = await openInboxThread(m.stateDir, () => {})
  try {
    await inbox.claim({ pid: process.pid, address: '' })
    await inbox.commit(batch([arrival('held1')]))
    happen()
    await inbox.commit(batch([arrival('held2')]))
  } finally {
    await inbox.close()
  }
}

const LISTEN = 'webhooks listen --port 0 --no-print'
const ofInbox = (name: string): Driver => ({
  async make(m) {
    await leaveInbox(m)
    if (!existsSync(inState(m, name))) writeFileSync(inState(m, name), '', { mode: 0o600 })
    return inState(m, name)
  },
  line: LISTEN,
  use: served(LISTEN),
  hold: holdInbox,
})

const BULK = 'evaluate -p sandbox --from rows.csv --out out.csv'
const ofProfiles = (name: string): Driver => ({
  async make(m) {
    await runs(m, PROFILE)
    return join(m.configDir, name)
  },
  line: 'profiles set entityId 7 -p acme',
  async hold(m, happen) {
    const store = await openProfiles(m.configDir)
    await store.update((file) => {
      happen()
      return { ...file }
    })
  },
})

/** The files that exist while no command runs. */
export const DRIVERS: Record<Exclude<KeptFileId, 'passing' | 'spool' | 'inboxSaved'>, Driver> = {
  profiles: ofProfiles('profiles.json'),
  profilesLock: ofProfiles('profiles.lock'),
  state: {
    async make(m) {
      await runs(m, 'evaluate -p sandbox --rut 11222333-9 --amount 50000 --trx T1')
      return inState(m, 'state.db')
    },
    line: 'history rm --all -y',
    async hold(m, happen) {
      const history = await openHistory(m.stateDir, fakeClock())
      try {
        await history.remember('acme', 'T1', {})
        happen()
        await history.remember('acme', 'T2', {})
      } finally {
        await history.close()
      }
    },
  },
  inbox: ofInbox('inbox.db'),
  inboxLock: ofInbox('inbox.lock'),
  inboxOwner: ofInbox('inbox.owner'),
  inboxReserve: ofInbox('inbox.reserve'),
  ledger: {
    async make(m) {
      await runs(m, BULK)
      return only(m, 'bulk/*.db')
    },
    line: `${BULK} --resume --force`,
    async hold(m, happen) {
      const path = only(m, 'bulk/*.db')
      const db = await openLedgerFile(path, true, () => {})
      try {
        const ledger = createLedger(db, { path, ids: new Float64Array(), durable: true })
        await ledger.intend(11)
        happen()
        await ledger.intend(12)
      } finally {
        db.close()
      }
    },
  },
  claims: {
    async make(m) {
      await runs(m, BULK)
      return inState(m, KEPT_FILES.claims.name)
    },
    line: `${BULK} --resume --force`,
    async hold(m, happen) {
      const claims = await openClaims({ dir: inState(m, 'claims'), pid: 1, isAlive: () => true, notice: () => {} })
      try {
        claims.take(['run a'])
        happen()
        claims.take(['run b'])
      } finally {
        claims.release()
      }
    },
  },
  claimsLock: {
    async make(m) {
      await runs(m, BULK)
      // The lock file that a killed run leaves.
      const path = inState(m, KEPT_FILES.claimsLock.name.replace('RANDOM', '0123456789abcdef01234567'))
      tryClaim(path)?.release()
      return path
    },
    line: `${BULK} --resume --force`,
  },
  sandbox: {
    async make(m) {
      await runs(m, 'sandbox status')
      return inState(m, 'sandbox.db')
    },
    line: 'sandbox reset -y',
    async hold(m, happen) {
      const store = await openStore({ file: inState(m, 'sandbox.db') })
      try {
        store.db.all('select id from partners')
        happen()
        store.db.all('select id from partners')
      } finally {
        store.close()
      }
    },
  },
  sandboxRunning: {
    async make(m) {
      await runs(m, 'sandbox status')
      writeFileSync(inState(m, 'sandbox-running.json'), '{}', { mode: 0o600 })
      return inState(m, 'sandbox-running.json')
    },
    line: 'sandbox start --port 0',
    use: served('sandbox start --port 0'),
  },
  snapshot: {
    async make(m) {
      await runs(m, 'sandbox snapshot save kept')
      return inState(m, 'snapshots/kept.db')
    },
    line: 'sandbox snapshot load kept -y',
  },
  results: {
    async make(m) {
      await runs(m, BULK)
      return join(m.dir, 'out.csv')
    },
    line: 'evaluate -p sandbox --from rows.csv --out out.csv --restart',
  },
  report: {
    async make(m) {
      const id: string = (await m.run('sandbox lead --now --rut 11222333-9 --json')).json().preApproveId
      writeFileSync(join(m.dir, 'id'), id)
      await runs(m, `informe download ${id} -p sandbox:real-estate --out report.pdf`)
      return join(m.dir, 'report.pdf')
    },
    line: 'informe download ID -p sandbox:real-estate --out report.pdf',
  },
  junit: {
    async make(m) {
      await runs(m, 'smoke -p sandbox --junit smoke.xml')
      return join(m.dir, 'smoke.xml')
    },
    line: 'smoke -p sandbox --junit smoke.xml',
  },
  recording: {
    async make(m) {
      mkdirSync(join(m.dir, 'day'), { mode: 0o700 })
      await runs(m, 'webhooks list -p sandbox --record day/rec.ndjson')
      return join(m.dir, 'day', 'rec.ndjson')
    },
    line: 'webhooks list -p sandbox --record day/rec.ndjson',
    async hold(m, happen) {
      const file = openAppendFile(join(m.dir, 'day', 'rec.ndjson'), {
        beginning: '{"kind":"session"',
        what: 'a recording',
        notice: () => {},
      })
      file.append('{}\n')
      happen()
      file.append('{}\n')
      file.close()
    },
  },
  exported: {
    async make(m) {
      mkdirSync(join(m.dir, 'out'), { mode: 0o700 })
      await runs(m, 'webhooks list -p sandbox --record rec.ndjson', 'contract export rec.ndjson --har out/rec.har')
      return join(m.dir, 'out', 'rec.har')
    },
    line: 'contract export rec.ndjson --har out/rec.har --force',
  },
  ready: {
    async make(m) {
      await leaveInbox(m)
      writeFileSync(join(m.dir, 'served.ready'), '', { mode: 0o600 })
      return join(m.dir, 'served.ready')
    },
    line: LISTEN,
    use: served(LISTEN),
  },
  compiled: {
    async make(m) {
      await runBuilt(m, 'explain 12', { env: { XDG_CACHE_HOME: join(m.dir, 'cache') } })
      const [found = ''] = globSync('cache/bnpl/compiled/*/*', { cwd: m.dir })
      return join(m.dir, found)
    },
    line: 'explain 12',
    env: (m) => ({ XDG_CACHE_HOME: join(m.dir, 'cache') }),
    use: (m) => runBuilt(m, 'explain 12', { env: { XDG_CACHE_HOME: join(m.dir, 'cache') } }),
  },
}

interface Under {
  /** Whether the disk is full. */
  full?: boolean
  /** The user id of the process. */
  uid?: number
  env?: Record<string, string>
}

/** Runs the built program, under a limit or as another user. If a server becomes ready, the outcome is that it carried on. */
export async function runBuilt(m: Machine, line: string, { full = false, uid, env = {} }: Under = {}): Promise<Used> {
  const words = line.split(' ').map((word) => (word === 'ID' ? readFileSync(join(m.dir, 'id'), 'utf8') : word))
  const isServer = /^(webhooks listen|sandbox start)/.test(line)
  const ready = join(m.dir, 'built.ready')
  const args = [LAUNCHER, ...words, ...(isServer && !line.includes('--ready-file') ? ['--ready-file', ready] : [])]
  const isProfiles = line.startsWith('profiles')
  const preload = join(m.dir, 'full-disk.cjs')
  if (full && isProfiles) writeFileSync(preload, FULL_DISK)
  const shell = full && !isProfiles ? 'ulimit -f 0; exec "$0" "$@"' : 'exec "$0" "$@"'
  const child = spawn('bash', ['-c', shell, process.execPath, ...args], {
    cwd: m.dir,
    env: {
      PATH: process.env.PATH,
      HOME: m.dir,
      ...compiledCode(),
      BNPL_CONFIG_DIR: m.configDir,
      BNPL_STATE_DIR: m.stateDir,
      BNPL_WEBHOOK_SECRET: 'a-secret-of-usual-length',
      ...(full && isProfiles ? { NODE_OPTIONS: `--require ${preload}` } : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const { ended } = outputOf(child)
  let isOver = false
  void ended.finally(() => {
    isOver = true
  })
  while (isServer && !isOver && !existsSync(ready)) await pause(10)
  if (isServer && !isOver) child.kill('SIGTERM')
  const { code, stderr } = await ended
  return { code: code === 143 ? 0 : (code ?? -1), stderr }
}

/** Gives every file of a machine to a user, and takes away the right to write in a folder. */
export function makeReadOnly(m: Machine, folder: string, uid: number | undefined): void {
  if (uid !== undefined) {
    for (const name of globSync('**/*', { cwd: m.dir, exclude: [] })) chownSync(join(m.dir, name), uid, uid)
    chownSync(m.dir, uid, uid)
  }
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o500)
}
