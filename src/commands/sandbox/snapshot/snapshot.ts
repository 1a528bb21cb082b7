import type { Define } from '../../command.ts'
import { define as list } from './list.ts'
import { define as load } from './load.ts'
import { define as save } from './save.ts'

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['save', 'save the state under a name, or in a file', save],
  ['load', 'replace the present state with a saved one', load],
  ['list', 'list the saved states', list],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
}
