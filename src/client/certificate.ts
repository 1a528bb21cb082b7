import { connect } from 'node:tls'
import { WireFailure } from '../contract/wire.ts'
import { startDeadline } from '../lifetime.ts'
import { wireFailureFrom } from './wire-failure.ts'

interface CertificateReport {
  protocol: string
  issuer: string
  validTo: string
}

/**
 * Reads a server's certificate over a TLS connection, and sends no request. Rejects with a `WireFailure`, also after `timeoutMs`, or with the
 * signal's reason.
 */
export function readCertificate(
  host: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<CertificateReport> {
  return new Promise((resolve, reject) => {
    // The socket's own time-out is not used, because it starts again whenever data arrives.
    const late = new WireFailure('timeout', false, `no secure connection within ${timeoutMs} ms`)
    const deadline = startDeadline(timeoutMs, () => socket.destroy(late))
    const stop = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', stop)
    const socket = connect({ host, port, servername: host }, () => {
      const { issuer, valid_to } = socket.getPeerCertificate()
      const name = issuer.O ?? issuer.CN ?? 'unknown'
      resolve({
        protocol: socket.getProtocol() ?? 'unknown',
        issuer: Array.isArray(name) ? name.join(', ') : name,
        validTo: new Date(valid_to).toISOString(),
      })
      socket.destroy()
    })
    socket.on('error', (error) => reject(signal.aborted ? signal.reason : wireFailureFrom(error, false, { env })))
    socket.on('close', () => {
      deadline.clear()
      signal.removeEventListener('abort', stop)
    })
  })
}
