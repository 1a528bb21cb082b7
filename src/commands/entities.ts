import type { Context } from '../context.ts'
import { CALLS } from '../contract/calls/calls.ts'
import { BnplError, usage } from '../errors.ts'
import { isRecord } from '../text/json-text.ts'
import { type Define, examples } from './command.ts'
import { nextCommand } from './global-options.ts'
import { readIdentifier } from './option-values.ts'
import { renderRecord, renderRecords, showAnswer } from './record-table.ts'
import { refuseWithoutCall } from './service-option.ts'

export const define: Define = (command, act) => {
  defineList(command.command('list'), act)
  defineAdd(command.command('add'), act)
  defineSet(command.command('set'), act)
  command.addHelpText(
    'after',
    `
Entities keep merchants, projects or shops of one account apart: the id of an
entity is the --entity-id of an evaluation. The specification does not have
these calls. The sandbox has them, and banca.me publishes them, but not the
paths that list and change entities: set these with paths.entities and
paths.entity.`,
  )
  examples(command, [['the entities of the sandbox', 'bnpl entities list -p sandbox']])
}

const defineList: Define = (command, act) => {
  command.description('list the entities of this account').action(
    act(async (context) => {
      await refuseWithoutCall(context, CALLS.listEntities)
      const answer = await (await context.api()).probe('listEntities', { params: {}, body: {} })
      await showAnswer(context, answer, (data) =>
        renderRecords(context, data.map(forPeople(context)), 'No entities yet.', true),
      )
      if (answer.known) await noteOwn(context, answer.data)
    }),
  )
  examples(command, [['the entities of the sandbox', 'bnpl entities list -p sandbox']])
}

/** Notes which entity is used without --entity-id, and warns if it cannot be used. */
async function noteOwn({ output, settings }: Context, listed: readonly Record<string, unknown>[]): Promise<void> {
  const { entityId } = await settings()
  if (entityId === undefined) return
  const { value, source } = entityId
  const own = listed.find(({ id }) => id === value)
  if (own?.isActive === false) output.warn(`the entity ${value} of ${source} is not active`)
  else if (own === undefined) output.note(`The entity ${value} of ${source} is not in the list.`)
  else output.note(`Without --entity-id, the entity is ${value} (${source}).`)
}

const defineAdd: Define = (command, act) => {
  command
    .description('add an entity to this account')
    .requiredOption('--external-id <id>', 'your own id of the entity')
    .requiredOption('--name <name>', 'name of the entity')
    .requiredOption('--label <label>', 'short name, which no other entity of the account has')
    .option('--active <yes|no>', 'whether the entity can be used', 'yes')
    .option('--if-missing', 'succeed if the entity exists already')
    .action(
      act(async (context, options) => {
        await refuseWithoutCall(context, CALLS.addEntity)
        const body = {
          externalEntityId: readIdentifier('--external-id', options.externalId),
          name: readName('--name', options.name),
          label: readName('--label', options.label),
          isActive: readActive(options.active),
        }
        context.change = `add the entity ${body.label}`
        const { data } = await (await context.api())
          .call('addEntity', { params: {}, body })
          .catch(async (error: unknown) => {
            if (!(error instanceof BnplError) || error.exchange?.status !== 428) throw error
            if (!options.ifMissing)
              throw error.withHint(
                `Use the entity that exists: ${nextCommand(context, 'bnpl entities list')}\nIn a script that may run twice, add --if-missing.`,
              )
            context.output.note('The entity exists already, and was not changed.')
            return { data: await existing(context, body) }
          })
        await context.output.result(data, () => renderRecord(context, forPeople(context)(data), true))
      }),
    )
  examples(command, [
    [
      'an entity of the sandbox, in a script that may run twice',
      'bnpl entities add --external-id shop-2 --name "Shop 2" --label shop-2 --if-missing -p sandbox',
    ],
  ])
}

/** Returns the fields of an entity in the order of the options, without those that are empty. */
const forPeople =
  ({ output: { inLanguage } }: Context) =>
  ({ externalEntityId, name, label, isActive, id, ...others }: Record<string, unknown>) => {
    const active = typeof isActive === 'boolean' ? inLanguage(isActive ? 'yes' : 'no') : isActive
    const fields = Object.entries({ externalEntityId, name, label, active, id, ...others })
    return Object.fromEntries(fields.filter(([, value]) => value !== null && value !== undefined))
  }

/** Returns the entity that exists already. If the entities cannot be listed, returns what was asked for. */
async function existing(
  context: Context,
  wanted: { externalEntityId: string; label: string },
): Promise<Record<string, unknown>> {
  const list = await (await context.api()).call('listEntities', { params: {}, body: {} }).catch((error: unknown) => {
    if (!(error instanceof BnplError)) throw error
  })
  const found = list?.data.find(
    (each) => each.externalEntityId === wanted.externalEntityId || each.label === wanted.label,
  )
  return isRecord(found) ? found : wanted
}

const defineSet: Define = (command, act) => {
  command
    .description('change the name of an entity, or whether it is active')
    .argument('<entityId>', 'id of the entity')
    .option('--name <name>', 'new name')
    .option('--active <yes|no>', 'whether the entity can be used')
    .action(
      act(async (context, { name, active }, id) => {
        await refuseWithoutCall(context, CALLS.setEntity)
        if (name === undefined && active === undefined)
          throw usage('there is nothing to change', 'Add --name or --active.')
        const entityId = readIdentifier('ENTITYID', id)
        const body = {
          ...(name !== undefined && { name: readName('--name', name) }),
          ...(active !== undefined && { isActive: readActive(active) }),
        }
        context.change = `change the entity ${entityId}`
        const all = `See all entities: ${nextCommand(context, 'bnpl entities list')}`
        const { data } = await (await context.api())
          .call('setEntity', { params: { entityId }, body })
          .catch((error: unknown) => {
            // The code of this answer is also that of a payment, whose entity id comes from the profile.
            throw error instanceof BnplError && error.kind === 'not-found' ? error.withHint(all) : error
          })
        await context.output.result(data, () => renderRecord(context, forPeople(context)(data), true))
        context.output.note(all)
      }),
    )
  examples(command, [['an entity that is no longer used', 'bnpl entities set ENTITYID --active no -p sandbox']])
}

function readActive(text: string): boolean {
  const word = text.trim().toLowerCase()
  if (['yes', 'true'].includes(word)) return true
  if (['no', 'false'].includes(word)) return false
  throw usage(`--active “${text}” is neither yes nor no`, 'Write --active yes or --active no.')
}

function readName(option: string, text: string): string {
  if (text.trim() !== '' && text.length <= 200 && !/[\u0000-\u001f\u007f-\u009f]/.test(text)) return text
  throw usage(
    `${option} is empty, too long, or contains a control character`,
    'Write a name of at most 200 characters.',
  )
}
