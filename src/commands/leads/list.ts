import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { type Define, examples } from '../command.ts'
import { renderRecords } from '../record-table.ts'

export const defineList: Define = (command, act) => {
  command.description('list the leads of this account').action(
    act(async (context) => {
      const { data } = await (await context.api()).call('listLeads', { params: {}, body: {} })
      await context.output.result(data, () => renderRecords(context, data, 'No leads yet.'))
      if (data.length === 0 && (await context.settings()).profile?.value === SANDBOX)
        context.output.note(`Leads of the sandbox are in another account: bnpl leads list -p ${SANDBOX}:real-estate`)
    }),
  )
  examples(command, [
    ['leads of the sandbox', 'bnpl leads list -p sandbox:real-estate'],
    ['ids of the finished evaluations', "bnpl leads list --json | jq -r '.[].idPreAprobacion // empty'"],
  ])
}
