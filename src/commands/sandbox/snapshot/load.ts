import { existsSync } from 'node:fs'
import { BnplError } from '../../../errors.ts'
import { type Define, examples } from '../../command.ts'
import { agreeToForget, sandboxToDrive } from '../drive.ts'
import { checkSnapshot, snapshotFile } from './place.ts'

/** Returns the error for a missing snapshot. It is thrown before the user is asked to confirm, because there is nothing to load. */
const notSaved = (file: string) =>
  new BnplError('not-found', `the file ${file} does not exist`, {
    code: 'ERR_SNAPSHOT_NOT_FOUND',
    hint: 'List the snapshots with: bnpl sandbox snapshot list',
  })

export const define: Define = (command, act) => {
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
