import { INFORME_LINK_LIFE_MS } from '../../contract/report.ts'
import { formatDuration } from '../../domain/duration.ts'
import { type Define, examples } from '../command.ts'
import { nextCommand } from '../global-options.ts'
import { readIdentifier } from '../option-values.ts'
import { type FreshLink, freshLink, isOfThisProcess } from './report-link.ts'

export const defineGet: Define = (command, act) => {
  command
    .description('print a fresh link to a report; it is not stored')
    .argument('<preApproveId...>', 'ids of pre-approvals (idPreAprobacion), not preLoanRequestIds')
    .action(
      act(async (context, _, ids) => {
        const links: FreshLink[] = []
        for (const id of ids.map((each) => readIdentifier('PREAPPROVEID', each)))
          links.push(await freshLink(context, id))
        await context.output.result(links.length === 1 ? links[0] : links, () => links.map(({ url }) => url).join('\n'))
        if (await isOfThisProcess(context))
          context.output.note('The sandbox is not running, so the link cannot be opened. Start it: bnpl sandbox start')
        context.output.note(
          `Everybody who has the link can open it for ${formatDuration(INFORME_LINK_LIFE_MS)}. Save the PDF with: ${nextCommand(context, 'bnpl informe download', [ids[0] ?? ''])}`,
        )
      }),
    )
  examples(command, [
    ['only the link, for a browser', 'bnpl informe get 6f1c… -p sandbox:real-estate'],
    ['with its expiry, for a script', 'bnpl informe get 6f1c… --json'],
  ])
}
