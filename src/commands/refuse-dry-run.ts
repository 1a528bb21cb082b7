import type { Context } from '../context.ts'
import { usage } from '../errors.ts'

/** `--dry-run` promises that nothing happens: refused by commands that do more than a request that could be shown. */
export function refuseDryRun(context: Context): void {
  if (!context.options.dryRun) return
  throw usage(
    '--dry-run shows the request that a command would send, and this one has none to show; nothing was done',
    'Leave --dry-run out.',
    'NO_DRY_RUN',
  )
}
