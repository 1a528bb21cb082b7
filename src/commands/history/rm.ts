import type { Context } from '../../context.ts'
import { BnplError, usage } from '../../errors.ts'
import { type Define, examples } from '../command.ts'
import { agree, nextCommand, refuseDryRun } from '../global-options.ts'
import { memoryId, recallOne } from './memory.ts'

/** `history rm`: removes records from this machine. Nothing is sent to the service. */
export const defineHistoryRm: Define = (command, act) => {
  command
    .argument('[trx]', 'your transaction id, or the pre-approval id of a report')
    .option('--all', 'remove all records (with -p: only those of that profile)')
    .option('--if-exists', 'succeed if the id is not in the history')
    .action(
      act(async (context, options, id) => {
        refuseDryRun(context)
        if ((id === undefined) === !options.all)
          throw usage(
            'either an id or --all is needed, and not both',
            `List the ids with: ${nextCommand(context, 'bnpl history')}`,
          )
        const forgotten =
          id === undefined ? await forgetAll(context) : await forgetOne(context, id, options.ifExists === true)
        await context.output.result({ forgotten }, () => '')
        context.output.note(`Removed from the history: ${forgotten} ${forgotten === 1 ? 'record' : 'records'}.`)
      }),
    )
  examples(command, [
    ['remove one transaction', 'bnpl history rm order-1001'],
    ['remove all records of the sandbox', 'bnpl history rm --all -p sandbox --yes'],
  ])
}

async function forgetAll(context: Context): Promise<number> {
  const { profile } = context.options
  await agree(
    context,
    `Remove every transaction and report${profile ? ` of ${profile}` : ''} from the history of this machine?`,
  )
  const state = await context.state()
  const query = profile === undefined ? {} : { profile }
  return (await state.forget(query)) + (await state.forgetReports(query))
}

async function forgetOne(context: Context, id: string, ifExists: boolean): Promise<number> {
  const memory = await recallOne(context, id).catch((error: unknown) => {
    if (ifExists && error instanceof BnplError && error.kind === 'not-found') return undefined
    throw error
  })
  if (memory === undefined) return 0
  await agree(context, `Remove ${memory.kind} ${memoryId(memory)} from the history of this machine?`)
  const state = await context.state()
  const { profile } = memory
  return memory.kind === 'report'
    ? state.forgetReports({ profile, preApproveId: memory.preApproveId })
    : state.forget({ profile, externalTrxId: memory.externalTrxId })
}
