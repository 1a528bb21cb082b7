import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isKept, KEPT_FILES, type KeptFileId, keptFolder } from './kept-files.ts'

test.each([
  'bulk',
  'claims',
  'snapshots',
  'profiles.json',
  'profiles.json.tmp-0af9',
  'profiles.lock',
  'profiles.lock-journal',
  'state.db',
  'state.db-wal',
  'state.db-shm',
  'inbox.lock',
  'inbox.owner.0af9',
  '0af9-12.db',
  'claims.db-wal',
  'run-0af9.lock',
  's1.db',
])('the program makes files of the name %s in its folders', (name) => {
  expect(isKept(name)).toBe(true)
})

test.each([
  '',
  '.git',
  'package.json',
  'report.pdf',
  'rows.csv',
  'profiles.json.bak',
  'profiles.json.tmp-',
  'profiles.json.tmp-xyz',
  'state.db-journal2',
  'snapshots.txt',
  'bulk2',
  'ready.json',
  'junit.xml',
])('the program does not make a file of the name "%s" there', (name) => {
  expect(isKept(name)).toBe(false)
})

test.each<[KeptFileId, string[], string[]]>([
  ['profiles', ['profiles.json', 'profiles.json.tmp-1f'], ['profiles.json.tmp-', 'profiles.json-wal']],
  [
    'state',
    ['state.db', 'state.db-wal', 'state.db-shm', 'state.db-journal'],
    ['state.db-', 'state.db-old', 'xstate.db'],
  ],
  ['inboxReserve', ['inbox.reserve'], ['inbox.reserve.1', 'my-inbox.reserve']],
  ['ledger', ['bulk/0a-1f.db', 'bulk/0a-1f.db-wal'], ['bulk/-.db', 'bulk/xy-z.db', '0a-1f.db']],
  ['snapshot', ['snapshots/s1.db', 'snapshots/a.b-c.db.1f', 'snapshots/s1.db.1f-wal'], ['snapshots/.s.db', 's1.db']],
  [
    'results',
    ['out.csv', 'a/out.ndjson', '.bnpl-1f-12-0a.part', 'a/.bnpl-1f-12-0a.part'],
    ['out.pdf', '.csv', '.bnpl--12-.part', 'x.part', ''],
  ],
  ['report', ['a/report.pdf', 'a/.bnpl-1f-12-0a.part'], ['out.csv', '.pdf', '']],
  ['junit', ['made.xml', '.bnpl-1f-12-0a.part'], ['made.csv', '']],
  ['compiled', ['bnpl/compiled/a'], ['bnpl/compiled', 'a/bnpl/compiled/a']],
  ['passing', ['bnpl-sandbox-x/sandbox.db', 'bnpl-snapshot-x/s.db'], ['bnpl-sandbox-x', 'bnpl-other-x/s.db']],
])(
  'the paths of %s match the file and the files that its writer adds, and no other path [row 114]',
  (id, own, others) => {
    const { paths } = KEPT_FILES[id]
    expect(own.filter((path) => !paths.test(path))).toEqual([])
    expect(others.filter((path) => paths.test(path))).toEqual([])
  },
)

test('the folders of runs, claims and snapshots are within the state folder', () => {
  expect(keptFolder('/state', 'bulk')).toBe(join('/state', 'bulk'))
  expect(keptFolder('/state', 'claims')).toBe(join('/state', 'claims'))
  expect(keptFolder('/state', 'snapshots')).toBe(join('/state', 'snapshots'))
})
