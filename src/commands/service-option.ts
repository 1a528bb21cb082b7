import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import type { Call } from '../contract/calls/call.ts'
import { givenAnswers, hasCall, type ServiceDescription } from '../contract/description.ts'
import { SERVICE_NAMES } from '../contract/services.ts'
import { config, usage } from '../errors.ts'
import { readService } from '../profiles/service.ts'
import { countOf } from '../terminal/numbers.ts'
import type { Output } from '../terminal/output.ts'
import { commandLine } from '../text/shell-word.ts'
import { type Command, offer } from './command.ts'
import { nextCommand } from './global-options.ts'

interface ServiceOptions {
  service?: string | undefined
  like?: string | undefined
}

/**
 * Adds the option `--service`, and `--like` as another word for it.
 * @param what what the command does with the service, such as `be this service`
 */
export const addServiceOptions = <A extends unknown[], O extends OptionValues>(
  command: Command<A, O>,
  what: string,
) => {
  const added = command
    .option(
      '--service <service>',
      `${what}: a name (specification, banca.me), or a file that \`bnpl contract learn\` wrote`,
    )
    .addOption(command.createOption('--like <file>', 'another word for --service').hideHelp())
  offer(added, '--service', SERVICE_NAMES)
  return added
}

/**
 * Returns the service that an option or BNPL_SERVICE names; undefined when neither does. Throws `usage` for an option that is not a service,
 * and `config` for such a variable.
 */
export async function readServiceOption(
  context: Context,
  { service, like }: ServiceOptions,
): Promise<ServiceDescription | undefined> {
  if (service !== undefined && like !== undefined)
    throw usage('--service and --like are two words for one option', 'Give only one of them.')
  const { cwd, env } = context.world
  const [text, source] =
    service !== undefined ? [service, '--service'] : like !== undefined ? [like, '--like'] : [env.BNPL_SERVICE, '']
  if (text === undefined || text === '') return undefined
  return readService({
    text,
    source: source === '' ? 'BNPL_SERVICE' : source,
    cwd,
    complain: source === '' ? config : usage,
  })
}

/** Returns a service whose name a profile is to store. Throws `usage` if it is not a service. */
export async function namedService({ world }: Context, text: string, source: string): Promise<ServiceDescription> {
  return readService({ text, source, cwd: world.cwd, complain: usage })
}

/** Throws `config` if the service of the profile is not known to have a call. */
export async function refuseWithoutCall(context: Context, call: Call): Promise<void> {
  const { service, profile, baseUrl } = await context.settings()
  const { describedBy, summary } = call
  if (describedBy === undefined || hasCall(call, service)) return
  // Without an account, `api` says so. A setting of the service would not help.
  if (baseUrl === undefined) await context.api()
  const hint =
    profile === undefined
      ? `If your service is banca.me, set BNPL_SERVICE=banca.me. For another service that has the call, use a profile with the setting ${describedBy}.`
      : `If your service is banca.me, run: ${nextCommand(context, 'bnpl profiles set service banca.me')}\nIf another service has the call, run: ${nextCommand(context, `bnpl profiles set ${describedBy} yes`)}`
  throw config(
    `the description of this service (${service.name}) has no call to ${summary}; nothing was sent`,
    hint,
    'NOT_OF_THE_SERVICE',
  )
}

/** Notes which description a sandbox follows, unless it is the default. */
export function noteService(output: Output, description: ServiceDescription): void {
  const count = Object.keys(givenAnswers(description)).length
  if (count === 0) return
  output.note(
    `The sandbox follows ${description.name}, which answers ${countOf(count, 'question')}. To read the answers, run: ${commandLine('bnpl contract gaps --service', [description.name])}`,
  )
}
