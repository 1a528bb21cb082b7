import { connect } from 'node:tls'

/** What a server's certificate says, for `doctor`. */
export interface CertificateReport {
  protocol: string
  issuer: string
  /** ISO 8601. */
  validTo: string
}

/**
 * Makes a TLS connection and reads the certificate; no request is sent. Rejects with the TLS library's error.
 * @param timeoutMs for all of it
 */
export function readCertificate(host: string, port: number, timeoutMs: number): Promise<CertificateReport> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: timeoutMs }, () => {
      const { issuer, valid_to } = socket.getPeerCertificate()
      const name = issuer?.O ?? issuer?.CN ?? 'unknown'
      resolve({
        protocol: socket.getProtocol() ?? 'unknown',
        issuer: Array.isArray(name) ? name.join(', ') : name,
        validTo: new Date(valid_to).toISOString(),
      })
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('timeout', () => socket.destroy(new Error(`no TLS handshake within ${timeoutMs} ms`)))
  })
}
