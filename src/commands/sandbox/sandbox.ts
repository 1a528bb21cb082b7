import type { Context } from '../../context.ts'
import { formatDuration } from '../../domain/clock.ts'
import { profileOf } from '../../domain/sandbox-accounts.ts'
import { config, usage } from '../../errors.ts'
import { productionOf } from '../../sandbox/addresses.ts'
import { CLOCK_LIMIT } from '../../sandbox/conventions.ts'
import { TEST_CUSTOMERS } from '../../sandbox/records/customers.ts'
import type { ControlResult } from '../../sandbox/service/control.ts'
import { formatTime } from '../../terminal/numbers.ts'
import { type Column, renderFields, renderTable, tableOn } from '../../terminal/table.ts'
import { type Define, examples, NO_WAY_BACK } from '../command.ts'
import { agreeToForget, sandboxToDrive, stateWords } from '../global-options.ts'
import { readCount, readDuration } from '../option-values.ts'
import { defineDeliver as deliver, define as deliveries } from './deliveries.ts'
import { effectInWords, define as fault } from './fault.ts'
import { defineLead as lead, defineRevise as revise } from './leads.ts'
import { defineInstallment as installment, define as pay } from './pay.ts'
import { define as run } from './run.ts'
import { defineChanges as changes, define as snapshot } from './snapshot.ts'
import { define as start } from './start.ts'
import { define as torture } from './torture.ts'
import { renderAccounts, renderCustomers } from './welcome.ts'

const status: Define = (command, act) => {
  command.option('--keys', "also show the keys of the sandbox's accounts").action(
    act(async (context, { keys = false }) => {
      const sandbox = await sandboxToDrive(context)
      const { served, baseUrl, paymentUrl, windowUrl, dataFile } = sandbox
      const { readRunning } = await import('../../sandbox/server/running.ts')
      const running = served ? await readRunning(context.world.stateDir) : undefined
      const status = await sandbox.control('status')
      const server = { pid: running?.pid ?? null, startedAt: running?.startedAt ?? null }
      const production = productionOf(baseUrl)
      const addresses = { baseUrl, paymentUrl, dashboardUrl: windowUrl, production }
      const result = { served, ...server, dataFile, ...status, ...addresses }
      const data = keys ? { ...result, partners: sandbox.partners } : result
      await context.output.result(data, async () => {
        const where: [string, string][] = running
          ? [
              ['Served', `at ${baseUrl} by pid ${running.pid}, since ${formatTime(running.startedAt)}`],
              ['Payment page', paymentUrl],
              ['Production', production.baseUrl],
            ]
          : [['Served', "no: commands with -p sandbox open the sandbox's state directly"]]
        const fields: [string, string][] = [
          ...where,
          ['State', stateWords({ dataFile })],
          ['Sandbox time', formatTime(status.now)],
          ['Evaluations', String(status.preApprovals)],
          ['Loans', String(status.loans)],
          ['Leads', String(status.leads)],
          ['Destinations', String(status.webhooks)],
          ['Requests', String(status.requests)],
          ['Rate limit', rateLimitInWords(status.rateLimit)],
          ['Service', serviceInWords(status.service)],
          ['Profiles', sandbox.partners.map(profileOf).join(', ')],
        ]
        const parts = [
          await renderFields(fields, context.output),
          ...(keys ? [await renderAccounts(sandbox.partners, context.output)] : []),
        ]
        return parts.join('\n\n')
      })
      if (!served) context.output.note('Serve the sandbox over HTTP, with its payment page: bnpl sandbox start')
    }),
  )
  examples(command, [
    ['is a sandbox running?', 'bnpl sandbox status --json'],
    ['the keys of every account', 'bnpl sandbox status --keys'],
  ])
}

function serviceInWords({ name, answers }: ControlResult<'status'>['service']): string {
  if (answers.length === 0) return name
  return `${name}: ${answers.map(({ field, answer }) => `${field} ${answer}`).join('; ')}`
}

function rateLimitInWords({ burst, perSecond, per, used }: ControlResult<'status'>['rateLimit']): string {
  const left = used.map(({ left, call, account }) => `${left} for ${call === '*' ? account : `${call} (${account})`}`)
  const now = left.length === 0 ? '' : `; left: ${left.join(', ')}`
  const rate = Number.isInteger(perSecond) ? `${perSecond} a second` : `${Math.round(perSecond * 60)} a minute`
  return `${burst} calls at once, then ${rate}, for each ${per === 'key' ? 'key' : 'account and endpoint'}${now}`
}

