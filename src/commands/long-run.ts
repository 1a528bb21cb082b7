import type { Context, World } from '../context.ts'
import { usage } from '../errors.ts'
import { LOG_FORMS } from '../terminal/output.ts'
// Loaded here, because an error of the command is put into words with it at the end, when the file may have been removed.
import './advice.ts'

/**
 * Call this first in a command that runs until it is stopped, or for hours. The files of the program may be replaced while it runs, for
 * example by `npm install`. So everything that its end needs must be loaded at its start: the end of such a command never imports.
 */
export function prepareLongRun(world: Pick<World, 'expectLongRun'>): void {
  world.expectLongRun()
}

/** The option `--log` of the servers. */
export const LOG = ['--log <form>', 'write each message on stderr as one line: with its `time`, or as `json`'] as const

/** Writes the messages of a server as `--log` says. Throws `usage` for another word. */
export function logAsAsked({ output, clock }: Context, asked: string | undefined): void {
  if (asked === undefined) return
  const form = LOG_FORMS.find((each) => each === asked)
  if (form === undefined) throw usage(`--log “${asked}” is not known`, `Use --log ${LOG_FORMS.join(' or --log ')}.`)
  output.logAs(form, () => clock.now())
}
