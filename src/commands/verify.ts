import type { Context } from '../context.ts'
import { BnplError, errorAsJson, usage } from '../errors.ts'
import { showEach } from '../terminal/output.ts'
import { addFrom, addResults, addRows, addRunReport, refuseMixed } from './bulk/options.ts'
import { type Command, type Define, examples, type OptionsOf } from './command.ts'
import { addExpectations, EXPECTATIONS, type Expected, expectationWords, readExpected } from './expectations.ts'
import { dryRunOfMany, nextCommand } from './global-options.ts'
import { ask, readIdentifier, readWait } from './option-values.ts'
import { renderLoan, renderVerifications } from './payment-tables.ts'
import { cancelledInWords, isCancelled, unmet, type Verification, verifyTransaction } from './verification.ts'

export const define: Define = (command, act) => {
  addVerifyOptions(command).action(
    act(async (context, options, given) => {
      await verifyTransactions(context, options, given)
    }),
  )
  command.addHelpText(
    'after',
    `
With --json, one transaction is printed as an object, and several as a list.
If some of several have no loan or cannot be verified, the exit code is 11.
If the service refuses the key, it is 4.
With -o ndjson, each transaction is a line. Columns of the file for --from:
externalTrxId (or trx, order, pedido …), and what is compared with the loan:
amount (or monto, loanAmount …), state (or estado …), periods (or cuotas …),
installmentAmount, lastInstallmentAmount, interestRate, transferDate, or names
such as expectedAmount. The run says which columns of the file are compared.
docs/files.md lists all names.`,
  )
  examples(command, [
    ['one transaction, with its schedule', 'bnpl verify order-1001'],
    ['wait for the customer to pay', 'bnpl verify order-1001 --wait 10m'],
    [
      'in a script: fail unless the loan is as ordered',
      'bnpl verify order-1001 --expect-state ACTIVE --expect-amount 250000 -q --json',
    ],
    ['compare the loans with the orders in a file', 'bnpl verify --from orders.csv --out results.csv'],
  ])
}

const addVerifyOptions = (command: Command) => {
  const own = command
    .argument('[trx...]', 'your transaction ids')
    .option(
      '--wait [duration]',
      'wait at most this long until the loan exists, or with --expect-state until the loan has that state (--wait without a value: 11m)',
    )
  return addRunReport(addRows(addResults(addFrom(addExpectations(own)))))
}

type VerifyOptions = OptionsOf<ReturnType<typeof addVerifyOptions>>

/**
 * Verifies the transactions of the command line or of a file, and prints them. If a single transaction was given and cannot be verified,
 * throws its error. If several were given and any of them cannot be verified, throws `partial`. If the service refuses the key, or the
 * command is interrupted, throws that error after it has printed what was verified before. Throws `check-failed` when an expectation is
 * not met, and `usage` for wrong arguments.
 * @param given the ids; empty when a file contains them
 */
async function verifyTransactions(context: Context, options: VerifyOptions, given: readonly string[]): Promise<void> {
  const { wait } = options
  const TRX = given[0]
  refuseMixed(options, {
    TRX,
    wait,
    ...Object.fromEntries(EXPECTATIONS.map(({ option }) => [option, options[option]])),
  })
  if (options.from !== undefined) {
    const { verifyFile } = await import('./bulk/verify-rows.ts')
    return verifyFile(context, options.from, options)
  }
  // Check `--wait` before the ids, because an id that directly follows `--wait` is parsed as its duration, and the
  // error must say so.
  const waitMs = readWait(wait, true)
  if (TRX === undefined && !context.options.input)
    throw usage('missing transaction ids', 'Give the ids as arguments, or name a file of ids: --from FILE')
  const named = TRX === undefined ? [await ask(context, 'trx', (text) => readIdentifier('this', text))] : given
  const ids = named.map((each) => readIdentifier('TRX', each))
  const expected = readExpected(options)
  const verifyOne = (id: string) => verifyTransaction(context, id, expected, waitMs)
  if (context.options.dryRun) return dryRunOfMany(ids, verifyOne)
  const [id = ''] = ids
  if (ids.length === 1) return showOne(context, await verifyOne(id))
  const columns = [...(await loanFields()), 'differences', 'error']
  const verifications = await showEach(verifyEach(ids, verifyOne), (done) =>
    context.output.result(done.map(asRow), () => renderVerifications(context, done), columns),
  )
  endOfMany(context, verifications, expected)
}

async function showOne(context: Context, verification: Verification): Promise<void> {
  if ('error' in verification) throw verification.error
  const { externalTrxId, loan, doubts, differences, hint } = verification
  await context.output.result(loan, () => renderLoan(context, loan), await loanFields())
  for (const doubt of doubts) context.output.warn(`the figures of this loan do not agree: ${doubt}`)
  if (differences.length > 0) throw unmet(differences, hint)
  if (loan.state === 'ACTIVE') context.output.note(`${externalTrxId} is paid. The loan is active.`)
  else if (await isCancelled(context, loan)) context.output.note(cancelledInWords(loan))
}

// Loads the schema library, which each call needs anyway.
const loanFields = async () => (await import('../contract/endpoints.ts')).fieldsOf('verifyLoan')

/** Verifies until all are verified, or the service refuses the key, because it refuses that for every transaction. */
async function* verifyEach(
  ids: readonly string[],
  verifyOne: (id: string) => Promise<Verification>,
): AsyncGenerator<Verification> {
  for (const id of ids) {
    const verification = await verifyOne(id)
    if ('error' in verification && verification.error.kind === 'auth') throw verification.error
    yield verification
  }
}

function asRow(verification: Verification): Record<string, unknown> {
  if ('error' in verification) return { externalTrxId: verification.externalTrxId, ...errorAsJson(verification.error) }
  return verification.differences.length === 0
    ? verification.loan
    : { ...verification.loan, differences: verification.differences }
}

function endOfMany(context: Context, verifications: readonly Verification[], expected: Expected): void {
  const differences = verifications.flatMap((each) => ('loan' in each ? each.differences : []))
  const failed = verifications.filter((each) => 'error' in each)
  const open = failed.filter(({ isFinal }) => !isFinal).map(({ externalTrxId }) => externalTrxId)
  if (failed.length > 0) {
    const not = `${failed.length} of ${verifications.length} transactions could not be verified`
    throw new BnplError('partial', [not, ...(differences.length > 0 ? [unmet(differences).message] : [])].join('; '), {
      code: 'PARTIAL',
      hint:
        open.length === 0
          ? 'The result says why. To verify them again would not help.'
          : `The result says why. Verify again later: ${nextCommand(context, 'bnpl verify', open, expectationWords(expected))}`,
    })
  }
  if (differences.length > 0) throw unmet(differences)
}
