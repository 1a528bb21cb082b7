import type { IncomingHttpHeaders } from 'node:http'

/** The largest body that is accepted: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024

/** Where a load balancer asks whether the receiver is there. */
export const HEALTH_PATH = '/healthz'

/** The head of a delivery, as Node gives it. */
interface DeliveryHead {
  method?: string | undefined
  url?: string | undefined
  headers: IncomingHttpHeaders
}

/**
 * Decides by a delivery's head alone, its `Host` aside: the status to refuse with, or 0 when its body is to be read.
 * @param path where deliveries are taken
 */
export function refuseHead({ method = '', url = '', headers }: DeliveryHead, path: string): 0 | 404 | 405 | 413 | 415 {
  const query = url.indexOf('?')
  if ((query < 0 ? url : url.slice(0, query)) !== path) return 404
  if (method !== 'POST') return 405
  const { 'content-encoding': encoding, 'content-type': type } = headers
  // The signature covers the bytes as they are sent. Nothing here decompresses them.
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return 415
  if (type !== undefined && !isJson(type)) return 415
  if (Number(headers['content-length']) > MAX_BODY_BYTES) return 413
  return 0
}

/** Whether a type is JSON. The specification shows none, and the body is JSON, so a delivery may also leave it out. */
function isJson(type: string): boolean {
  return type === 'application/json' || /^\s*(application|text)\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type)
}
