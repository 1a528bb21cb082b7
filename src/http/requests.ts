import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Handles every request of a server.
 * @param proceed tells a client that asked first (`Expect: 100-continue`) to send its body; does nothing for the others
 */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void

/**
 * Gives a server's requests to a handler. Node alone would answer `100 Continue` before anybody has looked at the head: a client that is
 * about to be refused would send its whole body first.
 * @param onFault gets what the handler throws; the connection is cut
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
