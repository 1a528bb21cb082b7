import { usage } from '../errors.ts'

/** Reads a port that was typed; 0 stands for any free one. Throws `usage` naming the option. */
export function readPort(option: string, text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw usage(`${option} “${text}” is not a port`, 'Use a number from 0 (any free one) to 65535.', 'INVALID_PORT')
}
