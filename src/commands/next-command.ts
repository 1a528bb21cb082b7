import type { Context } from '../context.ts'

/** A command to run next, under the profile that was named for this one. What came from outside is put in with `shellQuoted`. */
export function nextCommand(context: Context, line: string): string {
  const { profile } = context.options
  return profile === undefined ? line : `${line} -p ${profile}`
}
