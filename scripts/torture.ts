/**
 * Tests the example shops with every fault of the sandbox, and then by killing their server at each call, delivery and payment: `npm run
 * torture`. Then tests their refunds with every fault at the cancellation, and copies of two shops, each with one deliberate mistake, and then
 * naive shops, which are corrected step by step as the torture advises. The exit code is 1 when a correct shop has a finding, when a mistake
 * is not found, or when the advice does not make a naive shop correct.
 *
 * `npm run torture twice` only tests each example two times against each service that the sandbox can be: without a finding, and with the same
 * report byte for byte. `npm run torture sample` only counts how many of the mistakes are found with `--limit 60`, which takes an hour.
 */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { MUTANTS, type Mutant } from '../test/torture/mutants.ts'
import { type Naive, WALKS } from '../test/torture/naive/walks.ts'
import { PYTHON_MUTANTS } from '../test/torture/python-mutants.ts'
import { RESTART_MUTANTS } from '../test/torture/restart-mutants.ts'
import {
  LANGUAGES,
  type Language,
  NAIVE,
  naiveMachine,
  type ShopMachine,
  shopMachine,
} from '../test/torture/shop-kit.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

const isInstalled = (runs: string) => spawnSync('sh', ['-c', `${runs} --version`]).status === 0

/** `killed` kills the shop's server at each call, delivery and payment. `refund` tests the faults at a cancellation. */
type Faults = 'payment' | 'killed' | 'refund'

async function whole(language: Language, faults: Faults): Promise<boolean> {
  if (!isInstalled(LANGUAGES[language].runs)) {
    say(`${language}: not run, because ${LANGUAGES[language].runs} is not installed`)
    return true
  }
  const started = performance.now()
  using m = shopMachine({ language, restarts: faults !== 'payment', refunds: faults === 'refund' })
  const only = { payment: [], killed: ['--only', 'clock'], refund: ['--only', 'refund'] }
  const { code, stdout, stderr } = await m.torture(only[faults])
  say(`${language}, ${faults}: ${(stdout || stderr).trim()} (${Math.round((performance.now() - started) / 1000)} s)`)
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
  if (!isInstalled(LANGUAGES[language].runs)) return true
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

/** More causes than this are too many to begin with. */
const MOST_CAUSES = 8

interface Found {
  causes: readonly { cause: string }[]
  findings: readonly { invariant: string }[]
}

async function foundIn(shop: ShopMachine, words: readonly string[] = []): Promise<Found> {
  using m = shop
  const { stdout, stderr } = await m.torture([...words, '--json'])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Follows the advice of the torture from a naive shop to a correct one. Each step must mend what its cause breaks. */
async function walk(name: Naive): Promise<boolean> {
  if (!isInstalled(NAIVE[name].runs)) return true
  const steps = WALKS[name]
  const after = (count: number) => naiveMachine(name, steps.slice(0, count))
  const wrong: string[] = []
  const { causes: first } = await foundIn(after(0))
  if (first.length > MOST_CAUSES) wrong.push(`it has ${first.length} causes`)
  for (const [at, { cause, breaks, run }] of steps.entries()) {
    const isBroken = async (count: number) => {
      const { findings } = await foundIn(after(count), ['--run', run])
      return findings.some(({ invariant }) => invariant === breaks)
    }
    if (!(await isBroken(at))) wrong.push(`before step ${at + 1}, ${run} does not find that ${cause}`)
    if (await isBroken(at + 1)) wrong.push(`after step ${at + 1}, ${run} still finds that ${cause}`)
  }
  const { causes: last } = await foundIn(after(steps.length))
  wrong.push(...last.map(({ cause }) => `after the last step, ${cause}`))
  say(`the naive shop for ${name}: ${first.length} causes, ${steps.length} steps, then ${last.length} causes`)
  for (const text of wrong) say(`  ${text}`)
  return wrong.length === 0
}

/** Tortures an example two times against a service. Returns whether there is no finding, and both reports are the same bytes. */
async function isSameTwice(language: Language, service: string): Promise<boolean> {
  if (!isInstalled(LANGUAGES[language].runs)) {
    say(`${language}: not run, because ${LANGUAGES[language].runs} is not installed`)
    return true
  }
  const reports: string[] = []
  for (let time = 0; time < 2; time++) {
    const started = performance.now()
    using m = shopMachine({ language })
    const { code, stdout, stderr } = await m.torture(['--service', service, '--json'])
    const what = stdout === '' ? stderr.trim() : `${JSON.parse(stdout).findings.length} findings`
    say(`${language}, ${service}: exit ${code}, ${what} (${Math.round((performance.now() - started) / 1000)} s)`)
    if (code !== 0) return false
    reports.push(stdout)
  }
  const isSame = reports[0] === reports[1]
  if (!isSame) say(`${language}, ${service}: the two reports differ:\n${reports.join('\n')}`)
  return isSame
}

/** A torture with this limit must find this share of the mistakes. */
const [SAMPLE, SAMPLE_FINDS] = [60, 0.8]

/** Tests each shop with a mistake with a sample of the faults. Returns whether enough mistakes are found. */
async function sampleFinds(): Promise<boolean> {
  const mistakes = [
    ...[...MUTANTS, ...RESTART_MUTANTS].map((mutant) => ({ mutant, language: 'typescript' as const })),
    ...PYTHON_MUTANTS.map((mutant) => ({ mutant, language: 'python' as const })),
  ].filter(({ language }) => isInstalled(LANGUAGES[language].runs))
  let found = 0
  for (const { mutant, language } of mistakes) {
    const restarts = RESTART_MUTANTS.includes(mutant)
    const { findings } = await foundIn(shopMachine({ mutant, language, restarts }), ['--limit', String(SAMPLE)])
    if (findings.some(({ invariant }) => invariant === mutant.breaks)) found += 1
    else say(`not found with --limit ${SAMPLE}: a ${language} shop that ${mutant.name}`)
  }
  say(
    `--limit ${SAMPLE} finds ${found} of ${mistakes.length} mistakes (${Math.round((100 * found) / mistakes.length)} %)`,
  )
  return found >= SAMPLE_FINDS * mistakes.length
}

/** Whether a part is to be run: each of the words after `npm run torture` names one, and without a word all parts are run. */
const isWanted = (part: 'shops' | 'mistakes' | 'naive') => process.argv.length === 2 || process.argv.includes(part)

const isRight: boolean[] = []
if (isWanted('shops'))
  for (const faults of ['payment', 'killed', 'refund'] as const)
    for (const language of ['typescript', 'python', 'php'] as const) isRight.push(await whole(language, faults))
if (isWanted('mistakes')) {
  isRight.push(await allFound([...MUTANTS, ...RESTART_MUTANTS], 'typescript'))
  isRight.push(await allFound(PYTHON_MUTANTS, 'python'))
}
if (process.argv.includes('twice'))
  for (const language of ['typescript', 'python', 'php'] as const)
    for (const service of ['specification', 'banca.me']) isRight.push(await isSameTwice(language, service))
if (process.argv.includes('sample')) isRight.push(await sampleFinds())
if (isWanted('naive')) isRight.push(...(await Promise.all((['express', 'flask', 'php'] as const).map(walk))))
process.exitCode = isRight.length > 0 && isRight.every(Boolean) ? 0 : 1
