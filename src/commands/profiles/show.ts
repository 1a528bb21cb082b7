import { BODY_ENCODINGS, LIST_ENCODINGS } from '../../contract/form.ts'
import { shownDatabase } from '../../profiles/database.ts'
import { BODY_SETTINGS, PATH_SETTINGS, type Setting, type Settings } from '../../profiles/resolve.ts'
import { tableOn } from '../../terminal/table.ts'
import { renderWithWhole } from '../../terminal/whole-column.ts'
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
  const { apiKey, webhookSecrets, database, paths, bodies, ...rest } = settings
  const source = settings.environment.source
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, found]) => [name, found ?? null])),
    apiKey: apiKey ? { ...apiKey, value: fingerprint(apiKey.value) } : null,
    webhookSecrets: webhookSecrets ? { ...webhookSecrets, value: webhookSecrets.value.map(fingerprint) } : null,
    database: database ? { ...database, value: shownDatabase(database.value) } : null,
    ...Object.fromEntries(
      PATH_SETTINGS.map((name) => [name, paths[name] === undefined ? null : { value: paths[name], source }]),
    ),
    ...Object.fromEntries(
      BODY_SETTINGS.map((name) => {
        const usual = name === 'bodies.eventTypes' ? LIST_ENCODINGS[0] : BODY_ENCODINGS[0]
        return [name, { value: bodies[name] ?? usual, source: bodies[name] ? source : 'default' }]
      }),
    ),
  }
}
