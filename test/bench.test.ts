import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from './kit/built-program.ts'
import { outputOf } from './kit/child-output.ts'
import { ROOT } from './kit/source-graph.ts'

/** `npm run bench` ends on every machine, and leaves no process behind. */

const PROCESSES = pathToFileURL(join(ROOT, 'bench/processes.ts')).href

/** The text of a measurement's script, which starts a server that never ends, and then runs `then`. */
const scriptThat = (then: string) => `
  import { startProcess, exitOf, untilReady, firstLine } from '${PROCESSES}'
  const server = startProcess(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)'], { stdio: ['ignore', 'pipe', 'inherit'] })
  console.log(await firstLine('the server', server))
  ${then}`

test.each([
  ['an error', "throw new Error('a measurement failed')", undefined, 1],
  ['SIGTERM', 'setInterval(() => {}, 1000)', 'SIGTERM', 'SIGTERM'],
  ['SIGINT', 'setInterval(() => {}, 1000)', 'SIGINT', 'SIGINT'],
  ['its end', '', undefined, 0],
  ['a program that is not installed', "await exitOf(startProcess('no-such-program', [], {}), 60_000)", undefined, 1],
  ['a server that ends early', "await untilReady('it', startProcess('true', [], {}), () => false)", undefined, 1],
  ['a program that does not end', 'if ((await exitOf(server, 50)) !== null) throw new Error()', undefined, 0],
] as const)('%s ends a measurement together with the servers it started', async (_, then, signal, end) => {
  const ending = end === 0 ? 'process.exitCode = 0; server.unref(); server.stdout.destroy()' : ''
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${scriptThat(then)}\n${ending}`])
  const output = outputOf(child)
  if (signal !== undefined) {
    await expect.poll(output.stdout).toContain('up')
    child.kill(signal)
  }
  // The server writes to the same stderr as the script, so this waits until both have ended.
  const { code, signal: endedBy, stdout } = await output.ended
  expect([code ?? endedBy, stdout]).toEqual([end, expect.stringMatching(/^up\n/)])
})

test('without wrk, a measurement prints one line that says so and exits with 0', async () => {
  using folder = temporaryFolder()
  for (const script of ['receiver.ts', 'receiver-memory.ts']) {
    const child = spawn(process.execPath, [join(ROOT, 'bench', script), '--quick'], {
      env: { PATH: dirname(process.execPath), HOME: folder.path },
    })
    const { code, stdout, stderr } = await outputOf(child).ended
    expect([code, stderr, stdout.match(/^Not measured: wrk, .* is not installed\.$/m)?.length]).toEqual([0, '', 1])
  }
})

test('no measurement imports node:child_process itself, so that its processes end with the measurement', () => {
  const own = ['bench/processes.ts', 'bench/bench.ts']
  const paths = globSync('bench/**/*.ts', { cwd: ROOT }).filter((path) => !own.includes(path.replaceAll('\\', '/')))
  expect(paths.length).toBeGreaterThan(20)
  const bare = /import \{[^}]*\b(spawn|exec|execFile|fork)\b[^}]*\} from 'node:child_process'/
  expect(paths.filter((path) => bare.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})
