import { createServer } from 'node:http'

/**
 * A service on loopback that answers every verification, for measurements. It prints its port.
 * Argument: milliseconds before an answer (0).
 */
const latency = Number(process.argv[2] ?? 0)

const loanOf = (externalTrxId: string) =>
  JSON.stringify({
    data: {
      loanAmount: 250_000,
      interestRate: 0.0189,
      periods: 3,
      installmentAmount: 86_503,
      lastInstallmentAmount: 86_503,
      state: 'ACTIVE',
      transferDate: '2026-03-01',
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
