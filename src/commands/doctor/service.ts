import type { Context } from '../../context.ts'
import { WireFault, type WireResponse } from '../../contract/wire.ts'
import { formatDuration } from '../../domain/clock.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import type { Settings } from '../../profiles/resolve.ts'
import { maskText } from '../../text/masking.ts'
import { commandLine } from '../../text/shell-word.ts'
import { nextCommand } from '../global-options.ts'
import { checkKey } from '../key-check.ts'
import { type Examination, failResult, okResult, warnResult } from './examination.ts'

const CLOCK_TOLERANCE_MS = 60_000
const DAY_MS = 86_400_000

/** Returns the checks that need the network. The key is sent in only one call, and only if the service answers at all. */
export function serviceChecks(context: Context, settings: Settings): Examination[] {
  const key: Examination = { name: 'key is accepted', look: async () => keyRead(context, settings) }
  if (settings.environment.value === SANDBOX) return [{ name: 'sandbox', look: () => sandbox(context) }, key]
  const base = settings.baseUrl && new URL(settings.baseUrl.value)
  if (!base) return []
  let answer: WireResponse | undefined
  let noConnection = false
  const asked = new Map<string, Promise<WireResponse | WireFault>>()
  const askOnce = (url: URL) => {
    const known = asked.get(url.origin) ?? ask(context, url)
    asked.set(url.origin, known)
    return known
  }
  return [
    { name: 'proxy', look: () => proxy(context, base) },
    {
      name: 'reachable',
      async look() {
        const found = await askOnce(base)
        if (found instanceof WireFault) {
          noConnection = !found.sent && found.kind !== 'tls'
          return unreachable(base, found)
        }
        answer = found
        return okResult(`${base.host} answers`)
      },
    },
    { name: 'certificate', look: async () => (noConnection ? undefined : certificate(context, base)) },
    { name: 'clock', look: async () => clock(context, answer) },
    { ...key, look: async () => (answer === undefined ? undefined : key.look()) },
    { name: 'payment page', look: () => paymentPage(settings, askOnce) },
  ]
}

async function keyRead(context: Context, { apiKey, profile }: Settings) {
  if (apiKey === undefined) return undefined
  const hint =
    apiKey.source === 'BNPL_API_KEY'
      ? 'Set BNPL_API_KEY to a key of this service and environment.'
      : `Store a key of this service and environment: ${commandLine('bnpl profiles set-key', [profile?.value ?? 'NAME'])}`
  return checkKey(await context.api(), hint, (command) => nextCommand(context, command))
}

async function sandbox(context: Context) {
  const link = await context.sandbox()
  return okResult(link.served ? `running at ${link.baseUrl}` : 'embedded in this process, so no server needs to run')
}

async function ask(context: Context, base: URL): Promise<WireResponse | WireFault> {
  const { timeoutMs } = context.options
  const url = `${base.origin}/`
  try {
    return await context.visit(
      { method: 'GET', url, headers: {}, timeoutMs, maxBytes: 1_000_000, signal: context.signal },
      url,
    )
  } catch (error) {
    if (!(error instanceof WireFault)) throw error
    if (error.kind === 'aborted') throw context.signal.reason
    return error
  }
}

async function unreachable(base: URL, fault: WireFault) {
  if (fault.kind === 'too-large') return okResult(`${base.host} answers`)
  const { describeFault } = await import('../../contract/failures/connections.ts')
  const { what, hint } = describeFault(fault)
  const detail = fault.kind === 'timeout' ? fault.message : what
  return failResult(`${base.host}: ${maskText(detail)}`, HINTS[fault.kind] ?? hint)
}

/** The hints of `bnpl doctor` for faults whose usual hint, such as “Repeat the call”, does not fit here. */
const HINTS: Partial<Record<WireFault['kind'], string>> = {
  refused: 'Check the port, and that the service is up.',
  dns: 'Check the address and the DNS.',
  reset: 'Try again. If it fails again, ask the operator of the service.',
  timeout: 'Try again. If it fails again, ask the operator of the service.',
  garbled: 'Try again. If it fails again, ask the operator of the service.',
}

async function certificate(context: Context, base: URL) {
  // Skip the check behind a proxy: the check connects to the service directly, which the network may not allow.
  const { proxyFor } = await import('../../client/proxy.ts')
  if (base.protocol !== 'https:' || context.world.transport || proxyFor(base, context.world.env)) return undefined
  const { readCertificate } = await import('../../client/certificate.ts')
  try {
    const { protocol, issuer, validTo } = await readCertificate(
      base.hostname,
      Number(base.port || 443),
      context.options.timeoutMs,
      context.signal,
    )
    const left = Date.parse(validTo) - context.clock.now()
    const detail = `${protocol}, issued by ${issuer}, valid for ${formatDuration(left)}`
    return left < 14 * DAY_MS
      ? warnResult(detail, 'Ask the operator of the service to renew the certificate soon.')
      : okResult(detail)
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    if (error instanceof WireFault) return unreachable(base, error)
    const { faultFrom } = await import('../../client/fault.ts')
    return unreachable(base, faultFrom(error, false, { env: context.world.env }))
  }
}

function clock(context: Context, answer: WireResponse | undefined) {
  const theirs = Date.parse(answer?.headers.date ?? '')
  if (Number.isNaN(theirs)) return undefined
  const off = context.clock.now() - theirs
  if (Math.abs(off) < CLOCK_TOLERANCE_MS) return okResult('agrees with the service')
  return warnResult(
    `${formatDuration(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} the service`,
    'Correct the clock of this machine. Until then, expiry times are wrong by this difference.',
  )
}

async function proxy({ world: { env } }: Context, base: URL) {
  const { proxyFor } = await import('../../client/proxy.ts')
  const found = proxyFor(base, env)
  if (!found) return undefined
  // The path of a proxy is ignored, so it is not shown either: it may be a part of a password.
  const user = found.authorization === undefined ? '' : '••••@'
  return okResult(`HTTPS_PROXY ${found.url.protocol}//${user}${found.url.host}`)
}

async function paymentPage({ paymentUrl }: Settings, askOnce: (url: URL) => Promise<WireResponse | WireFault>) {
  if (!paymentUrl) return undefined
  const url = new URL(paymentUrl.value)
  const found = await askOnce(url)
  return found instanceof WireFault ? unreachable(url, found) : okResult(`${url.host} answers`)
}
