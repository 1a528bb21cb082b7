import { existsSync } from 'node:fs'
import { commandLine } from '../../../domain/shell-word.ts'
import { snapshotFolder } from '../../../domain/snapshot-name.ts'
import { usage } from '../../../errors.ts'
import { type Define, examples } from '../../command.ts'
import { sandboxToDrive } from '../drive.ts'
import { snapshotFile } from './place.ts'

export const define: Define = (command, act) => {
  command
    .argument('<name>', 'a name, or a path such as ./paid.db')
    .option('--force', 'replace the one that is there')
    .action(
      act(async (context, { force = false }, name) => {
        const file = snapshotFile(context.world, name)
        const sandbox = await sandboxToDrive(context)
        if (!force && existsSync(file)) throw usage(`${file} is there already`, 'Add --force to replace it.', 'EXISTS')
        if (file.startsWith(snapshotFolder(context.world.stateDir))) {
          const { makeFolder } = await import('../../../disk/make-folder.ts')
          makeFolder(snapshotFolder(context.world.stateDir), 0o700)
        }
        await sandbox.control('snapshotSave', { file })
        await context.output.result({ name, file }, () => `Kept in ${file}`)
        context.output.note(`Have it back: ${commandLine('bnpl sandbox snapshot load', [name])}`)
      }),
    )
  examples(command, [
    ['before something that cannot be undone', 'bnpl sandbox snapshot save paid'],
    ['a fixture for your tests', 'bnpl sandbox snapshot save ./fixtures/paid.db --force'],
  ])
}
