import { expect, test } from 'vitest'
import type { BnplError } from '../errors.ts'
import {
  alreadyRun,
  changedMeanwhile,
  type JobFacts,
  locked,
  NO_EARLIER_RUN,
  otherSettings,
  rowsChanged,
  unfinished,
} from './ledger-file.ts'

const FACTS = { startedAt: '2026-03-01T12:00:00Z', settings: 'sandbox' } as JobFacts

test.each<[string, BnplError, Partial<BnplError>]>([
  [
    'did not finish',
    unfinished(FACTS),
    {
      code: 'EARLIER_RUN',
      message: 'an earlier run of this file (started 2026-03-01T12:00:00Z) did not finish',
      hint: 'Add --resume to continue that run without sending anything twice, or --restart to send every row again. Nothing was sent.',
    },
  ],
  [
    'is complete',
    alreadyRun(FACTS),
    {
      code: 'EARLIER_RUN',
      message: 'the rows of this file were already sent by the run of 2026-03-01T12:00:00Z',
      hint: 'Add --resume to write the results again; rows with a final answer are not sent again. Or add --restart to send every row again. Nothing was sent.',
    },
  ],
  [
    'sent rows that are not in the file any more',
    rowsChanged(FACTS),
    {
      code: 'EARLIER_RUN',
      message:
        'the run of 2026-03-01T12:00:00Z already sent rows of this file, and some of them were changed or removed afterwards',
      hint: 'Put new rows into a separate file. To send every row again, even those that were already sent, add --restart. Nothing was sent now.',
    },
  ],
  [
    'had another content',
    changedMeanwhile(FACTS),
    {
      code: 'INPUT_CHANGED',
      message: 'the file was changed after its run of 2026-03-01T12:00:00Z began, and that run did not finish',
      hint: 'Restore the old content and continue with --resume. Or add --restart, which sends every row of the new content. Nothing was sent.',
    },
  ],
  [
    'had other settings',
    otherSettings(FACTS, { ...FACTS, settings: 'production' }),
    {
      code: 'SETTINGS_CHANGED',
      message: 'the run of 2026-03-01T12:00:00Z was started with other settings (sandbox; now production)',
      hint: 'Use the same settings to continue, or add --restart, which sends every row again. Nothing was sent.',
    },
  ],
  [
    'is still going on',
    locked(77),
    {
      kind: 'config',
      code: 'RUN_LOCKED',
      message: 'another process (pid 77) is already sending the rows of this file',
      hint: 'Wait for that process, or stop it. Nothing was sent.',
    },
  ],
])('a new run is refused, and the hint says what to do, when an earlier run %s', (_, error, expected) => {
  expect(error).toMatchObject({ kind: 'usage', ...expected })
})

test('a resume without an earlier run says that every row is sent', () => {
  expect(NO_EARLIER_RUN).toBe('Every row is sent, because no earlier run of this file was found on this machine.')
})
