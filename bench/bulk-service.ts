import { createServer } from 'node:http'
import { LOAN } from '../test/kit/loan.ts'

/**
 * A service on loopback that answers every verification, for measurements. It prints its port.
 * Argument: milliseconds before an answer (0).
 */
const latency = Number(process.argv[2] ?? 0)

const loanOf = (externalTrxId: string) =>
  JSON.stringify({
    data: {
      ...LOAN,
      periods: 3,
      externalTrxId,
      installments: [1, 2, 3].map((period) => ({ state: 'ACTIVE', period, expirationDate: `2026-0${3 + period}-01` })),
    },
  })

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const body = loanOf(request.url?.split('/')[3] ?? '')
    const answer = () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      response.end(body)
    }
    if (latency > 0) setTimeout(answer, latency)
    else answer()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))
