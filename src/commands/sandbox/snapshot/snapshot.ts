import { formatBytes, formatTime } from '../../../terminal/format.ts'
import { renderTable, tableOn } from '../../../terminal/table.ts'
import { type Define, examples } from '../../command.ts'
import { define as load } from './load.ts'
import { keptSnapshots } from './place.ts'
import { define as save } from './save.ts'

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
