import { FAULT_KIND_NAMES, faultKind } from '../../../domain/sandbox-faults.ts'
import { renderTable, tableOn } from '../../../terminal/table.ts'
import { type Define, examples } from '../../command.ts'
import { readIdentifier } from '../../option-values.ts'
import { sandboxToDrive } from '../drive.ts'
import { define as add } from './add.ts'
import { renderFaults } from './fault-table.ts'

const list: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const faults = await (await sandboxToDrive(context)).control('faults')
      await context.output.result(faults, () => renderFaults(context, faults))
    }),
  )
  examples(command, [['list the active faults', 'bnpl sandbox fault list']])
}

const clear: Define = (command, act) => {
  command.argument('[id]', 'the id of the fault (default: all faults)').action(
    act(async (context, _, id) => {
      const input = id === undefined ? {} : { id: readIdentifier('ID', id) }
      const result = await (await sandboxToDrive(context)).control('faultClear', input)
      await context.output.result(
        result,
        () => `${result.cleared} ${result.cleared === 1 ? 'fault' : 'faults'} removed`,
      )
    }),
  )
  examples(command, [
    ['remove all faults', 'bnpl sandbox fault clear'],
    ['remove one fault', 'bnpl sandbox fault clear 1f2e3d4c'],
  ])
}

const endpoints: Define = (command, act) => {
  command.action(
    act(async ({ output }) => {
      const { CALLS } = await import('../../../contract/calls/calls.ts')
      const named = Object.entries(CALLS).map(([name, { method, path, summary }]) => ({
        name,
        method,
        path,
        summary,
      }))
      await output.result(named, () =>
        renderTable(
          named,
          [
            { title: 'Name', value: ({ name }) => name },
            { title: 'Call', value: ({ method, path }) => `${method} ${path}`, shrinks: true },
          ],
          tableOn(output),
        ),
      )
    }),
  )
  examples(command, [['the names of the endpoints', 'bnpl sandbox fault endpoints']])
}

const kinds: Define = (command, act) => {
  command.action(
    act(async ({ output }) => {
      const named = FAULT_KIND_NAMES.map((name) => ({ name, at: faultKind(name).at, does: faultKind(name).does }))
      await output.result(named, () =>
        renderTable(
          named,
          [
            { title: 'Kind', value: ({ name }) => name },
            { title: 'Applies to', value: ({ at }) => at },
            { title: 'What happens', value: ({ does }) => does, shrinks: 'wraps' },
          ],
          tableOn(output),
        ),
      )
    }),
  )
  examples(command, [
    ['list the kinds of faults of calls, of deliveries and of the payment page', 'bnpl sandbox fault kinds'],
  ])
}

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['add', 'add a fault, so that the next calls of an endpoint fail', add],
  ['list', 'show the active faults', list],
  ['clear', 'remove one fault, or all', clear],
  ['endpoints', 'list the names of the endpoints', endpoints],
  ['kinds', 'list what can go wrong with a call, a delivery or a payment on the page', kinds],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
}
