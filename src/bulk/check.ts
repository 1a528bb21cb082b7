import { createHash } from 'node:crypto'
import { groupDigits } from '../domain/amount.ts'
import { damagedId, isUsualId } from '../domain/identifiers.ts'
import { type BnplError, usage } from '../errors.ts'
import { maskTypedId, maskWords } from '../text/masking.ts'
import { lookalikeForm, shortened, visible } from '../text/visible.ts'
import { createIdHashes, type IdHashes, idHash } from './id-hashes.ts'
import type { CheckedContent, Input } from './input.ts'
import {
  type ColumnUse,
  type Operation,
  type RawRow,
  type RowFile,
  type RowProblem,
  UnreadableRow,
  type Values,
} from './row.ts'
import { isTotalRow, openRows } from './row-file.ts'

/** A longer file would need days to send, so it is probably a mistake. */
const MAX_ROWS = 50_000_000

export interface CheckedFile {
  rows: number
  content: CheckedContent
  /** `idHash` of each row's id, in the order of the file. */
  ids: Float64Array
  /** Names of the columns that are copied to the results; undefined for an NDJSON file with too many of them. */
  otherColumns: readonly string[] | undefined
  /** Names of the columns that are left out of the results, because they contain national ids. */
  leftOut: readonly string[]
  use: ColumnUse
  /** For each column of the operation, in how many rows it has a value. */
  filled: readonly number[]
  /** Lines of the rows of totals that were left out. */
  skipped: readonly number[]
  /** Notes about ids that look alike. */
  notes: readonly string[]
}

/**
 * Checks the whole file before any row is sent. Throws `usage` with the first 20 problems and the count of the other problems.
 * @param signal when it is aborted, the check throws its reason
 */
export async function checkRows(
  input: Input,
  operation: Operation,
  signal: AbortSignal,
  maxRows = MAX_ROWS,
): Promise<CheckedFile> {
  const version = await input.version()
  const hash = createHash('sha256')
  let size = 0
  const problems = createProblems()
  const ids = createIdHashes()
  const odd = createIdHashes()
  const filled = operation.columns.map(() => 0)
  let notes: string[] = []
  let rows = 0
  let file: RowFile | undefined
  try {
    file = await openRows(input, operation, (bytes) => {
      hash.update(bytes)
      size += bytes.length
    })
    for await (const batch of file.batches) {
      signal.throwIfAborted()
      rows += batch.length
      if (rows > maxRows) throw tooMany(input.name, maxRows)
      checkBatch(file, batch, operation, { ids, odd, filled }, problems)
    }
    const repeated = ids.repeated()
    if (repeated.size > 0) await nameRepeats(input, operation, repeated, problems)
    if (problems.count() === 0) notes = await lookalikes(input, operation, { ids, odd })
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
    problems.add(error.line, error.message)
  }
  if (problems.count() > 0) throw refused(input.name, problems)
  if (rows === 0)
    throw usage(`${input.name} has no rows`, 'Write at least one row into the file. Nothing was sent.', 'NO_ROWS')
  const { otherColumns, leftOut = [], skipped = [] } = file ?? {}
  const use = file?.use() ?? { used: [], unused: [] }
  const content = { digest: hash.digest('hex'), size, version }
  return { rows, content, ids: ids.all(), otherColumns, leftOut, use, filled, skipped, notes }
}

interface Hashes {
  ids: IdHashes
  /** Of the ids that have another form in which they could be equal to an id that looks alike: the hashes of this form. */
  odd: IdHashes
}

interface Counted extends Hashes {
  filled: number[]
}

/** This loop is not in the async function, because V8 would run it as unoptimized code after every `await`. */
function checkBatch(
  file: RowFile,
  batch: readonly RawRow[],
  operation: Operation,
  { ids, odd, filled }: Counted,
  problems: Problems,
): void {
  const { columns, id, acceptIds } = operation
  const required = columns.map((column) => column.required)
  for (const row of batch) {
    const values = file.values(row)
    const value = typeof values === 'string' ? undefined : values[id]
    const isUsual = value !== undefined && isUsualId(value)
    if (!isUsual && (value === undefined || mayBeTotal(value))) {
      if (!acceptIds && isTotalRow(file, row, values, operation)) {
        problems.add(row.line, TOTAL_ROW, TOTAL_HINT)
        continue
      }
    }
    if (typeof values === 'string') {
      problems.add(row.line, values)
      continue
    }
    let complete = true
    for (let i = 0; i < required.length; i++) {
      if (values[i] !== undefined) filled[i] = (filled[i] ?? 0) + 1
      if (values[i] !== undefined || !required[i]) continue
      complete = false
      problems.add(row.line, `${shortened(file.spelled(row, i), 60)} is empty`)
    }
    const damage =
      value === undefined || acceptIds
        ? undefined
        : ((isUsual ? undefined : damagedId(value)) ?? repeatedHeader(file, row, value, id))
    if (damage !== undefined) {
      problems.add(row.line, told(file, row, values, { column: id, says: damage }), ID_HINT)
    } else if (complete) {
      const read = operation.read(values)
      if ('problems' in read)
        for (const problem of read.problems)
          problems.add(row.line, typeof problem === 'string' ? problem : told(file, row, values, problem))
      else if (read.obstacle) {
        const obstacle = read.obstacle()
        if (obstacle !== undefined) problems.add(row.line, obstacle)
      }
    }
    if (value === undefined) continue
    ids.add(value)
    if (!isUsual && !isPlain(value)) {
      const form = lookalikeForm(value)
      if (form !== value) odd.add(form)
    }
  }
}

