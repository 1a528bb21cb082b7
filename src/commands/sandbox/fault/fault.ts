import type { Define } from '../../command.ts'
import { define as add } from './add.ts'
import { define as clear } from './clear.ts'
import { define as endpoints } from './endpoints.ts'
import { define as list } from './list.ts'

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['add', 'arm a fault: the next calls of an endpoint go wrong', add],
  ['list', 'the faults that are armed', list],
  ['clear', 'disarm one, or all', clear],
  ['endpoints', 'the names that faults are armed for', endpoints],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
}
