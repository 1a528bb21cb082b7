import { countOf, formatTime } from '../terminal/numbers.ts'
import { renderFields } from '../terminal/table.ts'
import { visible } from '../text/visible.ts'
import { type Define, examples } from './command.ts'
import { refuseForm } from './global-options.ts'
import { addPreApproval, issueToken, readTokenRequest, refuseExpired, warnUnevaluated } from './payment-steps.ts'

/** Returns a time in whole minutes, such as `10 minutes`. */
const minutesOf = (ms: number): string => countOf(Math.max(1, Math.round(ms / 60_000)), 'minute')

export const define: Define = (command, act) => {
  addPreApproval(
    command
      .requiredOption('--email <address>', "the customer's e-mail")
      .option('--amount <units>', 'amount to finance (default: from the history)')
      .option('--trx, --external-trx-id <id>', 'your transaction id (default: the last one of this profile)')
      .option('--entity-id <id>', 'merchant entity id (default: from the profile)')
      .option('--raw', 'print only the token'),
  ).action(
    act(async (context, options) => {
      if (options.raw) refuseForm(context, 'only the token')
      const issued = await issueToken(context, await readTokenRequest(context, options))
      refuseExpired(context, issued)
      const { session, externalTrxId, amount, lifeMs } = issued
      await warnUnevaluated(context, externalTrxId, amount)
      // The token may contain control characters, which must not reach the terminal.
      if (options.raw)
        return context.output.raw(context.io.stdoutIsTty ? visible(session.widgetToken) : session.widgetToken)
      await context.output.result(session, () =>
        renderFields(
          [
            ['Transaction', externalTrxId],
            ['Valid until', `${formatTime(session.expiresAt)} (${context.output.inLanguage(minutesOf(lifeMs))})`],
            ['Token', session.widgetToken],
          ],
          context.output,
        ),
      )
      context.output.note('Use the token at once, in the widget or on the payment page. The token is not stored.')
    }),
  )
  examples(command, [
    ['create a token for the last transaction', 'bnpl widget-token --email ana@example.com -p sandbox'],
    [
      'store the token in a variable of a script',
      'TOKEN=$(bnpl widget-token --trx order-1001 --amount 250000 --email ana@example.com --raw)',
    ],
  ])
}
