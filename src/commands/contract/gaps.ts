import type { Context } from '../../context.ts'
import { wrap } from '../../terminal/wrap.ts'
import type { HandledGap } from './handled-gaps.ts'

/** The gaps for reading: each with its number, what bnpl does, and what the sandbox picked. */
export function renderGaps({ io, output }: Context, gaps: readonly HandledGap[]): string {
  const { bold, dim } = output.style
  const indent = ' '.repeat(13)
  return gaps
    .map(({ number, notShown, cli, sandbox }) =>
      [
        `${dim(String(number).padStart(2))}  ${bold(wrap(notShown, io.columns - 4, '    '))}`,
        `    ${dim('bnpl'.padEnd(9))}${wrap(cli, io.columns - 13, indent)}`,
        `    ${dim('sandbox'.padEnd(9))}${wrap(sandbox, io.columns - 13, indent)}`,
      ].join('\n'),
    )
    .join('\n\n')
}
