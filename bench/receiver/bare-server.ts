import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server that the receiver is compared with. It reads the body and answers 200; it neither verifies nor stores. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 3 })
    response.end('ok\n')
  })
})
server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 }, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`)
})
