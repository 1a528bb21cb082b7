import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paymentPageUrl } from '../../src/domain/payment-page.ts'
import { startTransportServer, type TransportServer } from '../../src/sandbox/server/transport-server.ts'
import { sandboxKit } from '../kit/sandbox-kit.ts'

/** A request that reached the merchant. */
export interface ShopVisit {
  url: URL
  referer: string | undefined
}

/**
 * Starts a sandbox and a merchant's server, each on its own port of loopback.
 * @param pages the merchant's pages by path; `{pay}` in them is the sandbox's address
 */
export async function openShop(pages: Record<string, string> = {}) {
  const kit = await sandboxKit({ allowHttp: true })
  const faults: unknown[] = []
  const pay: TransportServer = await startTransportServer({
    host: '127.0.0.1',
    port: 0,
    onError: (error) => faults.push(error),
  })
  pay.answerWith(kit.sandbox.transport)
  const visits: ShopVisit[] = []
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    if (url.pathname !== '/favicon.ico') visits.push({ url, referer: request.headers.referer })
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end((pages[url.pathname] ?? '<title>shop</title><h1>shop</h1>').replaceAll('{pay}', pay.baseUrl))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Evaluates a customer for a transaction, and returns a token for it. */
  const token = async (externalTrxId: string, { rut = '11222333-9', amount = 250_000 } = {}): Promise<string> => {
    await kit.evaluate(externalTrxId, { rut, amount })
    return (await kit.startWidget(externalTrxId, amount)).data.widgetToken
  }
  const address = (widgetToken: string, over: Record<string, string> = {}): string =>
    paymentPageUrl(`${pay.baseUrl}/pay`, {
      widgetToken,
      publicKey: kit.bnpl.publicKey,
      successReturnUrl: `${origin}/gracias?pedido=7#fin`,
      errorReturnUrl: `${origin}/error`,
      ...over,
    })

  return {
    kit,
    pay,
    origin,
    visits,
    faults,
    token,
    address,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await pay.close()
      await kit[Symbol.asyncDispose]()
    },
  }
}
