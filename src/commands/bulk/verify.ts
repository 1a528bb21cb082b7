import { resolve } from 'node:path'
import type { Operation, RowResult } from '../../bulk/operation.ts'
import type { Client } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import type { Loan } from '../../contract/loan.ts'
import { parseAmount } from '../../domain/amount.ts'
import { identifierProblem } from '../../domain/identifiers.ts'
import { BnplError } from '../../errors.ts'
import type { JUnitCase } from '../../terminal/junit.ts'
import { maskStructure } from '../../text/masking.ts'
import { writeJUnit } from '../report-file.ts'
import { loanNotes } from './loan-notes.ts'
import type { BulkOptions } from './options.ts'
import { runBulk } from './run.ts'

const COLUMNS = [
  { name: 'externalTrxId', also: ['trx', 'transaction'], required: true },
  { name: 'expectedAmount', required: false },
  { name: 'expectedState', required: false },
  { name: 'expectedPeriods', required: false },
] as const

const LOAN_COLUMNS = [
  'state',
  'loanAmount',
  'interestRate',
  'periods',
  'installmentAmount',
  'lastInstallmentAmount',
  'transferDate',
] as const

/** Test cases of a JUnit report that are written one by one; of a longer run only those that are not ok. */
const JUNIT_CASES = 10_000

/**
 * `verify --from`: verifies every transaction of a file and holds each loan against its row (`expectedAmount`, `expectedState`,
 * `expectedPeriods`; an empty cell expects nothing).
 */
export async function verifyFile(context: Context, from: string, options: BulkOptions): Promise<void> {
  const junit = options.junit === undefined ? undefined : resolve(context.world.cwd, options.junit)
  const cases: JUnitCase[] = []
  let passed = 0
  let notes: ReturnType<typeof loanNotes> | undefined
  await runBulk(context, from, options, ({ api }) => ({
    operation: verification(api),
    async onRows(rows) {
      notes ??= loanNotes(context)
      await (await notes)(rows)
      if (junit === undefined) return
      for (const { id, result } of rows) {
        const failure = result.outcome === 'ok' ? undefined : reasonOf(result)
        if (failure === undefined && ++passed > JUNIT_CASES) continue
        cases.push({ name: id, ms: 0, ...(failure === undefined ? {} : { failure }) })
      }
    },
    async onEnd() {
      if (junit === undefined) return
      if (passed > JUNIT_CASES) cases.push({ name: `${passed - JUNIT_CASES} more transactions`, ms: 0 })
      await writeJUnit(context.world, junit, 'bnpl verify', cases, new Date(context.clock.now()).toISOString())
    },
  }))
}

function verification(api: () => Promise<Client>): Operation {
  return {
    command: 'verify',
    things: 'verifications',
    columns: COLUMNS,
    id: 0,
    repeatable: true,
    settings: '',
    explain: reasonOf,
    resultColumns: ['differences', ...LOAN_COLUMNS, 'expectedAmount', 'expectedState', 'expectedPeriods'],
    check([externalTrxId = '', amount, , periods]) {
      const problems = identifierProblems('externalTrxId', externalTrxId)
      addAmountProblem(problems, 'expectedAmount', amount)
      addAmountProblem(problems, 'expectedPeriods', periods)
      return problems
    },
    async send([externalTrxId = '', amount, state, periods]) {
      const expected = {
        ...(amount === undefined ? {} : { expectedAmount: Number(amount) }),
        ...(state === undefined ? {} : { expectedState: state }),
        ...(periods === undefined ? {} : { expectedPeriods: Number(periods) }),
      }
      const client = await api()
      try {
        const { data } = await client.call('verifyLoan', { params: { externalTrxId }, body: {} })
        return reconciled(externalTrxId, data, expected)
      } catch (error) {
        // No loan is an answer, and the most common difference.
        if (!(error instanceof BnplError) || error.kind !== 'not-found') throw error
        return { outcome: 'missing', differences: [], ...expected }
      }
    },
  }
}

function identifierProblems(name: string, value: string): string[] {
  const problem = identifierProblem(value)
  return problem === undefined ? [] : [`${name} cannot be sent: ${problem}`]
}

function addAmountProblem(problems: string[], name: string, text: string | undefined): void {
  const read = text === undefined ? undefined : parseAmount(text)
  if (read && !read.ok) problems.push(`${name}: ${read.reason}`)
}

interface Expected {
  expectedAmount?: number
  expectedState?: string
  expectedPeriods?: number
}

/** A loan beside what was expected of it; states are compared literally (gap 3). */
export function reconciled(externalTrxId: string, loan: Loan, expected: Expected): RowResult {
  const differences: string[] = []
  if (loan.externalTrxId !== externalTrxId) differences.push('externalTrxId')
  if (expected.expectedAmount !== undefined && expected.expectedAmount !== loan.loanAmount) differences.push('amount')
  if (expected.expectedState !== undefined && expected.expectedState !== loan.state) differences.push('state')
  if (expected.expectedPeriods !== undefined && expected.expectedPeriods !== loan.periods) differences.push('periods')
  const { externalTrxId: answered, ...rest } = maskStructure(loan) as Loan
  return {
    outcome: differences.length === 0 ? 'ok' : 'different',
    differences,
    ...rest,
    ...expected,
    ...(loan.externalTrxId === externalTrxId ? {} : { answeredExternalTrxId: answered }),
  }
}

function reasonOf(result: RowResult): string {
  const error = result.error as { message?: unknown } | undefined
  if (error !== undefined) return String(error.message)
  if (result.outcome === 'missing') return 'there is no loan for this transaction'
  const facts: Record<string, string> = {
    amount: `amount is ${result.loanAmount}, expected ${result.expectedAmount}`,
    state: `state is ${result.state}, expected ${result.expectedState}`,
    periods: `number of instalments is ${result.periods}, expected ${result.expectedPeriods}`,
    externalTrxId: `the answer is about ${result.answeredExternalTrxId}`,
  }
  return (result.differences as string[]).map((kind) => facts[kind]).join('; ')
}
