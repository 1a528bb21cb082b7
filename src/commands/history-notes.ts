import type { Context } from '../context.ts'
import { config, tellable } from '../errors.ts'
import type { Learned, TransactionRecord } from '../history/history.ts'
import type { Settings } from '../profiles/resolve.ts'
import { nextCommand } from './global-options.ts'
import { ask, readIdentifier } from './option-values.ts'

/**
 * Returns the name under which the history stores transactions: the profile's name, or the service's origin if no
 * profile is used.
 */
export function historyKey(settings: Settings): string {
  return settings.profile?.value ?? (settings.baseUrl === undefined ? '' : new URL(settings.baseUrl.value).origin)
}

/**
 * Stores what a command learned about a transaction. The call was already made, so if the history cannot be written,
 * the command continues with a warning. Never throws.
 */
export async function remember(context: Context, externalTrxId: string, learned: Learned): Promise<void> {
  try {
    const history = await context.history()
    await history.remember(historyKey(await context.settings()), externalTrxId, learned)
  } catch (error) {
    const id = learned.preApproveId ? ` Keep this id: preApproveId ${learned.preApproveId}` : ''
    context.output.warn(`the local history could not be written (${tellable(error)}).${id}`)
  }
}

/**
 * Returns the named transaction; without a name, the latest transaction of this profile. If the history has no transaction of this profile,
 * asks for an id, or throws `config` when no question can be asked.
 */
export async function transactionOf(
  context: Context,
  named: string | undefined,
): Promise<{ externalTrxId: string; known: TransactionRecord | undefined }> {
  const key = historyKey(await context.settings())
  const history = await context.history()
  if (named !== undefined) return { externalTrxId: named, known: await history.find(key, named) }
  const latest = await history.latest(key)
  if (latest === undefined) {
    if (context.options.input) {
      const externalTrxId = await ask(context, 'trx', (text) => readIdentifier('this', text))
      return { externalTrxId, known: await history.find(key, externalTrxId) }
    }
    throw config(
      'no transaction is named, and the history of this profile is empty',
      `Add --trx ID, or begin with: ${nextCommand(context, 'bnpl evaluate')}`,
      'NO_TRANSACTION',
    )
  }
  context.output.note(`Using the last transaction of ${key}: ${latest.externalTrxId}`)
  return { externalTrxId: latest.externalTrxId, known: latest }
}
