import { CHECK_DIGIT_NAMES, column } from '../../bulk/columns.ts'
import type { InputColumn, Joined, Operation, RowCall, RowProblem } from '../../bulk/row.ts'
import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { endpointOf } from '../../contract/endpoints.ts'
import { parseAmount } from '../../domain/amount.ts'
import { findPreApproveId, identifierProblem, parseTypedRut, rutCheckCharacter } from '../../domain/identifiers.ts'
import { knownAnswer } from '../../profiles/resolve.ts'
import { maskFields, maskRut } from '../../text/masking.ts'
import { nextCommand } from '../global-options.ts'
import { remember } from '../history-notes.ts'
import { readIdentifier } from '../option-values.ts'
import { runFile } from './file-run.ts'
import type { BulkOptions } from './options.ts'
import type { Calls } from './prepare.ts'
import { answerFields } from './results.ts'

const columnsFor = (checkDigit: boolean): readonly InputColumn[] => [
  column('rut', {
    required: true,
    part: { names: CHECK_DIGIT_NAMES, join: (first, second, beside) => joinedRut(first, second, beside, checkDigit) },
  }),
  column('amount', { required: true }),
  column('externalTrxId', { required: true }),
  column('entityId', { required: false }),
]

/**
 * Returns a national id with its check digit from two columns. Refuses a number without a dash if it is not certain whether its last digit
 * is its check digit: read in the wrong way, one such number in eleven is the id of another person.
 */
function joinedRut(
  first: string,
  second: string | undefined,
  beside: readonly (string | undefined)[] | undefined,
  checkDigit: boolean,
): Joined {
  const hasDash = /[\p{Pd}\u2212]/u.test(first)
  const digits = first.replace(/[\s.,]/g, '').toUpperCase()
  const isBody = (check: string) =>
    /^\d+$/.test(digits) && (!checkDigit || rutCheckCharacter(digits.replace(/^0+(?=\d)/, '')) === check)
  if (second === undefined) {
    if (hasDash) return { value: first }
    if (beside === undefined)
      return {
        problem:
          'the check digit of the RUT is empty. Write it into its column, or write the RUT with its dash, such as 12345678-5',
      }
    const isDigit = beside.some((each) => each !== undefined && /^[\dkK]$/.test(each) && isBody(each.toUpperCase()))
    return isDigit
      ? {
          problem:
            'the cell beside the RUT may be its check digit. Write the RUT with its dash, such as 12345678-5, or name the column: --column NAME=dv',
        }
      : { value: first }
  }
  const check = second.replace(/^[\s\p{Pd}\u2212]+/u, '').toUpperCase()
  if (!/^[\dK]$/.test(check))
    return { problem: 'the column of the check digit contains something else than a digit or K' }
  if (hasDash)
    return digits.endsWith(check)
      ? { value: first }
      : { problem: 'the check digit of the RUT and the column of the check digit contradict each other' }
  const isWhole = digits.endsWith(check) && parseTypedRut(first, checkDigit).ok
  if (isWhole && isBody(check))
    return {
      problem:
        'it is not certain whether the last digit of the RUT is its check digit. Write it with its dash, such as 12345678-5',
    }
  return { value: isWhole ? first : `${first}-${check}` }
}

interface EvaluateFileOptions extends BulkOptions {
  entityId?: string
  skipRutCheck?: boolean
}

/** `evaluate --from`: evaluates the customer of every row. The results name rows by transaction id, not by national id. */
export async function evaluateFile(context: Context, from: string, options: EvaluateFileOptions): Promise<void> {
  const settings = await context.settings()
  const entityId =
    options.entityId === undefined ? settings.entityId?.value : readIdentifier('--entity-id', options.entityId)
  const keep = idKeeper(context, knownAnswer(settings.service, 'preApproveIdField'))
  const checkDigit = !options.skipRutCheck
  const columns = columnsFor(checkDigit)
  await runFile(context, from, options, ({ api }) => ({
    operation: { ...evaluations(api, entityId, checkDigit, keep), columns },
  }))
}

