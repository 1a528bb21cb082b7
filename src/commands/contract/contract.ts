import type { Context } from '../../context.ts'
import { wrap } from '../../terminal/wrap.ts'
import { toJson } from '../../text/visible.ts'
import { type Define, examples } from '../command.ts'
import { addServiceOptions, readServiceOption } from '../service-option.ts'
import type { HandledGap, OpenQuestion } from './handled-gaps.ts'

const ABOUT = {
  summary: 'The interface of a deferred-payment service for merchants, as bnpl knows it',
  description:
    'Generated from the contract with which bnpl checks every answer. What the specification does not show is marked `x-not-shown`; `bnpl contract gaps` lists it.',
}

export const define: Define = (command, act) => {
  const gaps = command
    .command('gaps')
    .description('list every open question about a service, its answer here, and where the answer comes from')
  addServiceOptions(gaps, 'of this service').action(
    act(async (context, options) => {
      const { handledGaps, openQuestions } = await import('./handled-gaps.ts')
      const description = (await readServiceOption(context, options)) ?? (await context.settings()).service
      const questions = openQuestions(description)
      await context.output.result(questions, () => renderGaps(context, handledGaps(), questions))
    }),
  )
  examples(gaps, [
    ['read the list', 'bnpl contract gaps | less'],
    ['what a recorded service answers', 'bnpl contract gaps --service service.json'],
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
    .description('learn from recordings how a service answers the open questions of the specification')
    .argument('<file...>', 'recordings that --record wrote')
    .option('--write <file>', 'write the answers to a file, as the description of a service')
    .option('--force', 'replace a file that exists')
    .action(
      act(async (context, options, files) => {
        const { learnFromRecordings } = await import('./learn.ts')
        await learnFromRecordings(context, files, options)
      }),
    )
  examples(command, [
    ['what the recordings of a day show', 'bnpl contract learn day.ndjson'],
    ['store the description of the service, for --service', 'bnpl contract learn day.ndjson --write service.json'],
    ['start a sandbox that answers like the recorded service', 'bnpl sandbox start --service service.json'],
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

function renderGaps({ io, output }: Context, gaps: readonly HandledGap[], questions: readonly OpenQuestion[]): string {
  const { bold, dim, green } = output.style
  const line = (label: string, text: string) => `    ${label}${wrap(text, io.columns - 13, ' '.repeat(13))}`
  const answersOf = (gap: number | null) =>
    questions
      .filter((each) => each.gap === gap)
      .map(({ field, question, answer, source }) => {
        const isGiven = source !== 'convention' && source !== 'specification'
        const label = (isGiven ? green : dim)((isGiven ? 'service' : 'sandbox').padEnd(9))
        return field === null
          ? line(label, answer)
          : line(label, `${question} ${answer} (${field}${isGiven ? `; ${source}` : ''})`)
      })
  return [
    ...gaps.map(({ number, notShown, cli }) =>
      [
        `${dim(String(number).padStart(2))}  ${bold(wrap(notShown, io.columns - 4, '    '))}`,
        line(dim('bnpl'.padEnd(9)), cli),
        ...answersOf(number),
      ].join('\n'),
    ),
    [
      `    ${bold(wrap('What the specification shows, and a service may do differently', io.columns - 4, '    '))}`,
      ...answersOf(null),
    ].join('\n'),
  ].join('\n\n')
}
