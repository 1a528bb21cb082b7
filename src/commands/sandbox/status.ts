import { profileOf } from '../../domain/sandbox-accounts.ts'
import { formatTime } from '../../terminal/format.ts'
import { renderFields } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive, stateWords } from './drive.ts'

export const define: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const sandbox = await sandboxToDrive(context)
      const { served, baseUrl, paymentUrl, windowUrl, dataFile, database } = sandbox
      const { readRunning } = await import('../../sandbox/server/running.ts')
      const running = served ? await readRunning(context.world.stateDir) : undefined
      const status = await sandbox.control('status')
      const server = { pid: running?.pid ?? null, startedAt: running?.startedAt ?? null }
      const result = { served, ...server, dataFile, database, ...status, baseUrl, paymentUrl, dashboardUrl: windowUrl }
      await context.output.result(result, () => {
        const where: [string, string][] = running
          ? [
              ['Served', `at ${baseUrl} by pid ${running.pid}, since ${formatTime(running.startedAt)}`],
              ['Payment page', paymentUrl],
            ]
          : [
              [
                'Served',
                `${database === null ? 'no' : 'not on this machine'}: commands with -p sandbox open its state directly`,
              ],
            ]
        const fields: [string, string][] = [
          ...where,
          ['State', stateWords({ dataFile, database })],
          ['Its time', formatTime(status.now)],
          ['Evaluations', String(status.preApprovals)],
          ['Loans', String(status.loans)],
          ['Leads', String(status.leads)],
          ['Destinations', String(status.webhooks)],
          ['Requests', String(status.requests)],
          ['Profiles', sandbox.partners.map(profileOf).join(', ')],
        ]
        return renderFields(fields, context.output)
      })
      if (!served) context.output.note('Serve it over HTTP, with its payment page: bnpl sandbox start')
    }),
  )
  examples(command, [['see whether a sandbox is running', 'bnpl sandbox status --json']])
}
