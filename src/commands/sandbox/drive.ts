import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import type { SandboxClient } from '../../sandbox/server/sandbox-client.ts'
import { refuseDryRun } from '../global-options.ts'

/** Opens the sandbox for a command that controls it. Throws `usage` with --dry-run. */
export async function sandboxToDrive(context: Context): Promise<SandboxClient> {
  refuseDryRun(context)
  return context.sandbox()
}

/** Returns the place where the state of a sandbox is stored, in words. */
export function stateWords({ dataFile }: { dataFile: string | null }): string {
  return dataFile ?? 'in memory, lost when the sandbox stops'
}

/**
 * Asks the user before the sandbox's state is deleted, except with --yes. Throws `usage` when the answer is no, or
 * when no question can be asked.
 */
export async function agreeToForget(context: Context, what: string): Promise<void> {
  if (context.options.yes) return
  if (!context.options.input) {
    throw usage(
      `this command deletes ${what}, but this run cannot ask for confirmation`,
      'Add --yes to confirm.',
      'NEEDS_YES',
    )
  }
  const agreed = await (await context.prompts()).confirm({ message: `Delete ${what}?`, default: false })
  if (!agreed) throw usage('you answered no; nothing was deleted', undefined, 'DECLINED')
}
