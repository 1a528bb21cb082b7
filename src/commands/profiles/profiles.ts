import { type Answer, type FieldName, isFieldName, sourceInWords } from '../../contract/description.ts'
import { SANDBOX, SANDBOX_PROFILES, sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { type BnplError, failureOf } from '../../errors.ts'
import { PROFILE_SETTINGS } from '../../profiles/profile.ts'
import { environmentSuffices, type Setting, type Settings } from '../../profiles/resolve.ts'
import { shownDatabase } from '../../profiles/settings.ts'
import { renderTable, renderWithWhole, tableOn } from '../../terminal/table.ts'
import { fingerprints } from '../../text/masking.ts'
import { type Define, examples } from '../command.ts'
import { agree, refuseDryRun } from '../global-options.ts'
import { defineAdd } from './add.ts'
import { defineAddSecret, defineRmSecret, defineSet, defineSetKey, defineUnset } from './change.ts'
import { forgetKey, type ProfileRow, profileRow, rowOf, sandboxRows, storedProfile } from './stored-profile.ts'

/** `bnpl profiles`: the accounts that are stored on this machine. */
export const define: Define = (command, act) => {
  defineProfilesList(command.command('list').description('list every profile, with a mark at the default one'), act)
  defineAdd(command.command('add').description('add an account, with options or with questions on a terminal'), act)
  defineUse(command.command('use').description('make a profile the default'), act)
  defineProfilesShow(
    command.command('show').alias('get').description('show every setting in use, and where it comes from'),
    act,
  )
  defineSet(command.command('set').description('change a setting'), act)
  defineUnset(command.command('unset').description('remove a setting'), act)
  defineSetKey(command.command('set-key').description('replace the API key'), act)
  defineAddSecret(
    command.command('add-secret').description('add a webhook secret; the earlier secrets stay valid'),
    act,
  )
  defineRmSecret(command.command('rm-secret').description('remove a webhook secret (default: the oldest one)'), act)
  defineProfilesRm(command.command('rm').description('remove a profile and its key'), act)
  examples(command, [
    ['add an account, answering questions', 'bnpl profiles add shop'],
    ['show the settings in use and their sources', 'bnpl profiles show'],
    ['make another account the default', 'bnpl profiles use shop-beta'],
  ])
}

/** `profiles list`: prints every profile and the built-in sandbox. */
const defineProfilesList: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const file = await (await context.profiles()).read()
      const rows = [
        ...Object.entries(file.profiles).map(([name, profile]) => profileRow(name, profile, file)),
        ...sandboxRows(file),
      ]
      const { style } = context.output
      await context.output.result(rows, () =>
        renderTable<ProfileRow>(
          rows.filter((row) => row.environment !== SANDBOX || row.name === SANDBOX || row.default),
          [
            { title: '', value: (row) => (row.default ? '*' : ' '), look: style.green },
            {
              title: 'Name',
              value: (row) => row.name,
              look: (text, row) => (row.default ? style.bold(text) : text),
              shrinks: true,
            },
            {
              title: 'Environment',
              value: (row) => row.environment,
              look: (text, row) => (row.environment === 'production' ? style.red(text) : text),
            },
            {
              title: 'Base address',
              isText: true,
              value: (row) => row.baseUrl ?? 'on this machine',
              shrinks: true,
            },
            { title: 'Key', value: (row) => row.apiKey ?? '' },
          ],
          tableOn(context.output),
        ),
      )
      if (context.output.forPeople)
        context.output.note(`More sandbox accounts: ${Object.keys(SANDBOX_PROFILES).slice(1).join(', ')}`)
      const { env } = context.world
      if (environmentSuffices(context.options.profile, env)) {
        context.output.note(
          'BNPL_API_KEY and BNPL_BASE_URL are set, so commands without -p use these variables instead of a profile.',
        )
      } else if (env.BNPL_PROFILE) {
        context.output.note(`BNPL_PROFILE is set, so commands without -p use the profile ${env.BNPL_PROFILE}.`)
      } else if (file.default === undefined && Object.keys(file.profiles).length > 0) {
        context.output.note('No profile is the default. Choose one: bnpl profiles use NAME')
      } else if (Object.keys(file.profiles).length === 0) {
        context.output.note('Add your account: bnpl profiles add NAME')
      }
    }),
  )
  examples(command, [
    ['every profile, keys masked', 'bnpl profiles list'],
    ['only the names, for a script', 'bnpl profiles list --json | jq -r .[].name'],
  ])
}

type Shown = Setting<string | readonly string[]> | null

