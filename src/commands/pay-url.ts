import type { Context } from '../context.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../contract/time-limits.ts'
import { isLoopback } from '../domain/addresses.ts'
import { paymentPageUrl, widgetTokenExpiry } from '../domain/payment-page.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { config, usage } from '../errors.ts'
import { settingProblem } from '../profiles/settings.ts'
import { formatTime } from '../terminal/numbers.ts'
import { readAll } from '../terminal/output.ts'
import { type Command, type Define, examples, type OptionsOf } from './command.ts'
import { isUnservedSandbox, nextCommand } from './global-options.ts'
import { ask, readPublicKey, readReturnAddress, refuseSecretKey } from './option-values.ts'
import { noteOtherWay, paymentEnd, seeOff, servePage, visitPage } from './payment-page-visit.ts'
import {
  addPreApproval,
  type IssuedToken,
  issueToken,
  readTokenRequest,
  refuseExpired,
  warnUnevaluated,
} from './payment-steps.ts'

const addOptions = (command: Command) =>
  addPreApproval(
    command
      .option(
        '--success-url <url>',
        'address to which the customer returns after the payment (default: from the profile)',
      )
      .option(
        '--error-url <url>',
        'address to which the customer returns when the payment fails or is cancelled (default: from the profile)',
      )
      .option('--token <token>', 'use this widget token; `-` reads the token from stdin (default: create a token)')
      .option('--email <address>', "the customer's e-mail, which is needed to create a token")
      .option('--amount <units>', 'amount to finance (default: from the history)')
      .option('--trx, --external-trx-id <id>', 'your transaction id (default: the last one of this profile)')
      .option('--entity-id <id>', 'merchant entity id (default: from the profile)')
      .option('--public-key <key>', 'public key of the merchant (default: from the profile)')
      .option('--open', 'open the page in the browser')
      .option('--qr', 'show the address as a QR code, to pay with a phone'),
  )

type Options = OptionsOf<ReturnType<typeof addOptions>>

export const define: Define = (command, act) => {
  addOptions(command).action(
    act(async (context, options) => {
      const { page, externalTrxId, amount, place } = await preparePage(context, options)
      await context.output.result(page, () => page.url)
      if (page.expiresAt !== null) context.output.note(`The token is valid until ${formatTime(page.expiresAt)}.`)
      if (externalTrxId !== undefined) await warnUnevaluated(context, externalTrxId, amount)
      if (options.qr) await showQr(context, page.url)
      if (!options.open) {
        if (await isUnservedSandbox(context)) {
          context.output.note(
            'The sandbox is not running, so this page cannot be opened. Run `bnpl sandbox start`, or add --open.',
          )
        }
        return
      }
      await visitPage(context, page.url, context.options.output === 'table')
      if (place?.servedHere && externalTrxId) {
        await noteOtherWay(context, externalTrxId)
        // Without a terminal there is no spinner, and nothing else would say why the command does not end.
        if (!context.io.stderrIsTty) context.output.note('Waiting for the payment to end …')
        const end = await paymentEnd(context, externalTrxId)
        await seeOff(context, end, place, context.signal)
        if (end === 'paid') context.output.note(`Next: ${nextCommand(context, 'bnpl verify', [externalTrxId])}`)
      }
    }),
  )
  command.addHelpText(
    'after',
    `
With --open, the exit code is 0 also if the payment is rejected or expires.
To find out in a script whether the customer has paid, use bnpl verify.

To leave out the two return addresses, store them in the profile:
bnpl profiles set successUrl URL, and bnpl profiles set errorUrl URL`,
  )
  examples(command, [
    [
      'open the payment page of the last transaction in the browser',
      'bnpl pay-url --email ana@example.com --success-url https://shop.example/ok --error-url https://shop.example/no --open',
    ],
    [
      'print the address for a token that another program created',
      'echo "$TOKEN" | bnpl pay-url --token - --success-url https://shop.example/ok --error-url https://shop.example/no',
    ],
  ])
}

