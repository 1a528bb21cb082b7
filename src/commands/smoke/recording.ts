import type { Context } from '../../context.ts'
import type { Check } from '../../terminal/checks.ts'
import { shellQuoted } from '../../text/shell-word.ts'
import { holdRecordings } from '../contract/held-recordings.ts'

const NAMED = 3

/**
 * Compares the recorded exchanges of this run with the contract.
 * @param since the start of the run, ISO 8601
 */
export async function recordingCheck(context: Context, file: string, since: string): Promise<Check> {
  const started = context.clock.monotonic()
  const { differences, checked } = await holdRecordings(context, [file], since)
  const all = [...differences.values()]
  const sum = [...checked.values()].reduce((total, each) => total + each, 0)
  const named = all
    .slice(0, NAMED)
    .map(({ endpoint, where, seen }) => `${endpoint ?? 'unknown call'} ${where}: ${seen}`)
  const more = all.length > NAMED ? [`and ${all.length - NAMED} more`] : []
  return {
    name: 'recorded exchanges',
    ms: context.clock.monotonic() - started,
    ...(all.length === 0
      ? {
          status: 'ok',
          detail: `no difference from the contract in ${sum} ${sum === 1 ? 'exchange' : 'exchanges'}`,
        }
      : {
          status: 'fail',
          detail: [...named, ...more].join('; '),
          hint: `See every difference and its line in the recording: bnpl contract check ${shellQuoted(file)}`,
        }),
  }
}
