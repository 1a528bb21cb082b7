import type { Context } from '../context.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { DryRun, usage } from '../errors.ts'
import type { SandboxClient } from '../sandbox/server/sandbox-client.ts'
import { commandLine, shellQuoted } from '../text/shell-word.ts'

/**
 * Asks the user to confirm an action that cannot be undone. `--yes` answers the question. Throws `usage` when the
 * answer is no, or when no question can be asked.
 */
export async function agree(context: Context, question: string): Promise<void> {
  await confirm(context, question, {
    unasked: `this command asks before it does anything (“${question}”), but this run cannot ask questions`,
    hint: 'Add --yes to confirm in advance.',
    declined: 'nothing was done',
  })
}

/**
 * Asks a question. `--yes` answers it. Throws `usage` when the answer is no, or when no question can be asked (`unasked`).
 * @param code of the error when no question can be asked
 */
export async function confirm(
  context: Context,
  message: string,
  { unasked, hint, code = 'NEEDS_YES', declined }: { unasked: string; hint: string; code?: string; declined: string },
): Promise<void> {
  if (context.options.yes) return
  if (!context.options.input) throw usage(unasked, hint, code)
  const prompts = await context.prompts()
  if (await prompts.confirm({ message, default: false })) return
  throw usage(`you answered no; ${declined}`, undefined, 'DECLINED')
}

const NO_REQUEST = '--dry-run shows the request of a command, but this command has no request to show; nothing was done'

/**
 * Throws `usage` for `--dry-run` with a command that has no request to show, because `--dry-run` promises that
 * nothing happens.
 */
export function refuseDryRun(context: Context, message = NO_REQUEST): void {
  if (context.options.dryRun) throw usage(message, 'Remove --dry-run.', 'NO_DRY_RUN')
}

/** With `--dry-run`, says that not all requests are shown. Call this before the first call of such a command. */
export function noteOtherRequests({ options, output }: Context): void {
  if (options.dryRun) output.note('Other requests are not shown, because they depend on an answer or only read data.')
}

/**
 * Shows the dry run of a command that makes one call for each of several ids. Throws `DryRun` with the lines of all calls.
 * @param call makes the call for one id
 */
export async function dryRunOfMany<T>(
  things: Iterable<T> | AsyncIterable<T>,
  call: (thing: T) => Promise<unknown>,
): Promise<void> {
  const lines: string[] = []
  for await (const thing of things) {
    try {
      await call(thing)
    } catch (error) {
      if (!(error instanceof DryRun)) throw error
      lines.push(...error.lines)
    }
  }
  if (lines.length > 0) throw new DryRun(...lines)
}

/**
 * Throws `usage` if `--json` or `--output` is given together with `--raw`.
 * @param form what `--raw` prints
 */
export function refuseForm({ options }: Context, form: string): void {
  if (options.output === 'table') return
  throw usage(`--raw prints ${form}, so --json and --output cannot be used`, 'Remove --raw, or --json and --output.')
}

/**
 * Returns a command for the user to run next, with the `-p` of the present command line.
 * @param operands arguments, which this function quotes because they come from outside
 * @param options options that are already quoted; `optionWords` quotes text from outside
 */
export function nextCommand(
  context: Context,
  words: string,
  operands: readonly string[] = [],
  options: readonly string[] = [],
): string {
  const { profile } = context.options
  return commandLine(
    words,
    operands,
    [...options, ...(profile === undefined ? [] : [`-p ${shellQuoted(profile)}`])].join(' '),
  )
}

/** Opens the sandbox for a command that controls it. Throws `usage` with --dry-run. */
export async function sandboxToDrive(context: Context): Promise<SandboxClient> {
  refuseDryRun(context)
  return context.sandbox()
}

/** Whether the service is a sandbox that runs only in this process, so that no browser and no other program can reach it. */
export async function isUnservedSandbox({ settings, sandbox }: Context): Promise<boolean> {
  return (await settings()).environment.value === SANDBOX && !(await sandbox()).served
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
  await confirm(context, `Delete ${what}?`, {
    unasked: `this command deletes ${what}, but this run cannot ask for confirmation`,
    hint: 'Add --yes to confirm.',
    declined: 'nothing was deleted',
  })
}