async function preparePage(context: Context, options: Options) {
  const successReturnUrl = await returnAddress(context, 'success', options.successUrl)
  const errorReturnUrl = await returnAddress(context, 'error', options.errorUrl)
  const settings = await context.settings()
  if (options.publicKey !== undefined) refuseSecretKey('--public-key', options.publicKey, settings.apiKey?.value)
  const givenKey = options.publicKey ?? settings.publicKey?.value
  if (settings.paymentUrl === undefined) {
    throw config(
      'no payment address is set',
      `Set BNPL_PAYMENT_URL, or run: ${nextCommand(context, 'bnpl profiles set paymentUrl https://…')}`,
      'NO_PAYMENT_URL',
    )
  }
  if (givenKey === undefined) {
    throw config(
      'no public key is set',
      `Add --public-key KEY, set BNPL_PUBLIC_KEY, or run: ${nextCommand(context, 'bnpl profiles set publicKey …')}`,
      'NO_PUBLIC_KEY',
    )
  }
  const publicKey = readPublicKey(givenKey)
  const { widgetToken, expiresAt, externalTrxId, amount, ageMs, lifeMs } = await tokenOf(context, options)
  const place = options.open ? await servePage(context, settings.paymentUrl.value) : undefined
  if (lifeMs !== undefined) refuseExpired(context, { externalTrxId, ageMs, lifeMs })
  const url = paymentPageUrl(place?.paymentUrl ?? settings.paymentUrl.value, {
    widgetToken,
    publicKey,
    successReturnUrl,
    errorReturnUrl,
  })
  return { page: { url, expiresAt }, externalTrxId, amount, place }
}

/** Returns the address from the option, otherwise from the settings, otherwise from a question at the terminal. */
async function returnAddress(
  context: Context,
  outcome: 'success' | 'error',
  given: string | undefined,
): Promise<string> {
  const option = `--${outcome}-url`
  const name = `${outcome}Url` as const
  if (given !== undefined) return readReturnAddress(option, given)
  const { [name]: setting, environment, profile } = await context.settings()
  if (setting !== undefined) {
    const problem = settingProblem(name, setting.value)
    if (problem === undefined) return setting.value
    throw config(`the ${name} from ${setting.source} is not valid: ${problem}`, undefined, 'BAD_ADDRESS')
  }
  if (context.options.input) return ask(context, name, (text, what) => readReturnAddress(what, text))
  const canStore = profile !== undefined && environment.value !== SANDBOX
  const stored = canStore
    ? `, or store it for every link: ${nextCommand(context, `bnpl profiles set ${name} https://…`)}`
    : ''
  throw usage(`${option} is missing`, `Add ${option} https://…${stored}`, 'MISSING_RETURN_URL')
}

interface ForeignToken {
  widgetToken: string
  expiresAt: string | null
  externalTrxId?: undefined
  amount?: undefined
  ageMs?: undefined
  lifeMs?: undefined
}

async function tokenOf(context: Context, options: Options): Promise<IssuedToken | ForeignToken> {
  if (options.token === undefined) return issueToken(context, await readTokenRequest(context, options))
  const text = options.token === '-' ? (await readAll(context.io, 65_536))?.toString('utf8').trim() : options.token
  if (!text || !/^[\x21-\x7e]+$/.test(text))
    throw usage(
      'the widget token is empty or is not a token',
      'Use the token that `bnpl widget-token` printed, or leave out --token to create a token.',
      'INVALID_TOKEN',
    )
  const expiry = widgetTokenExpiry(text)
  if (
    expiry !== undefined &&
    expiry <= context.clock.now() &&
    (await context.settings()).environment.value !== 'sandbox'
  ) {
    throw usage(
      `this widget token expired at ${formatTime(expiry)}, because a token is valid for ${WIDGET_TOKEN_LIFE_MS / 60_000} minutes`,
      'Leave out --token to create a new token.',
      'TOKEN_EXPIRED',
    )
  }
  return { widgetToken: text, expiresAt: expiry === undefined ? null : new Date(expiry).toISOString() }
}

async function showQr(context: Context, url: string): Promise<void> {
  const { renderUnicodeCompact } = await import('uqr')
  const code = renderUnicodeCompact(url, { ecc: 'L' })
  const lines = code.split('\n')
  const columns = lines[0]?.length ?? 0
  if (context.io.stderrIsTty && context.io.columns < columns) {
    context.output.warn(
      `the QR code needs ${columns} columns and ${lines.length} rows; enlarge the window of the terminal`,
    )
    return
  }
  context.io.err(`${code}\n`)
  const { rows = Number.POSITIVE_INFINITY } = context.io.tty?.output ?? {}
  if (rows < lines.length)
    context.output.note(
      `The QR code has ${lines.length} rows. To see it whole, enlarge the window, or make its letters smaller.`,
    )
  if (isLoopback(new URL(url).hostname))
    context.output.note('A phone cannot open this address, because it leads to this machine only.')
}
