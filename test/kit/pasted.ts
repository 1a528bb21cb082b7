import { spawnSync } from 'node:child_process'

/**
 * Returns the arguments that a program gets when somebody pastes a command line of `bnpl` or `curl` into bash.
 * @param env variables of the shell besides PATH
 */
export function pasted(line: string, env: Record<string, string> = {}): string[] {
  const script = `bnpl() { printf '%s\\0' "$@"; }; curl() { bnpl "$@"; }; ${line}`
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status !== 0 || stderr.length > 0) throw new Error(`bash refused ${JSON.stringify(line)}: ${stderr}`)
  return stdout.toString().split('\0').slice(0, -1)
}
