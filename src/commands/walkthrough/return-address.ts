import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { type Landing, readLanding } from '../../domain/payment-page.ts'

/** The address that the customer returned to, and its parameters. */
type Return = Landing & { landedOn: 'success' | 'error' }

interface ReturnAddress {
  successUrl: string
  errorUrl: string
  /** Resolves when a browser opens one of the two addresses. */
  arrival: Promise<Return>
  close(): Promise<void>
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Back at the shop</title><style>body{font:18px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:30rem;padding:0 1rem}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}</style>
<h1>Back at the shop</h1><p>The walkthrough goes on in the terminal. You can close this tab.</p></html>`

/** Serves a return address on this machine, under a path that nobody can guess, and waits for the first browser that opens it. */
export async function catchReturn(): Promise<ReturnAddress> {
  const secret = randomBytes(12).toString('hex')
  const { promise, resolve } = Promise.withResolvers<Return>()
  const [{ bind }, { hostsOf, refuseHost }] = await Promise.all([
    import('../../http/bind.ts'),
    import('../../http/own-host.ts'),
  ])
  const names = { port: 0, hosts: [] }
  const server = createServer((request, response) => {
    const refused = refuseHost(hostsOf(request.rawHeaders), names)
    if (refused !== 0) {
      response.writeHead(refused, { connection: 'close' }).end()
      return
    }
    // Any program on this machine can send a path that is not a URL, such as `//`.
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1')
    const landedOn = (['success', 'error'] as const).find((each) => url?.pathname === `/${secret}/${each}`)
    if (request.method !== 'GET' || url === null || landedOn === undefined) {
      response.writeHead(404, { connection: 'close' }).end()
      return
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    response.end(PAGE, () => resolve({ landedOn, ...readLanding(url) }))
  })
  names.port = await bind(server, { host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${names.port}/${secret}`
  return {
    successUrl: `${base}/success`,
    errorUrl: `${base}/error`,
    arrival: promise,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
