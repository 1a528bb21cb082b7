import type { Define } from '../command.ts'
import { defineGet } from './get.ts'
import { defineList } from './list.ts'

export const define: Define = (command, act) => {
  defineList(command.command('list'), act)
  defineGet(command.command('get'), act)
}
