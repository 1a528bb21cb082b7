import type { Operation } from '../../bulk/operation.ts'
import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { endpointOf } from '../../contract/endpoints.ts'
import { findPreApproveId } from '../../contract/pre-approval.ts'
import { parseAmount } from '../../domain/amount.ts'
import { identifierProblem } from '../../domain/identifiers.ts'
import { parseRut } from '../../domain/rut.ts'
import { config } from '../../errors.ts'
import { maskStructure } from '../../text/masking.ts'
import { remember } from '../history-notes.ts'
import type { BulkOptions } from './options.ts'
import { runBulk } from './run.ts'

const COLUMNS = [
  { name: 'rut', also: ['idNumber'], required: true },
  { name: 'amount', required: true },
  { name: 'externalTrxId', also: ['trx', 'transaction'], required: true },
  { name: 'entityId', required: false },
] as const

export interface EvaluateFileOptions extends BulkOptions {
  entityId?: string
  skipRutCheck?: boolean
}

/** `evaluate --from`: evaluates the customer of every row. The results name transactions, never national ids. */
export async function evaluateFile(context: Context, from: string, options: EvaluateFileOptions): Promise<void> {
  const settings = await context.settings()
  const entityId = options.entityId ?? settings.entityId?.value
  const field = settings.preApproveIdField?.value
  let warned = false
  // A memory that cannot be written is said once, not for every row: the results have the ids.
  let told = false
  const quieter: Context = {
    ...context,
    output: {
      ...context.output,
      warn(text) {
        if (!told) context.output.warn(text)
        told = true
      },
    },
  }
  await runBulk(context, from, options, ({ api }) => ({
    operation: evaluation(api, entityId, !options.skipRutCheck, async (data, asked) => {
      const found = findPreApproveId(data, field)
      if (found.preApproveId === null && !warned) {
        warned = true
        context.output.warn(
          `the answers carry no pre-approval id that is known here (fields: ${found.seen.join(', ')}); name the field with: bnpl profiles set preApproveIdField FIELD`,
        )
      }
      const { externalTrxId, amount } = asked
      await remember(quieter, externalTrxId, { amount, entityId: asked.entityId, preApproveId: found.preApproveId })
      return found.preApproveId
    }),
  }))
}

interface Asked {
  externalTrxId: string
  amount: number
  entityId: string
}

function evaluation(
  api: () => Promise<ApiClient>,
  defaultEntity: string | undefined,
  checkDigit: boolean,
  keep: (data: Record<string, unknown>, asked: Asked) => Promise<string | null>,
): Operation {
  return {
    command: 'evaluate',
    things: 'evaluations',
    columns: COLUMNS,
    id: 2,
    repeatable: endpointOf('evaluate').repeat === 'safe',
    settings: `entityId ${defaultEntity ?? 'none'}`,
    resultColumns: ['amount', 'entityId', 'preApproveId', 'installmentOptions'],
    check([rut = '', amount = '', externalTrxId = '', entityId]) {
      const problems: string[] = []
      const id = parseRut(rut, checkDigit)
      if (!id.ok && id.problem === 'shape') problems.push('rut is not a RUT such as 12345678-5')
      if (!id.ok && id.problem === 'check')
        problems.push(`the check character of rut does not fit: it would be ${id.expected}`)
      const sum = parseAmount(amount)
      if (!sum.ok) problems.push(`amount: ${sum.reason}`)
      const trx = identifierProblem(externalTrxId)
      if (trx !== undefined) problems.push(`externalTrxId cannot be sent: ${trx}`)
      if (entityId === undefined && defaultEntity === undefined)
        problems.push('entityId is empty, and neither --entity-id nor the profile sets one')
      return problems
    },
    async send([rut = '', amount = '', externalTrxId = '', entityId = defaultEntity ?? '']) {
      const id = parseRut(rut, checkDigit)
      if (!id.ok)
        throw config('a row changed after it was checked', 'Leave the file alone while it is run.', 'INPUT_CHANGED')
      const asked = { externalTrxId, amount: Number(amount), entityId }
      const client = await api()
      const { data } = await client.call('evaluate', { params: {}, body: { idNumber: id.rut, ...asked } })
      const preApproveId = await keep(data, asked)
      const { installmentOptions, ...rest } = maskStructure(data) as typeof data
      return { outcome: 'ok', ...rest, amount: asked.amount, entityId, preApproveId, installmentOptions }
    },
  }
}
