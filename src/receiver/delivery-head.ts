import type { IncomingHttpHeaders } from 'node:http'
import { hostsOf, type OwnNames, refuseHost } from '../http/own-host.ts'

/** What a receiver answers to. */
export interface Door extends OwnNames {
  path: string
}

/** The largest body that is accepted: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024

/** Where a load balancer asks whether the receiver is there; it needs no name for that. */
export const HEALTH_PATH = '/healthz'

/** The head of a request, as Node gives it. */
export interface Head {
  method?: string | undefined
  url?: string | undefined
  headers: IncomingHttpHeaders
  rawHeaders: readonly string[]
}

/** Decides by a request's head alone: the status to refuse with, or 0 when its body is to be read. */
export function refuseHead({ method = '', url: target = '', headers, rawHeaders }: Head, door: Door): number {
  const refused = refuseHost(hostsOf(rawHeaders), door)
  if (refused !== 0) return refused
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