interface Request {
  externalTrxId: string
  amount: number
  entityId: string
}

type Keep = (data: Record<string, unknown>, request: Request) => Promise<string | null>

function idKeeper(context: Context, field: string | undefined): Keep {
  let isFieldUnknown = false
  let isHistoryLost = false
  const warnOnce = (text: string) => {
    if (!isHistoryLost) context.output.warn(text)
    isHistoryLost = true
  }
  const quieter: Context = { ...context, output: { ...context.output, warn: warnOnce } }
  return async (data, { externalTrxId, amount, entityId }) => {
    const found = findPreApproveId(data, field)
    const { preApproveId } = found
    if (found.preApproveId === null && !isFieldUnknown) {
      isFieldUnknown = true
      context.output.warn(
        found.unusable !== undefined
          ? `the field ${found.unusable} of the answers contains no pre-approval id. In the results of this run the id is empty`
          : `the answers have no known field for the pre-approval id (their fields: ${found.seen.join(', ')}). In a later run the id is found if you name the field: ${nextCommand(context, 'bnpl profiles set preApproveIdField FIELD')}. In the results of this run the id is empty. To see the fields of its answers, repeat this command with --resume -o ndjson`,
      )
    }
    await remember(quieter, externalTrxId, { amount, entityId, preApproveId })
    return preApproveId
  }
}

function evaluations(
  api: Calls['api'],
  defaultEntity: string | undefined,
  checkDigit: boolean,
  keep: Keep,
): Omit<Operation, 'columns'> {
  return {
    command: 'evaluate',
    things: 'evaluations',
    id: 2,
    repeatable: endpointOf('evaluate').repeat === 'safe',
    settings: `entityId ${defaultEntity ?? 'none'}`,
    resultColumns: ['amount', 'entityId', 'preApproveId', 'installmentOptions', 'idNumber'],
    read([rutText = '', amountText = '', externalTrxId = '', entityId = defaultEntity]) {
      const rut = parseTypedRut(rutText, checkDigit)
      const amount = parseAmount(amountText)
      const idProblem = identifierProblem(externalTrxId)
      if (rut.ok && amount.ok && idProblem === undefined && entityId !== undefined)
        return evaluationOf(api, rut.rut, { externalTrxId, amount: amount.amount, entityId }, keep)
      const problems: (string | RowProblem)[] = []
      if (!rut.ok && rut.problem === 'shape')
        problems.push({ column: 0, says: 'it is not a RUT such as 12345678-5', isPersonal: true })
      if (!rut.ok && rut.problem === 'check')
        problems.push({
          column: 0,
          says: `the check digit is wrong: for this number it is ${rut.expected}`,
          isPersonal: true,
        })
      if (!amount.ok) problems.push({ column: 1, says: amount.reason })
      if (idProblem !== undefined) problems.push({ column: 2, says: `it cannot be sent: ${idProblem}` })
      if (entityId === undefined)
        problems.push('entityId is empty, and neither --entity-id nor the profile sets an entity id')
      return { problems }
    },
  }
}

function evaluationOf(api: () => Promise<ApiClient>, idNumber: string, request: Request, keep: Keep): RowCall {
  return {
    async send() {
      const client = await api()
      const { data } = await client.call('evaluate', { params: {}, body: { idNumber, ...request } })
      const preApproveId = await keep(data, request)
      const { installmentOptions, externalTrxId: answered, ...rest } = maskFields(data)
      const { amount, entityId, externalTrxId } = request
      const own = {
        amount,
        entityId,
        preApproveId,
        installmentOptions,
        idNumber: maskRut(idNumber),
        ...(answered === undefined || answered === externalTrxId ? {} : { answeredExternalTrxId: answered }),
      }
      return { outcome: 'ok', ...answerFields(rest, own), ...own }
    },
  }
}
