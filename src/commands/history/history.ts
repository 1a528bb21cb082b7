import type { Define } from '../command.ts'
import { defineList } from './list.ts'
import { defineRm } from './rm.ts'
import { defineShow } from './show.ts'

/** `bnpl history`: the transactions and reports that commands on this machine were about. */
export const define: Define = (command, act) => {
  defineList(
    command.command('list', { isDefault: true }).description('list transactions and reports, the newest first'),
    act,
  )
  defineShow(command.command('show').description('show one of them'), act)
  defineRm(command.command('rm').description('remove one of them, or all'), act)
}
