import { resolve } from 'node:path'
import type { Operation, RowCall, RowResult } from '../../bulk/operation.ts'
import type { Context } from '../../context.ts'
import type { Loan } from '../../contract/endpoints.ts'
import { parseAmount } from '../../domain/amount.ts'
import { identifierProblem } from '../../domain/identifiers.ts'
import { BnplError } from '../../errors.ts'
import { maskFields } from '../../text/masking.ts'
import { noLoanAnswers } from '../no-loan.ts'
import { writeJUnit } from '../report-file.ts'
import { answersPreApproval, verifiedRows } from '../verified-id.ts'
import { answerFields } from './answer-fields.ts'
import type { Calls } from './calls.ts'
import { runFile } from './file-run.ts'
import { loanNotes } from './loan-notes.ts'
import type { BulkOptions } from './options.ts'
import { createVerifyCases, type VerifyCases } from './verify-cases.ts'

const COLUMNS = [
  { name: 'externalTrxId', also: ['trx', 'transaction'], orElse: ['order', 'orden'], required: true },
  { name: 'expectedAmount', also: ['monto'], alike: ['amount', 'total', 'importe'], required: false },
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

/**
 * `verify --from`: verifies every transaction of a file and compares each loan with the expected values in its row.
 * An empty cell is not compared.
 */
export async function verifyFile(context: Context, from: string, options: BulkOptions): Promise<void> {
  const junit = options.junit === undefined ? undefined : resolve(context.world.cwd, options.junit)
  const report = junit === undefined ? undefined : createVerifyCases(context.clock, reasonOf)
  let notes: ReturnType<typeof loanNotes> | undefined
  await runFile(context, from, options, ({ api }) => ({
    operation: verifications(context, api, report),
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

function verifications(context: Context, api: Calls['api'], report: VerifyCases | undefined): Operation {
  const transactionOf = verifiedRows(context)
  return {
    command: 'verify',
    things: 'verifications',
    columns: COLUMNS,
    id: 0,
    repeatable: true,
    settings: '',
    explain: reasonOf,
    resultColumns: ['differences', ...LOAN_COLUMNS, 'expectedAmount', 'expectedState', 'expectedPeriods'],
    read([externalTrxId = '', amountText, expectedState, periodsText]) {
      const amount = amountText === undefined ? undefined : parseAmount(amountText)
      const periods = periodsText === undefined ? undefined : parseAmount(periodsText)
      const idProblem = identifierProblem(externalTrxId)
      const problems: string[] = []
      if (idProblem !== undefined) problems.push(`externalTrxId cannot be sent: ${idProblem}`)
      if (amount && !amount.ok) problems.push(`expectedAmount: ${amount.reason}`)
      if (periods && !periods.ok) problems.push(`expectedPeriods: ${periods.reason}`)
      if (problems.length > 0) return { problems }
      const row = { id: externalTrxId, transaction: () => transactionOf(externalTrxId) }
      const { send } = verificationOf(context, api, row, {
        ...(amount?.ok ? { expectedAmount: amount.amount } : {}),
        ...(expectedState === undefined ? {} : { expectedState }),
        ...(periods?.ok ? { expectedPeriods: periods.amount } : {}),
      })
      return { send: report === undefined ? send : () => report.timed(externalTrxId, send) }
    },
  }
}

interface Expected {
  expectedAmount?: number
  expectedState?: string
  expectedPeriods?: number
}

function verificationOf(
  context: Context,
  api: Calls['api'],
  row: { id: string; transaction: () => Promise<string> },
  expected: Expected,
): RowCall {
  return {
    async send() {
      const client = await api()
      const externalTrxId = await row.transaction()
      try {
        const { data } = await client.call('verifyLoan', { params: { externalTrxId }, body: {} })
        const isRight = data.externalTrxId === externalTrxId || (await answersPreApproval(context, externalTrxId, data))
        return compared(row.id, data, expected, isRight)
      } catch (error) {
        if (!(error instanceof BnplError) || !(await noLoanAnswers(context)).isNotYet(error)) throw error
        return { outcome: 'missing', differences: [], ...expected }
      }
    },
  }
}

/** @param isRight true if the id in the row is the externalTrxId or the preApproveId of the loan */
function compared(id: string, loan: Loan, expected: Expected, isRight: boolean): RowResult {
  const differences: string[] = []
  if (!isRight) differences.push('externalTrxId')
  if (expected.expectedAmount !== undefined && expected.expectedAmount !== loan.loanAmount) differences.push('amount')
  if (expected.expectedState !== undefined && expected.expectedState !== loan.state) differences.push('state')
  if (expected.expectedPeriods !== undefined && expected.expectedPeriods !== loan.periods) differences.push('periods')
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
  const facts: Record<string, string> = {
    amount: `amount is ${result.loanAmount}, expected ${result.expectedAmount}`,
    state: `state is ${result.state}, expected ${result.expectedState}`,
    periods: `number of installments is ${result.periods}, expected ${result.expectedPeriods}`,
    externalTrxId: `the answer is about ${result.answeredExternalTrxId}`,
  }
  const kinds = Array.isArray(result.differences) ? result.differences : []
  return kinds.map((kind) => facts[String(kind)]).join('; ')
}
