import type { Define } from '../command.ts'
import { defineGet } from './get.ts'

export const define: Define = (command, act) => {
  defineGet(command.command('get'), act)
}
