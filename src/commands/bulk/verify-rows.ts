import { resolve } from 'node:path'
import { column } from '../../bulk/columns.ts'
import type { InputColumn, Operation, RowProblem, RowResult } from '../../bulk/row.ts'
import type { DoneRow } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import type { Loan } from '../../contract/endpoints.ts'
import type { Clock } from '../../domain/clock.ts'
import { identifierProblem } from '../../domain/identifiers.ts'
import { BnplError, tellable } from '../../errors.ts'
import type { VerifiedLoan } from '../../history/history.ts'
import type { JUnitCase } from '../../terminal/junit.ts'
import { maskFields } from '../../text/masking.ts'
import { EXPECTATIONS, type Expected, insteadOf, unmetBy } from '../expectations.ts'
import { historyKey } from '../history-notes.ts'
import { writeJUnit } from '../report-file.ts'
import { answersPreApproval, noLoanAnswers, verifiedRows } from '../verification.ts'
import { runFile } from './file-run.ts'
import type { BulkOptions } from './options.ts'
import type { Calls } from './prepare.ts'
import { answerFields } from './results.ts'

/**
 * For each expectation two columns: one whose name says that it is expected, which counts if it has a value, and one that is named as the
 * field of the loan. The second is also copied to the results, except `monto`, as results have always been.
 */
const COLUMNS: readonly InputColumn[] = [
  column('externalTrxId', { required: true }),
  ...EXPECTATIONS.flatMap(({ field, as, words }) => [
    column(as, { required: false, compared: words }),
    column(field, { required: false, compared: words, copied: (each) => each !== 'monto' }),
  ]),
]

/**
 * `verify --from`: verifies every transaction of a file and compares each loan with the expected values in its row.
 * An empty cell is not compared.
 */
export async function verifyFile(context: Context, from: string, options: BulkOptions): Promise<void> {
  const junit = options.junit === undefined ? undefined : resolve(context.world.cwd, options.junit)
  const report = junit === undefined ? undefined : createVerifyCases(context.clock, reasonOf)
  let notes: ReturnType<typeof loanNotes> | undefined
  // Loads the schema library, which each call needs anyway.
  const { plainFieldsOf } = await import('../../contract/endpoints.ts')
  const fields = plainFieldsOf('verifyLoan').filter((name) => !['externalTrxId', 'state'].includes(name))
  await runFile(context, from, options, ({ api }) => ({
    operation: verifications(context, api, ['state', ...fields], report),
    async onRows(rows) {
      notes ??= loanNotes(context)
      await (await notes)(rows)
      report?.take(rows)
    },
    async onEnd() {
      if (junit === undefined || report === undefined) return
      const at = new Date(context.clock.now()).toISOString()
      await writeJUnit(context.world, junit, 'bnpl verify', report.cases(), at)
    },
  }))
}

/** @param loanColumns the columns of the results for the fields of the loan */
function verifications(
  context: Context,
  api: Calls['api'],
  loanColumns: readonly string[],
  report: VerifyCases | undefined,
): Operation {
  const transactionOf = verifiedRows(context)
  // In the built program, each use of the name of an export is a call.
  const expectations = EXPECTATIONS
  return {
    command: 'verify',
    things: 'verifications',
    columns: COLUMNS,
    id: 0,
    repeatable: true,
    settings: '',
    explain: reasonOf,
    resultColumns: ['differences', ...loanColumns, 'expectedAmount', 'expectedState', 'expectedPeriods'],
    read(values) {
      const [externalTrxId = ''] = values
      const problems: RowProblem[] = []
      const idProblem = identifierProblem(externalTrxId)
      if (idProblem !== undefined) problems.push({ column: 0, says: `it cannot be sent: ${idProblem}` })
      const expected: Expected = {}
      for (let i = 0; i < expectations.length; i++) {
        const own = 1 + 2 * i
        const position = values[own] === undefined ? own + 1 : own
        const text = values[position]
        const expectation = expectations[i]
        if (text === undefined || expectation === undefined) continue
        const value = expectation.read(text)
        if (value.ok) expected[expectation.as] = value.value
        else problems.push({ column: position, says: value.reason })
      }
      if (problems.length > 0) return { problems }
      const send = () => verified(context, api, { id: externalTrxId, transactionOf }, expected)
      return { send: report === undefined ? send : () => report.timed(externalTrxId, send) }
    },
  }
}

