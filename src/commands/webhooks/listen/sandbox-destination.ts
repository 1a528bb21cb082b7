import type { Context } from '../../../context.ts'
import type { VerificationScheme } from '../../../contract/integrations.ts'
import { SANDBOX } from '../../../domain/sandbox-accounts.ts'
import { BnplError } from '../../../errors.ts'
import type { Inbox } from '../../../receiver/inbox.ts'
import type { RotatingSecrets } from '../../../receiver/verification/rotating-secrets.ts'
import { nextCommand } from '../../global-options.ts'
import { noteSandboxSecret } from '../signature-options.ts'
import { noteIn, type PublicDestination, remover } from './public-destination.ts'

/**
 * Registers the listener's own address with the sandbox of this machine, and shows the secret. If an earlier listener
 * of this account left a different destination on this inbox, removes that destination.
 * @param address the listener's own address, such as `http://127.0.0.1:4556/webhooks`
 */
export async function registerInSandbox(
  context: Context,
  address: string,
  { inbox, secrets, scheme }: { inbox: Inbox; secrets: RotatingSecrets; scheme: VerificationScheme },
): Promise<PublicDestination> {
  const [sandbox, api, { apiKey }] = await Promise.all([context.sandbox(), context.api(), context.settings()])
  const note = await noteIn(inbox, context)
  const left = await note.read()
  const own = await sandbox.control('listener', { url: address, apiKey: apiKey?.value })
  if (left && left.id !== own.id) {
    await api.call('deleteWebhook', { params: { id: left.id }, body: {} }).catch((error: unknown) => {
      if (!(error instanceof BnplError)) throw error
    })
  }
  await note.write({ id: own.id, url: address })
  secrets.learn(own.secret)
  context.output.note(`Registered ${address} in the sandbox, until this listener ends.`)
  if (scheme === 'hmac') noteSandboxSecret(context, { values: [own.secret], source: SANDBOX }, scheme)
  else noteToken(context, own.secret)
  return { secret: own.secret, remove: remover(context, note, api, { id: own.id, url: address }) }
}

/** Shows the token of the deliveries. A handler has no use for the token, because the listener does not forward it. */
function noteToken(context: Context, token: string): void {
  const { output } = context
  output.note(`Webhook token: ${token} (the listener verifies deliveries with it, and does not forward it)`)
  output.note(
    `A handler cannot verify these events, because they have no signature. To ask the service about them: ${nextCommand(context, 'bnpl webhooks events confirm')}`,
  )
}
