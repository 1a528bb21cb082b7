import { config, usage } from '../errors.ts'
import type { JobFacts } from './ledger-file.ts'

export const NO_EARLIER_RUN = 'Every row is sent, because no earlier run of this file was found on this machine.'

const RESUME =
  'Add --resume to continue that run without sending anything twice, or --restart to send every row again. Nothing was sent.'

const WRITE_AGAIN =
  'Add --resume to write the results again; rows with a final answer are not sent again. Or add --restart to send every row again. Nothing was sent.'

export const unfinished = ({ startedAt }: JobFacts) =>
  usage(`an earlier run of this file (started ${startedAt}) did not finish`, RESUME, 'EARLIER_RUN')

export const alreadyRun = ({ startedAt }: JobFacts) =>
  usage(`the rows of this file were already sent by the run of ${startedAt}`, WRITE_AGAIN, 'EARLIER_RUN')

export const rowsChanged = ({ startedAt }: JobFacts) =>
  usage(
    `the run of ${startedAt} already sent rows of this file, and some of them were changed or removed afterwards`,
    'Put new rows into a separate file. To send every row again, even those that were already sent, add --restart. Nothing was sent now.',
    'EARLIER_RUN',
  )

export const changedMeanwhile = ({ startedAt }: JobFacts) =>
  usage(
    `the file was changed after its run of ${startedAt} began, and that run did not finish`,
    'Restore the old content and continue with --resume. Or add --restart, which sends every row of the new content. Nothing was sent.',
    'INPUT_CHANGED',
  )

export const otherSettings = (earlier: JobFacts, now: JobFacts) =>
  usage(
    `the run of ${earlier.startedAt} was started with other settings (${earlier.settings}; now ${now.settings})`,
    'Use the same settings to continue, or add --restart, which sends every row again. Nothing was sent.',
    'SETTINGS_CHANGED',
  )

export const lostLedger = (path: string) =>
  config(
    `the record of an earlier run of this file is damaged and was not changed (${path}); it is unknown which rows were sent`,
    'Find out from the results of the earlier run which rows were sent, and put the others into a new file. To send every row again, add --restart. Nothing was sent.',
    'STATE_DAMAGED',
  )

export const locked = (pid: number) =>
  config(
    `another process (pid ${pid}) is already sending the rows of this file`,
    'Wait for that process, or stop it. Nothing was sent.',
    'RUN_LOCKED',
  )
