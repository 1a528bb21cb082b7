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
export function stateWords({ dataFile, database }: { dataFile: string | null; database: string | null }): string {
  if (database !== null) return `PostgreSQL ${database}`
  return dataFile ?? 'in memory, lost when the sandbox stops'
}

/** Returns the words that name a sandbox when the user is asked a question. If other users may share the sandbox, the words say so. */
export function sandboxInWords({ database }: { database: string | null }): string {
  return database === null ? 'the sandbox' : `the sandbox in PostgreSQL ${database}, for everybody who uses it`
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
