import { groupDigits } from '../domain/amount.ts'
import { type BnplError, usage } from '../errors.ts'
import { type Blocks, createBlockReader } from './blocks.ts'
import { createIdHashes, type IdHashes, idHash } from './id-hashes.ts'
import type { Input } from './input.ts'
import type { Operation } from './operation.ts'
import { type RawRow, type RowFile, UnreadableRow } from './row.ts'
import { openRows } from './row-file.ts'

/** A longer file would need days to send, so it is probably a mistake. */
const MAX_ROWS = 50_000_000

export interface CheckedFile {
  rows: number
  blocks: Blocks
  /** `idHash` of each row's id, in the order of the file. */
  ids: Float64Array
  /** Names of the columns that are copied to the results; undefined for an NDJSON file with too many of them. */
  otherColumns: readonly string[] | undefined
  /** Names of the columns that are left out of the results, because they contain national ids. */
  leftOut: readonly string[]
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
  const blocks = createBlockReader()
  const problems = createProblems()
  const ids = createIdHashes()
  let rows = 0
  let file: RowFile | undefined
  try {
    file = await openRows(input, operation.columns, (bytes) => blocks.add(bytes))
    for await (const batch of file.batches) {
      signal.throwIfAborted()
      rows += batch.length
      if (rows > maxRows) throw tooMany(input.name, maxRows)
      checkBatch(file, batch, operation, ids, problems)
    }
    const repeated = ids.repeated()
    if (repeated.size > 0) await nameRepeats(input, operation, repeated, problems)
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
    problems.add(error.line, error.message)
  }
  if (problems.count() > 0) throw refused(input.name, problems)
  if (rows === 0)
    throw usage(`${input.name} has no rows`, 'Write at least one row into the file. Nothing was sent.', 'NO_ROWS')
  const { otherColumns, leftOut = [] } = file ?? {}
  return { rows, blocks: blocks.end(version), ids: ids.all(), otherColumns, leftOut }
}

/** This loop is not in the async function, because V8 would run it as unoptimized code after every `await`. */
function checkBatch(
  file: RowFile,
  batch: readonly RawRow[],
  operation: Operation,
  ids: IdHashes,
  problems: Problems,
): void {
  const { columns, id } = operation
  for (const row of batch) {
    const values = file.values(row)
    if (typeof values === 'string') {
      problems.add(row.line, values)
      continue
    }
    let complete = true
    for (let i = 0; i < columns.length; i++) {
      if (values[i] !== undefined || !columns[i]?.required) continue
      complete = false
      problems.add(row.line, `${columns[i]?.name} is empty`)
    }
    if (complete) {
      const read = operation.read(values)
      if ('problems' in read) for (const problem of read.problems) problems.add(row.line, problem)
      else if (read.obstacle) {
        const obstacle = read.obstacle()
        if (obstacle !== undefined) problems.add(row.line, obstacle)
      }
    }
    const value = values[id]
    if (value !== undefined) ids.add(value)
  }
}

async function nameRepeats(
  input: Input,
  { columns, id }: Operation,
  suspects: ReadonlySet<number>,
  problems: Problems,
): Promise<void> {
  const first = new Map<string, number>()
  const file = await openRows(input, columns)
  for await (const batch of file.batches) {
    for (const row of batch) {
      const values = file.values(row)
      const value = typeof values === 'string' ? undefined : values[id]
      if (value === undefined || !suspects.has(idHash(value))) continue
      const earlier = first.get(value)
      if (earlier === undefined) first.set(value, row.line)
      else problems.add(row.line, `${columns[id]?.name} is the same as in line ${earlier}`)
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
    'Correct the file, then run the command again.',
    'BAD_ROWS',
  )
}

interface Problems {
  add(line: number, problem: string): void
  count(): number
  lines(): string[]
}

const SHOWN = 20

/** Returns an empty collection of a file's problems. It keeps the texts of the first 20 problems, by line, and counts all of them. */
export function createProblems(): Problems {
  let kept: { line: number; problem: string }[] = []
  let count = 0
  const sort = () => {
    kept = kept.sort((a, b) => a.line - b.line).slice(0, SHOWN)
  }
  return {
    add(line, problem) {
      count++
      kept.push({ line, problem })
      if (kept.length > 10 * SHOWN) sort()
    },
    count: () => count,
    lines() {
      sort()
      const more = count > kept.length ? [`… and ${count - kept.length} more`] : []
      return [...kept.map(({ line, problem }) => `line ${line}: ${problem}`), ...more]
    },
  }
}
