import type { Context } from '../../context.ts'
import { formatDuration } from '../../domain/clock.ts'
import { usage } from '../../errors.ts'
import { formatTime } from '../../terminal/numbers.ts'
import { type Define, examples } from '../command.ts'
import { readDuration } from '../option-values.ts'
import { NO_WAY_BACK } from '../other-words.ts'
import { sandboxToDrive } from './drive.ts'

export const define: Define = (command, act) => {
  // Commander leaves out the help command if the group itself has an action.
  command.helpCommand(true).action(
    act(async (context) => {
      const { now } = await (await sandboxToDrive(context)).control('status')
      await show(context, now)
    }),
  )
  const advance = command
    .command('advance')
    .description(
      "move the sandbox's time ahead, so that tokens and links expire, and evaluations and retries become due",
    )
    .argument('<duration>', 'such as 11m, 2h or 7d')
    .action(
      act(async (context, _, text) => {
        if (text.startsWith('-')) throw usage(NO_WAY_BACK.message, NO_WAY_BACK.hint, 'INVALID_DURATION')
        const { CLOCK_LIMIT } = await import('../../sandbox/conventions.ts')
        const advanceMs = readDuration('DURATION', text, CLOCK_LIMIT)
        if (advanceMs === 0)
          throw usage('a duration of 0 does not move the clock', 'Give a duration such as 11m.', 'INVALID_DURATION')
        const { now } = await (await sandboxToDrive(context)).control('clock', { advanceMs })
        await show(context, now)
      }),
    )
  examples(advance, [
    ['let a widget token expire', 'bnpl sandbox clock advance 11m'],
    ['let a report link expire', 'bnpl sandbox clock advance 31m'],
  ])
  examples(command, [
    ["the sandbox's time", 'bnpl sandbox clock'],
    ['move the time eleven minutes ahead', 'bnpl sandbox clock advance 11m'],
  ])
}

async function show(context: Context, now: string): Promise<void> {
  // The call itself takes some time, so ignore a difference of less than a second.
  const aheadMs = Math.max(0, Math.round((Date.parse(now) - context.clock.now()) / 1000)) * 1000
  const how = aheadMs === 0 ? "this machine's time" : `${formatDuration(aheadMs)} ahead of this machine`
  await context.output.result({ now, aheadMs }, () => `${formatTime(now)}  ${context.output.style.dim(how)}`)
}
