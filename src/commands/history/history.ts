import type { Define } from '../command.ts'
import { defineList } from './list.ts'
import { defineRm } from './rm.ts'
import { defineShow } from './show.ts'

/** `bnpl history`: what this machine remembers of transactions and reports. */
export const define: Define = (command, act) => {
  defineList(
    command.command('list', { isDefault: true }).description('transactions and reports, the newest first'),
    act,
  )
  defineShow(command.command('show').description('what is remembered of one of them'), act)
  defineRm(command.command('rm').description('forget one of them, or all'), act)
}
