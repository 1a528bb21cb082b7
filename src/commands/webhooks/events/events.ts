import { type Define, examples } from '../../command.ts'
import { define as confirm } from './confirm.ts'
import { define as list } from './list.ts'
import { define as prune } from './prune.ts'
import { define as replay } from './replay.ts'
import { define as show } from './show.ts'

export const define: Define = (command, act) => {
  list(command.command('list', { isDefault: true }).description('list received events, the newest first'), act)
  show(command.command('show').alias('get').description('show one event, without its personal data'), act)
  confirm(command.command('confirm').description('ask the service whether events are true'), act)
  replay(command.command('replay').description('forward events to a handler again'), act)
  prune(command.command('prune').description('delete old bodies'), act)
  examples(command, [
    ['events of today', 'bnpl webhooks events --since 1d'],
    ['after you fixed the handler', 'bnpl webhooks events replay --set-aside --forward-to http://127.0.0.1:3000/hook'],
  ])
}
