import { type Define, examples } from '../command.ts'
import { renderRecords } from '../record-table.ts'

export const defineList: Define = (command, act) => {
  command.description('the leads of this partner').action(
    act(async (context) => {
      const { data } = await (await context.api()).call('listLeads', { params: {}, body: {} })
      await context.output.result(data, () => renderRecords(context, data, 'No leads yet.'))
    }),
  )
  examples(command, [
    ['leads of the sandbox', 'bnpl leads list -p sandbox:real-estate'],
    ['ids of the finished evaluations', "bnpl leads list --json | jq -r '.[].idPreAprobacion // empty'"],
  ])
}
