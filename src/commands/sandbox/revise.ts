import { BnplError, usage } from '../../errors.ts'
import { renderFields } from '../../terminal/table.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { readIdentifier } from '../option-values.ts'
import { sandboxToDrive } from './drive.ts'

export const define: Define = (command, act) => {
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
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw usage(
    `--set “${text}” is not name=value`,
    `Write a field of the evaluation and its new value, such as puntajeRiesgo=312. To see the fields: ${SHOW_FIELDS}`,
    'INVALID_SET',
  )
}
