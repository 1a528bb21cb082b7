/**
 * Tests torture with shops, and the shops with torture. The exit code is 1 if a right shop has a finding, if two reports differ, if a mistake
 * is not found, or if the advice does not make a naive shop right. `npm run torture PART …` runs these parts, one after another:
 *
 * - `shops`: each example with every fault; also killed at each call, delivery and payment; also with every fault at a cancellation
 * - `twice`: each example two times against each service that the sandbox can be, without a finding and with the same report byte for byte
 * - `never-returns`: each example with a customer who pays and never returns, and with one such customer beside another one
 * - `mistakes`: copies of two shops, each with one mistake, which one run must find
 * - `sample`: how many of these mistakes `--limit 60` finds; `sample-whole` makes all 60 runs for each mistake, which takes an hour
 * - `naive`: naive shops, which are corrected step by step as torture advises, also with `--restart`
 *
 * Without a part, `shops`, `mistakes` and `naive` are run. A language, such as `python` or `express`, limits the parts to its shops. The
 * option `--jobs N` is passed to torture.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MUTANTS, type Mutant, NEVER_RETURNS, ONE_OF_TWO_RETURNS } from '../test/torture/mutants.ts'
import { type Naive, WALKS } from '../test/torture/naive/walks.ts'
import { PYTHON_MUTANTS } from '../test/torture/python-mutants.ts'
import { RESTART_MUTANTS } from '../test/torture/restart-mutants.ts'
import {
  LANGUAGES,
  type Language,
  NAIVE,
  naiveMachine,
  type ShopMachine,
  type ShopSetting,
  shopMachine,
} from '../test/torture/shop-kit.ts'

const PARTS = ['shops', 'twice', 'never-returns', 'mistakes', 'sample', 'sample-whole', 'naive'] as const
type Part = (typeof PARTS)[number]

const { positionals, values } = parseArgs({ allowPositionals: true, options: { jobs: { type: 'string' } } })
const isPart = (word: string): word is Part => PARTS.some((part) => part === word)
const named = positionals.filter(isPart)
const parts: readonly Part[] = named.length > 0 ? named : ['shops', 'mistakes', 'naive']
const languages = positionals.filter((word) => !isPart(word))
const jobs = values.jobs === undefined ? [] : ['--jobs', values.jobs]

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Whether the shops of a language are to be run. Says so if their program is not installed. */
function isWanted(language: Language | Naive): boolean {
  if (languages.length > 0 && !languages.includes(language)) return false
  const { runs } = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language as Language] : NAIVE[language as Naive]
  const isInstalled = spawnSync('sh', ['-c', `${runs} --version`]).status === 0
  if (!isInstalled) say(`${language}: not run, because ${runs} is not installed`)
  return isInstalled
}

const shopsWanted = () => (['typescript', 'python', 'php'] as const).filter(isWanted)

interface Found {
  faults: number
  causes: readonly { cause: string }[]
  findings: readonly { id: string; invariant: string }[]
}

/** Tortures a shop and returns its report, as JSON and as it was printed. Says what `title` is, and how long it took. */
async function reportOf(
  shop: ShopMachine,
  words: readonly string[],
  title?: string,
): Promise<Found & { text: string }> {
  using m = shop
  const started = performance.now()
  const { code, stdout, stderr } = await m.torture([...words, '--json', ...jobs])
  if (stdout === '') throw new Error(stderr)
  const report: Found = JSON.parse(stdout)
  const seconds = Math.round((performance.now() - started) / 1000)
  if (title !== undefined)
    say(`${title}: exit ${code}, ${report.faults} faults, ${report.findings.length} findings (${seconds} s)`)
  return { ...report, text: stdout }
}

/** Tortures a right shop. Returns whether it has no finding. */
async function isRight(setting: ShopSetting, words: readonly string[], title: string): Promise<boolean> {
  const { findings } = await reportOf(shopMachine(setting), words, title)
  for (const { id, invariant } of findings) say(`  ${id}: ${invariant}`)
  return findings.length === 0
}

async function shopsAreRight(): Promise<boolean> {
  const results: boolean[] = []
  for (const language of shopsWanted()) {
    results.push(await isRight({ language }, [], `${language}, all faults`))
    results.push(await isRight({ language, restarts: true }, ['--only', 'clock'], `${language}, killed`))
    results.push(await isRight({ language, refunds: true }, ['--only', 'refund'], `${language}, refund`))
  }
  return results.every(Boolean)
}

