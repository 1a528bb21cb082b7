import type { World } from '../context.ts'
// Loaded here, because an error of the command is put into words with it at the end, when the file may have been removed.
import './advice.ts'

/**
 * Call this first in a command that runs until it is stopped, or for hours. The files of the program may be replaced while it runs, for
 * example by `npm install`. So everything that its end needs must be loaded at its start: the end of such a command never imports.
 */
export function prepareLongRun(world: Pick<World, 'expectLongRun'>): void {
  world.expectLongRun()
}
