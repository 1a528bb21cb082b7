import { type Define, examples } from '../../command.ts'
import { sandboxToDrive } from '../drive.ts'

export const define: Define = (command, act) => {
  command.argument('[id]', 'the fault (else all of them)').action(
    act(async (context, _, id) => {
      const result = (await (await sandboxToDrive(context)).control('faultClear', { id })) as { cleared: number }
      await context.output.result(
        result,
        () => `${result.cleared} ${result.cleared === 1 ? 'fault' : 'faults'} disarmed`,
      )
    }),
  )
  examples(command, [
    ['all is well again', 'bnpl sandbox fault clear'],
    ['one of them', 'bnpl sandbox fault clear 1f2e3d4c'],
  ])
}
