import { type Define, examples } from '../../command.ts'
import { addDatabaseOptions } from '../../database-option.ts'
import { refuseDryRun } from '../../global-options.ts'
import { readSince } from '../../option-values.ts'
import { openReceived } from '../open-inbox.ts'
import { define as confirm } from './confirm.ts'
import { define as list } from './list.ts'
import { define as replay } from './replay.ts'
import { define as show } from './show.ts'

const prune: Define = (command, act) => {
  addDatabaseOptions(command)
    .option(
      '--older-than <time>',
      'delete events received before this date, or longer ago than this duration, such as 30d',
      '30d',
    )
    .action(
      act(async (context, options) => {
        refuseDryRun(context)
        const before = readSince('--older-than', options.olderThan, context.clock.now())
        const pruned = (await (await openReceived(context, options))?.prune(before)) ?? 0
        await context.output.result({ pruned }, () => `${pruned} event${pruned === 1 ? '' : 's'} deleted`)
        context.output.note(
          'Events that wait to be printed or forwarded, and events that are set aside, are never deleted. The inbox still recognizes the ids of deleted events, so that no event is accepted twice.',
        )
      }),
    )
  examples(command, [['once a day, from cron', 'bnpl webhooks events prune --older-than 90d --quiet']])
}

export const define: Define = (command, act) => {
  list(command.command('list', { isDefault: true }).description('list received events, the newest first'), act)
  show(command.command('show').alias('get').description('show one event, without its personal data'), act)
  confirm(command.command('confirm').description('ask the service whether the events are true'), act)
  replay(command.command('replay').description('forward events to a handler again'), act)
  prune(command.command('prune').description('delete old events'), act)
  examples(command, [
    ['events of the last 24 hours', 'bnpl webhooks events --since 1d'],
    ['after you fixed the handler', 'bnpl webhooks events replay --set-aside --forward-to http://127.0.0.1:3000/hook'],
  ])
}
