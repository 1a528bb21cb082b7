import { config, usage } from '../errors.ts'
import type { JobFacts } from './ledger-file.ts'

/** The note of a run with `--resume` that has nothing to resume. */
export const NO_EARLIER_RUN = 'No earlier run of this file was found on this machine: every row is sent.'

const RESUME = 'Nothing was sent. --resume goes on with it and sends nothing twice; --restart sends every row again.'

/** The refusals of a run because of an earlier one. */

export const unfinished = ({ startedAt }: JobFacts) =>
  usage(`an earlier run of this file (begun ${startedAt}) did not reach its end`, RESUME, 'EARLIER_RUN')

export const alreadyRun = ({ startedAt }: JobFacts) =>
  usage(`this file was already run (${startedAt}), and its calls should not be made twice`, RESUME, 'EARLIER_RUN')

export const rowsChanged = ({ startedAt }: JobFacts) =>
  usage(
    `rows that the run of ${startedAt} sent were changed or removed since, and its calls should not be made twice`,
    'Nothing was sent. Put new rows into a file of their own; --restart sends every row of this one again.',
    'EARLIER_RUN',
  )

export const changedMeanwhile = ({ startedAt }: JobFacts) =>
  usage(
    `the file was changed after its run of ${startedAt} began, and that run did not reach its end`,
    'Nothing was sent. Put the old content back to go on with --resume; --restart sends every row of the new one.',
    'INPUT_CHANGED',
  )

export const otherSettings = (earlier: JobFacts, now: JobFacts) =>
  usage(
    `the run of ${earlier.startedAt} was begun with other settings (${earlier.settings}; now ${now.settings})`,
    'Nothing was sent. Go on with the same settings, or use --restart.',
    'SETTINGS_CHANGED',
  )

export const locked = (pid: number) =>
  config(
    `another process (pid ${pid}) is running this file`,
    'Nothing was sent. Wait for that process, or stop it.',
    'RUN_LOCKED',
  )
