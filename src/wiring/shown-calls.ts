import type { Context } from '../context.ts'
import type { Transport } from '../contract/wire.ts'
import type { Style } from '../terminal/output.ts'
import { createSecrets } from '../text/secrets.ts'

/**
 * Returns a transport that also writes every request and its answer to stderr, with secrets and personal data masked. Without
 * `--verbose`, returns the given transport.
 */
export async function shownCalls(
  { world, io, options, settings }: Context,
  transport: Transport,
  style: Style,
): Promise<Transport> {
  if (!options.verbose) return transport
  const { answerLines, requestLines } = await import('../recording/shown-exchange.ts')
  const { apiKey, publicKey, webhookSecrets } = await settings()
  const ofAccount = createSecrets(apiKey?.value, publicKey?.value, ...(webhookSecrets?.value ?? []))
  // Masking known headers and fields is not enough, because the service may repeat a key anywhere in its answer.
  const hide = (text: string) => ofAccount.hide(world.secrets.hide(text))
  const show = (lines: readonly string[]) => io.err(`${style.dim(lines.join('\n'))}\n`)
  return async (request) => {
    show(requestLines(request, hide))
    const response = await transport(request)
    show(answerLines(response, hide))
    return response
  }
}
