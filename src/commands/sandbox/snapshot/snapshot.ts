import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes, formatTime } from '../../../terminal/format.ts'
import { renderTable, tableOn } from '../../../terminal/table.ts'
import { type Define, examples } from '../../command.ts'
import { define as load } from './load.ts'
import { snapshotFolder, snapshotName } from './place.ts'
import { define as save } from './save.ts'

interface Kept {
  name: string
  savedAt: string
  bytes: number
  file: string
}

const list: Define = (command, act) => {
  command.action(
    act(async ({ output, world }) => {
      const { checkPrivateFolder } = await import('../../../disk/private.ts')
      const folder = await snapshotFolder(world.stateDir)
      const kept = checkPrivateFolder(folder, output.warn) ? await listKept(folder) : []
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

async function listKept(folder: string): Promise<Kept[]> {
  const files = await readdir(folder).catch(() => [])
  const kept: Kept[] = []
  for (const entry of files) {
    const name = snapshotName(entry)
    const file = join(folder, entry)
    const found = name === undefined ? undefined : await lstat(file).catch(() => undefined)
    if (name === undefined || !found?.isFile()) continue
    kept.push({ name, savedAt: found.mtime.toISOString(), bytes: found.size, file })
  }
  return kept.sort((a, b) => b.savedAt.localeCompare(a.savedAt))
}

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['save', 'save the state under a name, or in a file', save],
  ['load', 'replace the current state with a saved one', load],
  ['list', 'list the saved states', list],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
}
