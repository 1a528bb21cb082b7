import { config } from '../../errors.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive } from './drive.ts'

export const define: Define = (command, act) => {
  command
    .option('--print', 'only print the link')
    .option('--alone', 'close the window in every other browser')
    .action(
      act(async (context, { print = false, alone = false }) => {
        const sandbox = await sandboxToDrive(context)
        if (!sandbox.served) {
          throw config(
            'no sandbox is served on this machine',
            'Start the sandbox: bnpl sandbox start --open',
            'SANDBOX_NOT_SERVED',
          )
        }
        const { url } = await sandbox.control('windowLink', { alone })
        const opened = !print && (await context.world.open(url))
        // Everybody who has the link can use the window. Therefore the link is only printed on request, or when no
        // browser can be opened.
        await context.output.result({ url, opened }, () => (opened ? 'The window is open in your browser.' : url))
        if (!opened) context.output.note('The link works only once. To get another link, run: bnpl sandbox open')
      }),
    )
  examples(command, [
    ['watch what your program does', 'bnpl sandbox open'],
    ['the link, for a browser of your choice', 'bnpl sandbox open --print'],
    ['close the window in every other browser', 'bnpl sandbox open --alone'],
  ])
}