/** Tortures each example two times against each service. Returns whether there is no finding, and both reports are the same bytes. */
async function reportsAreSame(): Promise<boolean> {
  const results: boolean[] = []
  for (const language of shopsWanted())
    for (const service of ['specification', 'banca.me']) {
      const title = `${language}, ${service}`
      const words = ['--service', service]
      const one = await reportOf(shopMachine({ language }), words, title)
      const two = await reportOf(shopMachine({ language }), words, title)
      if (one.text !== two.text) say(`${title}: the two reports differ:\n${one.text}\n${two.text}`)
      results.push(one.text === two.text && one.findings.length === 0)
    }
  return results.every(Boolean)
}

async function loneCustomersAreRight(): Promise<boolean> {
  const results: boolean[] = []
  for (const language of shopsWanted()) {
    const lone = { language, mutant: NEVER_RETURNS[language] }
    results.push(await isRight(lone, [], `${language}, a customer who never returns`))
    results.push(
      await isRight({ ...lone, restarts: true }, ['--only', 'clock'], `${language}, the same customer, killed`),
    )
  }
  if (isWanted('typescript'))
    results.push(await isRight({ mutant: ONE_OF_TWO_RETURNS }, [], 'typescript, one of two customers returns'))
  return results.every(Boolean)
}

interface Mistake {
  mutant: Mutant
  language: Language
  restarts: boolean
}

/** Returns the mistakes kept with the tests. */
function mistakesWanted(): Mistake[] {
  const wanted = shopsWanted()
  return [
    ...MUTANTS.map((mutant) => ({ mutant, language: 'typescript' as const, restarts: false })),
    ...RESTART_MUTANTS.map((mutant) => ({ mutant, language: 'typescript' as const, restarts: true })),
    ...PYTHON_MUTANTS.map((mutant) => ({ mutant, language: 'python' as const, restarts: false })),
  ].filter(({ language }) => wanted.includes(language))
}

/** Tortures a shop with a mistake. Returns whether a finding has the invariant that the mistake breaks. */
async function findsMistake(mistake: Mistake, words: readonly string[]): Promise<Found & { isFound: boolean }> {
  const report = await reportOf(shopMachine(mistake), words).catch((error: Error) => {
    say(`a ${mistake.language} shop that ${mistake.mutant.name} cannot be tested: ${error.message}`)
    return { faults: 0, causes: [], findings: [] }
  })
  return { ...report, isFound: report.findings.some(({ invariant }) => invariant === mistake.mutant.breaks) }
}

/** Makes one run for each mistake. Returns whether every run finds its mistake. */
async function mistakesAreFound(): Promise<boolean> {
  const mistakes = mistakesWanted()
  const waiting = [...mistakes]
  let found = 0
  const worker = async () => {
    for (let mistake = waiting.shift(); mistake !== undefined; mistake = waiting.shift()) {
      const { mutant, language } = mistake
      const { isFound, findings } = await findsMistake(mistake, ['--run', mutant.run])
      if (isFound) found += 1
      else
        say(
          `not found by ${mutant.run}: a ${language} shop that ${mutant.name}: ${findings.map(({ invariant }) => invariant).join(', ')}`,
        )
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs ?? availableParallelism()) }, worker))
  say(`${found} of ${mistakes.length} mistakes found`)
  return found === mistakes.length
}

/** A torture with this limit must find this share of the mistakes. */
const [SAMPLE, SAMPLE_FINDS] = [60, 0.8]

/** Returns the ids of the runs that the sample has for an example without a mistake, and the number of all its faults. */
async function sampleOf(setting: ShopSetting): Promise<{ ids: ReadonlySet<string>; faults: number }> {
  const shop = shopMachine(setting)
  let ids: string[] = []
  const torture: ShopMachine['torture'] = async (words) => {
    const ran = await shop.torture([...words, '--junit', 'report.xml'])
    const junit = readFileSync(join(shop.dir, 'report.xml'), 'utf8')
    ids = [...junit.matchAll(/<testcase [^>]*\bname="([^"]+)"/g)].map(([, name = '']) => name)
    return ran
  }
  const { findings, faults } = await reportOf({ ...shop, torture }, ['--limit', String(SAMPLE)])
  if (findings.length > 0) throw new Error(`the right shop has findings: ${findings.map(({ id }) => id).join(', ')}`)
  return { ids: new Set(ids), faults }
}

