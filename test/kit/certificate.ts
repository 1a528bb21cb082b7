import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needsProgram } from './needs.ts'

/**
 * Makes a self-signed certificate, in PEM, for the given names.
 * @param dir folder of its files
 * @param subject owner and issuer of the certificate
 */
export function selfSigned(
  dir: string,
  names: readonly string[],
  subject = '/CN=test',
): { key: string; cert: string; certPath: string } {
  needsProgram('openssl')
  const [keyPath, certPath] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const made = spawnSync(
    'openssl',
    [...args, '-keyout', keyPath, '-out', certPath, '-subj', subject, '-addext', `subjectAltName=${names.join(',')}`],
    { encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`openssl: ${made.error ?? made.stderr}`)
  return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(certPath, 'utf8'), certPath }
}
