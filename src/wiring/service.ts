import type { Context } from '../context.ts'
import { type Transport, WireFault, type WireRequest, type WireResponse } from '../contract/wire.ts'
import { recorded } from './recording.ts'

/**
 * Returns the transport to the service of the account: the sandbox of `-p sandbox`, otherwise the network. With `--record`, the transport
 * also records every exchange.
 */
export async function serviceTransport(context: Context): Promise<Transport> {
  const { environment } = await context.settings()
  return environment.value === 'sandbox'
    ? recorded(context, (await context.sandbox()).transport)
    : await context.network()
}

/** Sends one request without a key, and reports the request. The report contains `shown` in place of the address. */
export async function visit(context: Context, request: WireRequest, shown: string): Promise<WireResponse> {
  const transport = await serviceTransport(context)
  const started = context.clock.monotonic()
  const report = (result: number | string) =>
    context.report({ method: request.method, url: shown, result, ms: context.clock.monotonic() - started })
  try {
    const response = await transport(request)
    report(response.status)
    return response
  } catch (error) {
    if (error instanceof WireFault) report(error.kind)
    throw error
  }
}
