import type { Socket } from 'node:net'
import { faultFrom } from '../client/fault.ts'

interface LinkPlan {
  connect(signal: AbortSignal): Promise<Socket>
  fromClient(bytes: Buffer): void
  fromService(bytes: Buffer): void
  /**
   * Called when the service will send nothing more on this connection, and possibly again when the program disconnects.
   * @param kind the kind of fault to report for exchanges without a complete answer
   * @param isEnd whether the service closed the connection normally. A normal close completes an answer without a length.
   */
  ended(kind: string, isEnd: boolean): void
}

/** A program's connection and the connection to the service. When one of them ends or is reset, the same happens to the other. */
interface Link {
  /** Sends bytes to the service. The first call opens the connection. */
  send(bytes: Buffer): void
  /** Stops reading from the program. Reading resumes when all functions that `hold` returned have been called. */
  hold(): () => void
  ignore(): void
  /** Sends an answer of the proxy itself to the program, and then ends both connections. */
  answer(text: string): void
  finish(): void
  cut(): void
}

/** The time in which the program must read the proxy's own answer and close the connection, in ms. */
const LINGER_MS = 2000

/** Returns a link between a program's connection and a new connection to the service. */
export function linkTo(client: Socket, plan: LinkPlan): Link {
  const left = new AbortController()
  let service: Socket | undefined
  let waiting: Buffer[] | undefined
  let isEnded = false
  let isIgnored = false
  let holds = 0
  const hold = () => {
    if (holds++ === 0) client.pause()
    let isHeld = true
    return () => {
      if (isHeld && --holds === 0) client.resume()
      isHeld = false
    }
  }
  const write = (socket: Socket, bytes: Buffer) => {
    if (!socket.write(bytes)) socket.once('drain', hold())
  }
  const open = async (first: Buffer[]) => {
    waiting = first
    const release = hold()
    try {
      const socket = await plan.connect(left.signal)
      socket.on('error', () => {})
      if (client.destroyed) return void socket.destroy()
      service = socket
      passBack(socket, client, plan, () => isEnded)
      for (const bytes of waiting) write(socket, bytes)
      if (isEnded) socket.end()
    } catch (error) {
      if (client.destroyed) return
      plan.ended(faultFrom(error, false).kind, false)
      reset(client)
    } finally {
      waiting = undefined
      release()
    }
  }
  client.on('data', (bytes: Buffer) => {
    if (!isIgnored) plan.fromClient(bytes)
  })
  client.on('end', () => {
    isEnded = true
    if (service) service.end()
    else if (waiting === undefined) client.end()
  })
  client.on('error', () => {})
  client.on('close', (isReset) => {
    plan.ended('aborted', false)
    left.abort(new Error('the program disconnected'))
    if (service === undefined) return
    if (isReset) return void reset(service)
    service.resume()
    service.destroySoon()
  })
  return {
    send(bytes) {
      if (service) write(service, bytes)
      else if (waiting) waiting.push(bytes)
      else void open([bytes])
    },
    hold,
    ignore() {
      isIgnored = true
    },
    answer(text) {
      isIgnored = true
      client.end(text)
      service?.end()
      const timer = setTimeout(() => client.destroy(), LINGER_MS)
      client.once('close', () => clearTimeout(timer))
    },
    finish() {
      client.destroySoon()
      service?.destroySoon()
    },
    cut: () => reset(client),
  }
}

function passBack(service: Socket, client: Socket, plan: LinkPlan, clientHasEnded: () => boolean): void {
  service.on('data', (bytes: Buffer) => {
    // The program has disconnected, so the service's connection is reset too, as it would be without the proxy.
    if (client.destroyed) return void reset(service)
    if (!client.writableEnded && !client.write(bytes)) {
      service.pause()
      client.once('drain', () => service.resume())
    }
    plan.fromService(bytes)
  })
  service.on('end', () => {
    plan.ended(clientHasEnded() ? 'aborted' : 'reset', true)
    client.end()
  })
  service.on('error', (error) => {
    plan.ended(faultFrom(error, true).kind, false)
    reset(client)
  })
  service.on('close', (hadError) => hadError || client.destroySoon())
  service.resume()
}

/** Resets a connection after everything was written. A TLS connection is closed, because it cannot be reset. */
function reset(socket: Socket): void {
  if (socket.destroyed) return
  if (socket.writableLength > 0) socket.once('drain', () => reset(socket))
  else if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}
