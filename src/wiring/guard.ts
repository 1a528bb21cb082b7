import type { ApiClientOptions } from '../client/request.ts'
import type { Context } from '../context.ts'
import type { WireRequest } from '../contract/wire.ts'
import { DryRun, usage } from '../errors.ts'
import type { Settings } from '../profiles/resolve.ts'

interface Guard {
  beforeSend: NonNullable<ApiClientOptions['beforeSend']>
  /**
   * If the profile is for production, asks once for confirmation, before the first call of a run over a file.
   * Throws `usage` when the answer is no.
   */
  agree(baseUrl: string, what: string): Promise<void>
}

/**
 * Watches the calls of a command. With --dry-run it ends the command before a call is sent. With a production
 * profile it shows a banner and asks one time before the first change.
 */
export function guard(context: Context, settings: Settings): Guard {
  let announced = false
  let agreement: Promise<void> | undefined
  const isProduction = settings.environment.value === 'production'
  const dryRun = async (request: WireRequest) => {
    const { toCurl } = await import('../client/request.ts')
    throw new DryRun(toCurl(request))
  }
  const announce = (url: string) => {
    const where = `${settings.profile?.value} (${new URL(url).host})`
    if (!announced) context.output.alert('PRODUCTION', `profile ${where}`)
    announced = true
    return where
  }
  const ask = (url: string, what: string) => {
    const where = announce(url)
    if (context.options.yes) return undefined
    agreement ??= askFor(context, what, where)
    return agreement
  }
  return {
    beforeSend(endpoint, request) {
      if (context.options.dryRun) return dryRun(request)
      context.world.whereabouts.step = endpoint.summary
      if (!isProduction) return undefined
      if (endpoint.changes) return ask(request.url, context.change ?? endpoint.summary)
      announce(request.url)
      return undefined
    },
    async agree(baseUrl, what) {
      if (isProduction && !context.options.dryRun) await ask(baseUrl, what)
    },
  }
}

async function askFor(context: Context, what: string, where: string): Promise<void> {
  if (!context.options.input) {
    throw usage(
      `this would ${what} on the production profile ${where}, but this run cannot ask for confirmation`,
      'Add --yes to confirm in advance.',
      'PRODUCTION_NEEDS_YES',
    )
  }
  const prompts = await context.prompts()
  const agreed = await prompts.confirm({ message: `${what} on production?`, default: false })
  if (!agreed) throw usage('you answered no; nothing was changed', undefined, 'DECLINED')
}
