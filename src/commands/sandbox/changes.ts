import { existsSync } from 'node:fs'
import { MARK } from '../../domain/sandbox-accounts.ts'
import { BnplError } from '../../errors.ts'
import type { ControlResult } from '../../sandbox/service/control.ts'
import { formatTime, timesOf } from '../../terminal/numbers.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { readCount } from '../option-values.ts'
import { sandboxToDrive } from './drive.ts'
import { checkSnapshot, snapshotFile } from './snapshot-place.ts'

type Found = ControlResult<'changes'>
type Cause = Found['causes'][number]
type Change = Cause['changes'][number]

export const define: Define = (command, act) => {
  command
    .option('--since <snapshot>', 'show the changes since this snapshot (a name or a path)', MARK)
    .option('--limit <n>', 'list at most this many calls and other causes of changes, the latest first', '50')
    .option('--only-changes', 'leave out the calls that changed nothing')
    .action(
      act(async (context, options) => {
        const limit = readCount('--limit', options.limit)
        const file = await snapshotFile(context.world, options.since)
        await checkSnapshot(context, file)
        if (options.since === MARK && !existsSync(file)) throw notMarked()
        const sandbox = await sandboxToDrive(context)
        const asked = { file, limit, onlyChanges: options.onlyChanges ?? false }
        const found = await sandbox.control('changes', asked)
        await context.output.result(found.causes, () => renderCauses(found, context))
        context.output.note(sumOf(found))
        const more = found.total - found.causes.length
        if (more > 0)
          context.output.note(
            `Only the latest ${found.causes.length} of ${found.total} rows are listed. See all of them: --limit ${found.total}`,
          )
        if (found.changes > 0)
          context.output.note(`Return to the snapshot: ${commandLine('bnpl sandbox snapshot load', [options.since])}`)
      }),
    )
  examples(command, [
    ['save a snapshot before your program runs', `bnpl sandbox snapshot save ${MARK} --force`],
    ['list what your program has changed since the snapshot', 'bnpl sandbox changes'],
    ['print the old and the new value of every changed field', 'bnpl sandbox changes --since paid --json'],
  ])
}

const notMarked = () =>
  new BnplError('not-found', `there is no snapshot “${MARK}” to compare the sandbox with`, {
    code: 'NO_MARK',
    hint: `Save the snapshot before your program runs: bnpl sandbox snapshot save ${MARK}`,
  })

const sumOf = ({ at, requests, changes }: Found) =>
  `Since ${formatTime(at)}: ${counted(requests, 'call')}, ${counted(changes, 'change')}.`

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

function renderCauses(
  { causes }: Found,
  { output, clock }: Parameters<Parameters<Parameters<Define>[1]>[0]>[0],
): string | Promise<string> {
  if (causes.length === 0) return 'Nothing has changed.'
  const timeOf = timesOf(
    causes.map(({ at }) => at),
    clock.now(),
  )
  return renderTable(
    causes,
    [
      { title: 'At', value: ({ at }) => timeOf(at) },
      { title: 'Cause', value: causeInWords },
      { title: 'About', value: ({ about }) => about ?? '', shrinks: 'middle' },
      { title: 'Changed', value: changesInWords, shrinks: true },
    ],
    tableOn(output),
  )
}

const CAUSES: Readonly<Record<Cause['by'], string>> = {
  customer: 'the customer',
  time: 'the evaluation of a lead was due',
  control: 'a control in the window, or a command',
  delivery: 'another delivery attempt',
  state: 'a reset or a loaded snapshot',
  request: 'a request that is not in the log, such as a download',
}

function causeInWords({ by, request }: Cause): string {
  if (request === null) return CAUSES[by]
  const { endpoint, method, path, status } = request
  return `${endpoint ?? `${method} ${path}`} ${status === 0 ? 'cut' : status}`
}

const SIGNS: Readonly<Record<Change['how'], string>> = { came: '+', changed: '~', went: '-' }

function changesInWords({ changes, more }: Cause): string {
  const words = changes.map(({ how, kind, fields }) => {
    const told = kind === 'delivery' ? fields.filter(({ name }) => name === 'state' || name === 'answers') : fields
    const facts = how === 'changed' || kind === 'delivery' ? told.map(({ name, after }) => `${name}: ${after}`) : []
    return [SIGNS[how], kind, ...facts].join(' ')
  })
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
