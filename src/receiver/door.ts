import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from '../domain/origin.ts'

/** What a receiver answers to. */
export interface Door {
  path: string
  port: number
  /** More names it goes by, in lower case; `*` for any address of this machine. */
  hosts: readonly string[]
}

/** The largest body that is accepted: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024

/** Where a load balancer asks whether the receiver is there; it needs no name for that. */
export const HEALTH_PATH = '/healthz'

/** What a request's head alone decides: the status to refuse with, or 0 when its body is to be read. */
export function refuseHead(method: string, target: string, headers: IncomingHttpHeaders, door: Door): number {
  if (!isOwnHost(headers.host, door)) return 421
  const query = target.indexOf('?')
  if ((query < 0 ? target : target.slice(0, query)) !== door.path) return 404
  if (method !== 'POST') return 405
  const { 'content-encoding': encoding, 'content-type': type } = headers
  // The signature is over the bytes as they are; what is compressed would have to be inflated by somebody.
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return 415
  if (type !== undefined && !isJson(type)) return 415
  if (Number(headers['content-length']) > MAX_BODY_BYTES) return 413
  return 0
}

/** The specification does not show a type; the body is JSON, so that is what it may say, if it says anything. */
function isJson(type: string): boolean {
  return type === 'application/json' || /^\s*(application|text)\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type)
}

/** Whether a `Host` is one of ours: a foreign one is another site's name that was pointed at this machine. */
export function isOwnHost(given: string | undefined, { port, hosts }: Pick<Door, 'port' | 'hosts'>): boolean {
  const parsed = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(given?.toLowerCase() ?? '')
  if (!parsed) return false
  const [, name = '', digits] = parsed
  // A name given by the operator stands in front of a proxy or a tunnel, whose port is not ours.
  if (hosts.includes(name)) return true
  if (digits !== undefined && Number(digits) !== port) return false
  return isLoopback(name) || (hosts.includes('*') && isIP(name.replace(/^\[|\]$/g, '')) !== 0)
}
