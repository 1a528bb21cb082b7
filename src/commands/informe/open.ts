import { config } from '../../errors.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { readIdentifier } from '../option-values.ts'
import { freshLink, isOfThisProcess } from './report-link.ts'

export const defineOpen: Define = (command, act) => {
  command
    .description('open a report in the browser, with a fresh link')
    .argument('<preApproveId>', 'id of a pre-approval (idPreAprobacion)')
    .action(
      act(async (context, _, id) => {
        const preApproveId = readIdentifier('PREAPPROVEID', id)
        if (await isOfThisProcess(context)) {
          throw config(
            'the embedded sandbox has no address that a browser can open',
            `Start the sandbox as a server first: bnpl sandbox start — or save the PDF: ${commandLine('bnpl informe download', [id])}`,
            'SANDBOX_NOT_SERVED',
          )
        }
        const { url, expiresAt } = await freshLink(context, preApproveId)
        if (!(await context.world.open(url)))
          throw config(
            'no browser could be opened',
            `Print the link: ${commandLine('bnpl informe get', [id])} — or save the PDF: ${commandLine('bnpl informe download', [id])}`,
            'NO_BROWSER',
          )
        await context.output.result({ preApproveId, opened: true, expiresAt }, () => '')
        context.output.note('Opened in the browser.')
      }),
    )
  examples(command, [['a report of the running sandbox', 'bnpl informe open 6f1c… -p sandbox:real-estate']])
}
