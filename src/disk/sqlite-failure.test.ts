import { expect, test } from 'vitest'
import { config } from '../errors.ts'
import { isBusy, sqliteFailure } from './sqlite.ts'

const PATH = '/nowhere/at/all/state.db'

test.each([
  [
    5,
    'config',
    'STATE_BUSY',
    'was locked by another process for too long',
    'Run the command again when that process has finished.',
  ],
  [
    8,
    'config',
    'STATE_READ_ONLY',
    'is read-only',
    'Check its permissions, and how its disk is mounted, or name another folder with BNPL_STATE_DIR.',
  ],
  [
    10,
    'output',
    'STATE_FULL',
    'could not be written: the disk is full or reported an error',
    'Make room on that disk, or name another folder with BNPL_STATE_DIR.',
  ],
  [
    11,
    'config',
    'STATE_DAMAGED',
    'is damaged and was not changed',
    `Move the file away, so that bnpl can create a new one: mv ${PATH} ${PATH}.damaged`,
  ],
  [
    13,
    'output',
    'STATE_FULL',
    'could not be written: the disk is full or reported an error',
    'Make room on that disk, or name another folder with BNPL_STATE_DIR.',
  ],
  [
    14,
    'config',
    'STATE_UNUSABLE',
    'cannot be used (SQLite error 14)',
    'Check its permissions, or name another folder with BNPL_STATE_DIR.',
  ],
  [
    26,
    'config',
    'STATE_DAMAGED',
    'is damaged and was not changed',
    `Move the file away, so that bnpl can create a new one: mv ${PATH} ${PATH}.damaged`,
  ],
])(
  'SQLite error %i and its extended codes give a %s error with the code %s [row 91]',
  (errcode, kind, code, what, hint) => {
    // The primary code is in the lowest byte. The other bytes contain details, such as “the write failed”.
    for (const exact of [errcode, errcode + 0x300]) {
      const error = Object.assign(new Error('of SQLite'), { errcode: exact })
      expect(sqliteFailure(PATH, error)).toMatchObject({
        name: 'BnplError',
        kind,
        code,
        message: `${PATH} ${what}`,
        hint,
      })
      expect(isBusy(error)).toBe(errcode === 5)
    }
  },
)

test('the error of a full disk keeps SQLite’s error as its cause', () => {
  const error = Object.assign(new Error('database or disk is full'), { errcode: 13 })
  expect(sqliteFailure(PATH, error)).toMatchObject({ cause: error })
})

test('an error that is not SQLite’s is returned unchanged', () => {
  for (const other of [config('said already'), new TypeError('a fault'), null, undefined, 'text', 5, {}]) {
    expect(sqliteFailure(PATH, other)).toBe(other)
    expect(isBusy(other)).toBe(false)
  }
})
