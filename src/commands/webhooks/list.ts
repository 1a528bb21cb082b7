import { type Define, examples } from '../command.ts'
import { renderDestinations } from './destination-table.ts'
import { listDestinations } from './destinations.ts'

export const define: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const destinations = await listDestinations(await context.api())
      await context.output.result(destinations, () => renderDestinations(context, destinations))
    }),
  )
  examples(command, [['which destinations receive what', 'bnpl webhooks list -p sandbox']])
}
