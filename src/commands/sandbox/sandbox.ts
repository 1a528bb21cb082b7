import { type Define, examples } from '../command.ts'
import { define as changes } from './changes.ts'
import { define as clock } from './clock.ts'
import { define as deliver } from './deliver.ts'
import { define as deliveries } from './deliveries.ts'
import { agreeToForget, sandboxToDrive } from './drive.ts'
import { define as fault } from './fault/fault.ts'
import { define as lead } from './lead.ts'
import { define as open } from './open.ts'
import { define as pay } from './pay.ts'
import { define as requests } from './requests.ts'
import { define as revise } from './revise.ts'
import { define as run } from './run.ts'
import { define as snapshot } from './snapshot.ts'
import { define as start } from './start.ts'
import { define as status } from './status.ts'
import { define as torture } from './torture/torture.ts'
import { renderCustomers } from './welcome.ts'

const customers: Define = (command, act) => {
  command.action(
    act(async ({ output }) => {
      const { TEST_CUSTOMERS } = await import('../../sandbox/records/customers.ts')
      await output.result(TEST_CUSTOMERS, () => renderCustomers(TEST_CUSTOMERS, output))
      output.note('All other valid national ids are approved.')
    }),
  )
  examples(command, [['national ids for your tests', 'bnpl sandbox customers --json']])
}

const reset: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const sandbox = await sandboxToDrive(context)
      await agreeToForget(context, 'all payments, leads, destinations, requests and faults of the sandbox')
      const { webhooks } = await sandbox.control('status')
      await sandbox.control('reset')
      await context.output.result(
        { reset: true },
        () => 'The sandbox is empty and has the time of this machine.\nIts accounts, keys and settings were kept.',
      )
      // A listener registers its destination only when it starts.
      if (webhooks > 0)
        context.output.note(
          'The webhook destinations were deleted too. If a listener runs, start it again: it receives no events until then.',
        )
    }),
  )
  examples(command, [['empty the sandbox before a test run', 'bnpl sandbox reset --yes']])
}

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['start', 'serve the whole service on this machine', start],
  ['open', "open the sandbox's window in the browser: payments, requests, webhooks, controls", open],
  ['run', 'run a command against a new, separate sandbox', run],
  ['torture', 'run a test of your shop once for every possible fault, and report what breaks', torture],
  ['status', 'show where the sandbox runs and how much it contains', status],
  ['pay', 'pay a transaction, as its customer would on the payment page', pay],
  ['lead', 'create a lead of a real-estate account', lead],
  ['revise', 'change risk parameters of an evaluation, so that its report changes', revise],
  ['customers', 'list the test customers, whose national id decides what happens', customers],
  ['clock', "show the sandbox's time, or move it ahead", clock],
  ['fault', 'make calls, deliveries and payments fail, with late, lost or wrong answers', fault],
  ['requests', 'show the latest calls, newest first', requests],
  ['deliveries', 'show deliveries to webhook destinations, with every attempt', deliveries],
  ['deliver', 'deliver events again: twice, late, out of order, or with a wrong signature', deliver],
  ['changes', 'show what changed since a snapshot, and what caused each change', changes],
  ['snapshot', 'save states of the sandbox and restore them', snapshot],
  ['reset', 'delete all payments, leads, destinations, requests and faults', reset],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
  command.addHelpText(
    'after',
    `\nThese commands and -p sandbox use the running sandbox of the state folder\n(BNPL_STATE_DIR). If no sandbox runs, they use the state in a file of that\nfolder.`,
  )
}
