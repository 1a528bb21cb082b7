import { profileOf } from '../../domain/sandbox-accounts.ts'
import { BnplError, usage } from '../../errors.ts'
import { CLOCK_LIMIT } from '../../sandbox/conventions.ts'
import { renderFields } from '../../terminal/table.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive } from '../global-options.ts'
import { readDuration, readIdentifier, readRut, refuseChangedValue } from '../option-values.ts'

export const defineLead: Define = (command, act) => {
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

export const defineRevise: Define = (command, act) => {
  command
    .argument('<preApproveId>', 'id of a pre-approval (idPreAprobacion)')
    .requiredOption(
      '--set <name=value...>',
      'new risk parameters of the evaluation, or partner=NAME to rename the account',
    )
    .action(
      act(async (context, options, id) => {
        const preApproveId = readIdentifier('PREAPPROVEID', id)
        const parameters = Object.fromEntries(options.set.map(readPair))
        const sandbox = await sandboxToDrive(context)
        const revised = await sandbox.control('revise', { preApproveId, parameters }).catch(rethrowForSet)
        await context.output.result(revised, () =>
          renderFields(
            Object.entries(revised.parameters).map(([name, value]) => [name, String(value)]),
            context.output,
          ),
        )
        const download = commandLine('bnpl informe download', [preApproveId], '--force -p sandbox:real-estate')
        context.output.note(
          revised.changed.length === 0
            ? 'Nothing changed, because the parameters already had these values. The report stays as it is.'
            : `The report has changed. Download it again: ${download}`,
        )
        if (revised.changed.includes('partner'))
          context.output.note('From now on the account has the new name in every report and evaluation.')
      }),
    )
  examples(command, [
    [
      'a worse score, which changes the report',
      'bnpl sandbox revise PREAPPROVEID --set puntajeRiesgo=312 segmentoRiesgo=E',
    ],
    [
      'show a different account name in the reports',
      "bnpl sandbox revise PREAPPROVEID --set partner='Inmobiliaria Sur'",
    ],
  ])
}

/** Throws the error of the sandbox. If a value of --set was refused, throws a usage error that names this option. */
function rethrowForSet(error: unknown): never {
  if (!(error instanceof BnplError) || error.code !== 'ERR_CONTROL_INPUT') throw error
  throw usage(`--set is not valid: ${error.message}`, SEE_FIELDS, 'INVALID_SET')
}

const SHOW_FIELDS = 'bnpl evaluations get --rut RUT -p sandbox:real-estate'
const SEE_FIELDS = `Correct --set, or see all fields of an evaluation: ${SHOW_FIELDS}`

function readPair(text: string): [string, string] {
  const at = text.indexOf('=')
  refuseChangedValue('--set', text)
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw usage(
    `--set “${text}” is not name=value`,
    `Write a field of the evaluation and its new value, such as puntajeRiesgo=312. To see the fields: ${SHOW_FIELDS}`,
    'INVALID_SET',
  )
}
