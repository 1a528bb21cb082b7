import { existsSync } from 'node:fs'
import { usage } from '../../../errors.ts'
import { commandLine } from '../../../text/shell-word.ts'
import { type Define, examples } from '../../command.ts'
import { sandboxToDrive } from '../drive.ts'
import { makeSnapshotFolder, snapshotFile } from './place.ts'

export const define: Define = (command, act) => {
  command
    .argument('<name>', 'a name for the snapshot, or a path such as ./paid.db')
    .option('--force', 'replace a snapshot that exists')
    .action(
      act(async (context, { force = false }, name) => {
        const file = await snapshotFile(context.world, name)
        await makeSnapshotFolder(context, file)
        const sandbox = await sandboxToDrive(context)
        if (!force && existsSync(file))
          throw usage(`${file} already exists`, 'Add --force to replace the file.', 'EXISTS')
        await sandbox.control('snapshotSave', { file })
        await context.output.result({ name, file }, () => `Saved in ${file}`)
        context.output.note(`Return to this state later: ${commandLine('bnpl sandbox snapshot load', [name])}`)
      }),
    )
  examples(command, [
    ['save the state before a change that cannot be undone', 'bnpl sandbox snapshot save paid'],
    ['save a fixture for your tests', 'bnpl sandbox snapshot save ./paid.db --force'],
  ])
}
