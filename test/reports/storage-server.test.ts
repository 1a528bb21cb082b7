import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as openRequest } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner'
import { expect, test } from 'vitest'
import { fakeClock, machine } from '../kit/harness.ts'
import { PDF } from './storage-stub.ts'

/** A storage server and a signer of links by other authors. Tests with our own storage alone would repeat our own mistakes about S3. */

// The package has no types.
const S3rver: any = createRequire(import.meta.url)('@20minutes/s3rver')
const SECRET = 'S3RVER'
const KEY = 'reports/P 1ñ.pdf'

interface Storage extends AsyncDisposable {
  /** Returns a link for a method, valid for 1800 seconds from `signedAt`. */
  link(method: string, signedAt?: Date): Promise<string>
}

async function storage(): Promise<Storage> {
  const directory = mkdtempSync(join(tmpdir(), 'bnpl-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'informes' }],
  })
  const { port } = (await server.run()) as AddressInfo
  const presigner = new S3RequestPresigner({
    region: 'us-east-1',
    credentials: { accessKeyId: SECRET, secretAccessKey: SECRET },
    sha256: Sha256,
  })
  const host = `127.0.0.1:${port}`
  const path = `/informes/${KEY.split('/').map(encodeURIComponent).join('/')}`
  return {
    async link(method, signedAt = new Date()) {
      const query = { 'response-content-disposition': 'attachment; filename="../../other name.pdf"' }
      const headers = { host }
      const unsigned: any = { method, protocol: 'http:', hostname: '127.0.0.1', port, path, headers, query }
      const signed = await presigner.presign(unsigned, { expiresIn: 1800, signingDate: signedAt })
      const words = Object.entries(signed.query ?? {}).map(
        ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
      )
      return `http://${host}${path}?${words.join('&')}`
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The hash function that the signer needs. */
class Sha256 {
  readonly #hash
  constructor(secret?: any) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  }
  update(data: any): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
}

/** Starts the service in front of the storage. It answers each call with the next link. */
async function service(links: readonly string[]) {
  let asked = 0
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ data: { url: links[Math.min(asked++, links.length - 1)] } }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    env: {
      BNPL_API_KEY: 'test-key-123456',
      BNPL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function send(method: string, url: string, headers: Record<string, string>, body = Buffer.alloc(0)): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = openRequest(url, { method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(`${response.statusCode} ${/<Code>(\w+)/.exec(text)?.[1] ?? ''}`.trim()))
    })
    call.on('error', reject)
    call.end(body)
  })
}

test('a report is downloaded whole from a real S3-compatible server, with a link of the AWS SDK', async () => {
  using m = machine()
  await using s3 = await storage()
  const put = await send('PUT', await s3.link('PUT'), { 'content-type': 'application/pdf' }, PDF)
  expect(put).toBe('200')
  await using api = await service([await s3.link('GET')])
  const ran = await m.run('informe download P1 --json', { env: api.env })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.json()[0].sha256).toBe(createHash('sha256').update(PDF).digest('hex'))
  expect(readFileSync(join(m.dir, 'PreAprobacion_P1.pdf'))).toEqual(PDF)
})

test('the S3-compatible server refuses a signed link with an Authorization header [row 33]', async () => {
  await using s3 = await storage()
  await send('PUT', await s3.link('PUT'), { 'content-type': 'application/pdf' }, PDF)
  const link = await s3.link('GET')
  expect(await send('GET', link, { authorization: 'Bearer test-key-123456' })).toBe('400 InvalidArgument')
  expect(await send('GET', link, {})).toBe('200')
})

test('an expired link is replaced once; if the new link is expired too, the reason is reported', async () => {
  using m = machine()
  await using s3 = await storage()
  await send('PUT', await s3.link('PUT'), { 'content-type': 'application/pdf' }, PDF)
  const dead = await s3.link('GET', new Date(Date.now() - 1801_000))
  await using renewed = await service([dead, await s3.link('GET')])
  expect(await m.run('informe download P1', { env: renewed.env, clock: fakeClock() })).toMatchObject({ code: 0 })
  expect(renewed.asked()).toBe(2)
  await using never = await service([dead])
  const ran = await m.run('informe download P2 --json', { env: never.env, clock: fakeClock() })
  expect(ran).toMatchObject({ code: 5, stdout: '' })
  expect(ran.error().message).toContain('AccessDenied')
  expect(never.asked()).toBe(2)
})

test('a report that the server does not have is reported as missing', async () => {
  using m = machine()
  await using s3 = await storage()
  await using api = await service([await s3.link('GET')])
  expect(await m.run('informe download P1 --json', { env: api.env })).toMatchObject({ code: 6 })
})
