import { createServer } from 'node:http'
import { loan } from './loan.ts'

/** A service on loopback that counts the requests for each transaction. */
export interface CountingService {
  baseUrl: string
  /** How often each transaction was asked for. */
  asked: Map<string, number>
  /** Transactions whose request has arrived and that have no answer yet. */
  inFlight: Set<string>
  total(): number
  close(): Promise<void>
}

/**
 * Starts a service that answers every evaluation and verification.
 * @param answerAfterMs how long an answer takes; undefined if there is no answer
 * @param onRequest called with each request before it is answered
 */
export async function countingService(
  answerAfterMs: number | undefined,
  onRequest: (total: number) => void = () => {},
): Promise<CountingService> {
  const asked = new Map<string, number>()
  const inFlight = new Set<string>()
  let total = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = new URLSearchParams(Buffer.concat(chunks).toString())
      const trx = body.get('externalTrxId') ?? decodeURIComponent(request.url?.split('/').at(-2) ?? '')
      asked.set(trx, (asked.get(trx) ?? 0) + 1)
      inFlight.add(trx)
      onRequest(++total)
      if (answerAfterMs === undefined) return
      setTimeout(() => {
        inFlight.delete(trx)
        const data = request.url?.endsWith('/loan') ? loan(trx) : { preApproveId: `P-${trx}`, installmentOptions: [] }
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
      }, answerAfterMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    asked,
    inFlight,
    total: () => total,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
