import { type Answer, type FieldName, isFieldName, sourceInWords } from '../../contract/description.ts'
import { shownDatabase } from '../../profiles/database.ts'
import { PROFILE_SETTINGS } from '../../profiles/profile.ts'
import type { Setting, Settings } from '../../profiles/resolve.ts'
import { renderWithWhole, tableOn } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'

type Shown = Setting<string | readonly string[]> | null

/** `profiles show`: prints every setting in use and its source. */
export const defineProfilesShow: Define = (command, act) => {
  command.argument('[name]', 'a profile, or sandbox (default: the one in use)').action(
    act(async (context, _, name) => {
      const { fingerprint } = await import('../../text/fingerprint.ts')
      const shown = showSettings(await context.settings(name), fingerprint)
      const { style } = context.output
      await context.output.result(shown, () =>
        renderWithWhole(
          Object.entries(shown),
          [
            { title: 'Setting', value: ([setting]) => setting },
            { title: 'From', value: ([, found]) => found?.source ?? '', shrinks: true, look: style.dim },
          ],
          { title: 'Value', value: ([, found]) => (found ? [found.value].flat().join(', ') : '–'), at: 1 },
          tableOn(context.output),
        ),
      )
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
]

function shownAnswer(field: FieldName, answer: Answer): Shown {
  if (typeof answer.source === 'object') return { value: answer.text, source: sourceInWords(answer.source) }
  return WITHOUT_DEFAULT.includes(field) ? null : { value: answer.text, source: 'default' }
}
