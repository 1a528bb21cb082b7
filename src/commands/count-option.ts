import { usage } from '../errors.ts'

/** Reads an option that counts things. @returns a whole number from 1 on */
export function readCount(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw usage(`${option} “${text}” is not a count`, 'Use a number from 1 on.', 'INVALID_COUNT')
}
