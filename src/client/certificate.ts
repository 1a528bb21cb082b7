import { connect } from 'node:tls'
import { WireFault } from '../contract/wire.ts'

/** The facts of a server's certificate, for `doctor`. */
interface CertificateReport {
  protocol: string
  issuer: string
  /** ISO 8601. */
  validTo: string
}

/**
 * Opens a TLS connection and reads the server's certificate. Sends no request. Rejects with the TLS library's error, with a `WireFault`
 * after a time-out, or with the signal's reason when it is aborted. @param timeoutMs the time limit for connecting and reading
 */
export function readCertificate(
  host: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<CertificateReport> {
  return new Promise((resolve, reject) => {
    // Use our own timer, because the socket's time-out only measures silence.
    const late = new WireFault('timeout', false, `no secure connection within ${timeoutMs} ms`)
    const timer = setTimeout(() => socket.destroy(late), timeoutMs)
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
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    })
  })
}
