import type { Context } from '../../context.ts'
import { formatTime } from '../../terminal/format.ts'
import { wrap } from '../../terminal/wrap.ts'
import { toJson } from '../../text/visible.ts'
import { type Define, examples } from '../command.ts'
import type { HandledGap, LearntGap } from './handled-gaps.ts'

const ABOUT = {
  summary: 'The interface of a deferred-payment service for merchants, as bnpl knows it',
  description:
    'Generated from the contract with which bnpl checks every answer. What the specification does not show is marked `x-not-shown`; `bnpl contract gaps` lists it.',
}

export const define: Define = (command, act) => {
  const gaps = command
    .command('gaps')
    .description('list what the specification does not show, and what bnpl does about it')
  gaps.action(
    act(async (context) => {
      const { handledGaps, learntGaps } = await import('./handled-gaps.ts')
      const learnt = await learntGaps(context)
      const gaps = handledGaps().map((gap) => ({ ...gap, learnt: learnt.get(gap.number) ?? null }))
      await context.output.result(gaps, () => renderGaps(context, gaps))
    }),
  )
  examples(gaps, [
    ['read the list', 'bnpl contract gaps | less'],
    ['print the list as JSON', 'bnpl contract gaps --json'],
  ])
  const openapi = command.command('openapi').description('print the contract as an OpenAPI 3.1 document')
  openapi.action(
    act(async (context) => {
      const { toOpenApi } = await import('../../contract/openapi.ts')
      const document = toOpenApi({ version: context.world.version, ...ABOUT })
      await context.output.result(document, () => toJson(document, 2))
    }),
  )
  examples(openapi, [['save the document for a client generator', 'bnpl contract openapi > openapi.json']])
  defineCheck(command.command('check'), act)
  defineLearn(command.command('learn'), act)
  defineExport(command.command('export'), act)
}

const defineCheck: Define = (command, act) => {
  command
    .description('compare recordings with the contract: what differs, how often, and where')
    .argument('<file...>', 'recordings that --record wrote')
    .option('--junit <file>', 'write a JUnit report')
    .action(
      act(async (context, options, files) => {
        const { checkRecordings } = await import('./check.ts')
        await checkRecordings(context, files, options)
      }),
    )
  examples(command, [
    ['what differs', 'bnpl contract check day.ndjson'],
    ['in CI', 'bnpl contract check day.ndjson --junit contract.xml --json'],
  ])
}

const defineLearn: Define = (command, act) => {
  command
    .description('learn from recordings what the specification does not say, and suggest profile settings')
    .argument('<file...>', 'recordings that --record wrote')
    .option('--write', 'store the suggested settings in the profile')
    .action(
      act(async (context, options, files) => {
        const { learnFromRecordings } = await import('./learn.ts')
        await learnFromRecordings(context, files, options)
      }),
    )
  examples(command, [
    ['what the recordings of a day show', 'bnpl contract learn day.ndjson'],
    ['also store the suggested settings in a profile', 'bnpl contract learn day.ndjson --write -p acme'],
    ['start a sandbox that answers like the recorded service', 'bnpl sandbox start --like day.ndjson'],
  ])
}

const defineExport: Define = (command, act) => {
  command
    .description('convert recordings to HAR, or to fixtures for tests (a JSON file for each call and status)')
    .argument('<file...>', 'recordings that --record wrote')
    .option('--har <file>', 'write one HAR 1.2 document')
    .option('--fixtures <dir>', 'write fixtures and their index.json into a directory')
    .option('--force', 'replace files that exist')
    .action(
      act(async (context, options, files) => {
        const { exportRecordings } = await import('./export.ts')
        await exportRecordings(context, files, options)
      }),
    )
  examples(command, [
    ['write a file for the network panel of a browser', 'bnpl contract export day.ndjson --har day.har'],
    ['write fixtures for your own tests', 'bnpl contract export day.ndjson --fixtures test/fixtures'],
  ])
}

const learntInWords = ({ answer, at }: LearntGap) => `${answer} (from recordings up to ${formatTime(at)})`

function renderGaps({ io, output }: Context, gaps: readonly (HandledGap & { learnt: LearntGap | null })[]): string {
  const { bold, dim, green } = output.style
  const indent = ' '.repeat(13)
  return gaps
    .map(({ number, notShown, cli, sandbox, learnt }) =>
      [
        `${dim(String(number).padStart(2))}  ${bold(wrap(notShown, io.columns - 4, '    '))}`,
        `    ${dim('bnpl'.padEnd(9))}${wrap(cli, io.columns - 13, indent)}`,
        `    ${dim('sandbox'.padEnd(9))}${wrap(sandbox, io.columns - 13, indent)}`,
        ...(learnt ? [`    ${green('learnt'.padEnd(9))}${wrap(learntInWords(learnt), io.columns - 13, indent)}`] : []),
      ].join('\n'),
    )
    .join('\n\n')
}