async function verified(
  context: Context,
  api: Calls['api'],
  { id, transactionOf }: { id: string; transactionOf(id: string): Promise<string> },
  expected: Expected,
): Promise<RowResult> {
  const client = await api()
  const externalTrxId = await transactionOf(id)
  try {
    const { data } = await client.call('verifyLoan', { params: { externalTrxId }, body: {} })
    const isRight = data.externalTrxId === externalTrxId || (await answersPreApproval(context, externalTrxId, data))
    return compared(id, data, expected, isRight)
  } catch (error) {
    if (!(error instanceof BnplError) || !(await noLoanAnswers(context)).isNotYet(error)) throw error
    return { outcome: 'missing', differences: [], ...expected }
  }
}

/** @param isRight true if the id in the row is the externalTrxId or the preApproveId of the loan */
function compared(id: string, loan: Loan, expected: Expected, isRight: boolean): RowResult {
  const differences = [...(isRight ? [] : ['externalTrxId']), ...unmetBy(loan, expected).map(({ kind }) => kind)]
  const { externalTrxId: answered, ...rest } = maskFields(loan)
  return {
    outcome: differences.length === 0 ? 'ok' : 'different',
    differences,
    ...answerFields(rest, expected),
    ...expected,
    ...(loan.externalTrxId === id ? {} : { answeredExternalTrxId: answered }),
  }
}

function reasonOf(result: RowResult): string {
  if (result.error !== undefined) return result.error.message
  if (result.outcome === 'missing') return 'this transaction has no loan'
  const facts = new Map([['externalTrxId', `the answer is about ${result.answeredExternalTrxId}`]])
  for (const { kind, field, as, words } of EXPECTATIONS)
    facts.set(kind, `${words} is ${insteadOf(result[field], result[as])}`)
  const kinds = Array.isArray(result.differences) ? result.differences : []
  return kinds.map((kind) => facts.get(String(kind))).join('; ')
}

const BATCH = 512

/**
 * Returns a function that updates the loans of known transactions in the history. If the history cannot be written,
 * the run continues after one warning, because the results contain all data.
 */
async function loanNotes(context: Context): Promise<(rows: readonly DoneRow[]) => Promise<void>> {
  let isOff = false
  let loans: VerifiedLoan[] = []
  const guarded = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      isOff = true
      context.output.warn(`the local history could not be written (${tellable(error)})`)
      return undefined
    }
  }
  const profile = historyKey(await context.settings())
  const known = await guarded(async () => (await context.history()).latest(profile))
  if (known === undefined) return async () => {}
  const flush = async () => {
    const batch = loans
    loans = []
    if (batch.length > 0 && !isOff) await guarded(async () => (await context.history()).noteLoans(profile, batch))
  }
  context.onClose(flush)
  return async (rows) => {
    const verifiedAt = new Date(context.clock.now()).toISOString()
    for (const { id, result } of rows) {
      if (typeof result.state !== 'string' || isOfAnother(result)) continue
      const externalTrxId = typeof result.answeredExternalTrxId === 'string' ? result.answeredExternalTrxId : id
      loans.push({ externalTrxId, loanState: result.state, verifiedAt })
    }
    if (loans.length >= BATCH) await flush()
  }
}

const isOfAnother = ({ differences }: RowResult): boolean =>
  Array.isArray(differences) && differences.includes('externalTrxId')

const JUNIT_CASES = 10_000

interface VerifyCases {
  /** Makes the call of a row, and measures its duration, which includes waits and retries. */
  timed(id: string, call: () => Promise<RowResult>): Promise<RowResult>
  take(rows: readonly DoneRow[]): void
  /** Returns the cases. Of the transactions that passed, only the first 10,000 have their own case. */
  cases(): JUnitCase[]
}

/**
 * Returns an empty collection of test cases.
 * @param explain returns why a row is not as expected
 */
function createVerifyCases(clock: Pick<Clock, 'monotonic'>, explain: (result: RowResult) => string): VerifyCases {
  const cases: JUnitCase[] = []
  const took = new Map<string, number>()
  let passed = 0
  let othersMs = 0
  return {
    async timed(id, call) {
      const began = clock.monotonic()
      try {
        return await call()
      } finally {
        took.set(id, clock.monotonic() - began)
      }
    },
    take(rows) {
      for (const { id, result } of rows) {
        const ms = took.get(id) ?? 0
        took.delete(id)
        if (result.outcome !== 'ok') cases.push({ name: id, ms, failure: explain(result) })
        else if (++passed <= JUNIT_CASES) cases.push({ name: id, ms })
        else othersMs += ms
      }
    },
    cases() {
      const more = passed - JUNIT_CASES
      return more <= 0 ? cases : [...cases, { name: `${more} more transactions`, ms: othersMs }]
    },
  }
}
