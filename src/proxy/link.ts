import type { Socket } from 'node:net'
import { faultFrom } from '../client/fault.ts'

interface LinkPlan {
  connect(signal: AbortSignal): Promise<Socket>
  fromClient(bytes: Buffer): void
  /** Called with bytes of the service, after they were passed on. */
  fromService(bytes: Buffer): void
  /**
   * Called when no further answer will arrive. @param kind a kind of fault, for the exchanges that are still open
   * @param isEnd whether the service closed the connection in the normal way, which completes an answer that ends with the connection
   */
  ended(kind: string, isEnd: boolean): void
}

/**
 * A program's connection, and the connection to the service that belongs to it. When one ends or is reset, the same happens to the other.
 */
interface Link {
  /** Sends bytes to the service. The first call opens the connection. */
  send(bytes: Buffer): void
  /** Stops reading from the program. Reading resumes when all functions that `hold` returned have been called. */
  hold(): () => void
  /** Ignores what the program still sends. */
  ignore(): void
  /** Ends the connection with an answer that is not the service's. */
  answer(text: string): void
  /** Ends both connections after all written bytes were sent. */
  finish(): void
  /** Closes the program's connection without an answer. */
  cut(): void
}

/** How long a program may take to read an answer of ours and to close the connection, in milliseconds. */
const LINGER_MS = 2000

/** Connects a program's connection with a connection to the service. */
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

/** Passes what the service sends, and its end, to the program. */
function passBack(service: Socket, client: Socket, plan: LinkPlan, clientHasEnded: () => boolean): void {
  service.on('data', (bytes: Buffer) => {
    // If the program has disconnected, its operating system would refuse the bytes with a reset. So reset the service's connection too.
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

/** Resets a connection after everything was written. A TLS connection is closed instead. */
function reset(socket: Socket): void {
  if (socket.destroyed) return
  if (socket.writableLength > 0) socket.once('drain', () => reset(socket))
  else if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}
