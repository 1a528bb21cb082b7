import type { Context } from '../../context.ts'
import { formatDuration } from '../../domain/clock.ts'
import { FAULT_KIND_NAMES, faultKind } from '../../domain/sandbox-faults.ts'
import { usage } from '../../errors.ts'
import { DELAY_LIMIT } from '../../sandbox/conventions.ts'
import type { FaultProblem, GivenEffect, NameOfField } from '../../sandbox/service/controls/faults.ts'
import type { FAULT_PLACES, FaultEffect } from '../../sandbox/store/fault-effect.ts'
import type { Fault } from '../../sandbox/store/faults.ts'
import { countOf } from '../../terminal/numbers.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { nearestFirst } from '../../text/similar.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive } from '../global-options.ts'
import { readCount, readDuration, readIdentifier } from '../option-values.ts'

type Place = (typeof FAULT_PLACES)[number]

function readKind(text: string) {
  const kind = FAULT_KIND_NAMES.find((name) => name === text)
  if (kind === undefined)
    throw usage(`--kind “${text}” is not a kind of fault`, 'List the kinds: bnpl sandbox fault kinds')
  return kind
}

const add: Define = (command, act) => {
  command
    .argument(
      '<endpoint>',
      'where the fault happens: an endpoint that `bnpl sandbox fault endpoints` lists, or `any` (any endpoint), `download` (of a report), `delivery` (of an event) or `page` (a payment on the page)',
    )
    .addOption(
      command
        .createOption('--kind <kind>', 'what goes wrong: a kind that `bnpl sandbox fault kinds` explains')
        .choices([...FAULT_KIND_NAMES])
        .argParser(readKind),
    )
    .option('--status <n>', 'answer with this status, from 400 to 599, without processing the request')
    .option(
      '--code <code>',
      'with --status: the code in the answer, ERR_… (default: the code documented for the status)',
    )
    .option(
      '--retry-after <duration>',
      'with --status: the Retry-After header of the answer, rounded up to whole seconds, or `none` (default: 1s with status 429, else `none`)',
    )
    .option('--delay <duration>', 'answer after this time')
    .option('--cut', 'process the request, then close the connection without an answer')
    .option('--before', 'with --cut: close the connection before the request is processed')
    .option('--truncate <bytes>', 'close the connection after this many bytes of the answer’s body')
    .option('--nth <n>', 'start at the n-th call, counted from now', '1')
    .addOption(
      command.createOption('--times <n>', 'apply the fault to this many calls (default: 1)').conflicts('always'),
    )
    .option('--always', 'apply the fault to every call, until the fault is cleared')
    .action(
      act(async (context, options, endpoint) => {
        const place = await readPlace(endpoint)
        const given = <T>(text: string | undefined, read: (text: string) => T) =>
          text === undefined ? undefined : read(text)
        const skip = readCount('--nth', options.nth) - 1
        const times = options.always ? null : given(options.times, (text) => readCount('--times', text))
        const effect = {
          kind: options.kind,
          status: given(options.status, readStatus),
          code: options.code,
          retryAfter: given(options.retryAfter, readRetryAfter),
          delayMs: given(options.delay, (text) => readDuration('--delay', text, DELAY_LIMIT)),
          cut: options.cut,
          before: options.before,
          truncate: given(options.truncate, readBytes),
        }
        await checkEffect(place, effect)
        const sandbox = await sandboxToDrive(context)
        const fault = await sandbox.control('faultAdd', { endpoint: place, skip, times, ...effect })
        await context.output.result(fault, () => renderFaults(context, [fault]))
        context.output.note(`Remove the fault: bnpl sandbox fault clear ${fault.id}`)
      }),
    )
  examples(command, [
    ['the service is down for two calls', 'bnpl sandbox fault add evaluate --status 503 --times 2'],
    [
      'the third verification is rate-limited',
      'bnpl sandbox fault add verifyLoan --status 429 --retry-after 5s --nth 3',
    ],
    ['the loan request is created, but its answer is lost', 'bnpl sandbox fault add select --cut'],
    ['a report download breaks off', 'bnpl sandbox fault add download --truncate 1000'],
    ['the amount of a verified loan is wrong', 'bnpl sandbox fault add verifyLoan --kind other-amount'],
    ['the next event is delivered twice', 'bnpl sandbox fault add delivery --kind twice'],
    ['the next customer pays and does not come back', 'bnpl sandbox fault add page --kind no-return'],
    ['everything is slow', 'bnpl sandbox fault add any --delay 4s --always'],
  ])
}

