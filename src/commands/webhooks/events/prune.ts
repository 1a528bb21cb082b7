import { type Define, examples } from '../../command.ts'
import { addDatabaseOptions } from '../../database-option.ts'
import { refuseDryRun } from '../../global-options.ts'
import { readSince } from '../../option-values.ts'
import { openReceived } from '../open-inbox.ts'

export const define: Define = (command, act) => {
  addDatabaseOptions(command)
    .option('--older-than <time>', 'delete bodies received before then: 12h, 30d or a date', '30d')
    .action(
      act(async (context, options) => {
        refuseDryRun(context)
        const before = readSince('--older-than', options.olderThan, context.clock.now())
        const pruned = (await (await openReceived(context, options))?.prune(before)) ?? 0
        await context.output.result({ pruned }, () => `${pruned} event${pruned === 1 ? '' : 's'} deleted`)
        context.output.note(
          'Kept: events that wait to be written out or forwarded, or are set aside. Ids stay known, so that no event is accepted twice.',
        )
      }),
    )
  examples(command, [['once a day, from cron', 'bnpl webhooks events prune --older-than 90d --quiet']])
}
