import { INFORME_LINK_LIFE_MS } from '../../contract/time-limits.ts'
import { formatDuration } from '../../domain/clock.ts'
import { config } from '../../errors.ts'
import { type Define, examples } from '../command.ts'
import { nextCommand } from '../global-options.ts'
import { readPreApproveId } from '../option-values.ts'
import { defineDownload } from './download.ts'
import { type FreshLink, freshLink, isOfThisProcess } from './report-link.ts'

export const define: Define = (command, act) => {
  defineGet(command.command('get').alias('show'), act)
  defineDownload(command.command('download'), act)
  defineOpen(command.command('open'), act)
  examples(command, [
    ['a report as a file, PreAprobacion_<id>.pdf', 'bnpl informe download PREAPPROVEID'],
    ['the reports of a file with a column preApproveId', 'bnpl informe download --from ids.csv --dir reports'],
    ['get a link that is valid for half an hour', 'bnpl informe get PREAPPROVEID'],
  ])
}

const defineGet: Define = (command, act) => {
  command
    .description('print a fresh link to a report, without storing the link')
    .argument('<preApproveId...>', 'ids of pre-approvals (idPreAprobacion), not preLoanRequestIds')
    .action(
      act(async (context, _, ids) => {
        const links: FreshLink[] = []
        for (const id of ids.map((each) => readPreApproveId(context, 'PREAPPROVEID', each)))
          links.push(await freshLink(context, id))
        await context.output.result(links.length === 1 ? links[0] : links, () => links.map(({ url }) => url).join('\n'))
        if (await isOfThisProcess(context))
          context.output.note(
            'The sandbox is not running, so the link cannot be opened. Start the sandbox: bnpl sandbox start',
          )
        context.output.note(
          `Save the PDF with: ${nextCommand(context, 'bnpl informe download', [ids[0] ?? ''])}. Everybody who has the link can open the report for ${formatDuration(INFORME_LINK_LIFE_MS)}.`,
        )
      }),
    )
  examples(command, [
    ['only the link, for a browser', 'bnpl informe get PREAPPROVEID -p sandbox:real-estate'],
    ['the link with its expiry, for a script', 'bnpl informe get PREAPPROVEID --json'],
  ])
}

const defineOpen: Define = (command, act) => {
  command
    .description('open a report in the browser, with a fresh link')
    .argument('<preApproveId>', 'id of a pre-approval (idPreAprobacion)')
    .action(
      act(async (context, _, id) => {
        const preApproveId = readPreApproveId(context, 'PREAPPROVEID', id)
        if (await isOfThisProcess(context)) {
          throw config(
            'the sandbox is not running, so a browser cannot open the report',
            `Start the sandbox first: bnpl sandbox start — or save the PDF: ${nextCommand(context, 'bnpl informe download', [id])}`,
            'SANDBOX_NOT_SERVED',
          )
        }
        const { url, expiresAt } = await freshLink(context, preApproveId)
        if (!(await context.world.open(url)))
          throw config(
            'no browser could be opened',
            `Print the link: ${nextCommand(context, 'bnpl informe get', [id])} — or save the PDF: ${nextCommand(context, 'bnpl informe download', [id])}`,
            'NO_BROWSER',
          )
        await context.output.result({ preApproveId, opened: true, expiresAt }, () => '')
        context.output.note('The report was opened in your browser.')
      }),
    )
  examples(command, [['a report of the running sandbox', 'bnpl informe open PREAPPROVEID -p sandbox:real-estate']])
}
