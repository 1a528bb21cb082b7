import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LAUNCHER } from '../kit/built-program.ts'
import { type Program, program, type Started, until } from '../kit/program.ts'

/** Starts `sandbox run` with a Node script as its command. */
function runScript(p: Program, script: string, env: Record<string, string> = {}): Started {
  const path = join(p.dir, 'script.mjs')
  writeFileSync(path, script)
  return p.start(['sandbox', 'run', '--', process.execPath, path], env)
}

/** Returns what is left in the machine's temporary folder and state, apart from the test's own files. */
const leftovers = (p: Program) => readdirSync(p.dir).filter((name) => /bnpl-sandbox-|^state$/.test(name))

/** Returns whether a process has this id. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('the command gets a working service in its environment; its output and exit code are passed on [row 102]', async () => {
  await using p = program()
  const { ended } = runScript(
    p,
    `const { BNPL_BASE_URL: base, BNPL_API_KEY: key, BNPL_ENTITY_ID: entityId } = process.env
     const answer = await fetch(base + '/partner/pre-loan-request/bnpl', {
       method: 'POST',
       headers: { authorization: 'Bearer ' + key },
       body: new URLSearchParams({ idNumber: '11222333-9', amount: 250000, entityId, externalTrxId: 't1' }),
     })
     const { data } = await answer.json()
     console.log(JSON.stringify({ status: answer.status, options: data.installmentOptions.length, base, env: process.env }))
     process.exitCode = 42`,
    { BNPL_PROFILE: 'production', BNPL_API_KEY: 'sk-real', BNPL_BASE_URL: 'https://api.example.com', OWN: 'kept' },
  )
  const { code, stdout, stderr } = await ended
  expect(code, stderr).toBe(42)
  const { status, options, base, env } = JSON.parse(stdout)
  expect({ status, options }).toEqual({ status: 200, options: 4 })
  expect(env).toMatchObject({
    OWN: 'kept',
    BNPL_PAYMENT_URL: `${base}/pay`,
    BNPL_API_KEY: expect.stringMatching(/^sk_sandbox_/),
    BNPL_PUBLIC_KEY: expect.stringMatching(/^pk_sandbox_/),
  })
  expect(env.BNPL_PROFILE).toBeUndefined()
  expect(stderr).not.toMatch(/sk[-_]/)
  // Another program may already listen on the port. It does not know the key.
  const headers = { authorization: `Bearer ${env.BNPL_API_KEY}` }
  const answers = await fetch(`${base}/partner/webhook`, { headers }).then(
    ({ ok }) => ok,
    () => false,
  )
  expect(answers).toBe(false)
  expect(leftovers(p)).toEqual([])
})

test('bnpl inside the command uses the same sandbox, by environment and by -p sandbox', async () => {
  await using p = program()
  const main = LAUNCHER
  const { ended } = runScript(
    p,
    `import { execFileSync } from 'node:child_process'
     const bnpl = (...words) => execFileSync(process.execPath, [${JSON.stringify(main)}, ...words], { stdio: ['ignore', 'pipe', 'ignore'] })
     bnpl('evaluate', '--rut', '11222333-9', '--amount', '250000', '--trx', 't1')
     bnpl('sandbox', 'pay', 't1')
     process.stdout.write(bnpl('verify', 't1', '-p', 'sandbox', '--json'))`,
  )
  const { code, stdout, stderr } = await ended
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ externalTrxId: 't1', loanAmount: 250000, state: 'ACTIVE' })
  expect(leftovers(p)).toEqual([])
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)(
  '%s is passed to the command; if the signal kills the command, the exit code is %i and no process is left',
  async (signal, code) => {
    await using p = program()
    const started = runScript(
      p,
      `import { writeFileSync } from 'node:fs'
     writeFileSync('pid', String(process.pid))
     setInterval(() => {}, 1000)`,
    )
    await until(() => existsSync(join(p.dir, 'pid')) && readFileSync(join(p.dir, 'pid'), 'utf8') !== '', started)
    const pid = Number(readFileSync(join(p.dir, 'pid'), 'utf8'))
    expect(isThere(pid)).toBe(true)
    started.child.kill(signal)
    expect(await started.ended).toMatchObject({ code, signal: null })
    expect(isThere(pid)).toBe(false)
    expect(leftovers(p)).toEqual([])
  },
)

test('sandbox run waits for the end of a command that handles signals, however many signals arrive [row 102]', async () => {
  await using p = program()
  const started = runScript(
    p,
    `import { writeFileSync } from 'node:fs'
     let count = 0
     process.on('SIGINT', () => {
       writeFileSync('count', String(++count))
       process.exitCode = 5
       if (count === 2) clearInterval(timer)
     })
     const timer = setInterval(() => {}, 1000)
     writeFileSync('count', '0')`,
  )
  for (const count of ['0', '1']) {
    await until(() => existsSync(join(p.dir, 'count')) && readFileSync(join(p.dir, 'count'), 'utf8') === count, started)
    started.child.kill('SIGINT')
  }
  expect(await started.ended).toMatchObject({ code: 5 })
  expect(leftovers(p)).toEqual([])
})

test.each([
  ['no-such-program-here', 127, /the program “no-such-program-here” was not found/],
  ['./plain-file', 126, /cannot be run \(EACCES\)/],
  ['./plain-file/program', 126, /cannot be run \(ENOTDIR\)/],
  [`./${'x'.repeat(300)}`, 126, /cannot be run \(ENAMETOOLONG\)/],
])('the program %s cannot be run: exit code %i', async (word, code, said) => {
  await using p = program()
  writeFileSync(join(p.dir, 'plain-file'), 'no program')
  const end = await p.run(['sandbox', 'run', '--', word])
  expect(end).toMatchObject({ code, stdout: '' })
  expect(end.stderr).toMatch(said)
  expect(leftovers(p)).toEqual([])
})

test('the arguments after -- belong to the command, whatever they look like', async () => {
  await using p = program()
  const words = ['--json', '-p', 'x', '--', '--port', '']
  const script = 'console.log(JSON.stringify(process.argv.slice(1)))'
  const end = await p.run(['sandbox', 'run', '-q', '--', process.execPath, '-e', script, '--', ...words])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(end.stdout)).toEqual(words)
})

test('without a command nothing is started', async () => {
  await using p = program()
  expect(await p.run('sandbox run')).toMatchObject({ code: 2, stdout: '' })
  expect(leftovers(p)).toEqual([])
})
