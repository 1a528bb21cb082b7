import { existsSync } from 'node:fs'
import type { Context } from '../../context.ts'
import { MARK } from '../../domain/sandbox-accounts.ts'
import { BnplError, usage } from '../../errors.ts'
import type { Words } from '../../language/patterns.ts'
import type { ControlResult } from '../../sandbox/service/control.ts'
import { countOf, formatBytes, formatTime, timesOf } from '../../terminal/numbers.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { commandLine } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { agreeToForget, sandboxToDrive } from '../global-options.ts'
import { readCount } from '../option-values.ts'
import { checkSnapshot, keptSnapshots, makeSnapshotFolder, snapshotFile } from './snapshot-place.ts'

const save: Define = (command, act) => {
  command
    .argument('<name>', 'a name for the snapshot, or a path such as ./paid.db')
    .option('--force', 'replace a snapshot that exists')
    .action(
      act(async (context, { force = false }, name) => {
        const file = snapshotFile(context.world, name)
        makeSnapshotFolder(context, file)
        const sandbox = await sandboxToDrive(context)
        if (!force && existsSync(file))
          throw usage(`${file} already exists`, 'Add --force to replace the file.', 'EXISTS')
        await sandbox.control('snapshotSave', { file })
        await context.output.result({ name, file }, () => `Saved in ${file}`)
        context.output.note(`Return to this state later: ${commandLine('bnpl sandbox snapshot load', [name])}`)
      }),
    )
  examples(command, [
    ['save the state before a change that cannot be undone', 'bnpl sandbox snapshot save paid'],
    ['save a fixture for your tests', 'bnpl sandbox snapshot save ./paid.db --force'],
  ])
}

/** Returns the error for a missing snapshot. It is thrown before the user is asked to confirm, because there is nothing to load. */
const notSaved = (file: string) =>
  new BnplError('not-found', `the file ${file} does not exist`, {
    code: 'ERR_SNAPSHOT_NOT_FOUND',
    hint: 'List the snapshots with: bnpl sandbox snapshot list',
  })

const load: Define = (command, act) => {
  command.argument('<snapshot>', 'the snapshot’s name, or the path of its file').action(
    act(async (context, _, name) => {
      const file = snapshotFile(context.world, name)
      checkSnapshot(context, file)
      if (!existsSync(file)) throw notSaved(file)
      const sandbox = await sandboxToDrive(context)
      await agreeToForget(context, 'the current state of the sandbox')
      await sandbox.control('snapshotLoad', { file })
      await context.output.result({ name, file }, () => `The sandbox now has the state of ${file}`)
      const accounts = await sandbox.control('partners')
      if (accounts[0]?.apiKey !== sandbox.partners[0]?.apiKey) {
        context.output.warn('The accounts now have the keys of the snapshot; the previous keys no longer work.')
      }
    }),
  )
  examples(command, [
    ['return to a saved state', 'bnpl sandbox snapshot load paid --yes'],
    ['start a test from a fixture', 'bnpl sandbox snapshot load ./paid.db --yes'],
  ])
}

const list: Define = (command, act) => {
  command.action(
    act(async ({ output, world }) => {
      const kept = await keptSnapshots(world.stateDir, output.warn)
      await output.result(kept, () => {
        if (kept.length === 0) return 'No snapshots yet. Save a snapshot: bnpl sandbox snapshot save NAME'
        return renderTable(
          kept,
          [
            { title: 'Name', value: ({ name }) => name, shrinks: true },
            { title: 'Saved at', value: ({ savedAt }) => formatTime(savedAt) },
            { title: 'Size', value: ({ bytes }) => formatBytes(bytes), align: 'right' },
          ],
          tableOn(output),
        )
      })
    }),
  )
  examples(command, [['the saved states', 'bnpl sandbox snapshot list']])
}

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['save', 'save the state under a name, or in a file', save],
  ['load', 'replace the current state with a saved one', load],
  ['list', 'list the saved states', list],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
}

type Found = ControlResult<'changes'>
type Cause = Found['causes'][number]
type Change = Cause['changes'][number]

export const defineChanges: Define = (command, act) => {
  command
    .option('--since <snapshot>', 'show the changes since this snapshot (a name or a path)', MARK)
    .option('--limit <n>', 'list at most this many calls and other causes of changes, the latest first', '50')
    .option('--only-changes', 'leave out the calls that changed nothing')
    .action(
      act(async (context, options) => {
        const limit = readCount('--limit', options.limit)
        const file = snapshotFile(context.world, options.since)
        checkSnapshot(context, file)
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
  `Since ${formatTime(at)}: ${countOf(requests, 'call')}, ${countOf(changes, 'change')}.`

function renderCauses({ causes }: Found, { output, clock }: Context): string | Promise<string> {
  if (causes.length === 0) return 'Nothing has changed.'
  const timeOf = timesOf(
    causes.map(({ at }) => at),
    clock.now(),
  )
  return renderTable(
    causes,
    [
      { title: 'At', value: ({ at }) => timeOf(at) },
      { title: 'Cause', isText: true, value: causeInWords },
      { title: 'About', value: ({ about }) => about ?? '', shrinks: 'middle' },
      { title: 'Changed', value: (cause) => changesInWords(cause, output.inLanguage), shrinks: true },
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

function changesInWords({ changes, more }: Cause, inLanguage: Words): string {
  const words = changes.map(({ how, kind, fields }) => {
    const told = kind === 'delivery' ? fields.filter(({ name }) => name === 'state' || name === 'answers') : fields
    const facts = how === 'changed' || kind === 'delivery' ? told.map(({ name, after }) => `${name}: ${after}`) : []
    return [SIGNS[how], inLanguage(kind), ...facts].join(' ')
  })
  return [...words, ...(more > 0 ? [inLanguage(`and ${more} more`)] : [])].join(', ')
}
