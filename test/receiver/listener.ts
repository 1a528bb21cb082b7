import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignalName } from '../../src/context.ts'
import { sign } from '../../src/domain/signature.ts'
import type { ReceiverOptions } from '../../src/receiver/receiver.ts'
import { compiledCode, LAUNCHER } from '../kit/built-program.ts'
import { realClock } from '../kit/harness.ts'
import { here, type StartedHere } from '../kit/here.ts'
import { WAIT_MS } from '../kit/limits.ts'

export const SECRET = 'canary-hmac-secret'
export const SIGNATURE = { algorithm: 'sha256', encoding: 'hex' } as const

/** The settings of a receiver in the test's own process, for tests about something else: loopback, one secret, no forwarding. */
export const ON_LOOPBACK = {
  host: '127.0.0.1',
  port: 0,
  path: '/webhooks',
  hosts: [],
  scheme: 'hmac',
  signature: SIGNATURE,
  secrets: { current: () => [SECRET], refresh: async () => false },
  clock: realClock,
  selfTestId: 'own',
  connectionLimit: undefined,
  forward: undefined,
} satisfies Partial<ReceiverOptions>

export interface Listener {
  url: string
  port: number
  pid: number
  dir: string
  stdout: () => string
  stderr: () => string
  /** Returns the events that the listener has printed to stdout. */
  events: () => any[]
  /**
   * Sends a signal, if one is given, and waits until the listener ends. @returns the exit code, or the name of the signal that ended the
   * listener
   */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
  ended: Promise<number | NodeJS.Signals>
}

export type ListenerProcess = Listener & { child: ChildProcess }

export interface ListenerOptions {
  args?: readonly string[]
  env?: Record<string, string>
  /** The folder of an earlier listener, whose inbox this one continues. */
  dir?: string
  /** Shell commands that run before the listener, such as `ulimit -n 64`. */
  before?: string
  /** Whether to return before the listener is ready. */
  unready?: boolean
}

const folders: string[] = []
const children: ChildProcess[] = []
const hosts: ReturnType<typeof here>[] = []

/** Ends the processes that a test left running, and removes their folders. */
export async function cleanUp(): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  for (const each of hosts.splice(0)) await each[Symbol.asyncDispose]()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-listen-'))
  folders.push(dir)
  return dir
}

/** Starts a real listener in a process of its own, with a folder of its own. */
export async function startListener(options: ListenerOptions = {}): Promise<ListenerProcess> {
  const dir = options.dir ?? folder()
  const ready = join(dir, 'ready.json')
  rmSync(ready, { force: true })
  const args = ['webhooks', 'listen', '--port', '0', '--ready-file', ready, ...(options.args ?? [])]
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    ...compiledCode(),
    BNPL_CONFIG_DIR: join(dir, 'config'),
    BNPL_STATE_DIR: join(dir, 'state'),
    BNPL_WEBHOOK_SECRET: SECRET,
    ...options.env,
  }
  const child = options.before
    ? spawn('bash', ['-c', `${options.before}; exec "$0" "$@"`, process.execPath, LAUNCHER, ...args], { env, cwd: dir })
    : spawn(process.execPath, [LAUNCHER, ...args], { env, cwd: dir })
  children.push(child)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? (signal as NodeJS.Signals))),
  )
  const listener: ListenerProcess = {
    url: '',
    port: 0,
    pid: child.pid ?? 0,
    dir,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    events: () =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ended,
    async end(signal) {
      if (signal) child.kill(signal)
      return ended
    },
  }
  if (options.unready) return listener
  await until(() => existsSync(ready) || child.exitCode !== null || child.signalCode !== null)
  if (!existsSync(ready)) throw new Error(`the listener ended with ${await ended}: ${stderr}`)
  const { url } = JSON.parse(readFileSync(ready, 'utf8'))
  listener.url = url
  listener.port = Number(new URL(url).port)
  return listener
}

/** Starts a listener in this process, which takes a third of the time. It cannot be killed. */
export async function startHere({
  dir = folder(),
  ...options
}: Omit<ListenerOptions, 'before'> = {}): Promise<Listener & Pick<StartedHere, 'child'>> {
  const ready = join(dir, 'ready.json')
  rmSync(ready, { force: true })
  const host = here(dir)
  hosts.push(host)
  const args = ['webhooks', 'listen', '--port', '0', '--ready-file', ready, ...(options.args ?? [])]
  const { child, stdout, stderr, ...started } = host.start(args, { BNPL_WEBHOOK_SECRET: SECRET, ...options.env })
  let code: number | undefined
  const ended = started.ended.then((how) => (code = how.code ?? 0))
  const events = () =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const listener = { url: '', port: 0, pid: process.pid, dir, child, stdout, stderr, events, ended }
  const end = async (signal?: NodeJS.Signals) => {
    if (signal) child.kill(signal as SignalName)
    return ended
  }
  if (options.unready) return { ...listener, end }
  await until(() => existsSync(ready) || code !== undefined)
  if (code !== undefined) throw new Error(`the listener ended with ${code}: ${stderr()}`)
  const { url } = JSON.parse(readFileSync(ready, 'utf8'))
  return { ...listener, url, port: Number(new URL(url).port), end }
}

/** Waits until a condition is true. Throws after `ms`. */
export async function until(condition: () => boolean | Promise<boolean>, ms = WAIT_MS): Promise<void> {
  const deadline = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export interface Delivery {
  eventId?: string
  data?: unknown
  /** The raw body, instead of an envelope with `eventId` and `data`. */
  body?: string | Uint8Array
  /** The signature, instead of the right one; null sends none. */
  signature?: string | null
  secret?: string
  headers?: Record<string, string | undefined>
  method?: string
  path?: string
}

/** Delivers as the service does. @returns the status (0 when the connection was cut), the text, and the milliseconds that it took */
export function deliver(to: { url: string }, delivery: Delivery = {}): Promise<{ status: number; text: string }> {
  const { eventId = 'e1', data = { loanAmount: 1000 } } = delivery
  const body = Buffer.from((delivery.body as string) ?? JSON.stringify({ eventId, data }))
  const signature = delivery.signature ?? sign(body, delivery.secret ?? SECRET, SIGNATURE)
  const headers: Record<string, string | number> = { 'content-type': 'application/json', 'content-length': body.length }
  if (delivery.signature !== null) headers['service-signature'] = signature
  for (const [name, value] of Object.entries(delivery.headers ?? {})) {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
  const url = new URL(delivery.path ?? '', to.url)
  return new Promise((resolve) => {
    const sent = request(url, { method: delivery.method ?? 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', () => resolve({ status: 0, text: '' }))
    sent.end(body)
  })
}

/** Delivers many events at once, and returns the statuses. */
export async function deliverAll(to: { url: string }, deliveries: readonly Delivery[]): Promise<number[]> {
  return (await Promise.all(deliveries.map((each) => deliver(to, each)))).map(({ status }) => status)
}
