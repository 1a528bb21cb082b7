import { config } from '../../errors.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive } from './drive.ts'

export const define: Define = (command, act) => {
  command
    .option('--print', 'only print the link')
    .option('--alone', 'end the window in every browser that has it open')
    .action(
      act(async (context, { print = false, alone = false }) => {
        const sandbox = await sandboxToDrive(context)
        if (!sandbox.served) {
          throw config('no sandbox is served here', 'Start one: bnpl sandbox start --open', 'SANDBOX_NOT_SERVED')
        }
        const { url } = await sandbox.control('windowLink', { alone })
        const opened = !print && (await context.world.open(url))
        // The link is a key: it is shown only on request, or when no browser can be opened.
        await context.output.result({ url, opened }, () => (opened ? 'The window is open in your browser.' : url))
        if (!opened) context.output.note('The link works once. For another, run: bnpl sandbox open')
      }),
    )
  examples(command, [
    ['watch what your program does', 'bnpl sandbox open'],
    ['the link, for a browser of your choice', 'bnpl sandbox open --print'],
    ['end it in every other browser', 'bnpl sandbox open --alone'],
  ])
}
