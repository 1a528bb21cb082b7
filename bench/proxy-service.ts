import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The servers of `bench/proxy.ts`, each in a process of its own that prints its port. `node bench/proxy-service.ts` is the service.
 * `node bench/proxy-service.ts PORT` is a proxy that only passes calls on to the service at that port.
 */

const OPTIONS = [3, 6, 12, 24].map((installments) => ({ installments, amount: 45_000, total: 45_000 * installments }))
const ANSWER = Buffer.from(
  JSON.stringify({ data: { preApproveId: '0b6f1d0e-6d0a-4c0f-9d54-1a2b3c4d5e6f', installmentOptions: OPTIONS } }),
)
const LARGE = Buffer.alloc(10 * 1024 * 1024, 'x')

const behind = Number(process.argv[2] ?? 0)
const agent = new Agent({ keepAlive: true })
const server = behind === 0 ? createServer(serve) : createServer(pass)
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

function serve(asked: Parameters<typeof pass>[0], answer: Parameters<typeof pass>[1]): void {
  asked.resume().on('end', () => {
    const body = asked.url === '/large' ? LARGE : ANSWER
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
}

function pass(
  asked: import('node:http').IncomingMessage,
  answer: import('node:http').ServerResponse<import('node:http').IncomingMessage>,
): void {
  const { method, url, headers } = asked
  const sent = request({ agent, host: '127.0.0.1', port: behind, method, path: url, headers }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers)
    got.pipe(answer)
  })
  sent.on('error', () => answer.destroy())
  asked.pipe(sent)
}
