import type { Context } from '../../context.ts'
import { BnplError } from '../../errors.ts'
import { knownAnswers, PATH_SETTINGS } from '../../profiles/resolve.ts'
import { startProgress } from '../../terminal/progress.ts'
import { checkKey } from '../key-check.ts'

const TRY_MS = 10_000

/** Checks whether the service accepts the key of a stored profile, and tells the user. A failed check is only a warning. */
export async function tryKey(context: Context, name: string): Promise<void> {
  const { clock, world, options, output, signal } = context
  const progress = await startProgress(context.io, options.quiet, 'Checking the key with a read request …')
  try {
    const { baseUrl, apiKey, service } = await context.settings(name)
    const { createApiClient } = await import('../../client/client.ts')
    const api = createApiClient({
      transport: await context.network(),
      baseUrl: String(baseUrl?.value),
      apiKey: apiKey?.value,
      clock,
      random: world.random,
      timeoutMs: Math.min(options.timeoutMs, TRY_MS),
      paths: knownAnswers(service, PATH_SETTINGS),
      userAgent: `bnpl/${world.version}`,
      signal,
      onAttempt: context.report,
    })
    const { status, detail, ...more } = await checkKey(
      api,
      `Store another key: bnpl profiles set-key ${name}`,
      (command) => `${command} -p ${name}`,
    )
    progress.stop()
    if (status === 'ok') output.note(`The key is ${detail}.`)
    else output.warn(`The key: ${detail}. ${'hint' in more ? more.hint : ''}`)
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    output.warn(`The key could not be checked: ${error.message}`)
  } finally {
    progress.stop()
  }
}
