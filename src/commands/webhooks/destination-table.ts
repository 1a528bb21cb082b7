import type { Context } from '../../context.ts'
import { renderFields, renderWithWhole, tableOn } from '../../terminal/table.ts'
import { idOf, type ListedDestination, slots } from './destinations.ts'

/** Returns the table of destinations, and how many of the ten possible destinations are used. */
export async function renderDestinations(
  context: Context,
  destinations: readonly ListedDestination[],
): Promise<string> {
  const { style } = context.output
  const used = style.dim(slots(destinations.length))
  if (destinations.length === 0) return `No destinations. ${used}`
  const table = await renderWithWhole(
    destinations,
    [
      { title: 'Id', value: idOf },
      { title: 'Scheme', value: ({ verificationScheme }) => verificationScheme ?? '' },
      { title: 'Events', value: (each) => fieldText(each.eventTypes), shrinks: true },
    ],
    { title: 'Address', value: ({ url }) => url, at: 3 },
    tableOn(context.output),
  )
  return `${table}\n\n${used}`
}

/** Returns one destination as text for people, without its secret. */
export function renderDestination(context: Context, destination: Record<string, unknown>): Promise<string> {
  const shown = [
    ['Id', destination.id],
    ['Address', destination.url],
    ['Scheme', destination.verificationScheme],
    ['Events', destination.eventTypes],
    ['Filters', destination.filters],
    ['Project', destination.projectId],
  ] as const
  return renderFields(
    shown.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => [name, fieldText(value)]),
    context.output,
  )
}

/** Returns a field's value as text for people. A number that JavaScript cannot represent exactly keeps all its digits. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(fieldText).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
