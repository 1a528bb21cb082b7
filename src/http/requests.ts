import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Handles every request of a server.
 * @param proceed tells a client that asked first (`Expect: 100-continue`) to send its body; does nothing for the others
 */
type RequestHandler = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void

/**
 * Gives a server's requests to a handler. Node by itself answers `100 Continue` before the head is looked at, and a client that is about
 * to be refused would send its whole body first.
 * @param onFault gets the errors of the handler; the connection is cut
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

/** The one value of a header; undefined when it was not sent. A header that came twice is one text, as Node joins most of them. */
export function singleHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