/** `profiles show`: prints every setting in use and its source. */
const defineProfilesShow: Define = (command, act) => {
  command.argument('[name]', 'a profile, or sandbox (default: the one in use)').action(
    act(async (context, _, name) => {
      const problems: BnplError[] = []
      const shown = showSettings(await context.settingsWith(problems, name), await fingerprints())
      const { style } = context.output
      await context.output.result(shown, () =>
        renderWithWhole(
          Object.entries(shown).filter(([setting]) => setting !== 'serviceSource'),
          [
            { title: 'Setting', value: ([setting]) => setting },
            { title: 'From', isText: true, value: ([, found]) => found?.source ?? '', shrinks: true, look: style.dim },
          ],
          { title: 'Value', value: ([, found]) => (found ? [found.value].flat().join(', ') : '–'), at: 1 },
          tableOn(context.output),
        ),
      )
      if (problems.length > 0) throw failureOf(problems)
    }),
  )
  examples(command, [
    ['the settings in use, and their sources', 'bnpl profiles show'],
    ['see the source of the key', 'bnpl profiles show acme --json | jq .apiKey.source'],
  ])
}

function showSettings(settings: Settings, fingerprint: (secret: string) => string): Record<string, Shown> {
  const { apiKey, webhookSecrets, database, service, ...rest } = settings
  const { name, answers } = service
  return {
    ...Object.fromEntries(Object.entries(rest).map(([setting, found]) => [setting, found ?? null])),
    apiKey: apiKey ? { ...apiKey, value: fingerprint(apiKey.value) } : null,
    webhookSecrets: webhookSecrets ? { ...webhookSecrets, value: webhookSecrets.value.map(fingerprint) } : null,
    database: database ? { ...database, value: shownDatabase(database.value) } : null,
    service: { value: name, source: settings.serviceSource },
    ...Object.fromEntries(SHOWN.map((field) => [field, shownAnswer(field, answers[field])])),
  }
}

/** The settings of a profile that are answers to open questions. */
const SHOWN: readonly FieldName[] = Object.keys(PROFILE_SETTINGS)
  .filter(isFieldName)
  .filter((name) => name !== 'baseUrl' && name !== 'paymentUrl')

/** Settings that have no value on a service whose answer is not known, because the client follows no convention for them. */
const WITHOUT_DEFAULT: readonly FieldName[] = [
  'preApproveIdField',
  'paths.evaluationByLead',
  'paths.leads',
  'paths.lead',
  'paths.entities',
  'paths.entity',
  'cancel',
  'entities',
]

function shownAnswer(field: FieldName, answer: Answer): Shown {
  if (typeof answer.source === 'object') return { value: answer.text, source: sourceInWords(answer.source) }
  return WITHOUT_DEFAULT.includes(field) ? null : { value: answer.text, source: 'default' }
}

/** `profiles use NAME`: makes a profile (or the sandbox) the default. */
const defineUse: Define = (command, act) => {
  command.argument('<name>', 'the profile, or sandbox').action(
    act(async (context, _, name) => {
      refuseDryRun(context)
      const store = await context.profiles()
      const file = await store.update((before) => {
        rowOf(name, before)
        return { ...before, default: name }
      })
      await context.output.result(rowOf(name, file), () => '')
      context.output.note(`${name} is now the default profile.`)
      const variable = context.world.env.BNPL_PROFILE
      if (variable && variable !== name) {
        context.output.warn(`BNPL_PROFILE is set to ${variable} and overrides the default.`)
      }
    }),
  )
  examples(command, [
    ['make a profile the default, so that -p is not needed', 'bnpl profiles use acme'],
    ['practise on the sandbox of this machine', 'bnpl profiles use sandbox'],
  ])
}

/** `profiles rm NAME`: removes a profile with its key and secrets. */
const defineProfilesRm: Define = (command, act) => {
  command
    .argument('<name>', 'name of the profile')
    .option('--if-exists', 'succeed if the profile does not exist')
    .action(
      act(async (context, options, name) => {
        refuseDryRun(context)
        const store = await context.profiles()
        const file = await store.read()
        if (options.ifExists && !Object.hasOwn(file.profiles, name) && sandboxTraits(name) === undefined) {
          await context.output.result({ name, deleted: false }, () => '')
          return context.output.note(`There is no profile ${name} on this machine.`)
        }
        const { profile } = storedProfile(context, name, file)
        await agree(context, `Remove the profile ${name} with its key from this machine?`)
        let wasDefault = false
        await store.update((before) => {
          storedProfile(context, name, before)
          const { [name]: _removed, ...profiles } = before.profiles
          const { default: chosen, ...rest } = before
          wasDefault = chosen === name
          return { ...rest, ...(chosen === undefined || wasDefault ? {} : { default: chosen }), profiles }
        })
        await forgetKey(context, profile)
        await context.output.result({ name, deleted: true }, () => '')
        context.output.note(
          `${name} is removed.${wasDefault ? ' It was the default. Choose another default: bnpl profiles use NAME' : ''}`,
        )
      }),
    )
  examples(command, [['remove a profile without being asked', 'bnpl profiles rm acme --yes']])
}
