import type { KeptFileId } from '../../src/disk/kept-files.ts'

/** What can happen to a file. */
export const MISHAPS = {
  gone: 'removed',
  replaced: 'another program’s file in its place',
  linked: 'a symbolic link in its place',
  shared: 'others can read and write it',
  damaged: 'its content is overwritten',
  foreign: 'it belongs to another user',
  open: 'others can write in its folder',
  full: 'no room on the disk',
  readOnly: 'its folder cannot be written',
} as const

export type Mishap = keyof typeof MISHAPS

/** The outcomes of a mishap. Numbers are exit codes. */
export const OUTCOMES = [
  'carried on',
  'made again',
  'closed, and reported',
  'reported, and carried on',
  'refused (2)',
  'refused (3)',
  'refused (5)',
  'not found (6)',
  'not written (13)',
  'stopped (13)',
  'finished (13)',
  '503, not ready, and reported',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** An outcome; an outcome with the name of another test that checks it; or the reason why there is nothing to check. */
export type Cell = Outcome | { outcome: Outcome; heldBy: string } | { none: string }

export interface Cells {
  /** The mishap happens before a command starts. */
  before: Cell
  /** The mishap happens while a command has the file open. */
  during: Cell
}

type Row = Record<Mishap, Cells>

const none = (why: string) => ({ none: why })
const heldBy = (outcome: Outcome, test: string) => ({ outcome, heldBy: `test/${test}.test.ts` })
const all = (cell: Cell): Record<Mishap, Cell> => ({
  gone: cell,
  replaced: cell,
  linked: cell,
  shared: cell,
  damaged: cell,
  foreign: cell,
  open: cell,
  full: cell,
  readOnly: cell,
})

const row = (before: Record<Mishap, Cell>, during: Record<Mishap, Cell>): Row => {
  const cells = (mishap: Mishap): Cells => ({ before: before[mishap], during: during[mishap] })
  return {
    gone: cells('gone'),
    replaced: cells('replaced'),
    linked: cells('linked'),
    shared: cells('shared'),
    damaged: cells('damaged'),
    foreign: cells('foreign'),
    open: cells('open'),
    full: cells('full'),
    readOnly: cells('readOnly'),
  }
}

/** The outcomes for every file of ours before a start, unless its own row differs. */
const OURS: Record<Mishap, Cell> = {
  gone: 'made again',
  replaced: 'refused (3)',
  linked: 'refused (3)',
  shared: 'closed, and reported',
  damaged: 'refused (3)',
  foreign: 'refused (3)',
  open: 'closed, and reported',
  full: 'not written (13)',
  readOnly: 'refused (3)',
}

/** A file that is already open can be written without its name, mode or owner. */
const OPEN: Record<Mishap, Cell> = {
  ...all('carried on'),
  full: none('the same as before the start: each write is a transaction of its own'),
  readOnly: none('the same as before the start: each write is a transaction of its own'),
}

/**
 * The outcomes for an open database. A lost file is noticed at the next statement. A damaged page is found when it is read, perhaps later.
 */
const DATABASE = (lost: Outcome): Record<Mishap, Cell> => ({ ...OPEN, gone: lost, replaced: lost, linked: lost })

const BRIEF = all(none('it is open within one call of the system'))
const LOCKED = none('a lock is held, and never read or written')

/** The outcome of every mishap for every file. A new file needs a row here, because otherwise this does not compile. */
export const FILE_OUTCOMES: Record<KeptFileId, Row> = {
  profiles: row(
    { ...OURS, gone: 'refused (3)' },
    {
      ...BRIEF,
      gone: 'made again',
      linked: 'made again',
      shared: 'made again',
      foreign: 'made again',
      replaced: 'refused (3)',
      damaged: 'refused (3)',
      open: 'carried on',
    },
  ),
  profilesLock: row(OURS, { ...all(LOCKED), gone: 'refused (3)', replaced: 'refused (3)', linked: 'refused (3)' }),
  state: row(OURS, DATABASE('refused (3)')),
  inbox: row(OURS, {
    ...DATABASE('stopped (13)'),
    gone: heldBy('503, not ready, and reported', 'receiver/lost-inbox'),
    replaced: heldBy('503, not ready, and reported', 'receiver/lost-inbox'),
    linked: heldBy('503, not ready, and reported', 'receiver/lost-inbox'),
    damaged: heldBy('503, not ready, and reported', 'receiver/lost-inbox'),
    full: heldBy('503, not ready, and reported', 'receiver/full-disk'),
  }),
  inboxLock: row(OURS, {
    ...all(LOCKED),
    gone: heldBy('reported, and carried on', 'receiver/lost-inbox'),
    replaced: heldBy('503, not ready, and reported', 'receiver/lost-inbox'),
    linked: none('as where it is replaced'),
  }),
  inboxOwner: row(
    { ...OURS, shared: 'made again' },
    all(none('it is read by the next receiver, which a lock keeps out')),
  ),
  inboxReserve: row(OURS, {
    ...OPEN,
    full: none('that is what it is for'),
    readOnly: none('it is not made again then'),
  }),
  inboxSaved: row(
    all(none('a start names it and does not open it')),
    all(none('it is written once, in a folder of ours')),
  ),
  ledger: row(OURS, {
    ...DATABASE('stopped (13)'),
    full: heldBy('stopped (13)', 'bulk/bulk'),
  }),
  claims: row(OURS, DATABASE('refused (3)')),
  claimsLock: row(
    { ...OURS, gone: 'carried on', shared: 'made again' },
    { ...all(LOCKED), gone: { outcome: 'carried on', heldBy: 'src/bulk/claims.test.ts' } },
  ),
  spool: row(
    all(none('it is made under a name nobody can guess, and is in no folder once it is open')),
    all(none('it is in no folder')),
  ),
  sandbox: row(OURS, DATABASE('refused (3)')),
  sandboxRunning: row(
    {
      ...all('made again'),
      full: 'not written (13)',
      readOnly: 'refused (3)',
      open: 'closed, and reported',
    },
    all(none('it is read at once, and the sandbox it names proves itself')),
  ),
  snapshot: row(
    {
      ...OURS,
      gone: 'not found (6)',
      replaced: 'refused (5)',
      damaged: 'refused (5)',
      shared: 'carried on',
      readOnly: 'carried on',
    },
    all(none('it is copied at once, and read from the copy')),
  ),
  results: row(
    {
      ...all('refused (2)'),
      gone: 'made again',
      full: 'not written (13)',
    },
    all(none('it is written beside its place, and put there whole at the end')),
  ),
  report: row(
    { ...all('refused (2)'), gone: 'made again', full: heldBy('not written (13)', 'reports/disk') },
    all(none('it is written beside its place, and put there whole at the end')),
  ),
  junit: row(
    {
      ...all('made again'),
      replaced: 'refused (2)',
      linked: 'refused (2)',
      damaged: 'refused (2)',
      full: 'not written (13)',
      readOnly: 'not written (13)',
    },
    all(none('it is written beside its place, and put there whole at the end')),
  ),
  recording: row(
    { ...OURS, open: 'carried on', readOnly: 'carried on' },
    {
      ...OPEN,
      gone: 'finished (13)',
      replaced: 'finished (13)',
      linked: 'finished (13)',
      full: heldBy('finished (13)', 'recording/recording'),
      readOnly: none('it is open, and needs its folder no more'),
    },
  ),
  exported: row(
    { ...all('made again'), linked: 'refused (2)', full: 'not written (13)', readOnly: 'not written (13)' },
    all(none('it is written beside its place, and put there whole at the end')),
  ),
  ready: row(
    {
      ...all('made again'),
      replaced: 'refused (3)',
      linked: 'refused (3)',
      damaged: 'refused (3)',
      full: 'not written (13)',
      readOnly: 'refused (3)',
    },
    all(
      none('it is written beside its place, and put there whole; what is there by the end and is another file stays'),
    ),
  ),
  compiled: row(
    {
      ...all('carried on'),
      foreign: heldBy('carried on', 'package/launcher'),
      open: heldBy('carried on', 'package/launcher'),
    },
    all(none('it is read at once; where it cannot be used, nothing is cached')),
  ),
  passing: row(
    all(none('a folder of its own is made under a name nobody can guess (0700)')),
    all(none('it belongs to one command, and goes with it')),
  ),
}
