import { renderTable } from '../../../terminal/table.ts'
import { type Define, examples } from '../../command.ts'

export const define: Define = (command, act) => {
  command.action(
    act(async ({ output }) => {
      const { CALLS } = await import('../../../contract/calls/calls.ts')
      const endpoints = Object.entries(CALLS).map(([name, { method, path, summary }]) => ({
        name,
        method,
        path,
        summary,
      }))
      await output.result(endpoints, () =>
        renderTable(
          endpoints,
          [
            { title: 'Name', value: ({ name }) => name },
            { title: 'Call', value: ({ method, path }) => `${method} ${path}`, shrinks: true },
          ],
          { width: output.width, bold: output.style.bold },
        ),
      )
    }),
  )
  examples(command, [['which name is it?', 'bnpl sandbox fault endpoints']])
}
