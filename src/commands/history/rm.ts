import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import { type Define, examples } from '../command.ts'
import { agree, refuseDryRun } from '../global-options.ts'
import { idOf, recallOne } from './memory.ts'

/** `history rm`: forgets on this machine; the service is not told. */
export const defineRm: Define = (command, act) => {
  command
    .argument('[trx]', 'your transaction id, or the pre-approval id of a report')
    .option('--all', 'everything (with -p: of that profile)')
    .action(
      act(async (context, options, id) => {
        refuseDryRun(context)
        if ((id === undefined) === !options.all) throw usage('name one transaction, or give --all', 'See: bnpl history')
        const forgotten = id === undefined ? await forgetAll(context) : await forgetOne(context, id)
        await context.output.result({ forgotten }, () => '')
        context.output.note(`Forgotten: ${forgotten}.`)
      }),
    )
  examples(command, [
    ['one transaction', 'bnpl history rm order-1001'],
    ['everything of the sandbox', 'bnpl history rm --all -p sandbox --yes'],
  ])
}

async function forgetAll(context: Context): Promise<number> {
  const { profile } = context.options
  await agree(context, `Forget every transaction and report${profile ? ` of ${profile}` : ''} on this machine?`)
  const state = await context.state()
  const query = profile === undefined ? {} : { profile }
  return (await state.forget(query)) + (await state.forgetReports(query))
}

async function forgetOne(context: Context, id: string): Promise<number> {
  const memory = await recallOne(context, id)
  await agree(context, `Forget ${memory.kind} ${idOf(memory)} on this machine?`)
  const state = await context.state()
  const { profile } = memory
  return memory.kind === 'report'
    ? state.forgetReports({ profile, preApproveId: memory.preApproveId })
    : state.forget({ profile, externalTrxId: memory.externalTrxId })
}
