import type { Context } from '../context.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError } from '../errors.ts'
import { startProgress } from '../terminal/progress.ts'

/** Where the payment page is, and whether this process is what serves it. */
export interface PagePlace {
  paymentUrl: string
  servedHere: boolean
}

/**
 * Makes sure that the sandbox's payment page can be opened: the running sandbox serves it, else this process does until the command ends.
 * A real service's page is where it is.
 */
export async function servePage(context: Context, paymentUrl: string): Promise<PagePlace> {
  const settings = await context.settings()
  if (settings.environment.value !== SANDBOX) return { paymentUrl, servedHere: false }
  const link = await context.sandbox()
  if (link.served) return { paymentUrl, servedHere: false }
  const { listen } = await import('../sandbox/listen.ts')
  const url = new URL(paymentUrl)
  const onFault = () => context.output.warn('the payment page met a fault of the sandbox itself')
  const listenOn = (port: number) => listen({ host: url.hostname, port, onFault })
  // Its own port may be somebody else's: any other does for one payment.
  const server = await listenOn(Number(url.port)).catch((error: unknown) => {
    if (error instanceof BnplError) return listenOn(0)
    throw error
  })
  server.serve(link.transport)
  context.onClose(server.close)
  return { paymentUrl: `${server.baseUrl}${url.pathname}`, servedHere: true }
}

/** True when nothing serves the page that was just printed. */
export async function pageIsUnserved(context: Context): Promise<boolean> {
  const settings = await context.settings()
  return settings.environment.value === SANDBOX && !(await context.sandbox()).served
}

/** Opens a checked address in the browser; without one, says so and shows where to go. */
export async function visitPage(context: Context, url: string): Promise<void> {
  if (await context.world.open(url)) context.output.note('The payment page is open in your browser.')
  else context.output.say('No browser could be opened here; open this address yourself:', url)
}

type SandboxPayment = 'none' | 'open' | 'paid' | 'rejected' | 'cancelled' | 'expired'

const POLL_MS = 500
/** How long the result page stays reachable after the payment: its countdown, and a little. */
const GOODBYE_MS = 12_000

/** Waits until the sandbox's payment of a transaction has ended, and its page has said goodbye. */
export async function paymentEnd(context: Context, externalTrxId: string): Promise<SandboxPayment> {
  const { clock, signal } = context
  const link = await context.sandbox()
  const waiting = await startProgress(context.io, context.options.quiet, 'Waiting for the payment to end …')
  try {
    for (;;) {
      const { state } = (await link.control('payment', { externalTrxId })) as { state: SandboxPayment }
      if (state !== 'open') {
        if (state !== 'expired' && state !== 'none') await clock.sleep(GOODBYE_MS, signal)
        return state
      }
      await clock.sleep(POLL_MS, signal)
    }
  } finally {
    waiting.stop()
  }
}
