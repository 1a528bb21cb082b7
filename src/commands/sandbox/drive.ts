import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import type { SandboxClient } from '../../sandbox/server/sandbox-client.ts'
import { refuseDryRun } from '../global-options.ts'

/** Opens the sandbox for a command that controls it. Throws `usage` with --dry-run, because it has no request to show. */
export async function sandboxToDrive(context: Context): Promise<SandboxClient> {
  refuseDryRun(context)
  return context.sandbox()
}

/** Where a sandbox keeps its state, in words. */
export function stateWords({ dataFile, database }: { dataFile: string | null; database: string | null }): string {
  if (database !== null) return `PostgreSQL ${database}`
  return dataFile ?? 'in memory, lost when it stops'
}

/** Names a sandbox in a question about changing it: others may use it too. */
export function sandboxInWords({ database }: { database: string | null }): string {
  return database === null ? 'the sandbox' : `the sandbox in PostgreSQL ${database}, for everybody who uses it`
}

/** Asks before the sandbox's state is lost; --yes answers. Throws `usage` when the answer is no, or no terminal is there to ask on. */
export async function agreeToForget(context: Context, what: string): Promise<void> {
  if (context.options.yes) return
  if (!context.options.input) {
    throw usage(`this deletes ${what}, and this run cannot ask for confirmation`, 'Add --yes to confirm.', 'NEEDS_YES')
  }
  const agreed = await (await context.prompts()).confirm({ message: `Forget ${what}?`, default: false })
  if (!agreed) throw usage('you answered no; nothing was deleted', undefined, 'DECLINED')
}
