/**
 * Tortures the shops of the examples with every fault, and the TypeScript one with every mistake: `npm run torture`. Prints a line for each,
 * and ends with 1 when a right shop has a finding or a mistake has none.
 */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { MUTANTS, type Mutant } from '../test/torture/mutants.ts'
import { LANGUAGES, type Language, shopMachine } from '../test/torture/shop-kit.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

async function whole(language: Language): Promise<boolean> {
  if (spawnSync('sh', ['-c', `${LANGUAGES[language].runs} --version`]).status !== 0) {
    say(`${language}: not run, because ${LANGUAGES[language].runs} is not installed`)
    return true
  }
  const started = performance.now()
  using m = shopMachine({ language })
  const { code, stdout, stderr } = await m.torture([])
  say(`${language}: ${(stdout || stderr).trim()} (${Math.round((performance.now() - started) / 1000)} s)`)
  return code === 0
}

async function isFound(mutant: Mutant): Promise<boolean> {
  using m = shopMachine({ mutant })
  const { stdout, stderr } = await m.torture(['--run', mutant.run, '--jobs', '1', '--json'])
  const findings: { invariant: string }[] = stdout === '' ? [] : JSON.parse(stdout).findings
  const broken = findings.map(({ invariant }) => invariant)
  if (broken.includes(mutant.breaks)) return true
  say(`not found by ${mutant.run}: a shop that ${mutant.name}: ${broken.join(', ') || stderr.trim()}`)
  return false
}

let isRight = true
for (const language of ['typescript', 'python', 'php'] as const) isRight = (await whole(language)) && isRight

const waiting = [...MUTANTS]
let found = 0
const workers = Array.from({ length: availableParallelism() }, async () => {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift())
    if (await isFound(mutant)) found += 1
})
await Promise.all(workers)
say(`${found} of ${MUTANTS.length} mistakes found`)
process.exitCode = isRight && found === MUTANTS.length ? 0 : 1
