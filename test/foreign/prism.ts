import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'

/** Prism, run like `prism proxy --errors`. It compares every request and every answer with a document. */
export interface Proxy {
  /** The address of the proxy. */
  url: string
  /** The requests that arrived, such as `POST /partner/webhook`. */
  requests: string[]
  /** The differences from the document that Prism reported. */
  violations: string[]
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the proxy in front of a service.
 * @param document the OpenAPI document, parsed
 * @param upstream base address of the service
 */
export async function prismProxy(document: object, upstream: string): Promise<Proxy> {
  const requests: string[] = []
  const violations: string[] = []
  const ignore = () => {}
  const found = (about: unknown, message = String(about)) => {
    violations.push(message)
  }
  const logger = {
    level: 'info',
    fatal: found,
    error: found,
    warn: found,
    info(about: { input?: { method: string; url: { path: string } } }, message?: string) {
      if (message === 'Request received' && about.input)
        requests.push(`${about.input.method.toUpperCase()} ${about.input.url.path}`)
    },
    debug: ignore,
    trace: ignore,
    silent: ignore,
    success: ignore,
    child: () => logger,
  }
  const server = createServer(await getHttpOperationsFromSpec(structuredClone(document)), {
    cors: false,
    components: { logger: logger as never },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
      upstreamProxy: undefined,
    },
  })
  const url = await server.listen(0, '127.0.0.1')
  return { url, requests, violations, [Symbol.asyncDispose]: () => server.close() }
}
