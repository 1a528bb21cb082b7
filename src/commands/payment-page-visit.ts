import type { Context } from '../context.ts'
import { formatDuration } from '../domain/clock.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError } from '../errors.ts'
import { startProgress, waitShown } from '../terminal/progress.ts'
import { commandLine } from '../text/shell-word.ts'
import { isUnservedSandbox } from './global-options.ts'

interface PagePlace {
  paymentUrl: string
  servedHere: boolean
  /** Whether somebody may see the page. Only the process that serves the page knows that nobody has opened it. */
  mayBeOpen(): boolean
}

/**
 * Makes sure that the sandbox's payment page can be opened. If no running sandbox serves it, this process serves it
 * until the command ends.
 */
export async function servePage(context: Context, paymentUrl: string): Promise<PagePlace> {
  if (!(await isUnservedSandbox(context))) return { paymentUrl, servedHere: false, mayBeOpen: () => true }
  const link = await context.sandbox()
  const [{ startTransportServer }, { isPageAddress }] = await Promise.all([
    import('../sandbox/server/transport-server.ts'),
    import('../sandbox/addresses.ts'),
  ])
  const url = new URL(paymentUrl)
  const onError = () => context.output.warn('the sandbox failed while it served the payment page')
  let wasOpened = false
  const onEnd = ({ url: asked }: { url: string }) => {
    wasOpened ||= isPageAddress(URL.parse(asked)?.pathname ?? '')
  }
  const listenOn = (port: number) => startTransportServer({ host: url.hostname, port, onEnd, onError })
  const server = await listenOn(Number(url.port)).catch((error: unknown) => {
    if (error instanceof BnplError) return listenOn(0)
    throw error
  })
  server.answerWith(link.transport)
  context.onClose(server.close)
  return { paymentUrl: `${server.baseUrl}${url.pathname}`, servedHere: true, mayBeOpen: () => wasOpened }
}

/**
 * Opens the payment page in the browser, or says that no browser can be opened. In both cases the page's address is on the screen.
 * @param isPrinted whether the page's address is already on the screen
 */
export async function visitPage(context: Context, url: string, isPrinted = false): Promise<void> {
  const { world, output } = context
  if (await world.open(url)) {
    // Print the address too, because the browser may be on another screen, or may have failed after it was started.
    output.note(`The payment page is open in your browser.${isPrinted ? '' : ' Its address:'}`)
    if (!isPrinted) output.note(url)
  } else if (isPrinted) output.say('No browser could be opened. Open the address above.')
  else output.say('No browser could be opened. Open this address yourself:', url)
}

/** In the sandbox, prints the command that pays without a browser. */
export async function noteOtherWay(context: Context, externalTrxId: string): Promise<void> {
  if ((await context.settings()).environment.value === SANDBOX)
    context.output.note(`Or pay in another terminal: ${commandLine('bnpl sandbox pay', [externalTrxId])}`)
}

type SandboxPayment = 'none' | 'open' | 'paid' | 'rejected' | 'cancelled' | 'expired'

const POLL_MS = 500
/** The time that the result page stays available after the payment, in ms: the 10 s of its countdown, plus 2 s. */
const GOODBYE_MS = 12_000

/** Says how a payment ended. If its page may be open, then waits until the result page has sent the customer back, and says so. */
export async function seeOff(
  { clock, io, options, output }: Context,
  end: SandboxPayment,
  { mayBeOpen }: Pick<PagePlace, 'mayBeOpen'>,
  signal: AbortSignal,
): Promise<void> {
  output.note(`The payment ended: ${end}.`)
  if (end === 'expired' || end === 'none' || !mayBeOpen()) return
  const words = (ms: number) => `Waiting for the customer to return to the shop · ${formatDuration(ms)} left`
  const waiting = await startProgress(io, options.quiet, words(GOODBYE_MS))
  if (!waiting.isShown && !io.accessible) output.note(words(GOODBYE_MS))
  try {
    await waitShown(clock, waiting, GOODBYE_MS, words, signal)
  } finally {
    waiting.stop()
  }
}

/** Waits until a payment in the sandbox has ended. Returns how it ended. */
export async function paymentEnd(context: Context, externalTrxId: string): Promise<SandboxPayment> {
  const { clock, signal } = context
  const link = await context.sandbox()
  const waiting = await startProgress(context.io, context.options.quiet, 'Waiting for the payment to end …')
  try {
    for (;;) {
      const { state } = await link.control('payment', { externalTrxId })
      if (state !== 'open') return state
      await clock.sleep(POLL_MS, signal)
    }
  } finally {
    waiting.stop()
  }
}