const open: Define = (command, act) => {
  command
    .option('--print', 'only print the link')
    .option('--alone', 'close the window in every other browser')
    .action(
      act(async (context, { print = false, alone = false }) => {
        const sandbox = await sandboxToDrive(context)
        if (!sandbox.served) {
          throw config(
            'no sandbox is served on this machine',
            'Start the sandbox: bnpl sandbox start --open',
            'SANDBOX_NOT_SERVED',
          )
        }
        const { url } = await sandbox.control('windowLink', { alone })
        const opened = !print && (await context.world.open(url))
        // Everybody who has the link can use the window. Therefore the link is only printed on request, or when no
        // browser can be opened.
        await context.output.result({ url, opened }, () => (opened ? 'The window is open in your browser.' : url))
        if (!opened) context.output.note('The link works only once. To get another link, run: bnpl sandbox open')
      }),
    )
  examples(command, [
    ['watch what your program does', 'bnpl sandbox open'],
    ['the link, for a browser of your choice', 'bnpl sandbox open --print'],
    ['close it in every other browser', 'bnpl sandbox open --alone'],
  ])
}

const clock: Define = (command, act) => {
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
    .option('--pay-due', 'the customers pay every installment that is due then')
    .action(
      act(async (context, { payDue = false }, text) => {
        if (text.startsWith('-')) throw usage(NO_WAY_BACK.message, NO_WAY_BACK.hint, 'INVALID_DURATION')
        const advanceMs = readDuration('DURATION', text, CLOCK_LIMIT)
        if (advanceMs === 0)
          throw usage('a duration of 0 does not move the clock', 'Give a duration such as 11m.', 'INVALID_DURATION')
        const { now } = await (await sandboxToDrive(context)).control('clock', { advanceMs, payDue })
        await show(context, now)
      }),
    )
  examples(advance, [
    ['let a widget token expire', 'bnpl sandbox clock advance 11m'],
    ['let a report link expire', 'bnpl sandbox clock advance 31m'],
    ['a month later, with the installments paid', 'bnpl sandbox clock advance 31d --pay-due'],
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

const faultColumn = ({ output }: Context): Column<ControlResult<'requests'>[number]> => ({
  title: 'Fault',
  isText: true,
  value: ({ fault }) => (fault === null ? '' : effectInWords(fault, output.inLanguage)),
  shrinks: true,
})

const requests: Define = (command, act) => {
  command.option('--limit <n>', 'show at most this many requests', '50').action(
    act(async (context, { limit: text }) => {
      const limit = readCount('--limit', text)
      const requests = await (await sandboxToDrive(context)).control('requests', { limit })
      const { style } = context.output
      await context.output.result(requests, () => {
        if (requests.length === 0) return 'No requests yet.'
        const today = formatTime(context.clock.now()).slice(0, 10)
        const ofToday = requests.every(({ at }) => formatTime(at).startsWith(today))
        return renderTable(
          requests,
          [
            { title: 'At', value: ({ at }) => formatTime(at).slice(ofToday ? 11 : 5) },
            { title: 'Account', value: ({ partner }) => partner ?? '', shrinks: true },
            { title: 'Request', value: ({ method, path }) => `${method} ${path}` },
            {
              title: 'Answer',
              value: ({ status }) => (status === 0 ? 'cut' : String(status)),
              align: 'right',
              look: (shown, { status }) => (status >= 200 && status < 400 ? style.green(shown) : style.red(shown)),
            },
            { title: 'ms', value: ({ ms }) => String(ms), align: 'right' },
            ...(requests.some(({ fault }) => fault !== null) ? [faultColumn(context)] : []),
          ],
          tableOn(context.output),
        )
      })
    }),
  )
  examples(command, [
    ['the requests of your program', 'bnpl sandbox requests --limit 10'],
    ['one request, with its masked bodies', 'bnpl sandbox requests --limit 1 --json'],
  ])
}

const customers: Define = (command, act) => {
  command.action(
    act(async ({ output }) => {
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
  ['installment', 'pay installments of a loan, as its customer would', installment],
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
