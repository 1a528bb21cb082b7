import type { Context } from '../context.ts'
import { config, tellable } from '../errors.ts'
import type { Settings } from '../profiles/resolve.ts'
import type { Learned, TransactionRecord } from '../state/state.ts'

/** The name a transaction is remembered under: the profile's, or the origin where everything comes from the environment. */
export function historyKey(settings: Settings): string {
  return settings.profile?.value ?? (settings.baseUrl === undefined ? '' : new URL(settings.baseUrl.value).origin)
}

/**
 * Keeps what a command learned of a transaction. The call behind it is done, so a memory that cannot be written is a warning that
 * gives the reader what was not kept, never an error.
 */
export async function remember(context: Context, externalTrxId: string, learned: Learned): Promise<void> {
  try {
    const state = await context.state()
    await state.remember(historyKey(await context.settings()), externalTrxId, learned)
  } catch (error) {
    const id = learned.preApproveId ? ` Keep this: preApproveId ${learned.preApproveId}` : ''
    context.output.warn(`the local history could not be written (${tellable(error)}).${id}`)
  }
}

/**
 * The transaction a command is about: the one that was named, else the one this profile touched last (said on stderr).
 * @returns its id, and what is remembered of it, if anything
 */
export async function transactionOf(
  context: Context,
  named: string | undefined,
): Promise<{ externalTrxId: string; known: TransactionRecord | undefined }> {
  const key = historyKey(await context.settings())
  const state = await context.state()
  if (named !== undefined) return { externalTrxId: named, known: await state.find(key, named) }
  const latest = await state.latest(key)
  if (latest === undefined) {
    throw config(
      'no transaction is named, and this profile has none in its history',
      'Name it with --trx, or begin with: bnpl evaluate',
      'NO_TRANSACTION',
    )
  }
  context.output.note(`Using the last transaction of ${key}: ${latest.externalTrxId}`)
  return { externalTrxId: latest.externalTrxId, known: latest }
}
