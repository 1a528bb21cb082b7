import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { Interrupted } from '../../src/errors.ts'
import { fakeClock, type Machine, machine, type RunOptions } from './harness.ts'
import type { ShellEnd } from './shell.ts'

/** Commands in this process that end by themselves or serve, with their output as bytes. */

/** Runs a command whose waits take no time. Binary output is a latin1 string. */
export async function runOnce(m: Machine, words: readonly string[], options: RunOptions): Promise<ShellEnd> {
  const { world, stderr } = m.world({ ...options, clock: fakeClock(Date.now()) })
  const out: Buffer[] = []
  world.io.out = async (data) => {
    out.push(Buffer.from(data))
  }
  return { code: await runCli(words, world), stdout: Buffer.concat(out).toString('latin1'), stderr: stderr() }
}

interface ServeOptions extends RunOptions {
  /** The machine whose state the server uses. */
  at?: Machine
  /** Whether the server may end before it is ready. Otherwise this is an error. */
  mayEnd?: boolean
}

/** Starts a server on a free port, and resolves when it is ready. */
export async function serve(m: Machine, words: readonly string[], { at = m, mayEnd, ...options }: ServeOptions) {
  const stop = new AbortController()
  const { world, stdout, stderr } = m.world({ ...options, signal: stop.signal })
  world.stateDir = at.stateDir
  let interrupt = () => stop.abort(new Interrupted())
  world.takeSignals = (take) => {
    interrupt = () => take('SIGINT')
    return () => {}
  }
  const file = join(at.dir, `ready-${words.slice(0, 2).join('-')}.json`)
  let code: number | undefined
  const ran = runCli([...words, '--port', '0', '--ready-file', file], world).then((ended) => {
    code = ended
    return { code: ended, stdout: stdout(), stderr: stderr() }
  })
  while (code === undefined && !existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 2))
  if (!existsSync(file) && !mayEnd) throw new Error(`${words.join(' ')} ended: ${stderr()}`)
  return {
    file,
    ready: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {},
    async end(now = true) {
      if (now && code === undefined) interrupt()
      return ran
    },
  }
}

/** Returns whether a command line starts a server, which runs until Ctrl-C. */
export const serves = (words: readonly string[]) =>
  /^(sandbox start|webhooks listen|proxy)\b/.test(words.join(' ')) && !words.includes('--print-secret')

/** Starts a server on a free port with a state of its own, and ends it normally with Ctrl-C after it is ready. */
export async function serveOnce(m: Machine, words: readonly string[], options: RunOptions): Promise<ShellEnd> {
  using own = machine()
  const begun = await serve(m, words, { ...options, at: own, mayEnd: true })
  if (words.includes('--until')) await m.run(`webhooks trigger loan_approved --to ${begun.ready.url}`, options)
  const { code, ...texts } = await begun.end(!words.includes('--until'))
  return { code: code === 130 ? 0 : code, ...texts }
}

/** Runs a server while `work` runs, and then ends it with Ctrl-C. */
async function whileRunning<T>(
  m: Machine,
  line: string,
  options: RunOptions,
  work: (ready: any) => Promise<T>,
): Promise<readonly [result: T, ended: ShellEnd]> {
  const { file, ready, end } = await serve(m, line.split(' ').filter(Boolean), options)
  const result = await work(ready).finally(end)
  const ended = await end()
  expect([ended.code, existsSync(file)]).toEqual([130, false])
  return [result, ended]
}

/** Serves the machine's sandbox in this process while `work` runs. @param options more arguments of `sandbox start` */
export async function whileServed<T>(
  m: Machine,
  work: (served: { port: number; apiKey: string; baseUrl: string; paymentUrl: string; partners: any[] }) => Promise<T>,
  options = '',
): Promise<T> {
  const [result] = await whileRunning(m, `sandbox start --json ${options}`, {}, (ready) =>
    work({ ...ready, port: Number(new URL(ready.baseUrl).port), apiKey: ready.partners[0].apiKey }),
  )
  return result
}

/** Runs `bnpl proxy` in this process while `work` runs. */
export async function whileProxied(
  m: Machine,
  line: string,
  options: RunOptions,
  work: (url: string) => Promise<unknown>,
): Promise<ShellEnd> {
  const [, ended] = await whileRunning(m, `proxy ${line}`, options, ({ url }) => work(url))
  return ended
}
