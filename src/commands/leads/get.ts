import { optionWords } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { nextCommand } from '../global-options.ts'
import { readIdentifier } from '../option-values.ts'
import { renderRecord } from '../record-table.ts'

export const defineGet: Define = (command, act) => {
  command
    .description('show the details of a lead')
    .argument('<leadId>', "the lead's id")
    .action(
      act(async (context, _, id) => {
        const params = { leadId: readIdentifier('LEADID', id) }
        const { data } = await (await context.api()).call('getLead', { params, body: {} })
        await context.output.result(data, () => renderRecord(context, data))
        context.output.note(
          `Show its evaluation: ${nextCommand(context, `bnpl evaluations get ${optionWords('--lead-id', id)}`)}`,
        )
      }),
    )
  examples(command, [
    ['a lead of the sandbox, with an id from: bnpl leads list', 'bnpl leads get 01a1fd31… -p sandbox:real-estate'],
  ])
}
