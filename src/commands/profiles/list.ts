import { SANDBOX, SANDBOX_PROFILES } from '../../domain/sandbox-accounts.ts'
import { environmentSuffices } from '../../profiles/environment.ts'

import { renderTable, tableOn } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { type ProfileRow, profileRow, sandboxRows } from './row.ts'

/** `profiles list`: prints every profile and the built-in sandbox. */
export const defineProfilesList: Define = (command, act) => {
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
