import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Handles every request of a server. @param proceed tells a client that sent `Expect: 100-continue` to send its body; does nothing for
 * other clients
 */
type RequestHandler = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void

/**
 * Gives a server's requests to a handler. By default Node answers `100 Continue` before any check of the head, so that a client which will
 * be refused would send its whole body first. @param onFault gets the errors of the handler; the connection is then closed
 */
export function onRequests(server: Server, handle: RequestHandler, onFault: (error: unknown) => void): void {
  const guarded: RequestHandler = (request, response, proceed) => {
    try {
      handle(request, response, proceed)
    } catch (error) {
      onFault(error)
      request.socket.destroy()
    }
  }
  server.on('request', (request, response) => guarded(request, response, () => {}))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    guarded(request, response, () => response.writeContinue()),
  )
}

/** The value of a header; undefined when it was not sent. Node joins the values of most headers that were sent twice. */
export function singleHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
