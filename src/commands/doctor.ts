import { accessSync, constants, existsSync, lstatSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import type { Context } from '../context.ts'
import { WireFailure, type WireResponse } from '../contract/wire.ts'
import { formatDuration } from '../domain/clock.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError, codeOf } from '../errors.ts'
import { type Setting, type Settings, tracesTraffic } from '../profiles/resolve.ts'
import { shownDatabase } from '../profiles/settings.ts'
import { type Check, judge, showChecks } from '../terminal/checks.ts'
import { fingerprints, maskText } from '../text/masking.ts'
import { commandLine } from '../text/shell-word.ts'
import { type Define, examples } from './command.ts'
import { nextCommand, refuseDryRun } from './global-options.ts'
import { checkKey } from './profiles/key-check.ts'

export const define: Define = (command, act) => {
  command.option('--offline', 'leave out the checks that need the network').action(
    act(async (context, options) => {
      refuseDryRun(context)
      const checks = await examine(context, machineChecks(context))
      const settings = await settingsOrCheck(context, checks)
      if (settings) {
        checks.push(...(await examine(context, accountChecks(context, settings))))
        if (!options.offline) checks.push(...(await examine(context, serviceChecks(context, settings))))
      }
      await showChecks(context.output, checks, context.output.width)
      judge(checks)
    }),
  )
  examples(command, [
    ['find out why a command fails', 'bnpl doctor'],
    ['check a profile without using the network', 'bnpl doctor -p acme --offline'],
  ])
}

async function settingsOrCheck(context: Context, checks: Check[]): Promise<Settings | undefined> {
  try {
    return await context.settings()
  } catch (error) {
    checks.push({ name: 'settings', ...failedBy(error), ms: 0 })
    return undefined
  }
}

/** Returns the checks that need no account: the runtime, the folders, the environment. */
function machineChecks({ world }: Context): Examination[] {
  const { runtime, version, env } = world
  return [
    {
      name: 'runtime',
      look: async () => okResult(`bnpl ${version}, Node ${runtime.node} on ${runtime.platform} ${runtime.arch}`),
    },
    folder('config folder', world.configDir, 'BNPL_CONFIG_DIR', runtime.platform, Boolean(env.BNPL_CONFIG_DIR)),
    folder('state folder', world.stateDir, 'BNPL_STATE_DIR', runtime.platform, Boolean(env.BNPL_STATE_DIR)),
    {
      name: 'TLS checking',
      look: async () =>
        env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
          ? failResult(
              'NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off',
              'Unset that variable. For a private certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
            )
          : okResult('certificates are checked'),
    },
    { name: 'extra authorities', look: async () => extraAuthorities(env.NODE_EXTRA_CA_CERTS) },
    { name: 'debug output', look: async () => debugOutput(env) },
  ]
}

/** @param isChosen whether the user has set `variable`. Otherwise on Windows the folder is in one that other users cannot read. */
function folder(name: string, path: string, variable: string, platform: string, isChosen: boolean): Examination {
  return {
    name,
    async look() {
      const another = `Set ${variable} to another folder.`
      let stat: Stats | undefined
      try {
        stat = lstatSync(path, { throwIfNoEntry: false })
        if (!stat) accessSync(nearest(path), constants.W_OK | constants.X_OK)
      } catch (error) {
        return failResult(`${path} cannot be created (${codeOf(error)})`, another)
      }
      if (!stat) return okResult(`${path} (does not exist yet, and is created when it is needed)`)
      if (stat.isSymbolicLink()) return failResult(`${path} is a symbolic link`, `Set ${variable} to the real folder.`)
      if (!stat.isDirectory()) return failResult(`${path} is not a folder`, another)
      try {
        accessSync(path, constants.R_OK | constants.W_OK)
      } catch {
        return failResult(
          `bnpl cannot read ${path}, or cannot write to it`,
          `Correct its permissions, or set ${variable} to another folder.`,
        )
      }
      const mode = stat.mode & 0o777
      if (platform !== 'win32' && (mode & 0o077) !== 0) {
        return warnResult(
          `${path} is accessible to other users (mode ${mode.toString(8)})`,
          `Run: ${commandLine('chmod 700', [path])} (the next command that reads the folder also sets this mode). If the mode stays the same, the disk stores no modes: set ${variable} to a folder on another disk.`,
        )
      }
      if (platform === 'win32' && isChosen)
        return okResult(`${path} (files have no modes on Windows; to see who can read it: icacls "${path}")`)
      return okResult(path)
    },
  }
}

function nearest(path: string): string {
  const parent = dirname(path)
  return parent === path || existsSync(parent) ? parent : nearest(parent)
}

function extraAuthorities(path: string | undefined) {
  if (!path) return undefined
  try {
    accessSync(path, constants.R_OK)
    return okResult(path)
  } catch {
    return failResult(
      `NODE_EXTRA_CA_CERTS names ${path}, which cannot be read`,
      'Correct the path. Without this file Node refuses the certificates of your private authority.',
    )
  }
}

function debugOutput(env: Readonly<Record<string, string | undefined>>) {
  return tracesTraffic(env.NODE_DEBUG)
    ? warnResult(
        `NODE_DEBUG=${env.NODE_DEBUG} prints every request with its key`,
        'Unset NODE_DEBUG. Use --verbose instead, which masks secrets.',
      )
    : undefined
}

/** Returns a check for each setting in use. The result of a check names the source of the setting. */
function accountChecks(context: Context, settings: Settings): Examination[] {
  const account = (words: string) => (settings.profile ? nextCommand(context, words) : 'bnpl profiles add NAME')
  return [
    { name: 'profile', look: async () => profile(settings) },
    needed(
      'base address',
      settings.baseUrl,
      `Set BNPL_BASE_URL, or run: ${account('bnpl profiles set baseUrl https://…')}`,
    ),
    {
      name: 'API key',
      look: async () => {
        if (!settings.apiKey)
          return failResult('not set', `Set BNPL_API_KEY, or run: ${account('bnpl profiles set-key')}`)
        const fingerprint = await fingerprints()
        return okResult(`${fingerprint(settings.apiKey.value)} (from ${settings.apiKey.source})`)
      },
    },
    optional(
      'payment address',
      settings.paymentUrl,
      `Before you open a payment page, run: ${account('bnpl profiles set paymentUrl https://…')}`,
    ),
    optional(
      'public key',
      settings.publicKey,
      `Before you open a payment page, run: ${account('bnpl profiles set publicKey …')}`,
    ),
    optional(
      'entity id',
      settings.entityId,
      `Before you evaluate a customer or create a widget token, run: ${account('bnpl profiles set entityId …')}`,
    ),
    {
      name: 'webhook secrets',
      look: async () =>
        settings.webhookSecrets
          ? okResult(`${settings.webhookSecrets.value.length} (from ${settings.webhookSecrets.source})`)
          : undefined,
    },
    {
      name: 'database',
      look: async () =>
        settings.database
          ? okResult(`${shownDatabase(settings.database.value)} (from ${settings.database.source})`)
          : undefined,
    },
  ]
}

function profile(settings: Settings) {
  const { profile: chosen, environment } = settings
  if (chosen === undefined)
    return settings.baseUrl
      ? okResult('none: every setting comes from the environment')
      : warnResult('none', 'Add your account: bnpl profiles add NAME. Or try the sandbox: bnpl doctor -p sandbox')
  const detail = `${chosen.value}, ${environment.value} (from ${chosen.source})`
  return environment.value === 'production'
    ? warnResult(detail, 'This is production: a command that changes something asks first.')
    : okResult(detail)
}

function needed(name: string, setting: Setting | undefined, how: string): Examination {
  return { name, look: async () => (setting ? shown(setting) : failResult('not set', how)) }
}

function optional(name: string, setting: Setting | undefined, what: string): Examination {
  return { name, look: async () => (setting ? shown(setting) : warnResult('not set', what)) }
}

const shown = (setting: Setting) => okResult(`${setting.value} (from ${setting.source})`)

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
  const asked = new Map<string, Promise<WireResponse | WireFailure>>()
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
        if (found instanceof WireFailure) {
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

async function ask(context: Context, base: URL): Promise<WireResponse | WireFailure> {
  const { timeoutMs } = context.options
  const url = `${base.origin}/`
  try {
    return await context.visit(
      { method: 'GET', url, headers: {}, timeoutMs, maxBytes: 1_000_000, signal: context.signal },
      url,
    )
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error
    if (error.kind === 'aborted') throw context.signal.reason
    return error
  }
}

async function unreachable(base: URL, failure: WireFailure) {
  if (failure.kind === 'too-large') return okResult(`${base.host} answers`)
  const { describeWireFailure } = await import('../contract/failures/connections.ts')
  const { what, hint } = describeWireFailure(failure)
  const detail = failure.kind === 'timeout' ? failure.message : what
  return failResult(`${base.host}: ${maskText(detail)}`, HINTS[failure.kind] ?? hint)
}

const connections = () => import('../client/network.ts')

/** The hints of `bnpl doctor` for failures whose usual hint, such as “Repeat the call”, does not fit here. */
const HINTS: Partial<Record<WireFailure['kind'], string>> = {
  refused: 'Check the port, and that the service is up.',
  dns: 'Check the address and the DNS.',
  reset: 'Try again. If it fails again, ask the operator of the service.',
  timeout: 'Try again. If it fails again, ask the operator of the service.',
  garbled: 'Try again. If it fails again, ask the operator of the service.',
}

async function certificate(context: Context, base: URL) {
  // Skip the check behind a proxy: the check connects to the service directly, which the network may not allow.
  const { proxyFor } = await connections()
  if (base.protocol !== 'https:' || context.world.transport || proxyFor(base, context.world.env)) return undefined
  const { readCertificate } = await import('../client/certificate.ts')
  try {
    const { protocol, issuer, validTo } = await readCertificate(
      base.hostname,
      Number(base.port || 443),
      context.options.timeoutMs,
      context.signal,
      context.world.env,
    )
    const left = Date.parse(validTo) - context.clock.now()
    const detail = `${protocol}, issued by ${issuer}, valid for ${formatDuration(left)}`
    return left < 14 * DAY_MS
      ? warnResult(detail, 'Ask the operator of the service to renew the certificate soon.')
      : okResult(detail)
  } catch (error) {
    if (error instanceof WireFailure) return unreachable(base, error)
    throw error
  }
}

function clock(context: Context, answer: WireResponse | undefined) {
  const theirs = Date.parse(answer?.headers.date ?? '')
  if (Number.isNaN(theirs)) return undefined
  const off = context.clock.now() - theirs
  if (Math.abs(off) < CLOCK_TOLERANCE_MS) return okResult('agrees with the service')
  return warnResult(
    off > 0 ? `${formatDuration(off)} ahead of the service` : `${formatDuration(-off)} behind the service`,
    'Correct the clock of this machine. Until then, expiry times are wrong by this difference.',
  )
}

async function proxy({ world: { env } }: Context, base: URL) {
  const { proxyFor } = await connections()
  const found = proxyFor(base, env)
  if (!found) return undefined
  // The path of a proxy is ignored, so it is not shown either: it may be a part of a password.
  const user = found.authorization === undefined ? '' : '••••@'
  return okResult(`HTTPS_PROXY ${found.url.protocol}//${user}${found.url.host}`)
}

async function paymentPage({ paymentUrl }: Settings, askOnce: (url: URL) => Promise<WireResponse | WireFailure>) {
  if (!paymentUrl) return undefined
  const url = new URL(paymentUrl.value)
  const found = await askOnce(url)
  return found instanceof WireFailure ? unreachable(url, found) : okResult(`${url.host} answers`)
}

interface Examination {
  name: string
  look(): Promise<Omit<Check, 'name' | 'ms'> | undefined>
}

const okResult = (detail: string) => ({ status: 'ok' as const, detail })
const warnResult = (detail: string, hint: string) => ({ status: 'warn' as const, detail, hint })
const failResult = (detail: string, hint: string) => ({ status: 'fail' as const, detail, hint })

function failedBy(error: unknown) {
  if (!(error instanceof BnplError)) throw error
  return { status: 'fail' as const, detail: error.message, ...(error.hint ? { hint: error.hint } : {}) }
}

/** Runs examinations one after the other. An examination that throws a `BnplError` becomes a failed check. */
export async function examine(context: Context, examinations: readonly Examination[]): Promise<Check[]> {
  const checks: Check[] = []
  for (const { name, look } of examinations) {
    const started = context.clock.monotonic()
    const seen = await look().catch(failedBy)
    if (seen) checks.push({ name, ...seen, ms: Math.round(context.clock.monotonic() - started) })
  }
  return checks
}
