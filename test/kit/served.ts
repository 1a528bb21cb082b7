import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Starts a server. @param at the machine whose state the server uses */
export async function serve(m: Machine, words: readonly string[], options: RunOptions, at = m) {
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
  return {
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
  const begun = await serve(m, words, options, own)
  if (words.includes('--until')) await m.run(`webhooks trigger loan_approved --to ${begun.ready.url}`, options)
  const { code, ...texts } = await begun.end(!words.includes('--until'))
  return { code: code === 130 ? 0 : code, ...texts }
}
