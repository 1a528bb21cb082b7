import type { Context } from '../../context.ts'
import type { SandboxLink } from '../../sandbox/server/sandbox-client.ts'
import { refuseDryRun } from '../global-options.ts'

/** The sandbox, to be driven. Throws `usage` with --dry-run: driving it is no request that could be shown. */
export async function sandboxToDrive(context: Context): Promise<SandboxLink> {
  refuseDryRun(context)
  return context.sandbox()
}
