import { writeSync } from 'node:fs'

/**
 * Writes to a file or a pipe as its stream would, without the stream, which costs as much as a small command.
 * @returns what a pipe that does not block has no room for; undefined when everything was written. Throws what the system says
 */
export function writeNow(fd: number, data: Uint8Array): Uint8Array | undefined {
  let written = 0
  while (written < data.length) {
    try {
      written += writeSync(fd, data, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      return data.subarray(written)
    }
  }
  return undefined
}
