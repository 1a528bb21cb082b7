import { basename, join, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { compareDelivery } from '../../contract/compare/answer.ts'
import { compareExchange } from '../../contract/compare/compare.ts'
import type { Difference } from '../../contract/compare/exchange.ts'
import {
  FIELD_NAMES,
  FIELDS,
  type GivenAnswers,
  PATH_SETTINGS,
  type ServiceDescription,
  SPECIFICATION,
} from '../../contract/description.ts'
import { descriptionRecord } from '../../contract/description-file.ts'
import { SERVICE_NAMES } from '../../contract/services.ts'
import { checkTarget, openTarget } from '../../disk/target-file.ts'
import { BnplError, usage } from '../../errors.ts'
import { knownAnswers } from '../../profiles/resolve.ts'
import { createFixtures, createHarWriter } from '../../recording/export-formats.ts'
import { type Learnt, type LearntAnswer, learn } from '../../recording/learn.ts'
import { type Entry, type RecordedLine, readRecording } from '../../recording/lines.ts'
import { isMark } from '../../recording/values.ts'
import type { JUnitCase } from '../../terminal/junit.ts'
import { countOf } from '../../terminal/numbers.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { wrap } from '../../terminal/wrap.ts'
import { commandLine } from '../../text/shell-word.ts'
import { toJson } from '../../text/visible.ts'
import { refuseDryRun } from '../global-options.ts'
import { reportPlace, writeJUnit } from '../report-file.ts'

/**
 * Compares recordings with the contract, and prints each kind of difference one time. Throws `check-failed` if
 * something differs or there is nothing to check, and `usage` for a file that is not a recording.
 */
export async function checkRecordings(
  context: Context,
  files: readonly string[],
  options: { junit?: string },
): Promise<void> {
  const { world, output, clock } = context
  const junit = await reportPlace(world.cwd, options.junit)
  const startedAt = new Date(clock.now()).toISOString()
  const unbound = await world.boundMemory()
  const found = await compareRecordings(context, files).finally(unbound)
  const differences = [...found.differences.values()].sort((a, b) => b.count - a.count)
  if (junit !== undefined) await writeJUnit(world, junit, 'bnpl contract check', casesOf(found, differences), startedAt)
  await output.result(differences, () => differencesTable(context, found, differences))
  if (found.news.size > 0)
    output.note(
      `These fields and codes do not count as differences, because the specification does not show them: ${inWords([...found.news])}`,
    )
  judge(found, differences)
}

const inWords = (fields: readonly string[]): string =>
  fields.slice(0, MOST_NEWS).join(', ') + (fields.length > MOST_NEWS ? ' and more' : '')

function casesOf({ checked }: RecordedFindings, differences: readonly CountedDifference[]): JUnitCase[] {
  return [...checked].map(([name, times]) => {
    const own = differences.filter(({ endpoint }) => nameOf(endpoint) === name)
    const failure = own.map(
      ({ where, expected, seen, count, line }) =>
        `${where}: ${seen}; expected ${expected} (${count} times, first in line ${line})`,
    )
    return { name: `${name} (${times})`, ms: 0, ...(own.length > 0 && { failure: failure.join('\n') }) }
  })
}

async function differencesTable(
  { io, output }: Context,
  { checked }: RecordedFindings,
  differences: readonly CountedDifference[],
) {
  const sum = [...checked.values()].reduce((all, each) => all + each, 0)
  if (differences.length === 0)
    return sum === 0
      ? 'The recordings contain no call or delivery to check.'
      : wrap(
          output.inLanguage(`${exchanges(sum)} as the contract describes ${sum === 1 ? 'it' : 'them'}.`),
          io.columns,
          '',
        )
  const several = new Set(differences.map(({ file }) => file)).size > 1
  return renderTable(
    differences,
    [
      { title: 'Call', value: ({ endpoint }) => output.inLanguage(nameOf(endpoint)) },
      { title: 'Where', isText: true, value: ({ where }) => where, shrinks: 'wraps' },
      { title: 'Expected', isText: true, value: ({ expected }) => expected, shrinks: 'wraps' },
      { title: 'Seen', isText: true, value: ({ seen }) => seen, shrinks: 'wraps', look: output.style.yellow },
      { title: 'Count', value: ({ count }) => String(count), align: 'right' },
      { title: 'Line', value: ({ file, line }) => (several ? `${file}:${line}` : String(line)), align: 'right' },
    ],
    tableOn(output),
  )
}

const exchanges = (count: number) => (count === 1 ? `${count} exchange is` : `${count} exchanges are`)

function judge({ checked }: RecordedFindings, differences: readonly CountedDifference[]): void {
  if (checked.size > 0 && differences.length === 0) return
  const calls = new Set(differences.map(({ endpoint }) => nameOf(endpoint)))
  throw new BnplError(
    'check-failed',
    checked.size === 0
      ? 'the recordings contain no call or delivery to check'
      : `${countOf(differences.length, 'difference')} from the contract: ${[...calls].join(', ')}`,
    { code: 'CHECK_FAILED' },
  )
}

interface CountedDifference extends Difference {
  /** The name of the call, or `delivery`; null for a path that is not in the contract. */
  endpoint: string | null
  count: number
  file: string
  line: number
}

interface RecordedFindings {
  differences: Map<string, CountedDifference>
  /** The number of checked exchanges, by the name of the call. Deliveries are counted under `delivery`. */
  checked: Map<string, number>
  news: Set<string>
}

/** The maximum number of stored differences, so that a malicious file cannot fill the memory. A real service causes far fewer. */
const MOST = 5000
/** The maximum number of names in the output's list of fields that the specification does not show. */
const MOST_NEWS = 12

/**
 * Compares recordings with the contract, line by line, in constant memory. Throws `usage` for a file that is not a
 * recording.
 * @param since entries that were recorded before this time (ISO 8601, UTC) are ignored
 */
export async function compareRecordings(
  context: Context,
  files: readonly string[],
  since = '',
): Promise<RecordedFindings> {
  const found: RecordedFindings = { differences: new Map(), checked: new Map(), news: new Set() }
  const { service: description } = await context.settings()
  const paths = knownAnswers(description, PATH_SETTINGS)
  for (const file of files) {
    for await (const { line, entry } of entriesOf(context.world, file))
      if (entry.at >= since) compareEntry(found, entry, { file, line }, { paths, description, isHidden: isMark })
  }
  return found
}

/** Yields the entries of a recording without the secrets of this run, which may be in a file that was edited or that another program wrote. */
async function* entriesOf({ cwd, secrets }: Context['world'], file: string) {
  for await (const { line, entry } of readRecording(resolve(cwd, file))) yield { line, entry: secrets.hideIn(entry) }
}

function compareEntry(
  found: RecordedFindings,
  entry: Entry,
  example: { file: string; line: number },
  options: Parameters<typeof compareExchange>[1] & { description: ServiceDescription },
): void {
  if (entry.kind === 'delivery') count(found, 'delivery', compareDelivery(entry.request, options.description), example)
  // The contract does not cover the download of a report. The path of such a download is a whole address with the host.
  if (entry.kind !== 'exchange' || !entry.request.path.startsWith('/')) return
  const { endpoint, problems, news } = compareExchange(entry, options)
  for (const place of news) if (found.news.size <= MOST_NEWS) found.news.add(place)
  count(found, endpoint, problems, example)
}

function count(
  { checked, differences }: RecordedFindings,
  endpoint: string | null,
  problems: readonly Difference[],
  example: { file: string; line: number },
): void {
  const name = nameOf(endpoint)
  checked.set(name, (checked.get(name) ?? 0) + 1)
  for (const problem of problems) {
    const key = JSON.stringify([endpoint, problem.where, problem.expected, problem.seen])
    const known = differences.get(key)
    if (known) known.count++
    else if (differences.size < MOST) differences.set(key, { endpoint, ...problem, count: 1, ...example })
  }
}

const nameOf = (endpoint: string | null): string => endpoint ?? 'unknown call'

interface LearnOptions {
  write?: string | undefined
  force?: boolean | undefined
}

/**
 * Learns from recordings which open questions about a service they answer, and prints the answers. `--write` stores them as the
 * description of a service. Throws `check-failed` if there is nothing to learn from, `usage` for a file that is not a
 * recording, and `usage` or `output` for a file that cannot be written.
 */
export async function learnFromRecordings(
  context: Context,
  files: readonly string[],
  { write, force = false }: LearnOptions,
): Promise<void> {
  const { world, output } = context
  const path = write === undefined ? undefined : resolve(world.cwd, write)
  if (path !== undefined) {
    refuseDryRun(context)
    await checkTarget(path, force, '--write')
  }
  const unbound = await world.boundMemory()
  const learnt = await learnFiles(context, files).finally(unbound)
  if (learnt.exchanges + learnt.deliveries === 0)
    throw new BnplError('check-failed', 'the recordings contain no call or delivery to learn from', {
      code: 'CHECK_FAILED',
    })
  const { answers } = learnt
  const base = path === undefined ? undefined : await knownService(context)
  if (path !== undefined) await writeDescription(world, path, { answers, base, force })
  await output.result(answers, () => answersTable(context, answers))
  const open = FIELD_NAMES.filter((name) => !answers.some(({ field }) => field === name))
  if (open.length > 0)
    output.note(`The recordings do not answer: ${open.join(', ')}. To see the questions, run: bnpl contract gaps`)
  if (write === undefined) {
    if (answers.length > 0) output.note('To store the answers as the description of a service, add: --write FILE')
    return
  }
  if (base !== undefined)
    output.note(
      `Where the recordings answer nothing, the description has the answers of ${base}, the service of the profile.`,
    )
  output.note(
    `The description is in ${write}. Use it with: ${commandLine('bnpl profiles set service', [write])}, or: ${commandLine('bnpl sandbox start --service', [write])}`,
  )
}

async function learnFiles(context: Context, files: readonly string[]): Promise<Learnt> {
  async function* lines(): AsyncGenerator<RecordedLine> {
    for (const file of files)
      for await (const { line, entry } of entriesOf(context.world, file)) yield { file, line, entry }
  }
  return learn(lines())
}

/** Returns the named service of the profile, whose answers hold where a recording shows nothing; undefined for the specification. */
async function knownService(context: Context): Promise<string | undefined> {
  const { service } = await context.settings().catch((error: unknown) => {
    // A profile may name the very file that is to be written, and that is not there any more.
    if (!(error instanceof BnplError)) throw error
    context.output.warn(
      `the service of the profile is not known, so the description follows the specification: ${error.message}`,
    )
    return { service: SPECIFICATION }
  })
  const name = SERVICE_NAMES.includes(service.name) ? service.name : service.base
  return name === SPECIFICATION.name ? undefined : name
}

async function writeDescription(
  world: Context['world'],
  path: string,
  { answers, base, force }: { answers: readonly LearntAnswer[]; base: string | undefined; force: boolean },
): Promise<void> {
  const given: GivenAnswers = Object.fromEntries(
    answers.map(({ field, answer, evidence }) => [
      field,
      { text: answer, source: { lines: evidence.map(({ line }) => line) } },
    ]),
  )
  await writeFile(world, path, '--write', force, (take) => take(`${toJson(descriptionRecord(given, base), 2)}\n`))
}

/** Writes a file in parts. The file appears at its path when it is complete. */
async function writeFile(
  { pid }: Context['world'],
  path: string,
  option: string,
  force: boolean,
  write: (take: (text: string) => void) => void | Promise<void>,
): Promise<void> {
  const target = openTarget(path, { force, pid, mode: 0o600, otherPlace: option })
  try {
    await write((text) => target.take(Buffer.from(text)))
    await target.commit()
  } finally {
    await target.discard()
  }
}

function answersTable({ output }: Context, answers: readonly LearntAnswer[]): Promise<string> | string {
  if (answers.length === 0) return 'The recordings answer no open question.'
  const several = new Set(answers.flatMap(({ evidence }) => evidence.map(({ file }) => file))).size > 1
  return renderTable(
    answers,
    [
      { title: 'Gap', value: ({ gap }) => String(gap ?? '–'), align: 'right' },
      { title: 'Field', value: ({ field }) => field },
      { title: 'Question', isText: true, value: ({ field }) => FIELDS[field].question, shrinks: 'wraps' },
      { title: 'Answer', value: ({ answer }) => answer, shrinks: 'wraps', look: output.style.yellow },
      {
        title: several ? 'Lines' : 'Line',
        value: ({ evidence }) =>
          evidence.map(({ file, line }) => (several ? `${basename(file)}:${line}` : line)).join(', '),
        shrinks: 'wraps',
      },
    ],
    tableOn(output),
  )
}

interface ExportOptions {
  har?: string | undefined
  fixtures?: string | undefined
  force?: boolean | undefined
}

interface Exported {
  file: string
  entries: number
}

/**
 * Writes recordings as HAR or as fixtures. Throws `usage` if a file exists already (without `--force`), and `output`
 * if a file cannot be written.
 */
export async function exportRecordings(
  context: Context,
  files: readonly string[],
  options: ExportOptions,
): Promise<void> {
  refuseDryRun(context)
  const { cwd } = context.world
  const paths = files.map((file) => resolve(cwd, file))
  const { har, fixtures } = options
  if (har === undefined && fixtures === undefined)
    throw usage('the format is missing', 'Add --har FILE or --fixtures DIR.', 'NO_FORMAT')
  const written: Exported[] = []
  if (har !== undefined) written.push(await writeHar(context, paths, har, options))
  if (fixtures !== undefined) written.push(...(await writeFixtures(context, paths, fixtures, options)))
  const { output } = context
  await output.result(written, () =>
    renderTable(
      written,
      [
        { title: 'File', value: ({ file }) => file, shrinks: 'middle' },
        { title: 'Entries', value: ({ entries }) => String(entries), align: 'right' },
      ],
      tableOn(output),
    ),
  )
}

async function writeHar(
  { world }: Context,
  paths: readonly string[],
  name: string,
  { force = false }: ExportOptions,
): Promise<Exported> {
  const file = resolve(world.cwd, name)
  await checkTarget(file, force, '--har')
  const har = createHarWriter()
  let entries = 0
  await writeFile(world, file, '--har', force, async (take) => {
    take(har.head(world.version))
    for (const path of paths)
      for await (const { entry } of entriesOf(world, path)) {
        const text = har.entry(entry)
        if (text === undefined) continue
        entries++
        take(text)
      }
    take(har.tail)
  })
  return { file: name, entries }
}

async function writeFixtures(
  { world }: Context,
  paths: readonly string[],
  dir: string,
  { force = false }: ExportOptions,
): Promise<Exported[]> {
  const set = createFixtures()
  for (const path of paths) for await (const { entry } of entriesOf(world, path)) set.add(entry)
  const index = set.index()
  const files = [
    ...set.fixtures().map(({ file, content }, i) => ({ file, content, entries: index[i]?.count ?? 0 })),
    { file: 'index.json', content: index, entries: index.length },
  ].map((each) => ({ ...each, name: join(dir, each.file), file: resolve(world.cwd, dir, each.file) }))
  for (const { file } of files) await checkTarget(file, force, '--fixtures')
  for (const { file, content } of files)
    await writeFile(world, file, '--fixtures', force, (take) => take(`${toJson(content, 2)}\n`))
  return files.map(({ name, entries }) => ({ file: name, entries }))
}
