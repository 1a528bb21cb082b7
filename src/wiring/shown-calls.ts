import type { Context } from '../context.ts'
import type { Transport } from '../contract/wire.ts'
import type { Style } from '../terminal/style.ts'

/** A secret with fewer characters is not searched for in texts, because it would also be found inside other words. */
const SHORTEST = 8

/**
 * Returns a transport that also writes every request and its answer to stderr, with secrets and personal data masked. Without
 * `--verbose`, returns the given transport.
 */
export async function shownCalls(
  { io, options, settings }: Context,
  transport: Transport,
  style: Style,
): Promise<Transport> {
  if (!options.verbose) return transport
  const { answerLines, requestLines } = await import('../recording/shown-exchange.ts')
  const { apiKey, publicKey, webhookSecrets } = await settings()
  const secrets = [apiKey?.value, publicKey?.value, ...(webhookSecrets?.value ?? [])].flatMap((each) =>
    each === undefined || each.length < SHORTEST ? [] : [each],
  )
  // Masking known headers and fields is not enough, because the service may repeat a key anywhere in its answer.
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '••••'), text)
  const show = (lines: readonly string[]) => io.err(`${style.dim(lines.join('\n'))}\n`)
  return async (request) => {
    show(requestLines(request, hide))
    const response = await transport(request)
    show(answerLines(response, hide))
    return response
  }
}
