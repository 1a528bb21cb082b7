import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { launch, temporaryFolder } from '../kit/built-program.ts'

const OPENSSL =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'

test('a report is downloaded completely over TLS, with a content length and in chunks', async () => {
  using folder = temporaryFolder()
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
  expect(spawnSync('openssl', [...OPENSSL.split(' '), '-keyout', key, '-out', cert]).status).toBe(0)
  const pdf = Buffer.alloc(3_000_000, 'some line of a report\n')
  pdf.write('%PDF-1.7\n')
  pdf.write('\n%%EOF\n', pdf.length - 7)
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    if (request.url?.includes('/informe/')) return response.writeHead(302, { location: '/file' }).end()
    response.writeHead(200, chunked ? {} : { 'content-length': pdf.length })
    response.write(pdf.subarray(0, 1_234_567))
    response.end(pdf.subarray(1_234_567))
  })
  let chunked = false
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const link = `https://localhost:${(server.address() as AddressInfo).port}/partner/informe/c0ffee`
    const args = ['informe', 'download', 'P1', '--json', '--force', '--dir', folder.path, '--from-link', link]
    for (chunked of [false, true]) {
      const { code, stdout, stderr } = await launch({ args, env: { NODE_EXTRA_CA_CERTS: cert } })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const saved = readFileSync(join(folder.path, 'PreAprobacion_P1.pdf'))
      expect(saved.equals(pdf)).toBe(true)
      expect(JSON.parse(stdout)[0]).toMatchObject({
        bytes: pdf.length,
        sha256: createHash('sha256').update(pdf).digest('hex'),
      })
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
