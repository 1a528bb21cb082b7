import type { Operation, RowCall } from '../../bulk/operation.ts'
import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { endpointOf } from '../../contract/endpoints.ts'
import { parseAmount } from '../../domain/amount.ts'
import { findPreApproveId, identifierProblem } from '../../domain/identifiers.ts'
import { parseTypedRut } from '../../domain/rut.ts'
import { RUT_NAMES } from '../../text/field-names.ts'
import { maskFields } from '../../text/masking.ts'
import { nextCommand } from '../global-options.ts'
import { remember } from '../history-notes.ts'
import { answerFields } from './answer-fields.ts'
import type { Calls } from './calls.ts'
import { runFile } from './file-run.ts'
import type { BulkOptions } from './options.ts'

const [RUT_NAME, ...OTHER_RUT_NAMES] = RUT_NAMES

const COLUMNS = [
  { name: RUT_NAME, also: OTHER_RUT_NAMES, required: true },
  { name: 'amount', also: ['monto'], required: true },
  { name: 'externalTrxId', also: ['trx', 'transaction'], orElse: ['order', 'orden'], required: true },
  { name: 'entityId', required: false },
] as const

interface EvaluateFileOptions extends BulkOptions {
  entityId?: string
  skipRutCheck?: boolean
}

/** `evaluate --from`: evaluates the customer of every row. The results name rows by transaction id, not by national id. */
export async function evaluateFile(context: Context, from: string, options: EvaluateFileOptions): Promise<void> {
  const settings = await context.settings()
  const entityId = options.entityId ?? settings.entityId?.value
  const keep = idKeeper(context, settings.preApproveIdField?.value)
  const checkDigit = !options.skipRutCheck
  await runFile(context, from, options, ({ api }) => ({ operation: evaluations(api, entityId, checkDigit, keep) }))
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

function evaluations(api: Calls['api'], defaultEntity: string | undefined, checkDigit: boolean, keep: Keep): Operation {
  return {
    command: 'evaluate',
    things: 'evaluations',
    columns: COLUMNS,
    id: 2,
    repeatable: endpointOf('evaluate').repeat === 'safe',
    settings: `entityId ${defaultEntity ?? 'none'}`,
    resultColumns: ['amount', 'entityId', 'preApproveId', 'installmentOptions'],
    read([rutText = '', amountText = '', externalTrxId = '', entityId = defaultEntity]) {
      const rut = parseTypedRut(rutText, checkDigit)
      const amount = parseAmount(amountText)
      const idProblem = identifierProblem(externalTrxId)
      if (rut.ok && amount.ok && idProblem === undefined && entityId !== undefined)
        return evaluationOf(api, rut.rut, { externalTrxId, amount: amount.amount, entityId }, keep)
      const problems: string[] = []
      if (!rut.ok && rut.problem === 'shape') problems.push('rut is not a RUT such as 12345678-5')
      if (!rut.ok && rut.problem === 'check')
        problems.push(`the check digit of rut is wrong: for this number it is ${rut.expected}`)
      if (!amount.ok) problems.push(`amount: ${amount.reason}`)
      if (idProblem !== undefined) problems.push(`externalTrxId cannot be sent: ${idProblem}`)
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
        ...(answered === undefined || answered === externalTrxId ? {} : { answeredExternalTrxId: answered }),
      }
      return { outcome: 'ok', ...answerFields(rest, own), ...own }
    },
  }
}
