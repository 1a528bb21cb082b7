import type { ErrorKind } from '../../errors.ts'

export const KIND_WORDS: Record<ErrorKind, { meaning: string; hint: string }> = {
  bug: {
    meaning: 'a fault in bnpl itself, not in your input or the service',
    hint: 'Remove keys and ids from the line that the failed command printed, and send the line to the maintainers.',
  },
  usage: {
    meaning: 'a wrong option or value (nothing was sent), or you answered no to a question (nothing was changed)',
    hint: 'Read the message, which says what is wrong. --help shows the options.',
  },
  config: {
    meaning:
      'a profile that is missing or incomplete, settings or state that cannot be read, a port that is taken, or a key that was stored for another address of the service',
    hint: 'Run bnpl doctor and bnpl profiles show.',
  },
  auth: {
    meaning: 'the service refused the API key',
    hint: 'Check the key and the environment (beta or production): bnpl profiles show',
  },
  refused: {
    meaning:
      'the service understood the request and refused it (4xx), for example because the pre-approval belongs to another account',
    hint: 'Run bnpl explain CODE with the service’s code, which is in the message.',
  },
  'not-found': {
    meaning: 'the requested object does not exist',
    hint: 'Check the id and the profile. If you asked for a loan, perhaps the customer has not paid yet.',
  },
  'rate-limited': {
    meaning: 'too many requests (429), even after retries. The service did not carry out the call',
    hint: 'Wait and run the command again. With a file, --rate keeps the run below the limit.',
  },
  service: {
    meaning:
      'the service failed (5xx), or its answer does not follow the specification, for example because it is a redirect or not a PDF',
    hint: 'Run the command again later; bnpl smoke shows whether the service answers as specified.',
  },
  network: {
    meaning: 'no connection, a TLS failure, a time-out or a broken connection. It is safe to repeat the command',
    hint: 'Run the command again. If that fails too, run bnpl doctor.',
  },
  'check-failed': {
    meaning: 'a signature, an --expect option, a smoke check or a receiver test failed, or no check ran',
    hint: 'Read the output, which says what differs, or why no check ran.',
  },
  partial: {
    meaning: 'a run over a file or over several ids ended, and some of the rows or ids failed',
    hint: 'Run the failed rows or ids again. A run over a file writes its failed rows to a separate file.',
  },
  'outcome-unknown': {
    meaning:
      'a call that is not safe to repeat was sent, and no clear answer arrived, so the service may have carried it out',
    hint: 'Do not run the command again yet. The hint of the error says how to find out what happened.',
  },
  output: {
    meaning:
      'the result could not be written (a full disk, a closed device); what the command already did is not undone',
    hint: 'Free some space. Check what the command has already done before you run it again.',
  },
}

const MAYBE_DONE = 'Finished work is kept. A call that was not answered may have been carried out'
const AFTER_SIGNAL =
  'Read the error. If it says that the call may have been carried out, do not run the command again yet, and do what its hint says. Otherwise run the command again. A run over a file continues with --resume.'

export const OTHER_EXITS: Readonly<Record<number, { kind: string; meaning: string; hint: string }>> = {
  0: { kind: 'success', meaning: 'the command succeeded, and its result is completely written', hint: 'Do nothing.' },
  126: {
    kind: 'not-runnable',
    meaning: '`bnpl sandbox run` could not run the command after --, for example because its file is not executable',
    hint: 'Read the error, which names the reason. Check the permissions of the file.',
  },
  127: {
    kind: 'no-such-command',
    meaning: '`bnpl sandbox run` did not find the command after --',
    hint: 'Check the name of the command, and PATH.',
  },
  129: {
    kind: 'SIGHUP',
    meaning: `the terminal was closed. ${MAYBE_DONE}`,
    hint: `${AFTER_SIGNAL} If you cannot see the error any more, find out what happened before you run the command again.`,
  },
  130: {
    kind: 'SIGINT',
    meaning: `you pressed Ctrl-C. ${MAYBE_DONE}`,
    hint: AFTER_SIGNAL,
  },
  141: {
    kind: 'SIGPIPE',
    meaning: 'the program that read the output closed the pipe (| head)',
    hint: 'Do nothing: this is not an error.',
  },
  143: {
    kind: 'SIGTERM',
    meaning: `another process asked the program to end. ${MAYBE_DONE}`,
    hint: AFTER_SIGNAL,
  },
}
