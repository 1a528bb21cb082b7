import { type Define, examples } from '../command.ts'
import { showAnswer } from '../shown-answer.ts'
import { renderDestinations } from './destination-table.ts'

export const define: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const answer = await (await context.api()).probe('listWebhooks', { params: {}, body: {} })
      await showAnswer(context, answer, (destinations) => renderDestinations(context, destinations))
    }),
  )
  examples(command, [['which destinations receive what', 'bnpl webhooks list -p sandbox']])
}
