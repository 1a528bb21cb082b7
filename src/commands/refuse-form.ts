import type { Context } from '../context.ts'
import { usage } from '../errors.ts'

/** Throws `usage` where a form was asked for, by --json or --output, of what `--raw` writes as it is. */
export function refuseForm({ options }: Context, what: string): void {
  if (options.output === 'table') return
  throw usage(`with --raw the output is ${what}`, 'Leave --raw out, or --json and --output.')
}
