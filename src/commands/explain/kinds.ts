import type { ErrorKind } from '../../errors.ts'

/** What each kind of error means to its reader, and what to do. The exit codes are in `errors.ts`. */
export const KIND_WORDS: Record<ErrorKind, { meaning: string; hint: string }> = {
  bug: {
    meaning: 'a fault of bnpl itself; nothing from outside leads to it',
    hint: 'Report it with the line that was printed; leave keys and ids out.',
  },
  usage: {
    meaning: 'a wrong option or value, or you said no; nothing was sent',
    hint: 'The message names what is wrong; --help shows the options.',
  },
  config: {
    meaning:
      'no or an incomplete profile, settings or state that cannot be read, a port that is taken, or an address the key is not for',
    hint: 'See: bnpl doctor, bnpl profiles show',
  },
  auth: {
    meaning: 'the service refused the API key',
    hint: 'Check the key and the environment (beta or production): bnpl profiles show',
  },
  refused: {
    meaning:
      'the service understood and refused: another 4xx, another partner’s pre-approval, a widget session not accepted',
    hint: 'The message carries the code of the service; bnpl explain CODE says what is known of it.',
  },
  'not-found': {
    meaning: 'there is no such thing',
    hint: 'Check the id and the profile; a loan may not be there yet.',
  },
  'rate-limited': {
    meaning: 'too many requests (429), after the repetitions that are allowed; nothing was done',
    hint: 'Wait and run it again; over a file, --rate keeps below the limit.',
  },
  service: {
    meaning:
      'the service failed (5xx), or its answer is outside the specification: a wrong shape, not a PDF, a redirect',
    hint: 'Run it again later; bnpl smoke shows whether the service answers as specified.',
  },
  network: {
    meaning: 'no connection, a TLS failure, a time-out or a cut, where repeating is safe',
    hint: 'Run it again; bnpl doctor finds out what is in the way.',
  },
  'check-failed': {
    meaning:
      'a signature, an expectation of yours, a smoke check or a receiver test failed, or there was nothing to check',
    hint: 'The output says what differs.',
  },
  partial: {
    meaning: 'a run over a file or several ids ended, and some of them failed',
    hint: 'The failed ones can be run again: see the failed rows file of the run.',
  },
  'outcome-unknown': {
    meaning: 'a call that is not safe to repeat was sent, and no answer came: it may have been done',
    hint: 'Do not simply run it again; the message says how to find out what happened.',
  },
  output: {
    meaning: 'the result could not be written (a full disk, a closed device); what was done is done',
    hint: 'Make space, then look before running it again.',
  },
}

/** Exit codes that no error of ours has: signals and a closed pipe. */
export const OTHER_EXITS: Readonly<Record<number, { kind: string; meaning: string; hint: string }>> = {
  0: { kind: 'success', meaning: 'done, and the result is fully written', hint: 'Nothing to do.' },
  129: { kind: 'SIGHUP', meaning: 'the terminal was closed; what was finished is kept', hint: 'Run it again.' },
  130: {
    kind: 'SIGINT',
    meaning: 'Ctrl-C; what was finished is kept',
    hint: 'A run over a file goes on with --resume.',
  },
  141: { kind: 'SIGPIPE', meaning: 'the reader of the output went away (| head)', hint: 'Nothing is wrong.' },
  143: {
    kind: 'SIGTERM',
    meaning: 'another process asked it to end; what was finished is kept',
    hint: 'Run it again.',
  },
}
