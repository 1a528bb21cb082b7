import http from 'node:http'
import https from 'node:https'
import type { OnReadOpts, Socket } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import { type BodySink, type Download, type DownloadRequest, type Transport, WireFault } from '../contract/wire.ts'
import { BodyBytes } from '../domain/body-bytes.ts'
import { startDeadline } from '../domain/deadline.ts'
import { faultFrom } from './fault.ts'
import { type ProxyServer, proxyFor } from './proxy.ts'
import { openTunnel } from './tunnel.ts'

interface DownloadOptions {
  env: Readonly<Record<string, string | undefined>>
}

/** Returns a `Download` that uses Node's own HTTP client, because that client is the fastest. No key or cookie is sent. */
export function createDownload({ env }: DownloadOptions): Download {
  return (request, begin) => {
    const url = new URL(request.url)
    const secure = url.protocol === 'https:'
    const proxy = proxyFor(url, env)
    const agent = proxy
      ? tunnelAgent(proxy, request.signal)
      : secure
        ? new https.Agent(readIntoOne())
        : new http.Agent(readIntoOne())
    const call = (secure ? https : http).request(url, { ...OPTIONS, agent, headers: request.headers })
    return run(call, { secure, env }, request, begin)
  }
}

const OPTIONS = { method: 'GET', maxHeaderSize: 32_768, insecureHTTPParser: false } as const

function tunnelAgent(proxy: ProxyServer, signal: AbortSignal | undefined): https.Agent {
  const agent = new https.Agent()
  agent.createConnection = (options, done) => {
    openTunnel(proxy, options.host ?? '', Number(options.port), signal).then(
      (socket) => done?.(null, connect({ ...(options as ConnectionOptions), socket })),
      (error: Error) => done?.(error, undefined as never),
    )
    return undefined
  }
  return agent
}

const READ_BYTES = 65_536

/**
 * Returns agent options that use the same buffer for every read. This is safe, because the parser copies the body out of the buffer before
 * the next read.
 */
function readIntoOne(): http.AgentOptions & { onread: OnReadOpts } {
  return {
    onread: {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback(this: Socket, size: number, buffer: Uint8Array) {
        return this.emit('data', buffer.subarray(0, size))
      },
    },
  }
}

/** Frees a chunk's memory at once, because a download of 200 MB would otherwise keep up to 80 MiB in memory. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

function run(
  call: http.ClientRequest,
  { secure, env }: { secure: boolean; env: DownloadOptions['env'] },
  request: DownloadRequest,
  begin: Parameters<Download>[1],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = false
    const end = (settle: () => void) => {
      idle.clear()
      deadline.clear()
      request.signal?.removeEventListener('abort', interrupted)
      settle()
    }
    // Only the first reason counts, because destroying the socket causes further errors.
    const stop = (reason: unknown) => {
      end(() => reject(reason))
      call.destroy()
    }
    const late = (ms: number, what: string) => stop(new WireFault('timeout', sent, `${what} within ${ms} ms`))
    const idle = startDeadline(request.idleMs, () => late(request.idleMs, 'no data arrived'))
    const deadline = startDeadline(request.timeoutMs, () => late(request.timeoutMs, 'no complete answer'))
    const interrupted = () => stop(new WireFault('aborted', sent, 'interrupted', request.signal?.reason))

    let answer: http.IncomingMessage | undefined
    call.on('error', (error) => {
      // After a complete answer, an error only means that more bytes arrived. Ignore the error, because it depends on timing.
      if (!answer?.complete) stop(faultFrom(error, sent, { env }))
    })
    if (request.signal?.aborted) return interrupted()
    request.signal?.addEventListener('abort', interrupted)
    call.on('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', () => (sent = true)))
    call.on('response', (response) => {
      answer = response
      let sink: BodySink
      try {
        sink = begin({ status: response.statusCode ?? 0, headers: flatten(response.headersDistinct) })
      } catch (error) {
        return stop(error)
      }
      const body = new BodyBytes()
      response.on('data', (chunk: Uint8Array) => {
        idle.refresh()
        body.skip(chunk)
        if (body.isShredded)
          return stop(new WireFault('garbled', true, 'too many small chunks', undefined, { shredded: true }))
        try {
          sink.take(chunk)
          free(chunk)
        } catch (error) {
          stop(error)
        }
      })
      response.on('end', () =>
        response.complete ? end(resolve) : stop(new WireFault('reset', sent, 'the answer was cut off')),
      )
      response.on('error', (error) => stop(faultFrom(error, sent)))
    })
    call.end()
  })
}

function flatten(headers: NodeJS.Dict<string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, (values ?? []).join(', ')]))
}

const MAX_BUFFERED_BYTES = 10 * 1024 * 1024

/** Returns a `Download` over a transport that returns whole bodies, such as the sandbox in this process. */
export function downloadOver(transport: Transport): Download {
  return async ({ idleMs: _, ...request }, begin) => {
    const answer = await transport({ ...request, method: 'GET', maxBytes: MAX_BUFFERED_BYTES })
    begin({ status: answer.status, headers: answer.headers }).take(answer.body)
  }
}
