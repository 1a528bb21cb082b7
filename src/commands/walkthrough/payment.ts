import type { Context } from '../../context.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../contract/widget.ts'
import { paymentPageUrl } from '../../domain/payment-page.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { config } from '../../errors.ts'
import { startProgress } from '../../terminal/progress.ts'
import { servePage, visitPage } from '../payment-page-visit.ts'
import { type IssuedToken, refuseExpired } from '../payment-steps.ts'

/** The end of the payment step, as far as it is known before the verification. */
export type PaymentStep = 'paid' | 'rejected' | 'pending'

/**
 * Makes the payment on the payment page. Without a terminal, the sandbox pays by itself, and a real account stays pending.
 * Throws `config` when the payment address or the public key is missing, and `refused` for an expired token.
 */
export async function makePayment(
  context: Context,
  session: IssuedToken,
  asked: { reject: boolean; wait: boolean },
): Promise<PaymentStep> {
  const settings = await context.settings()
  if (!context.options.input && settings.environment.value === SANDBOX) {
    const sandbox = await context.sandbox()
    const paid = await sandbox.control('pay', { externalTrxId: session.externalTrxId, reject: asked.reject })
    return paid.outcome === 'paid' ? 'paid' : 'rejected'
  }
  // Without waiting, this process ends now, and the page's return address is no longer served.
  if (!context.options.input && !asked.wait) return 'pending'
  const { paymentUrl, publicKey } = settings
  if (!paymentUrl || !publicKey) {
    throw config(
      `no ${paymentUrl ? 'public key' : 'payment address'} is set, so no page can be opened`,
      'Set both: bnpl profiles set paymentUrl https://… and bnpl profiles set publicKey …',
      'NO_PAYMENT_URL',
    )
  }
  const { catchReturn } = await import('./return-address.ts')
  const back = await catchReturn()
  context.onClose(back.close)
  const place = context.options.input ? await servePage(context, paymentUrl.value) : { paymentUrl: paymentUrl.value }
  refuseExpired(session)
  const url = paymentPageUrl(place.paymentUrl, {
    widgetToken: session.widgetToken,
    publicKey: publicKey.value,
    successReturnUrl: back.successUrl,
    errorReturnUrl: back.errorUrl,
  })
  if (!context.options.input) {
    context.output.say(`Payment page: ${url}`)
    return 'pending'
  }
  await visitPage(context, url)
  const waiting = await startProgress(context.io, context.options.quiet, 'Waiting for the customer to return …')
  try {
    const timeout = new AbortController()
    const tooLate = context.clock
      .sleep(WIDGET_TOKEN_LIFE_MS - session.ageMs(), AbortSignal.any([context.signal, timeout.signal]))
      .then(() => 'late' as const)
    const outcome = await Promise.race([back.arrival, tooLate])
    timeout.abort()
    await tooLate.catch(() => {})
    context.signal.throwIfAborted()
    if (outcome === 'late') return 'pending'
    return outcome.landedOn === 'success' ? 'paid' : 'rejected'
  } finally {
    waiting.stop()
  }
}
