import type { Context } from '../context.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError, usage } from '../errors.ts'
import { type Command, type Define, examples, type OptionsOf } from './command.ts'
import { nextCommand } from './global-options.ts'
import { ask, readIdentifier, readRut } from './option-values.ts'
import { noteMasked, REVEAL, renderRecord } from './record-table.ts'

export const define: Define = (command, act) => {
  defineGet(command.command('get').alias('show'), act)
}

const addOptions = (command: Command) =>
  command
    .description('show the latest evaluation of a national id, or the evaluation of a lead')
    .option('--rut <rut>', "the customer's national id (RUT), such as 12345678-5")
    .option('--lead-id <id>', "the lead's id (needs the profile setting paths.evaluationByLead)")
    .option('--skip-rut-check', 'accept a RUT with a wrong check digit')
    .option(...REVEAL)

type Options = OptionsOf<ReturnType<typeof addOptions>>

const defineGet: Define = (command, act) => {
  addOptions(command).action(
    act(async (context, options) => {
      const data = await read(context, options)
      const { reveal = false } = options
      await context.output.result(data, () => renderRecord(context, data, reveal))
      noteMasked(context, reveal)
      if (typeof data.idPreAprobacion === 'string')
        context.output.note(`Save the report: ${nextCommand(context, 'bnpl informe download', [data.idPreAprobacion])}`)
    }),
  )
  examples(command, [
    [
      'find by national id (after bnpl sandbox lead --rut 11222333-9 --now)',
      'bnpl evaluations get --rut 11222333-9 -p sandbox:real-estate',
    ],
    [
      'print one field of a lead’s evaluation, for a script',
      'bnpl evaluations get --lead-id LEADID --json | jq -r .idPreAprobacion',
    ],
  ])
}

async function read(context: Context, { rut, leadId, skipRutCheck }: Options) {
  const readId = (text: string) => readRut(text, !skipRutCheck, true)
  if (rut === undefined && leadId === undefined && context.options.input)
    return byRut(context, await ask(context, 'rut', readId))
  if ((rut === undefined) === (leadId === undefined))
    throw usage(
      'exactly one of --rut and --lead-id is needed',
      'Use --rut with the national id, or --lead-id with the id of the lead.',
    )
  if (leadId !== undefined) {
    const params = { leadId: readIdentifier('--lead-id', leadId) }
    const api = await context.api()
    return (
      await api.call('evaluationByLead', { params, body: {} }).catch((error) => throwWithLead(context, leadId, error))
    ).data
  }
  return byRut(context, readId(rut ?? ''))
}

/**
 * The service gives the same answer for an unknown id as for a lead without a finished evaluation. `leads get` shows
 * whether the lead exists.
 */
function throwWithLead(context: Context, leadId: string, error: unknown): never {
  if (!(error instanceof BnplError) || error.kind !== 'not-found') throw error
  throw error.withHint(`See whether the lead exists: ${nextCommand(context, 'bnpl leads get', [leadId])}`)
}

async function byRut(context: Context, rut: string) {
  const api = await context.api()
  const { data } = await api
    .call('evaluationByRut', { params: { rut }, body: {} })
    .catch((error) => throwUnfinished(context, error))
  return data
}

async function throwUnfinished(context: Context, error: unknown): Promise<never> {
  if (!(error instanceof BnplError) || error.kind !== 'not-found') throw error
  const isSandbox = (await context.settings()).environment.value === SANDBOX
  const leads = nextCommand(context, 'bnpl leads list')
  throw error.withHint(
    isSandbox
      ? `Wait, or move the sandbox's time ahead: bnpl sandbox clock advance 1m. The evaluation of a lead may not be finished yet. See the leads: ${leads}`
      : `Try again later, because the evaluation of a lead may not be finished yet. See the leads: ${leads}`,
  )
}
