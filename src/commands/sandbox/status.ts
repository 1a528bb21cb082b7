import { profileOf } from '../../domain/sandbox-accounts.ts'
import type { ControlResult } from '../../sandbox/service/control.ts'
import { formatTime } from '../../terminal/numbers.ts'
import { renderFields } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive, stateWords } from './drive.ts'
import { renderAccounts } from './welcome.ts'

export const define: Define = (command, act) => {
  command.option('--keys', "also show the keys of the sandbox's accounts").action(
    act(async (context, { keys = false }) => {
      const sandbox = await sandboxToDrive(context)
      const { served, baseUrl, paymentUrl, windowUrl, dataFile } = sandbox
      const { readRunning } = await import('../../sandbox/server/running.ts')
      const running = served ? await readRunning(context.world.stateDir) : undefined
      const status = await sandbox.control('status')
      const server = { pid: running?.pid ?? null, startedAt: running?.startedAt ?? null }
      const { productionOf } = await import('../../sandbox/addresses.ts')
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

function rateLimitInWords({ burst, perSecond, used }: ControlResult<'status'>['rateLimit']): string {
  const left = used.map((bucket) => `${bucket.left} for ${bucket.call} (${bucket.account})`)
  const now = left.length === 0 ? '' : `; left: ${left.join(', ')}`
  return `${burst} calls at once, then ${perSecond} a second, for each account and endpoint${now}`
}
