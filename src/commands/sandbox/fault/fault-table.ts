import type { Context } from '../../../context.ts'
import { formatDuration } from '../../../domain/clock.ts'
import type { Harm } from '../../../sandbox/store/fault-effect.ts'
import type { Fault } from '../../../sandbox/store/faults.ts'
import { renderTable, tableOn } from '../../../terminal/table.ts'

/** Returns the faults as a table for people. */
export function renderFaults({ output }: Context, faults: readonly Fault[]): string | Promise<string> {
  if (faults.length === 0) return 'No fault is active.'
  return renderTable(
    faults,
    [
      { title: 'Id', value: ({ id }) => id },
      { title: 'Endpoint', value: ({ endpoint }) => endpoint },
      { title: 'Calls', value: callsInWords },
      { title: 'What goes wrong', value: harmInWords, shrinks: 'wraps' },
    ],
    tableOn(output),
  )
}

function callsInWords({ skip, times }: Fault): string {
  const after = skip === 0 ? '' : ` after ${skip} other call${skip === 1 ? '' : 's'}`
  if (times === null) return `all${after}`
  return `${times === 1 ? 'the next' : `the next ${times}`}${after}`
}

/** Returns a fault in words, such as `4s late, 503 ERR_SOMETHING`. */
export function harmInWords(fault: Harm): string {
  const parts: string[] = []
  const { delayMs, kind } = fault
  if (kind !== null) parts.push(kind)
  if (delayMs > 0) parts.push(`${delayMs % 1000 === 0 ? formatDuration(delayMs) : `${delayMs}ms`} late`)
  if (fault.status !== null) parts.push([fault.status, fault.code].filter((part) => part !== null).join(' '))
  if (fault.retryAfter !== null) parts.push(`Retry-After ${fault.retryAfter}`)
  if (fault.cut) parts.push(fault.before ? 'the request is lost' : 'the answer is lost')
  if (fault.truncate !== null) parts.push(`cut after ${fault.truncate} bytes`)
  return parts.join(', ')
}
