import { type Define, examples } from '../command.ts'
import { agreeToForget, sandboxInWords, sandboxToDrive } from './drive.ts'

export const define: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const sandbox = await sandboxToDrive(context)
      await agreeToForget(
        context,
        `all evaluations, loans, leads, destinations and requests of ${sandboxInWords(sandbox)}`,
      )
      await sandbox.control('reset')
      await context.output.result({ reset: true }, () => 'The sandbox is empty; its accounts and keys stay.')
    }),
  )
  examples(command, [['before a test run', 'bnpl sandbox reset --yes']])
}
