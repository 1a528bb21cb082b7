import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A call of `bnpl` in a script. */
export interface ShellCall {
  words: string[]
  /** Whether stdout is the script's own, and not a pipe, a file or a substitution. */
  atScript: boolean
  /** The variables of the script whose names begin with BNPL_. */
  env: Record<string, string>
  /** What a pipe or a file contains for the call; undefined if stdin is the script's own. */
  stdin: Buffer | undefined
}

/** How a call ended. Binary output is a latin1 string. */
export interface ShellEnd {
  code: number
  stdout: string
  stderr: string
}

/**
 * A bash function: each `bnpl` in a script asks this process. Bash does everything else: words, variables, pipes, files. The function uses
 * only builtins, and `cat` for bytes, because a process for each call would take most of the time. Descriptors 8 and 9 are the script's own
 * stdin and stdout.
 */
const BNPL = `
bnpl() {
  local name=$CALLS/$BASHPID-$((++CALL)) fd code
  local at=''; [ /dev/fd/1 -ef /dev/fd/9 ] && at=script
  local input=''; [ /dev/fd/0 -ef /dev/fd/8 ] || { cat > "$name.in"; input=given; }
  { printf '%s\\0' "$at" "$input" "$#" "$@"; local each; for each in "\${!BNPL_@}"; do printf '%s=%s\\0' "$each" "\${!each}"; done; } > "$name.call"
  exec {fd}<>"/dev/tcp/127.0.0.1/$CALLS_PORT"
  echo "$name" >&$fd; read -r code <&$fd; exec {fd}>&-
  [ -s "$name.out" ] && cat "$name.out"
  [ -s "$name.err" ] && cat "$name.err" >&2
  return "$code"
}
`

export interface Shell {
  /** Runs scripts one after the other, each in a subshell of its own. @returns how they ended */
  run(scripts: readonly string[]): Promise<ShellEnd[]>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a bash whose `bnpl` is answered in this process.
 * @param cwd the folder and the HOME of the scripts
 * @param prelude commands that run first in each shell
 */
export async function shell(
  cwd: string,
  prelude: string,
  answer: (call: ShellCall) => Promise<ShellEnd>,
): Promise<Shell> {
  const folder = mkdtempSync(join(tmpdir(), 'bnpl-shell-'))
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', async (line) => {
      const name = String(line).trim()
      const ended = await answer(readCall(name)).catch((error) => ({ code: 99, stdout: '', stderr: String(error) }))
      writeFileSync(`${name}.out`, ended.stdout, 'latin1')
      writeFileSync(`${name}.err`, ended.stderr)
      socket.end(`${ended.code}\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  let rounds = 0
  return {
    async run(scripts) {
      const out = join(folder, `round-${++rounds}`)
      mkdirSync(out)
      const each = scripts.map(
        (script, i) =>
          `( exec 8<&0 9>&1; ${script}\nended=$?; wait; exit $ended ) </dev/null >${out}/${i}.out 2>${out}/${i}.err; echo $? >${out}/${i}.code`,
      )
      const env = { PATH: process.env.PATH, HOME: cwd, CALLS: out, CALLS_PORT: String(port) }
      const child = spawn('bash', ['--norc', '-c', `${BNPL}${prelude}\n${each.join('\n')}`], {
        cwd,
        env,
        stdio: 'ignore',
      })
      await new Promise((resolve) => child.once('close', resolve))
      return scripts.map((_, i) => {
        const read = (name: string, form: BufferEncoding = 'utf8') => readFileSync(join(out, `${i}.${name}`), form)
        if (!existsSync(join(out, `${i}.code`))) throw new Error(`bash did not run: ${scripts[i]}`)
        return { code: Number(read('code')), stdout: read('out', 'latin1'), stderr: read('err') }
      })
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readCall(name: string): ShellCall {
  const [at, input, count, ...rest] = readFileSync(`${name}.call`, 'utf8').split('\0').slice(0, -1)
  const pairs = rest
    .slice(Number(count))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  return {
    words: rest.slice(0, Number(count)),
    atScript: at === 'script',
    env: Object.fromEntries(pairs),
    stdin: input === 'given' ? readFileSync(`${name}.in`) : undefined,
  }
}
