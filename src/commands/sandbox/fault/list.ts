import type { Fault } from '../../../sandbox/store/faults.ts'
import { type Define, examples } from '../../command.ts'
import { sandboxToDrive } from '../drive.ts'
import { renderFaults } from './fault-table.ts'

export const define: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const faults = (await (await sandboxToDrive(context)).control('faults')) as Fault[]
      await context.output.result(faults, () => renderFaults(context, faults))
    }),
  )
  examples(command, [['is anything still armed?', 'bnpl sandbox fault list']])
}