/**
 * Returns whether the sample finds enough of the mistakes. Runs do not depend on each other, so it is enough to make the run that finds the
 * mistake, if the sample of the right shop has this run. The whole sample is made if it does not have the run, or if there are other faults
 * because of the mistake.
 */
async function sampleFinds(isWhole: boolean): Promise<boolean> {
  const samples = new Map<string, Awaited<ReturnType<typeof sampleOf>>>()
  const mistakes = mistakesWanted()
  const found = { alone: 0, inSample: 0 }
  for (const mistake of mistakes) {
    const { mutant, ...setting } = mistake
    const refunds = mutant.run.includes('@cancelLoan.')
    const key = JSON.stringify([setting, refunds])
    const sample = samples.get(key) ?? (isWhole ? undefined : await sampleOf({ ...setting, refunds }))
    if (sample !== undefined) samples.set(key, sample)
    const one = sample?.ids.has(mutant.run) ? await findsMistake(mistake, ['--run', mutant.run]) : undefined
    if (one?.isFound && one.faults === sample?.faults) found.alone += 1
    else if ((await findsMistake(mistake, ['--limit', String(SAMPLE)])).isFound) found.inSample += 1
    else say(`not found with --limit ${SAMPLE}: a ${mistake.language} shop that ${mutant.name}`)
  }
  const all = found.alone + found.inSample
  const share = Math.round((100 * all) / mistakes.length)
  say(`--limit ${SAMPLE} finds ${all} of ${mistakes.length} mistakes (${share} %)`)
  if (!isWhole)
    say(`  ${found.alone} by a run of the sample that was made alone, ${found.inSample} by the whole sample`)
  return all >= SAMPLE_FINDS * mistakes.length
}

/** More causes than this are too many to begin with. */
const MOST_CAUSES = 8

/** Follows the advice of the torture from a naive shop to a right one. Each step must mend what its cause breaks. */
async function walk(name: Naive): Promise<boolean> {
  const steps = WALKS[name]
  const after = (count: number, restarts = false) => naiveMachine(name, steps.slice(0, count), restarts)
  const wrong: string[] = []
  for (const restarts of [false, true]) {
    const how = restarts ? ' with --restart' : ''
    const { causes: first } = await reportOf(after(0, restarts), [], `the naive shop for ${name}${how}`)
    if (first.length > MOST_CAUSES) wrong.push(`it has ${first.length} causes${how}`)
    const right = await reportOf(after(steps.length, restarts), [], `after ${steps.length} steps${how}`)
    wrong.push(...right.findings.map(({ id, invariant }) => `after the last step${how}, ${id} finds ${invariant}`))
    say(`${name}${how}: ${first.length} causes, then ${right.causes.length}`)
  }
  for (const [at, { cause, breaks, run, restarts }] of steps.entries()) {
    const isBroken = async (count: number) => {
      const { findings } = await reportOf(after(count, restarts), ['--run', run])
      return findings.some(({ invariant }) => invariant === breaks)
    }
    if (!(await isBroken(at))) wrong.push(`before step ${at + 1}, ${run} does not find that ${cause}`)
    if (await isBroken(at + 1)) wrong.push(`after step ${at + 1}, ${run} still finds that ${cause}`)
  }
  say(`${name}: ${steps.length} steps, ${wrong.length} mistakes in the advice`)
  for (const text of wrong) say(`  ${text}`)
  return wrong.length === 0
}

async function naiveShopsBecomeRight(): Promise<boolean> {
  const results: boolean[] = []
  for (const name of (['express', 'flask', 'php'] as const).filter(isWanted)) results.push(await walk(name))
  return results.every(Boolean)
}

const RUN: Readonly<Record<Part, () => Promise<boolean>>> = {
  shops: shopsAreRight,
  twice: reportsAreSame,
  'never-returns': loneCustomersAreRight,
  mistakes: mistakesAreFound,
  sample: () => sampleFinds(false),
  'sample-whole': () => sampleFinds(true),
  naive: naiveShopsBecomeRight,
}

const results: boolean[] = []
for (const part of parts) {
  const started = performance.now()
  results.push(await RUN[part]())
  say(`${part}: ${results.at(-1) ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 60_000).toFixed(1)} min`)
}
process.exitCode = results.every(Boolean) ? 0 : 1
