import { type Transport, WireFault } from '../../contract/wire.ts'

/**
 * Returns a transport for callers in this process. They can interrupt a request, as on a network. If the request's signal is already
 * aborted, the request is not sent. If the signal is aborted later, the caller gets an error at once, but the sandbox still carries out the
 * request.
 * @param closed a signal. When it is aborted, all calls in progress and all later calls fail with its reason
 */
export function callableInProcess(transport: Transport, closed: AbortSignal): Transport {
  return async (request) => {
    const own = request.signal
    const signal = own ? AbortSignal.any([closed, own]) : closed
    const endedBy = (sent: boolean) =>
      closed.aborted ? closed.reason : new WireFault('aborted', sent, 'interrupted', own?.reason)
    if (signal.aborted) throw endedBy(false)
    const ended = Promise.withResolvers<never>()
    const end = () => ended.reject(endedBy(true))
    signal.addEventListener('abort', end)
    try {
      return await Promise.race([transport({ ...request, signal }), ended.promise])
    } finally {
      signal.removeEventListener('abort', end)
    }
  }
}
