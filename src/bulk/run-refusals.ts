import { config, usage } from '../errors.ts'
import type { JobFacts } from './ledger-file.ts'

/** The note for `--resume` when no earlier run exists. */
export const NO_EARLIER_RUN = 'No earlier run of this file was found on this machine: every row is sent.'

const RESUME = 'Nothing was sent. --resume continues it and sends nothing twice; --restart sends every row again.'

/** Refusals of a run because of an earlier run. */

export const unfinished = ({ startedAt }: JobFacts) =>
  usage(`an earlier run of this file (started ${startedAt}) did not finish`, RESUME, 'EARLIER_RUN')

export const alreadyRun = ({ startedAt }: JobFacts) =>
  usage(`this file was already run (${startedAt}), and its calls must not be repeated`, RESUME, 'EARLIER_RUN')

export const rowsChanged = ({ startedAt }: JobFacts) =>
  usage(
    `rows that the run of ${startedAt} sent have since been changed or removed, and its calls must not be repeated`,
    'Nothing was sent. Put new rows into a separate file; --restart sends every row of this one again.',
    'EARLIER_RUN',
  )

export const changedMeanwhile = ({ startedAt }: JobFacts) =>
  usage(
    `the file was changed after its run of ${startedAt} began, and that run did not finish`,
    'Nothing was sent. Restore the old content to continue with --resume; --restart sends every row of the new one.',
    'INPUT_CHANGED',
  )

export const otherSettings = (earlier: JobFacts, now: JobFacts) =>
  usage(
    `the run of ${earlier.startedAt} was started with other settings (${earlier.settings}; now ${now.settings})`,
    'Nothing was sent. Continue with the same settings, or use --restart.',
    'SETTINGS_CHANGED',
  )

export const locked = (pid: number) =>
  config(
    `another process (pid ${pid}) is running this file`,
    'Nothing was sent. Wait for that process, or stop it.',
    'RUN_LOCKED',
  )