/** Returns why a row is not a row of its own, if it is the first line of another CSV file that was appended to this one. */
const repeatedHeader = (file: RowFile, row: RawRow, value: string, id: number) =>
  file.form === 'csv' && value === file.spelled(row, id) ? 'this row repeats the first line of the file' : undefined

/** Whether an id has only the characters of ASCII, and no repeated blanks. Such an id has no other form. */
const isPlain = (id: string) => /^[!-~]*$/.test(id)

const mayBeTotal = (id: string) => /total|suma/i.test(id)

const TOTAL_ROW = 'this row has the totals of the other rows, and is not a row of its own'
const TOTAL_HINT = 'Add --skip-total to leave out rows of totals.'
const ID_HINT = 'If an id is meant as the file has it, add --accept-ids.'

/** Returns a problem with the name of the column, as the file spells it, and its value. */
function told(file: RowFile, row: RawRow, values: Values, { column, says, isPersonal }: RowProblem): string {
  const value = values[column]
  const name = shortened(visible(file.spelled(row, column)), 60)
  if (value === undefined) return `${name}: ${says}`
  if (!isPersonal) return `${name} “${maskWords(shortened(visible(value), 60))}”: ${says}`
  return /^[\d.,\s\p{Pd}kK]+$/u.test(value)
    ? `${name} “${maskTypedId(shortened(value, 60))}”: ${says}`
    : `${name}: ${says}`
}

const LOOKALIKES = 5

/** Returns a note for each of the first ids that look like another id of the file, and a note that counts the others. */
async function lookalikes(input: Input, operation: Operation, { ids, odd }: Hashes): Promise<string[]> {
  const forms = new Set(odd.all())
  if (forms.size === 0) return []
  const suspects = new Set(odd.repeated())
  for (const hash of ids.all()) if (forms.has(hash)) suspects.add(hash)
  if (suspects.size === 0) return []
  const first = new Map<string, { line: number; id: string }>()
  const notes: string[] = []
  let count = 0
  const file = await openRows(input, operation)
  for await (const batch of file.batches) {
    for (const row of batch) {
      const values = file.values(row)
      const id = typeof values === 'string' ? undefined : values[operation.id]
      const form = id === undefined ? '' : isPlain(id) ? id : lookalikeForm(id)
      if (id === undefined || !suspects.has(idHash(form))) continue
      const earlier = first.get(form)
      if (earlier === undefined) first.set(form, { line: row.line, id })
      else if (++count <= LOOKALIKES)
        notes.push(
          `The ids in lines ${earlier.line} and ${row.line} look alike (“${maskWords(shortened(visible(id), 60))}”), but their characters differ. They are two transactions.`,
        )
    }
  }
  return count > LOOKALIKES ? [...notes, `There are ${count - LOOKALIKES} more ids that look alike.`] : notes
}

async function nameRepeats(
  input: Input,
  operation: Operation,
  suspects: ReadonlySet<number>,
  problems: Problems,
): Promise<void> {
  const { id } = operation
  const first = new Map<string, number>()
  const file = await openRows(input, operation)
  for await (const batch of file.batches) {
    for (const row of batch) {
      const values = file.values(row)
      const value = typeof values === 'string' ? undefined : values[id]
      if (value === undefined || !suspects.has(idHash(value))) continue
      const earlier = first.get(value)
      if (earlier === undefined) first.set(value, row.line)
      else problems.add(row.line, `${shortened(file.spelled(row, id), 60)} is the same as in line ${earlier}`)
    }
  }
}

function tooMany(name: string, maxRows: number): BnplError {
  return usage(
    `${name} has more than ${groupDigits(maxRows)} rows`,
    'Split the file and run the parts one after the other. Nothing was sent.',
    'INPUT_TOO_LARGE',
  )
}

function refused(name: string, problems: Problems): BnplError {
  const count = problems.count()
  const said = count === 1 ? 'a problem' : `${count} problems`
  return usage(
    [`${name} has ${said}; nothing was sent`, ...problems.lines()].join('\n'),
    ['Correct the file, then run the command again.', ...problems.hints()].join(' '),
    'BAD_ROWS',
  )
}

interface Problems {
  /** @param hint a text that helps with problems of this kind */
  add(line: number, problem: string, hint?: string): void
  hints(): string[]
  count(): number
  lines(): string[]
}

const SHOWN = 20

/** Returns an empty collection of a file's problems. It keeps the texts of the first 20 problems, by line, and counts all of them. */
export function createProblems(): Problems {
  let kept: { line: number; problem: string }[] = []
  let count = 0
  const hints = new Set<string>()
  const sort = () => {
    kept = kept.sort((a, b) => a.line - b.line).slice(0, SHOWN)
  }
  return {
    add(line, problem, hint) {
      count++
      if (hint !== undefined) hints.add(hint)
      kept.push({ line, problem })
      if (kept.length > 10 * SHOWN) sort()
    },
    count: () => count,
    hints: () => [...hints],
    lines() {
      sort()
      const more = count > kept.length ? [`… and ${count - kept.length} more`] : []
      return [...kept.map(({ line, problem }) => `line ${line}: ${problem}`), ...more]
    },
  }
}
