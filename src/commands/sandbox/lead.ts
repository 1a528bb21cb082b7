import { profileOf } from '../../domain/sandbox-accounts.ts'
import { renderFields } from '../../terminal/table.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { readDuration, readIdentifier, readRut } from '../option-values.ts'
import { sandboxToDrive } from './drive.ts'

export const define: Define = (command, act) => {
  command
    .option('--rut <rut>', "the lead's national id (default: an invented one)")
    .addOption(
      command
        .createOption('--outcome <outcome>', "the result of the lead's evaluation")
        .choices(['approved', 'rejected']),
    )
    .option('--project <id>', "the lead's project")
    .option('--partner <name>', 'the real-estate account that gets the lead')
    .option('--evaluate-in <duration>', "how long the lead's evaluation takes, in the sandbox's time")
    .addOption(command.createOption('--now', "finish the lead's evaluation at once").conflicts('evaluateIn'))
    .action(
      act(async (context, options) => {
        const { CLOCK_LIMIT } = await import('../../sandbox/conventions.ts')
        const input = {
          rut: options.rut === undefined ? undefined : readRut(options.rut, true),
          outcome: options.outcome,
          projectId: options.project === undefined ? undefined : readIdentifier('--project', options.project),
          partner: options.partner === undefined ? undefined : readIdentifier('--partner', options.partner),
          evaluateInMs:
            options.evaluateIn === undefined
              ? undefined
              : readDuration('--evaluate-in', options.evaluateIn, CLOCK_LIMIT),
          now: options.now,
        }
        const sandbox = await sandboxToDrive(context)
        const lead = await sandbox.control('lead', input)
        await context.output.result(lead, () =>
          renderFields(
            [
              ['Lead', lead.leadId],
              ['Account', lead.partner],
              ['Outcome', lead.preApproveId ? lead.outcome : `${lead.outcome}, when the evaluation is finished`],
              ['Pre-approval', lead.preApproveId ?? 'not yet'],
            ],
            context.output,
          ),
        )
        const account = sandbox.partners.find(({ name }) => name === lead.partner)
        const profile = account && profileOf(account)
        if (lead.preApproveId === null)
          context.output.note(
            `Finish the evaluation now: ${commandLine('bnpl sandbox clock advance', [options.evaluateIn ?? '1m'])}`,
          )
        else if (profile !== undefined)
          context.output.note(`Next: ${commandLine('bnpl informe download', [lead.preApproveId], `-p ${profile}`)}`)
        if (profile !== undefined)
          context.output.note(`See the lead: ${commandLine('bnpl leads get', [lead.leadId], `-p ${profile}`)}`)
      }),
    )
  examples(command, [
    ['new_lead is sent now, pre_approve half a minute later', 'bnpl sandbox lead'],
    ['both events at once, for a script', 'bnpl sandbox lead --outcome rejected --now --json'],
  ])
}
