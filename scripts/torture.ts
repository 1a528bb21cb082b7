/**
 * Tests the example shops with every fault of the sandbox, and then by killing their server at each call, delivery and payment: `npm run
 * torture`. Then tests copies of two shops, each with one deliberate mistake. The exit code is 1 when a correct shop has a finding, or when
 * a mistake is not found.
 */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { MUTANTS, type Mutant } from '../test/torture/mutants.ts'
import { PYTHON_MUTANTS } from '../test/torture/python-mutants.ts'
import { RESTART_MUTANTS } from '../test/torture/restart-mutants.ts'
import { LANGUAGES, type Language, shopMachine } from '../test/torture/shop-kit.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

const isInstalled = (language: Language) =>
  spawnSync('sh', ['-c', `${LANGUAGES[language].runs} --version`]).status === 0

/** @param restarts true to kill the shop's server at each call, delivery and payment, or false to test the other faults */
async function whole(language: Language, restarts: boolean): Promise<boolean> {
  if (!isInstalled(language)) {
    say(`${language}: not run, because ${LANGUAGES[language].runs} is not installed`)
    return true
  }
  const started = performance.now()
  using m = shopMachine({ language, restarts })
  const { code, stdout, stderr } = await m.torture(restarts ? ['--only', 'clock'] : [])
  say(
    `${language}${restarts ? ', killed' : ''}: ${(stdout || stderr).trim()} (${Math.round((performance.now() - started) / 1000)} s)`,
  )
  return code === 0
}

async function isFound(mutant: Mutant, language: Language): Promise<boolean> {
  using m = shopMachine({ mutant, language, restarts: RESTART_MUTANTS.includes(mutant) })
  const { stdout, stderr } = await m.torture(['--run', mutant.run, '--jobs', '1', '--json'])
  const findings: { invariant: string }[] = stdout === '' ? [] : JSON.parse(stdout).findings
  const broken = findings.map(({ invariant }) => invariant)
  if (broken.includes(mutant.breaks)) return true
  say(`not found by ${mutant.run}: a ${language} shop that ${mutant.name}: ${broken.join(', ') || stderr.trim()}`)
  return false
}

async function allFound(mutants: readonly Mutant[], language: Language): Promise<boolean> {
  if (!isInstalled(language)) return true
  const waiting = [...mutants]
  let found = 0
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift())
      if (await isFound(mutant, language)) found += 1
  })
  await Promise.all(workers)
  say(`${language}: ${found} of ${mutants.length} mistakes found`)
  return found === mutants.length
}

const isRight: boolean[] = []
for (const restarts of [false, true])
  for (const language of ['typescript', 'python', 'php'] as const) isRight.push(await whole(language, restarts))
isRight.push(await allFound([...MUTANTS, ...RESTART_MUTANTS], 'typescript'))
isRight.push(await allFound(PYTHON_MUTANTS, 'python'))
process.exitCode = isRight.every(Boolean) ? 0 : 1
