import type { Context } from '../context.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError } from '../errors.ts'
import { optionWords } from '../text/shell-word.ts'
import { type Define, examples } from './command.ts'
import { nextCommand } from './global-options.ts'
import { readIdentifier } from './option-values.ts'
import { noteMasked, REVEAL, renderRecord, renderRecords, showAnswer } from './record-table.ts'

export const define: Define = (command, act) => {
  defineList(command.command('list'), act)
  defineGet(command.command('get').alias('show'), act)
  examples(command, [
    ['leads of the sandbox', 'bnpl leads list -p sandbox:real-estate'],
    ['show the details of one lead', 'bnpl leads get LEADID'],
  ])
}

const defineList: Define = (command, act) => {
  command
    .description('list the leads of this account')
    .option(...REVEAL)
    .action(
      act(async (context, { reveal = false }) => {
        const answer = await (await context.api()).probe('listLeads', { params: {}, body: {} })
        const leads = await showAnswer(context, answer, (data) => renderRecords(context, data, 'No leads yet.', reveal))
        if (leads !== undefined && leads.length > 0) noteMasked(context, reveal)
        if (leads?.length !== 0) return
        const { profile, environment } = await context.settings()
        if (profile?.value === SANDBOX)
          context.output.note(
            `Only real-estate accounts have leads. List the leads of the sandbox: bnpl leads list -p ${SANDBOX}:real-estate`,
          )
        else if (environment.value === SANDBOX) context.output.note('Create a lead: bnpl sandbox lead')
      }),
    )
  examples(command, [
    ['leads of the sandbox', 'bnpl leads list -p sandbox:real-estate'],
    ['pre-approval ids of the finished evaluations', "bnpl leads list --json | jq -r '.[].idPreAprobacion // empty'"],
  ])
}

const defineGet: Define = (command, act) => {
  command
    .description('show the details of a lead')
    .argument('<leadId>', "the lead's id")
    .option(...REVEAL)
    .action(
      act(async (context, { reveal = false }, id) => {
        const params = { leadId: readIdentifier('LEADID', id) }
        const api = await context.api()
        const answer = await api
          .probe('getLead', { params, body: {} })
          .catch((error) => Promise.reject(withLeads(context, error)))
        const lead = await showAnswer(context, answer, (data) => renderRecord(context, data, reveal))
        noteMasked(context, reveal)
        const evaluation = nextCommand(context, `bnpl evaluations get ${optionWords('--lead-id', id)}`)
        const isOpen = (await context.settings()).environment.value === SANDBOX && lead?.evaluatedAt === null
        if (isOpen)
          context.output.note(
            "The evaluation is not finished. Move the sandbox's time ahead, for example: bnpl sandbox clock advance 1m",
          )
        context.output.note(isOpen ? `Then show it: ${evaluation}` : `Show the evaluation: ${evaluation}`)
      }),
    )
  examples(command, [
    ['a lead of the sandbox, with an id from: bnpl leads list', 'bnpl leads get LEADID -p sandbox:real-estate'],
  ])
}

function withLeads(context: Context, error: unknown): unknown {
  if (!(error instanceof BnplError) || error.kind !== 'not-found') return error
  return error.withHint(
    `List the leads with their ids: ${nextCommand(context, 'bnpl leads list')}. The id of a pre-approval is not the id of a lead.`,
  )
}
