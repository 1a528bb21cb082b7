import { existsSync } from 'node:fs'
import { BnplError, usage } from '../../errors.ts'
import { formatBytes, formatTime } from '../../terminal/numbers.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { agreeToForget, sandboxToDrive } from './drive.ts'
import { checkSnapshot, keptSnapshots, makeSnapshotFolder, snapshotFile } from './snapshot-place.ts'

const save: Define = (command, act) => {
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

/** Returns the error for a missing snapshot. It is thrown before the user is asked to confirm, because there is nothing to load. */
const notSaved = (file: string) =>
  new BnplError('not-found', `the file ${file} does not exist`, {
    code: 'ERR_SNAPSHOT_NOT_FOUND',
    hint: 'List the snapshots with: bnpl sandbox snapshot list',
  })

const load: Define = (command, act) => {
  command.argument('<snapshot>', 'the snapshot’s name, or the path of its file').action(
    act(async (context, _, name) => {
      const file = await snapshotFile(context.world, name)
      await checkSnapshot(context, file)
      if (!existsSync(file)) throw notSaved(file)
      const sandbox = await sandboxToDrive(context)
      await agreeToForget(context, 'the current state of the sandbox')
      await sandbox.control('snapshotLoad', { file })
      await context.output.result({ name, file }, () => `The sandbox now has the state of ${file}`)
      const accounts = await sandbox.control('partners')
      if (accounts[0]?.apiKey !== sandbox.partners[0]?.apiKey) {
        context.output.warn('The accounts now have the keys of the snapshot; the previous keys no longer work.')
      }
    }),
  )
  examples(command, [
    ['return to a saved state', 'bnpl sandbox snapshot load paid --yes'],
    ['start a test from a fixture', 'bnpl sandbox snapshot load ./paid.db --yes'],
  ])
}

const list: Define = (command, act) => {
  command.action(
    act(async ({ output, world }) => {
      const kept = await keptSnapshots(world.stateDir, output.warn)
      await output.result(kept, () => {
        if (kept.length === 0) return 'No snapshots yet. Save a snapshot: bnpl sandbox snapshot save NAME'
        return renderTable(
          kept,
          [
            { title: 'Name', value: ({ name }) => name, shrinks: true },
            { title: 'Saved at', value: ({ savedAt }) => formatTime(savedAt) },
            { title: 'Size', value: ({ bytes }) => formatBytes(bytes), align: 'right' },
          ],
          tableOn(output),
        )
      })
    }),
  )
  examples(command, [['list the saved states', 'bnpl sandbox snapshot list']])
}

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['save', 'save the state under a name, or in a file', save],
  ['load', 'replace the current state with a saved one', load],
  ['list', 'list the saved states', list],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
}
