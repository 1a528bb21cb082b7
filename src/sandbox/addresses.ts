/** The paths of a sandbox. The paths of control actions are in `service/access.ts`. */

import type { Environment } from './conventions.ts'

export const PAYMENT_PATH = '/pay'

/** A customer's browser opens `hosted`. `widget.js` shows `embedded` in a frame. */
export const PAGE_PATHS = { hosted: `${PAYMENT_PATH}/`, embedded: `${PAYMENT_PATH}/embed` } as const
export type PagePath = (typeof PAGE_PATHS)[keyof typeof PAGE_PATHS]

/** The path of the script that a merchant's page loads. */
export const WIDGET_PATH = '/widget.js'

/** Whether an address belongs to the payment page. */
export function isPageAddress(pathname: string): boolean {
  return pathname === WIDGET_PATH || pathname === PAYMENT_PATH || pathname.startsWith(PAGE_PATHS.hosted)
}

export const WINDOW_PATH = '/'
/** The path of every request of the window's page begins with this. */
export const WINDOW_PREFIX = '/_window'

/**
 * The last parameter of a signed address. Browsers load pictures without the window's key, so the address of a picture is signed. The value
 * is a signature (`WindowKeys.seal`) of the address up to this parameter.
 */
export const SEAL = 'seal'

/**
 * Returns the address of the picture that shows one page of a report.
 * @param page the number of the page. The first page is 1
 * @param print a fingerprint of the report's data, so that a changed report has another address
 */
export const reportPicture = (preApproveId: string, page: number, print: string) =>
  `${WINDOW_PREFIX}/report/${encodeURIComponent(preApproveId)}/${page}?v=${print.slice(0, 12)}`

/** Whether an address belongs to the sandbox's window. */
export function isWindowAddress(pathname: string): boolean {
  return pathname === WINDOW_PATH || pathname === WINDOW_PREFIX || pathname.startsWith(`${WINDOW_PREFIX}/`)
}

export interface SandboxAddresses {
  /** The address of the service, without a slash at the end. */
  baseUrl: string
  paymentUrl: string
  windowUrl: string
}

/** Returns the addresses of the sandbox at `baseUrl`, which has no slash at the end. */
export function addressesOf(baseUrl: string): SandboxAddresses {
  return { baseUrl, paymentUrl: `${baseUrl}${PAYMENT_PATH}`, windowUrl: `${baseUrl}${WINDOW_PATH}` }
}

const PREFIXES: Readonly<Record<Environment, string>> = { beta: '', production: '/production' }

/** Returns the base address of an environment, without a slash at the end. `baseUrl` is the base address of the sandbox. */
export const baseOf = (baseUrl: string, environment: Environment): string => `${baseUrl}${PREFIXES[environment]}`

/** Returns the environment to which a path belongs, and the path within it. */
export function environmentOf(path: string): { environment: Environment; inside: string } {
  const prefix = PREFIXES.production
  if (!path.startsWith(`${prefix}/`)) return { environment: 'beta', inside: path }
  return { environment: 'production', inside: path.slice(prefix.length) }
}

/** Returns the addresses of the service and of the hosted payment page in production. `baseUrl` is the base address of the sandbox. */
export function productionOf(baseUrl: string): Pick<SandboxAddresses, 'baseUrl' | 'paymentUrl'> {
  const base = baseOf(baseUrl, 'production')
  return { baseUrl: base, paymentUrl: `${base}${PAYMENT_PATH}` }
}
