import type { Context } from '../context.ts'
import { usage } from '../errors.ts'

/** `--dry-run` promises that nothing happens: refused by the commands that change this machine and make no request to show instead. */
export function refuseDryRun(context: Context): void {
  if (!context.options.dryRun) return
  throw usage(
    '--dry-run shows requests to the service, and this command sends none; nothing was done',
    'Leave --dry-run out.',
    'NO_DRY_RUN',
  )
}