async function readPlace(endpoint: string): Promise<Place> {
  const { FAULT_PLACES } = await import('../../sandbox/store/fault-effect.ts')
  const place = FAULT_PLACES.find((name) => name === endpoint)
  if (place !== undefined) return place
  const near = nearestFirst(endpoint, FAULT_PLACES).slice(0, 3)
  throw usage(
    `“${endpoint}” is not a place where a fault can happen`,
    `Use a name such as ${near.join(', ')}, or one of these words: “any”, “download”, “delivery”, “page”. List the endpoints: bnpl sandbox fault endpoints`,
    'INVALID_ENDPOINT',
  )
}

const OPTIONS: Partial<Record<Parameters<NameOfField>[0], string>> = { delayMs: '--delay', retryAfter: '--retry-after' }

const HINTS: Readonly<Record<FaultProblem['about'], string>> = {
  kind: 'List the kinds, and what each applies to: bnpl sandbox fault kinds',
  effect: 'Add --kind KIND, --status N, --delay DURATION, --cut or --truncate BYTES.',
  code: 'Use a code such as ERR_SOMETHING.',
  combination: 'See what each option does: bnpl sandbox fault add --help',
}

/** Throws `usage` if the sandbox would refuse the fault. The error names the options that were typed. */
async function checkEffect(place: Place, effect: GivenEffect): Promise<void> {
  const { faultProblem } = await import('../../sandbox/service/controls/faults.ts')
  const problem = faultProblem(place, effect, (field, value) =>
    [OPTIONS[field] ?? `--${field}`, ...(value === undefined ? [] : [value])].join(' '),
  )
  if (problem !== undefined) throw usage(problem.message, HINTS[problem.about])
}

function readStatus(text: string): number {
  if (/^[45]\d\d$/.test(text)) return Number(text)
  throw usage(
    `--status “${text}” is not a status from 400 to 599`,
    'Use the status of an error, such as 503. To change an answer that succeeds, use --kind: bnpl sandbox fault kinds',
    'INVALID_STATUS',
  )
}

function readRetryAfter(text: string): number | null {
  return text === 'none' ? null : Math.ceil(readDuration('--retry-after', text) / 1000)
}

function readBytes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw usage(`--truncate “${text}” is not a number of bytes`, 'Use a whole number, 0 or more.', 'INVALID_BYTES')
}

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
      await context.output.result(result, () => `${countOf(result.cleared, 'fault')} removed`)
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
      const { CALLS } = await import('../../contract/calls/calls.ts')
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
            { title: 'Applies to', isText: true, value: ({ at }) => at },
            { title: 'What happens', isText: true, value: ({ does }) => does, shrinks: 'wraps' },
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

function renderFaults({ output }: Context, faults: readonly Fault[]): string | Promise<string> {
  if (faults.length === 0) return 'No fault is active.'
  return renderTable(
    faults,
    [
      { title: 'Id', value: ({ id }) => id },
      { title: 'Endpoint', value: ({ endpoint }) => endpoint },
      { title: 'Calls', isText: true, value: callsInWords },
      {
        title: 'What goes wrong',
        isText: true,
        value: (fault) => effectInWords(fault, output.inLanguage),
        shrinks: 'wraps',
      },
    ],
    tableOn(output),
  )
}

function callsInWords({ skip, times }: Fault): string {
  const after = skip === 0 ? '' : ` after ${countOf(skip, 'other call')}`
  if (times === null) return `all${after}`
  return `${times === 1 ? 'the next' : `the next ${times}`}${after}`
}

/** Returns a fault in words of the user's language, such as `4s late, 503 ERR_SOMETHING`. */
export function effectInWords(fault: FaultEffect, inLanguage: (text: string) => string): string {
  const parts: string[] = []
  const { delayMs, kind } = fault
  if (kind !== null) parts.push(kind)
  if (delayMs > 0) parts.push(`${delayMs % 1000 === 0 ? formatDuration(delayMs) : `${delayMs}ms`} late`)
  if (fault.status !== null) parts.push([fault.status, fault.code].filter((part) => part !== null).join(' '))
  if (fault.retryAfter !== null) parts.push(`Retry-After ${fault.retryAfter}`)
  if (fault.cut) parts.push(fault.before ? 'the request is lost' : 'the answer is lost')
  if (fault.truncate !== null) parts.push(`cut after ${fault.truncate} bytes`)
  return parts.map(inLanguage).join(', ')
}
